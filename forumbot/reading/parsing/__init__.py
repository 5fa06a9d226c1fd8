"""One clause read: its move words take the nicks that they govern, and every other word must be explained by a class."""
