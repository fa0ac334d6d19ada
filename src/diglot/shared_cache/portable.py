"""Traces in words that hold on every machine: files of diglot and of packages, wherever these are."""

from collections.abc import Mapping
from typing import TypeAlias

from diglot.engine.keys import Key
from diglot.engine.targets import INPUT_KINDS
from diglot.engine.traces import Trace, read_dependencies, write_dependencies

Folders: TypeAlias = Mapping[str, str]
"""Folders outside the project by their names. One that is inside another comes before it."""
_BEFORE_NAME = "//"
"""No path in a trace begins in this way."""
_NAMED = f"\x1f{_BEFORE_NAME}"


def portable(trace: Trace, folders: Folders) -> Trace:
    """A trace with names in place of these folders."""
    if "\x1f/" not in trace.dependencies:
        return trace
    return _renamed(trace, {folder: f"{_BEFORE_NAME}{name}" for name, folder in folders.items()})


def local(trace: Trace, folders: Folders) -> Trace:
    """A portable trace with the folders of this machine in place of their names."""
    if _NAMED not in trace.dependencies:
        return trace
    return _renamed(trace, {f"{_BEFORE_NAME}{name}": folder for name, folder in folders.items()})


def _renamed(trace: Trace, names: Mapping[str, str]) -> Trace:
    def renamed(key: Key) -> Key:
        if key.kind in INPUT_KINDS:
            for old, new in names.items():
                if key.name == old or key.name.startswith(f"{old}/"):
                    return key._replace(name=f"{new}{key.name.removeprefix(old)}")
        return key

    used = [one._replace(key=renamed(one.key)) for one in read_dependencies(trace.dependencies)]
    return trace._replace(dependencies=write_dependencies(used))


def is_portable(trace: Trace) -> bool:
    """Whether the paths of all inputs are relative to the project or to a folder with a name."""
    return "\x1f/" not in trace.dependencies.replace(_NAMED, "") or not any(
        used.key.kind in INPUT_KINDS
        and used.key.name.startswith("/")
        and not used.key.name.startswith(_BEFORE_NAME)
        for used in read_dependencies(trace.dependencies)
    )
