"""What every part of hosting rests on: rows and their fold, the outbox, what acts and texts have in common."""
