"""How content is told apart: one digest for the engine, the workers and the published names."""

import hashlib
from collections.abc import Iterable

ABSENT = "absent"
"""Stands for the digest of a file that is not there: creating it is a change."""


def digest_of(content: bytes) -> str:
    """The digest of some bytes: 128 bits of SHA-256, in hex. Most processors have instructions for it."""
    return hashlib.sha256(content).hexdigest()[:32]


def digest_of_names(names: Iterable[str]) -> str:
    """The digest of a folder's listing, whatever order it was read in."""
    return digest_of("\n".join(sorted(names)).encode())
