"""What a host can mend himself."""

from __future__ import annotations


class Mendable(Exception):
    """Something is wrong that a host can mend; the text is one Russian sentence: what, where, what to do."""
