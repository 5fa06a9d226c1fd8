"""What hosts do: the table of acts, each held to what its host saw, each undone."""
