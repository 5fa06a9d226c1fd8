"""Who is meant: the roster of a game in all the spellings that its nicks may take, declined once a game."""
