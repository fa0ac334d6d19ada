"""Fixes for exceptions of scripts: what an author probably meant."""

import builtins
import inspect
import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from diglot.diagnostics import did_you_mean, nearest
from diglot.figures.palette import TOKENS

_COLOUR = re.compile(r"(?:Invalid RGBA argument: )?'([^']*)'(?: is not a valid value for .*)?", re.DOTALL)
_KEYWORD = re.compile(r"(?:[\w.]+\.)?(\w+)\(\) got an unexpected keyword argument '(\w+)'")
_DEEPEST = 3
"""How deep in a function's variables keys are looked for."""
_MOST_KEYS = 2000


def unknown_colour(error: BaseException) -> str | None:
    """The name of a colour that matplotlib does not know; None for other exceptions."""
    text = str(error)
    if not isinstance(error, ValueError) or not (
        "for color" in text or "RGBA" in text or "color" in text[:60]
    ):
        return None
    found = _COLOUR.fullmatch(text)
    return found.group(1) if found else None


def suggest_colour(name: str) -> str:
    """A name of the palette that is close to one that is not, or what there is."""
    return did_you_mean(name, TOKENS, otherwise="use a name of the palette: ink, mute, gpu3, tpu3, mem …")


def suggest_name(error: NameError, frame: FrameType | None) -> str | None:
    """What an unknown name probably is: another variable, or a name to import."""
    wanted = error.name
    if wanted is None:
        return None
    offered = sys.modules["diglot.figures"].__all__
    if wanted in offered:
        return f"is `from diglot.figures import {wanted}` missing?"
    known = {*dir(builtins)} if frame is None else {*frame.f_locals, *frame.f_globals, *dir(builtins)}
    if (near := nearest(wanted, (name for name in known if not name.startswith("_")))) is not None:
        return f'did you mean "{near}"?'
    near = nearest(wanted, offered)
    return f"is `from diglot.figures import {near}` missing?" if near else None


def suggest_attribute(error: AttributeError) -> str | None:
    """What an unknown attribute probably is."""
    wanted, owner = error.name, error.obj
    if wanted is None or owner is None:
        return None
    if isinstance(owner, Mapping) and (near := nearest(wanted, map(str, owner))) is not None:
        return f'this is a mapping: write ["{near}"].'
    near = nearest(wanted, (name for name in dir(owner) if not name.startswith("_")))
    return f'did you mean "{near}"?' if near else None


def suggest_import(error: ImportError, folders: Iterable[Path]) -> str | None:
    """What a name or a module that cannot be imported probably is."""
    if isinstance(error, ModuleNotFoundError):
        wanted = error.name or ""
        if (near := nearest(wanted, _modules_in(folders))) is not None and near != wanted:
            return f'did you mean "{near}"?'
        return (
            f'there is no module "{wanted}": a script can import modules next to it and in figures/, '
            "`diglot.hardware`, and installed packages."
        )
    found = re.match(r"cannot import name '(\w+)'", str(error))
    module = sys.modules.get(error.name or "")
    if found is None or module is None:
        return None
    near = nearest(found.group(1), _public(module))
    return f'did you mean "{near}"?' if near else None


def _modules_in(folders: Iterable[Path]) -> set[str]:
    names: set[str] = set()
    for folder in folders:
        with suppress(OSError):
            names |= {name.removesuffix(".py") for name in os.listdir(folder) if name.endswith(".py")}
    return names


def _public(module: ModuleType) -> Iterable[str]:
    return getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]


def suggest_keyword(error: TypeError, frame: FrameType | None) -> str | None:
    """What an unknown keyword argument probably is."""
    found = _KEYWORD.match(str(error))
    if found is None or frame is None:
        return None
    function = {**frame.f_globals, **frame.f_locals}.get(found.group(1))
    try:
        known = inspect.signature(function).parameters if callable(function) else ()
    except (TypeError, ValueError):
        return None
    near = nearest(found.group(2), known)
    return f'did you mean "{near}"?' if near else None


def suggest_key(error: KeyError, data: Any, frame: FrameType | None) -> str | None:
    """What an unknown key probably is: of what `draw` was given, or of the variables around it."""
    wanted = error.args[0] if error.args else None
    if not isinstance(wanted, str):
        return None
    if isinstance(data, Mapping):
        return f"{did_you_mean(wanted, keys_in(data))} the keys are those that `compute` returns."
    around = set() if frame is None else keys_in([*frame.f_locals.values()])
    near = nearest(wanted, around - {wanted})
    return f'did you mean "{near}"?' if near else None


def keys_in(data: Any, depth: int = _DEEPEST) -> set[str]:
    """The keys of mappings in nested data, down to some depth."""
    keys: set[str] = set()
    inside: Iterable[Any] = ()
    if isinstance(data, dict):
        keys, inside = {str(key) for key in [*data][:_MOST_KEYS]}, data.values()
    elif isinstance(data, list | tuple):
        inside = data
    if depth:
        for value in [*inside][:100]:
            keys |= keys_in(value, depth - 1)
    return keys


def suggest_file(error: FileNotFoundError, folders: Iterable[Path], root: Path) -> str:
    """Where a file that does not exist probably is."""
    wanted = str(error.filename or "")
    there: dict[str, str] = {}
    for folder in folders:
        with suppress(OSError):
            for name in sorted(os.listdir(folder)):
                there.setdefault(name, (folder / name).relative_to(root).as_posix())
    name = os.path.basename(wanted)
    near = name if name in there else nearest(name, there)
    hint = "paths in a script are relative to the project's root."
    return f'did you mean "{there[near]}"? {hint[0].upper()}{hint[1:]}' if near else hint
