"""The diagnostics about files that nothing reads because of their names, for every folder that is read."""

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, Location
from diglot.rules.near_names import is_conflict, near_miss, original_of, without_backup

SITE = "site"
SITE_FILES = ("site.yaml", "glossary.yaml", "words.yaml", "hant.yaml", "references.bib", "references.json")
"""What is read directly in `site/`."""


def warning(path: str, message: str, fix: str, rule: str = "file-name") -> Diagnostic:
    """A warning about a whole file."""
    return Diagnostic(rule=rule, message=message, severity="warning", location=Location(path=path), fix=fix)


def as_error(diagnostic: Diagnostic) -> Diagnostic:
    """The same as an error: what is published may depend on the file."""
    return replace(diagnostic, severity="error")


def misnamed(path: str, meant: str, there: Collection[str], rule: str = "file-name") -> Diagnostic:
    """The warning about a file that should be at another path, `meant`."""
    name, other = path.rpartition("/")[2], meant.rpartition("/")[2]
    if is_conflict(path):
        message = f'"{name}" is a second version of {other}, made by a program that synchronises folders'
    elif meant in there and original_of(name) == other:
        message = f'"{name}" is a copy of {other}, and nothing reads it'
    elif without_backup(path) == meant:
        message = f'"{name}" is an earlier version of {other}, which is not there'
        return warning(path, message, f"rename it to {meant}, or delete it.", rule)
    elif name == other:
        message = f'nothing reads "{name}" in this folder'
    else:
        message = f'nothing reads "{name}": diglot reads "{other}"'
    if meant in there:
        return warning(path, message, f"move what you need of it into {meant}, and delete it.", rule)
    verb = "move" if name == other else "rename"
    return warning(path, message, f"{verb} it to {meant}.", rule)


def misplaced_folder(path: str, folder: str, meant: str, *, is_there: bool = False) -> Diagnostic:
    """The warning about a folder that should have another name, at one of its files."""
    message = f'nothing reads the folder "{folder}": diglot reads "{meant}"'
    return warning(path, message, f"move its files into {meant}/." if is_there else f"rename it to {meant}.")


def near_names(path: str, known: Iterable[str], there: Collection[str]) -> Iterator[tuple[str, bool]]:
    """The known name that a file in a folder should have, if it should, and whether that is certain."""
    names = tuple(known)
    original = original_of(path)
    name = (original or path).rpartition("/")[2]
    if original is not None and name in names:
        yield name, True
    elif (miss := near_miss(name, names)) is not None:
        yield miss.meant, miss.is_certain
