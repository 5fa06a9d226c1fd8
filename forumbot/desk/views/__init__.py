"""The pages of the desk, by subject. Each takes what was asked and gives an answer."""
