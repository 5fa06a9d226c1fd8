"""The hosts' web desk: reads the store, acts only through rows that the daemon carries out."""
