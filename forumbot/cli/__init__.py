"""The commands. Each stands in a module of its own and is imported only when it is called."""
