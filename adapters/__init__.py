"""The outside world: forums and mail. Parsing (bytes or text in, records out) is apart from fetching and sending."""
