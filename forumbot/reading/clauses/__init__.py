"""The clause, unit of the reading: what it is, how a message is taken apart, and where a clause is cut."""
