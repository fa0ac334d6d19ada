"""What a path of the output folder is: relative, with forward slashes, and a name on every disk and host.

Paths are looked at where they are read, so that a mistake has a place and a line, and again where files are
written or removed.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from diglot.characters import code_of, forbidden_in

KEPT = ".git"
"""At the top of an output folder: of those who push it."""
MARK = ".diglot-site"
"""Says that a folder is diglot's, and which files in it."""
ASIDE = ".diglot-new"
"""A folder of the output, for what is not in its place yet."""

LONGEST_PART_BYTES = 255
"""What most file systems hold."""
LONGEST_PATH_BYTES = 1000
"""Systems end at 1,024 (macOS) or 4,096 bytes (Linux), with the way to the output folder."""

_PLAIN_PART = r"[A-Za-z0-9_](?:[A-Za-z0-9._=-]*[A-Za-z0-9_=-])?"
_PLAIN = re.compile(rf"(?:{_PLAIN_PART}/)*{_PLAIN_PART}")
_RESERVED = (".git", "git~1")
_OWN = ".diglot-"
_IGNORED = ("Cf", "Mn")
"""Categories of characters that some file systems leave out when they compare names."""


class PathFault(ValueError):
    """Why a path cannot be one of the output, to be read behind its name: `holds ".."`."""


class Clash(NamedTuple):
    """Two paths that cannot both be files of one output."""

    first: str
    second: str
    """The path that was met later."""
    why: str
    """To be read between the two: `is the same as`, `needs a folder where there is the file`."""


def check_path(path: str) -> None:
    """Raise PathFault for what is no path of the output."""
    if len(path) <= LONGEST_PART_BYTES and _PLAIN.fullmatch(path):  # nearly all
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
    from urllib.parse import unquote  # most builds need nothing of it

    return unquote(path, errors=errors)


def _bare(part: str) -> str:
    """A name as the most forgiving file systems compare it."""
    import unicodedata

    name = unicodedata.normalize("NFKC", part).partition(":")[0]
    seen = "".join(one for one in name if unicodedata.category(one) not in _IGNORED)
    return seen.casefold().rstrip(". ")


def address_of_alias(alias: str) -> str:
    """The address that an author wrote as `/old/roof` or `/old/roof.html`, from the site's root.

    An address ends with a slash (its file is the `index.html` there) or in `.html`. Percent signs are
    decoded, as a host does it. Raises PathFault.
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
    """Whether `find_clashes` would find something: asked of thousands of paths in every build."""
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
    """Where one path needs a folder that is a file for another, and where two differ only in a way that some
    file systems do not see: the case of letters, or how Unicode writes a letter with an accent."""
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
    import unicodedata

    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())
