"""The files of a theme, and what a project does with each: for people, who list and copy them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Literal

import msgspec

from diglot.digests import digest_of
from diglot.render.template_references import references_in
from diglot.render.templates import BUILT_IN_PREFIX
from diglot.strict_yaml import read_mapping

State = Literal["built-in", "replaced", "extended", "added to", "own", "not read"]
Kind = Literal["template", "words", "static"]


class ThemeFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the built-in theme, of the project's templates folder, or of both."""

    name: str
    """Path in the theme, e.g. `base.html`, `static/style.css`."""
    kind: Kind
    state: State
    """What the project does with the built-in file; `own` where there is none."""
    replaced: int = 0
    """Number of words that the project replaces."""
    added: int = 0
    """Number of words that the project adds."""
    copied_from: str | None = None
    """Version of diglot that the project's file was copied from; None if it was not."""
    outdated: bool = False
    """Whether the built-in file has changed since it was copied."""


def theme_files(built_in: Mapping[str, bytes], own: Mapping[str, bytes]) -> tuple[ThemeFile, ...]:
    """All files by kind and name. Both mappings are from paths in the theme to contents.

    Raises DiagnosticError if a file of words is not valid YAML.
    """
    files = (_file(name, built_in.get(name), own.get(name)) for name in {*built_in, *own})
    return tuple(sorted(files, key=lambda one: (_KINDS.index(one.kind), one.name)))


_KINDS: tuple[Kind, ...] = ("template", "words", "static")


def _file(name: str, built_in: bytes | None, own: bytes | None) -> ThemeFile:
    kind = _kind(name)
    if own is None:
        return ThemeFile(name=name, kind=kind, state="built-in")
    if built_in is None:
        read = kind == "static" or (kind == "template" and name.endswith(".html"))
        return ThemeFile(name=name, kind=kind, state="own" if read else "not read")
    copied, outdated = _origin(own, built_in)
    if kind == "words":
        mine, theirs = ({**read_mapping(_text(one), name).values} for one in (own, built_in))
        return ThemeFile(
            name=name,
            kind=kind,
            state="added to",
            replaced=sum(key in theirs and value != theirs[key] for key, value in mine.items()),
            added=sum(key not in theirs for key in mine),
            copied_from=copied,
            outdated=outdated,
        )
    named = {one for reference in references_in(_text(own)) for one in reference.names}
    extends = kind == "template" and BUILT_IN_PREFIX + name in named
    state: State = "extended" if extends else "replaced"
    return ThemeFile(name=name, kind=kind, state=state, copied_from=copied, outdated=outdated)


def _kind(name: str) -> Kind:
    folder = name.partition("/")[0]
    return "words" if folder == "strings" else "static" if folder == "static" else "template"


_ORIGIN = re.compile(r"of the theme of diglot (\S+), version ([0-9a-f]{8}) of this file")
_COMMENTS = {
    ".html": ("{# ", " #}"),
    ".yaml": ("# ", ""),
    ".css": ("/* ", " */"),
    ".js": ("/* ", " */"),
    ".svg": ("<!-- ", " -->"),
}


def marked_copy(name: str, content: bytes, version: str) -> bytes:
    """A copy of a built-in file whose first line says where it comes from; fonts have no such line."""
    marks = _COMMENTS.get(PurePosixPath(name).suffix)
    if marks is None:
        return content
    line = f"{name} of the theme of diglot {version}, version {digest_of(content)[:8]} of this file"
    return f"{marks[0]}{line}{marks[1]}\n".encode() + content


def _origin(own: bytes, built_in: bytes) -> tuple[str | None, bool]:
    """The version of diglot in a copy's first line, and whether the built-in file is another one now."""
    found = _ORIGIN.search(_text(own.partition(b"\n")[0]))
    return (found[1], found[2] != digest_of(built_in)[:8]) if found else (None, False)


def named(name: str, files: Mapping[str, bytes]) -> str | None:
    """The path in the theme of a file that a person names: as it is, with `templates/`, or by its name."""
    return next(_candidates(name.replace("\\", "/"), files), None)


def _candidates(name: str, files: Mapping[str, bytes]) -> Iterator[str]:
    for path in (name, name.removeprefix("./").removeprefix("templates/")):
        if path in files:
            yield path
    ends = [path for path in files if path.endswith(f"/{name}")]
    if len(ends) == 1:
        yield ends[0]


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")
