"""From clauses to the claims of a message: what a clause without a move word of its own does to those before it."""
