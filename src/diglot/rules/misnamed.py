"""The diagnostics about files that nothing reads because of their names, for every folder that is read."""

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from diglot.diagnostics import Diagnostic, Location
from diglot.rules.near_names import is_backup, is_conflict, near_miss, original_of, other_ending

SITE = "site"
_OTHER_CODE = (".ipynb", ".r", ".R", ".jl", ".m")
"""Endings of what people compute figures with elsewhere."""
SITE_FILES = ("site.yaml", "glossary.yaml", "words.yaml", "hant.yaml")
"""What is read directly in `site/`."""
_SETTINGS = ("tags", "categories", "series", "authors", "navigation")
"""Keys of `site.yaml` that have files of their own in other generators."""


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
    if original in there and not is_conflict(path):
        return
    name = (original or path).rpartition("/")[2]
    if original is not None and name in names:
        yield name, True
    elif (miss := near_miss(name, names)) is not None:
        yield miss.meant, miss.is_certain


def setting_names(path: str) -> Iterator[Diagnostic]:
    """The warning about a file for what is a key of `site.yaml`."""
    name = path.rpartition("/")[2]
    for key in _SETTINGS:
        if name in (f"{key}.yaml", f"{key}.yml"):
            message = f'nothing reads "{name}": the {key} of a site are in {SITE}/site.yaml'
            yield warning(path, message, f"move what it says below `{key}:` there, and delete it.")


def script_names(paths: Iterable[str]) -> Iterator[Diagnostic]:
    """Warnings about files in folders of figures that should be scripts."""
    there = frozenset(paths)
    for path in sorted(there):
        folder, _, name = path.rpartition("/")
        if path.endswith(".py") or name.startswith("_") or is_backup(name):
            continue
        if (stem := other_ending(name, "py")) is not None:
            yield misnamed(path, f"{folder}/{stem}.py", there)
        elif path.endswith(_OTHER_CODE) and (script := f"{path.rpartition('.')[0]}.py") not in there:
            message = f'nothing reads "{name}": the scripts of figures are Python files'
            fix = f"write what it draws as {script}; a name that begins with _ is left alone."
            yield warning(path, message, fix)
