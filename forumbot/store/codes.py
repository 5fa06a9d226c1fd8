"""Codes that bind a mail address to a player: short enough to copy by hand."""

from __future__ import annotations

import secrets

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def proof_code() -> str:
    """A new code for proving an address: eight letters and digits that cannot be mistaken for one another."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"
