"""What the players of each ruleset want (one module a ruleset) and how they put it (one module of phrasings beside it)."""
