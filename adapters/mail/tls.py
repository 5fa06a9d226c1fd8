"""TLS for mail: whom we believe, and why a line is not secure enough for a password."""

from __future__ import annotations

import ssl

from adapters.errors import NotSecure, Unreachable

_OTHER_NAME = frozenset((62, 63, 64))
_WRONG_TIME = frozenset((9, 10))
_UNKNOWN_SIGNER = frozenset((18, 19, 20, 21))
"""OpenSSL's numbers (X509_V_ERR_...): another host's or address's; not yet or no longer valid; signed by itself or by nobody
that this machine trusts."""


def context() -> ssl.SSLContext:
    """Certificate and name are checked against what the machine trusts (``SSL_CERT_FILE`` may name more)."""
    return ssl.create_default_context()


def trouble(error: BaseException, words: str) -> Unreachable:
    """What a line that could not be opened means; ``words``: the error's own."""
    if isinstance(error, ssl.SSLCertVerificationError):
        code = error.verify_code
        if code in _OTHER_NAME:
            return NotSecure("other_name", words)
        if code in _WRONG_TIME:
            return NotSecure("wrong_time", words)
        return NotSecure("unknown_signer" if code in _UNKNOWN_SIGNER else "bad_certificate", words)
    if isinstance(error, ssl.SSLError) and error.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
        return NotSecure("no_tls", words)
    return Unreachable(words)
