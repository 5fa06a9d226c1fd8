"""The rules: pure functions over immutable states; no I/O, no clock, no text for people."""
