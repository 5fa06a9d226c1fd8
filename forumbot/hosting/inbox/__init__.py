"""What comes in: posts and letters to rows, verdicts and questions."""
