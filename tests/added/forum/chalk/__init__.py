"""A small forum engine of another distribution: pages of notes, words in ink, dates of its own ("3.12.2026 в 14ч05")."""
