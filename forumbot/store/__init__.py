"""The database: one SQLite file, written through one engine and read through another."""
