"""The state machine of a game: deadlines, their steps, and what the hand of a host does to a running turn."""
