"""Accounts across games: who they are, where they play, what they were told."""
