"""Saved pages of the forum without people in them, and what they tell about the forum."""
