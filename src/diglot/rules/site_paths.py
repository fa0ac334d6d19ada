"""Paths of the site as authors write them, and as files are published."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from diglot.languages import LANGUAGES, Language
from diglot.render.assets import FOLDER, hashed_name
from diglot.rules.files import STATIC
from diglot.rules.ids import as_language


def file_path(path: str, digest: str) -> str:
    """Published path of an article's file, from the site's root."""
    return f"{FOLDER}/{hashed_name(path.removeprefix('content/'), digest)}"


def source_of(address: str, published: Mapping[str, str]) -> str:
    """The file in the project that the address of a picture leads to, by the published paths of files."""
    path = unquote(address.partition("#")[0])
    return published.get(path, f"{STATIC}/{path}")


def taken_apart(path: str) -> tuple[Language | None, str]:
    """The language that a path from the site's root begins with, if any, and the address behind it."""
    first, _, rest = path.strip("/").partition("/")
    return (as_language(first), rest) if first in LANGUAGES else (None, path.strip("/"))


def address_of(path: str) -> str:
    """The path of a file as an address, in which `#`, `?`, `%` and spaces mean something else."""
    return _NOT_AS_IT_IS.sub(lambda found: f"%{ord(found[0]):02X}", path)


_NOT_AS_IT_IS = re.compile(r"[\x00-\x20%#?<>\"]")


def is_plain(path: str) -> bool:
    """Whether a path from the site's root is in normal form: without empty parts, `.` or `..`."""
    return path == "/" or not {"", ".", ".."}.intersection(path.removesuffix("/").split("/")[1:])
