"""Keys as texts. The configuration has the public half, and whoever writes bundles the secret one."""

import base64
import binascii

PUBLIC, SECRET = "diglot-public-", "diglot-secret-"
"""What the texts begin with, so that nobody takes one for the other."""
_KEY_BYTES = 32
SIGNATURE_BYTES = 64


def key_text(kind: str, key: bytes) -> str:
    """A key of a kind, `PUBLIC` or `SECRET`, as a text."""
    return kind + base64.urlsafe_b64encode(key).decode().rstrip("=")


def key_bytes(kind: str, text: str) -> bytes | None:
    """The key in a text; None if it has none of this kind."""
    if not text.startswith(kind):
        return None
    try:
        key = base64.b64decode(text.removeprefix(kind) + "=", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return key if len(key) == _KEY_BYTES and key_text(kind, key) == text else None
