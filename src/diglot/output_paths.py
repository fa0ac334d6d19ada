"""Which paths the output may have: relative, with forward slashes, valid on every file system and host.

Paths are checked where they are read, so that a mistake has a file and a line, and again where files are
written or removed.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from diglot.characters import code_of, forbidden_in

KEPT = ".git"
"""A repository at the top of an output folder: it belongs to the author who pushes the folder."""
MARK = ".diglot-site"
"""The file that marks a folder as diglot's and says which files in it are."""
ASIDE = ".diglot-new"
"""The staging folder in the output: new files are written there and then moved into place."""

LONGEST_PART_BYTES = 255
"""The limit of most file systems."""
LONGEST_PATH_BYTES = 1000
"""Systems allow 1,024 (macOS) or 4,096 bytes (Linux), including the path of the output folder."""

_PLAIN_PART = r"[A-Za-z0-9_](?:[A-Za-z0-9._=-]*[A-Za-z0-9_=-])?"
_PLAIN = re.compile(rf"(?:{_PLAIN_PART}/)*{_PLAIN_PART}")
_RESERVED = (".git", "git~1")
_OWN = ".diglot-"
_IGNORED = ("Cf", "Mn")
"""Categories of characters that some file systems leave out when they compare names."""


class PathFault(ValueError):
    """Why a path is not allowed in the output, as a predicate to its name: `contains ".."`."""


class Clash(NamedTuple):
    """Two paths that cannot both be files of the same output."""

    first: str
    second: str
    """The path that came later."""
    why: str
    """A phrase that joins the two: `is the same as`, `needs a folder where there is the file`."""


def check_path(path: str) -> None:
    """Raise PathFault if a path is not allowed in the output."""
    if len(path) <= LONGEST_PART_BYTES and _PLAIN.fullmatch(path):  # true of nearly all paths
        return
    if not path:
        raise PathFault("is empty")
    if (character := forbidden_in(path.replace("\t", "\x01").replace("\n", "\x01"))) is not None:
        raise PathFault(f"contains the character {code_of(character)}")
    if "\\" in path:
        raise PathFault("contains a backslash")
    parts = path.split("/")
    if "" in parts:
        raise PathFault("has an empty part: a slash at the beginning or end, or two in a row")
    for part in parts:
        _check_part(part)
    if (size := len(path.encode())) > LONGEST_PATH_BYTES:
        raise PathFault(f"is {size} bytes long; at most {LONGEST_PATH_BYTES:,} are allowed")
    decoded = _decoded(path)
    if decoded != path:
        if decoded.count("/") != path.count("/"):
            raise PathFault("contains a percent-encoded slash")
        try:
            check_path(decoded)
        except PathFault as fault:
            raise PathFault(f"{fault}, after percent-decoding") from None


def folders_of(paths: Iterable[str]) -> set[str]:
    """The folders above some paths, each with a slash at its end."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and f"{folder}/" not in found:
            found.add(f"{folder}/")
            folder = folder.rpartition("/")[0]
    return found


def _check_part(part: str) -> None:
    if part in (".", ".."):
        raise PathFault(f'contains "{part}"')
    if part.endswith((".", " ")):
        raise PathFault(f'has a part that ends in a {"dot" if part.endswith(".") else "space"}: "{part}"')
    if (size := len(part.encode())) > LONGEST_PART_BYTES:
        raise PathFault(f"has a part of {size} bytes; file systems allow {LONGEST_PART_BYTES}")
    bare = _bare(part)
    if bare in _RESERVED or bare.startswith(_OWN):
        raise PathFault(f'contains "{part}", which is a reserved name')


def _decoded(path: str, *, errors: str = "replace") -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote  # noqa: PLC0415  (imported late because most builds do not need it)

    return unquote(path, errors=errors)


def _bare(part: str) -> str:
    """A name normalised as the most tolerant file systems compare names."""
    import unicodedata  # noqa: PLC0415  (few builds need it)

    name = unicodedata.normalize("NFKC", part).partition(":")[0]
    seen = "".join(one for one in name if unicodedata.category(one) not in _IGNORED)
    return seen.casefold().rstrip(". ")


def address_of_alias(alias: str) -> str:
    """The address, from the site's root, for an alias such as `/old/roof` or `/old/roof.html`.

    An address ends in a slash (its file is the `index.html` there) or in `.html`. Percent-encoding is
    decoded, as a host does. Raises PathFault if the alias is not allowed.
    """
    if not alias.startswith("/") or alias.startswith("//"):
        raise PathFault("is not a path")
    if "?" in alias or "#" in alias:
        raise PathFault("contains a ? or a #, and hosts ignore what follows it when they look for a file")
    try:
        decoded = _decoded(alias, errors="strict")
    except UnicodeDecodeError:
        raise PathFault("is not UTF-8, after percent-decoding") from None
    if decoded.count("/") != alias.count("/"):
        raise PathFault("contains a percent-encoded slash")
    inside = decoded[1:].removesuffix("/")
    address = inside if decoded.endswith(".html") else f"{inside}/" if inside else ""
    path = address if address.endswith(".html") else f"{address}index.html"
    check_path(path)
    return path.removesuffix("index.html") if f"/{path}".endswith("/index.html") else path


def any_clash(paths: Collection[str]) -> bool:
    """Whether `find_clashes` would find something; quick, as every build calls it with thousands of paths."""
    folders = above = {path[: path.rfind("/")] for path in paths if "/" in path}
    while above := {path[: path.rfind("/")] for path in above if "/" in path} - folders:
        folders |= above
    files, folded = _all_folded(paths), _all_folded(folders)
    return len(files) < len(paths) or len(folded) < len(folders) or not folded.isdisjoint(files)


def _all_folded(paths: Iterable[str]) -> set[str]:
    together = "\n".join(paths)
    if together.isascii():
        return set(together.lower().split("\n")) if together else set()
    return set(map(_folded, paths))


def find_clashes(paths: Iterable[str]) -> Iterator[Clash]:
    """Pairs of paths that cannot both exist in the output.

    Either one path needs a folder where the other has a file, or the two differ only in what some file
    systems ignore: the case of letters, or how Unicode encodes a letter with an accent.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    met: set[str] = set()
    for path in paths:
        key = _folded(path)
        if key in files:
            if files[key] != path:
                yield Clash(files[key], path, "differs only in the case or the accents of letters from")
            continue
        if key in folders:
            yield Clash(folders[key], path, "is a file where a folder is needed for")
            continue
        clash, folder = None, path.rpartition("/")[0]
        while folder and folder not in met:
            above = _folded(folder)
            if above in files:
                clash = Clash(files[above], path, "needs a folder where there is the file")
            elif (other := folders.get(above)) is not None and not other.startswith(f"{folder}/"):
                clash = Clash(other, path, "differs only in the case or the accents of letters from")
            if clash is not None:
                break
            folder = folder.rpartition("/")[0]
        if clash is not None:
            yield clash
            continue
        files[key] = path
        folder = path.rpartition("/")[0]
        while folder and folder not in met:
            met.add(folder)
            folders[_folded(folder)] = path
            folder = folder.rpartition("/")[0]


def _folded(path: str) -> str:
    if path.isascii():
        return path.lower()
    import unicodedata  # noqa: PLC0415  (few builds need it)

    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())
