"""Addresses of shared caches, as the configuration has them."""

import re

OBJECT_STORE = re.compile(r"(s3|gs|az|memory|file)://.+")
RSYNC = re.compile(r"rsync://[^-/].*|([^-/:@\s][^/:@\s]*@)?[^-/:@\s][^/:@\s]+:(?!//).*")
_URL = re.compile(r"[a-z][a-z0-9+.-]*://")


def address_fault(address: str) -> str | None:
    """Why an address names no place, with what to write instead; None if it may name one."""
    if OBJECT_STORE.fullmatch(address) or RSYNC.fullmatch(address):
        return None
    if _URL.match(address):
        return "write a folder, an address for rsync such as rsync://host/path, or s3://, gs:// or az://."
    if (
        ":" in address.partition("/")[0]
        or address.startswith("-")
        or not address.strip()
        or not address.isprintable()
    ):
        return "write a folder, user@host:path, or the address of an object store such as s3://bucket/path."
    return None
