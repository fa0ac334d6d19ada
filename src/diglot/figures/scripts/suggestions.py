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
_CALLED = re.compile(
    r"(?:(?:[\w<>]+\.)*?(?P<owner>\w+)\.)?(?P<name>\w+)\(\) "
    r"(?:got an unexpected keyword argument '(?P<keyword>\w+)'|missing \d+ required"
    r"|takes .* but .* (?:was|were) given|got multiple values)"
)
_UNBOUND = re.compile(r"^cannot access (?:local|free) variable '(\w+)'")
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
    if (unbound := _UNBOUND.search(str(error))) is not None:
        return f"give `{unbound[1]}` a value on every path to this line."
    wanted = error.name
    if wanted is None:
        return None
    offered = sys.modules["diglot.figures"].__all__
    if wanted in offered:
        return f"is `from diglot.figures import {wanted}` missing?"
    known = {*dir(builtins)} if frame is None else {*frame.f_locals, *frame.f_globals, *dir(builtins)}
    if (near := nearest(wanted, (name for name in known if not name.startswith("_")))) is not None:
        return f'did you mean "{near}"?'
    if (near := nearest(wanted, offered)) is not None:
        return f"is `from diglot.figures import {near}` missing?"
    if wanted in sys.stdlib_module_names:
        return f"is `import {wanted}` missing?"
    return f"define `{wanted}` before this line, or import it."


_OF_ARGUMENTS = {
    "Canvas": "draw on axes = figure.axes_px(left, top, width, height), or use a chart of `charts`.",
    "Words": 'write t(zh="…", en="…").',
}
"""What `draw` is given, and what to do instead of asking it for something else."""


def suggest_attribute(error: AttributeError) -> str | None:
    """What an unknown attribute probably is."""
    wanted, owner = error.name, error.obj
    if wanted is None or owner is None:
        return None
    if isinstance(owner, Mapping) and (near := nearest(wanted, map(str, owner))) is not None:
        return f'this is a mapping: write ["{near}"].'
    if type(owner).__name__ == "Chart" and wanted in sys.modules["diglot.figures.charts"].__all__:
        return f"it is a chart of its own: write charts.{wanted}(figure, …)."
    if (fix := _OF_ARGUMENTS.get(type(owner).__name__)) is not None:
        names = [name for name in dir(owner) if not name.startswith("_")]
        return did_you_mean(wanted, names, otherwise=fix)
    if isinstance(owner, ModuleType) and owner.__name__.startswith("diglot."):
        return did_you_mean(wanted, _public(owner))
    near = nearest(wanted, (name for name in dir(owner) if not name.startswith("_")))
    return f'did you mean "{near}"?' if near else None


def suggest_import(error: ImportError, folders: Iterable[Path]) -> str | None:
    """What a name or a module that cannot be imported probably is."""
    if isinstance(error, ModuleNotFoundError):
        wanted = error.name or ""
        if (near := nearest(wanted, _modules_in(folders))) is not None and not near.startswith(wanted):
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


def suggest_arguments(error: TypeError, frame: FrameType | None) -> str | None:
    """What a function takes that was called otherwise."""
    found = _CALLED.match(str(error))
    if found is None or frame is None:
        return None
    try:
        signature = inspect.signature(_function_named(found["name"], found["owner"], frame))
    except (TypeError, ValueError):
        return None
    if found["keyword"] and (near := nearest(found["keyword"], signature.parameters)) is not None:
        return f'did you mean "{near}"?'
    needed = [
        f"{one.name}=…" if one.kind is one.KEYWORD_ONLY else one.name
        for one in signature.parameters.values()
        if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    ]
    others = [one.name for one in signature.parameters.values() if one.default is not one.empty]
    others += ["…" for one in signature.parameters.values() if one.kind is one.VAR_KEYWORD]
    more = f"; it also takes {', '.join(others)}" if others else ""
    return f"write {found['name']}({', '.join(needed)}){more}."


def _function_named(name: str, owner: str | None, frame: FrameType) -> Any:
    """A function that a script can call, itself, in a module or of an object; None without one."""
    around = {**frame.f_globals, **frame.f_locals}
    own = (getattr(value, name, None) for value in around.values() if type(value).__name__ == owner)
    modules = (value for value in around.values() if isinstance(value, ModuleType))
    within = (vars(module)[name] for module in modules if name in vars(module))
    return next((one for one in own if callable(one)), None) or around.get(name) or next(within, None)


def suggest_by_kind(error: BaseException) -> str | None:
    """What is mostly to be done about an exception of this kind."""
    return next(
        (fix for kind, said, fix in _KINDS if isinstance(error, kind) and re.search(said, str(error))), None
    )


_KINDS: tuple[tuple[type[BaseException], str, str], ...] = (
    (ZeroDivisionError, "", "divide by another number, or leave the value out where the divisor is 0."),
    (IndexError, "", "the list is shorter than this: count from 0, or check its length first."),
    (Exception, "NoneType", "something here is None: does the function that it comes from `return` it?"),
    (
        ValueError,
        "^(?:invalid literal for int|could not convert string to float)",
        "leave out cells that are not numbers, or cut off what is not a digit, before this line.",
    ),
    (
        TypeError,
        "unsupported operand.*'str'|not supported between.*'str'",
        "convert the text first, with int(…) or float(…).",
    ),
    (TypeError, "^can only concatenate str", 'put the value into the text: f"… {value} …".'),
    (TypeError, "is not callable", "delete the parentheses after it, or rename the variable that hides it."),
    (RecursionError, "", "add a case in which the function does not call itself."),
    (UnicodeDecodeError, "", 'give the encoding of the file, as in open(path, encoding="gbk").'),
    (
        UnicodeEncodeError,
        "surrogates not allowed",
        'take half characters out of the text: text.encode("utf-8", "replace").decode("utf-8").',
    ),
    (
        UnicodeEncodeError,
        "",
        'give an encoding that has this: open(path, "w", encoding="utf-8").',
    ),
    (OSError, r"^\[Errno 24\]", "close each file once it is read: with open(path) as file: …"),
    (GeneratorExit, "", "end the generator with `return`: GeneratorExit only says that nobody reads on."),
    (IsADirectoryError, "", "name a file in this folder."),
    (PermissionError, "", "give your user the right to read the file."),
    (EOFError, "", "nobody answers `input` during a build: write the value itself."),
    (StopIteration, "", "give `next` what it returns when nothing is left: next(…, None)."),
    (ValueError, "shape|dimension|broadcast", "compare the shapes of both: print them in the line above."),
)
"""Kinds of exceptions of Python and numpy, what their messages have, and what to do."""


def missing_key(error: BaseException) -> str | None:
    """The key or column that an exception says is not there; None for other exceptions."""
    if type(error) is KeyError:
        return error.args[0] if error.args and isinstance(error.args[0], str) else None
    is_of_column = isinstance(error, ValueError) or type(error).__name__ == "ColumnNotFoundError"  # of polars
    found = _COLUMN.search(str(error)) if is_of_column else None
    return found[found.lastindex or 0] if found else None


_COLUMN = re.compile(r"""^no field of name (\w+)$|column "([^"]+)"|^"?(\w+)"? not found""")


def suggest_key(wanted: str, data: Any, frame: FrameType | None) -> str:
    """What an unknown key probably is: of what `draw` was given, or of the variables around it."""
    if isinstance(data, Mapping):
        return f"{did_you_mean(wanted, keys_in(data))} the keys are those that `compute` returns."
    own = {} if frame is None else frame.f_locals
    around = keys_in([value for name, value in own.items() if not name.startswith("__")])
    return _as_it_was_read(wanted, around) or did_you_mean(wanted, around - {wanted}) if around else _NO_KEYS


def _as_it_was_read(wanted: str, around: Iterable[str]) -> str | None:
    """What to do where a reader of CSV left something at the name of a column that nobody sees."""
    for key in around:
        if key != wanted and key.strip("\ufeff \t") == wanted:
            if key[0] == "\ufeff":
                return 'the file begins with a mark for its encoding: open it with encoding="utf-8-sig".'
            return f'the column is called "{key}": delete the spaces in the head of the file.'
        mark = next((one for one in ";\t|" if wanted in key.split(one) and key != wanted), None)
        if mark is not None:
            return f"the columns of the file are apart by {mark!r}: read it with delimiter={mark!r}."
    return None


_NO_KEYS = "look the key up first, with `in` or .get(…): the mapping may be empty."


def keys_in(data: Any, depth: int = _DEEPEST) -> set[str]:
    """The keys of mappings in nested data, down to some depth, and the columns of tables."""
    keys: set[str] = set()
    inside: Iterable[Any] = ()
    if isinstance(data, dict):
        keys, inside = {str(key) for key in [*data][:_MOST_KEYS]}, data.values()
    elif isinstance(data, list | tuple):
        inside = data
    else:  # a table of pandas, polars or numpy
        with suppress(Exception):
            names = data.columns if hasattr(data, "columns") else data.dtype.names
            keys = {str(name) for name in [*names][:_MOST_KEYS]}
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
