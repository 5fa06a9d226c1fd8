"""What is posted of a game for all to read."""
