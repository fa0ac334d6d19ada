"""Ed25519 signatures of bundles. Alone loads `cryptography`, which the extra `diglot[remote]` brings."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from diglot.shared_cache.key_texts import PUBLIC, SECRET, key_bytes, key_text

_PURPOSE = b"diglot shared cache bundle\0"
"""Signed with each bundle, so that a signature for any other use of the key is none here."""


class KeyPair(NamedTuple):
    """Two texts that belong together."""

    public: str
    secret: str


def make_key_pair() -> KeyPair:
    """A new key pair, from the operating system's random numbers."""
    secret = Ed25519PrivateKey.generate()
    return KeyPair(
        key_text(PUBLIC, secret.public_key().public_bytes_raw()), key_text(SECRET, secret.private_bytes_raw())
    )


def public_of(secret: str) -> str | None:
    """The public half of a secret key; None if the text is no secret key."""
    if (key := key_bytes(SECRET, secret)) is None:
        return None
    return key_text(PUBLIC, Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw())


def signer(secret: str) -> Callable[[bytes], bytes]:
    """What signs with a secret key. Raises ValueError if the text is none."""
    if (key := key_bytes(SECRET, secret)) is None:
        raise ValueError("this is no secret key")
    private = Ed25519PrivateKey.from_private_bytes(key)
    return lambda content: private.sign(_PURPOSE + content)


def is_signed(content: bytes, signature: bytes, keys: Collection[str]) -> bool:
    """Whether one of these public keys made the signature; texts that are no keys made none."""
    for text in keys:
        if (key := key_bytes(PUBLIC, text)) is not None:
            try:
                Ed25519PublicKey.from_public_bytes(key).verify(signature, _PURPOSE + content)
            except InvalidSignature:
                continue
            return True
    return False
