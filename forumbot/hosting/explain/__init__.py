"""Why: sources of every line, the same bytes again, who has won."""
