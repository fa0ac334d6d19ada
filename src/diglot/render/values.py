"""Values of figures in prose: what an `{eval}` expression says, formatted for the language.

An expression is one sandboxed Jinja2 expression. Its names are figures; what follows a name is a path
into the data that the figure computed; what follows a bar is a format:

    roofline.h200.ridge | number(0)              206
    roofline(dtype="fp8").h200.peak | si("FLOP/s")
    mxu["128"].utilisation | percent             97 %

Nothing is guessed: an unknown name is a diagnostic with the nearest known one, and a value that is not a
number cannot be formatted as one.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError, meta
from jinja2.environment import TemplateExpression
from jinja2.exceptions import SecurityError, TemplateRuntimeError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean
from diglot.figure_request import FigureRequest
from diglot.languages import Language, format_number

_NO_BREAK = "\N{NO-BREAK SPACE}"  # a number and its unit never part
_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_SMALL = {"p": 1e-12, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1.0}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}
_BASE_UNIT = re.compile(r"(?:FLOPs?|OPs?|Bytes?|bits?|tokens?|Wh|Hz|USD|B|b|W|s|J|V|A)(?![A-Za-z])")
_LARGE = {
    "zh": ((1e8, "亿"), (1e4, "万")),
    "en": ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")),
}


class _NoSuchValue(Exception):
    """A path in an expression leads nowhere."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


class _NoSuchFormat(Exception):
    """A value cannot be shown in the way asked for."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


class _Record(Mapping[str, Any]):
    """A mapping in a figure's data that knows how it was reached."""

    def __init__(self, values: Mapping[str, Any], path: str) -> None:
        self._values = values
        self._path = path

    def __getitem__(self, key: Any) -> Any:
        if key not in self._values:
            raise _NoSuchValue(
                f'no value named "{key}" in {self._path}', did_you_mean(str(key), map(str, self._values))
            )
        return _wrapped(self._values[key], f"{self._path}.{key}")

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def path(self) -> str:
        """How an author writes this place."""
        return self._path


class _Items(Sequence[Any]):
    """A sequence in a figure's data that knows how it was reached."""

    def __init__(self, values: Sequence[Any], path: str) -> None:
        self._values = values
        self._path = path

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return _Items(self._values[index], f"{self._path}[{index.start}:{index.stop}]")
        if not isinstance(index, int) or not -len(self._values) <= index < len(self._values):
            raise _NoSuchValue(
                f"no item {index} in {self._path}",
                f"it has {len(self._values)} items, counted from 0."
                if isinstance(index, int)
                else "name an item by its number, from 0, as in `[0]`.",
            )
        return _wrapped(self._values[index], f"{self._path}[{index}]")

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self._values)))

    def __len__(self) -> int:
        return len(self._values)

    @property
    def path(self) -> str:
        """How an author writes this place."""
        return self._path


class _Figure(_Record):
    """The data of a figure as an expression names it; called with parameters, the data for those."""

    def __init__(self, figure_id: str, requests: Mapping[str, Any]) -> None:
        own = {
            text: data for text, data in requests.items() if FigureRequest.parse(text).figure_id == figure_id
        }
        self._by_request = own
        self._figure_id = figure_id
        super().__init__({}, figure_id)

    def _default(self) -> Any:
        if self._figure_id not in self._by_request:
            raise _NoSuchValue(
                f'"{self._figure_id}" is not computed with its default parameters here',
                f"computed are: {', '.join(sorted(self._by_request))}.",
            )
        return _wrapped(self._by_request[self._figure_id], self._figure_id)

    def __getitem__(self, key: Any) -> Any:
        return self._default()[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._default())

    def __len__(self) -> int:
        return len(self._default())

    def __call__(self, **parameters: Any) -> Any:
        written = tuple((name, _as_written(value)) for name, value in parameters.items())
        request = FigureRequest.of(self._figure_id, written)
        if str(request) not in self._by_request:
            raise _NoSuchValue(
                f'"{request}" is not computed here', f"computed are: {', '.join(sorted(self._by_request))}."
            )
        return _wrapped(self._by_request[str(request)], str(request))


def _as_written(value: Any) -> str:
    """A parameter as an author writes it behind `:key:`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _wrapped(value: Any, path: str) -> Any:
    if isinstance(value, dict):
        return _Record(value, path)
    return _Items(value, path) if isinstance(value, list) else value


class _UnknownName(StrictUndefined):
    """A bare name that is no figure."""


class _Environment(ImmutableSandboxedEnvironment):
    """Looks names up in the data before anything else, and says what is missing."""

    def __init__(self, language: Language) -> None:
        super().__init__(undefined=_UnknownName, autoescape=False)
        kept = (
            "abs",
            "first",
            "int",
            "float",
            "join",
            "last",
            "length",
            "max",
            "min",
            "round",
            "sum",
            "upper",
        )
        self.filters = {name: self.filters[name] for name in kept}
        self.filters |= {
            "number": _number,
            "percent": _percent,
            "si": _si,
            "unit": _in_unit,
            "large": lambda value, digits=1: _large(value, digits, language),
        }
        self.globals = {}
        self.tests = {}

    def getattr(self, obj: Any, attribute: str) -> Any:
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, _UnknownName):
            obj._fail_with_undefined_error()
        if isinstance(obj, _Record | _Items):
            return obj[argument]
        raise _NoSuchValue(
            f"{_shown(obj)} has no values of its own, so no {argument!r}", "end the path before it."
        )

    def is_safe_callable(self, obj: Any) -> bool:
        return isinstance(obj, _Figure)


class Values:
    """The values that the prose of one language may name."""

    def __init__(self, language: Language, data: Mapping[str, bytes]) -> None:
        """`data` is the canonical JSON each figure computed, by the text of its `FigureRequest`."""
        self._language: Language = language
        self._data = dict(data)

    def text(self, expression: str, *, path: str, line: int) -> str:
        """What an expression says, as plain text.

        A number without a format is written whole. Raises DiagnosticError with the place given.
        """
        try:
            return self._evaluated(expression)
        except _NoSuchValue as problem:
            rule, message, fix = "value-unknown", problem.message, problem.fix
        except _NoSuchFormat as problem:
            rule, message, fix = "value-format", problem.message, problem.fix
        except TemplateSyntaxError as problem:
            rule, message = "value-syntax", f"`{expression}` cannot be read: {problem.message}"
            fix = _syntax_fix(problem.message or "")
        except SecurityError:
            rule, message = "value-syntax", f"`{expression}` calls something that is not a figure"
            fix = 'only figures take arguments, as in `roofline(dtype="fp8").h200`.'
        except (TypeError, ValueError, ArithmeticError, TemplateRuntimeError) as problem:
            rule, message = "value-format", f"`{expression}` cannot be computed: {problem}"
            fix = "check the kinds of the values it combines."
        raise DiagnosticError(
            Diagnostic(
                rule=rule,
                message=message,
                location=Location(path=path, line=line),
                source_line=f"{{eval}}`{expression}`",
                fix=fix,
            )
        )

    def _evaluated(self, expression: str) -> str:
        names = {FigureRequest.parse(text).figure_id for text in self._data}
        decoded = _Decoded(self._data)
        figures = {name: _Figure(name, decoded) for name in names}
        names_read, compiled = _compiled(self._language, expression)
        for name in names_read:
            if name not in figures:
                raise _NoSuchValue(
                    f'no figure named "{name}"',
                    did_you_mean(
                        name, figures, otherwise="a value begins with the name of a figure's script."
                    ),
                )
        return _plain(compiled(figures), expression)


class _Decoded(Mapping[str, Any]):
    """JSON that is read when it is asked for."""

    def __init__(self, data: Mapping[str, bytes]) -> None:
        self._data = data

    def __getitem__(self, key: str) -> Any:
        return _decode(self._data[key])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)


# Expressions of one page read the same data again and again; the values are never changed (the sandbox
# and the wrappers only read), so a decoded one may be shared.
@lru_cache(maxsize=32)
def _decode(data: bytes) -> Any:
    return json.loads(data)


@lru_cache(maxsize=2)
def _environment(language: Language) -> _Environment:
    return _Environment(language)


# The four pages of an article say the same expressions; compiling one takes longer than all the rest.
@lru_cache(maxsize=4096)
def _compiled(language: Language, expression: str) -> tuple[frozenset[str], TemplateExpression]:
    environment = _environment(language)
    names = meta.find_undeclared_variables(environment.parse("{{ " + expression + " }}"))
    return frozenset(names), environment.compile_expression(expression, undefined_to_none=False)


def _plain(value: Any, expression: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return format_number(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _NoSuchFormat(f"`{expression}` is {value}", "mend the figure, or leave the value out.")
        digits = len(repr(value).partition(".")[2]) if "e" not in repr(value) else 0
        return format_number(value, 0 if value.is_integer() else digits)
    if isinstance(value, str):
        return value
    if isinstance(value, _Figure | _Record):
        raise _NoSuchFormat(
            f"{value.path} holds several values", f"name one of them: {', '.join(map(str, value))}."
        )
    if isinstance(value, _Items):
        raise _NoSuchFormat(
            f"{value.path} is a list of {len(value)} items",
            f"name one, as in `{value.path}[0]`, or their `| max`.",
        )
    raise _NoSuchFormat(f"`{expression}` gives {_shown(value)}, which is no text", "name a number or a text.")


def _shown(value: Any) -> str:
    return "nothing" if value is None else f"{value!r}"


def _real(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        what = f"{value.path}" if isinstance(value, _Record | _Items) else _shown(value)
        raise _NoSuchFormat(
            f"`| {name}` formats a number, and {what} is none", "name a single number before the bar."
        )
    if not math.isfinite(value):
        raise _NoSuchFormat(f"`| {name}` cannot show {value}", "mend the figure, or leave the value out.")
    return value


def _checked_digits(digits: Any, name: str) -> int:
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 15:
        raise _NoSuchFormat(
            f"{_shown(digits)} digits cannot be shown", f"write a count from 0 to 15: `| {name}(…)`."
        )
    return digits


def _number(value: Any, digits: int = 0) -> str:
    """`1,024`, with so many digits after the point."""
    return format_number(_real(value, "number"), _checked_digits(digits, "number"))


def _percent(value: Any, digits: int = 0) -> str:
    """A share from 0 to 1 as `97 %`."""
    return f"{format_number(_real(value, 'percent') * 100, _checked_digits(digits, 'percent'))}{_NO_BREAK}%"


def _si(value: Any, unit: str, digits: int | None = None) -> str:
    """A quantity in base units with the prefix that suits it: `4.8 TB/s`; three digits unless told."""
    number = _real(value, "si")
    prefixes = _PREFIXES if abs(number) >= 1 or number == 0 else _SMALL
    candidates = [(prefix, *_significant(number / scale, digits)) for prefix, scale in prefixes.items()]
    # As shown, not as computed: 999.9996 is 1,000 once rounded, and takes the next prefix.
    prefix, _, text = next((one for one in candidates if one[1] < 1000), candidates[-1])
    return f"{text}{_NO_BREAK}{prefix}{unit}"


def _significant(number: float, digits: int | None) -> tuple[float, str]:
    """A number rounded for reading, and its text: so many decimals, or three significant digits."""
    if digits is not None:
        decimals = _checked_digits(digits, "si")
        return abs(round(number, decimals)), format_number(number, decimals)
    decimals = max(0, 2 - math.floor(math.log10(abs(number)))) if number else 0
    text = format_number(number, decimals)
    return abs(round(number, decimals)), text.rstrip("0").rstrip(".") if "." in text else text


def _in_unit(value: Any, unit: str, digits: int = 0) -> str:
    """A quantity in base units, in the unit named: `4,800 GB/s`, `80 GiB`."""
    prefix = _prefix_of(unit)
    scale = (_PREFIXES | _SMALL | _BINARY)[prefix]
    number = format_number(_real(value, "unit") / scale, _checked_digits(digits, "unit"))
    return f"{number}{_NO_BREAK}{unit}"


def _prefix_of(unit: str) -> str:
    if _BASE_UNIT.match(unit):
        return ""
    for prefix in (*_BINARY, *_PREFIXES, *_SMALL):
        if prefix and unit.startswith(prefix) and _BASE_UNIT.match(unit, len(prefix)):
            return prefix
    raise _NoSuchFormat(
        f'"{unit}" is not a unit that `| unit` knows',
        "write it with its prefix, as in GB/s, GiB, TFLOP/s, ms; else use `| number` and type the unit.",
    )


def _large(value: Any, digits: int, language: Language) -> str:
    """A large number in words of the language, for prose: `1.2亿`, `120 million`."""
    number = _real(value, "large")
    digits = _checked_digits(digits, "large")
    for scale, word in _LARGE[language]:
        if abs(number) >= scale:
            text = format_number(number / scale, digits)
            text = text.rstrip("0").rstrip(".") if "." in text else text
            return f"{text}{word}" if language == "zh" else f"{text}{_NO_BREAK}{word}"
    return format_number(number, 0)


def _syntax_fix(message: str) -> str:
    if "No filter named" in message:
        name = message.partition("'")[2].partition("'")[0]
        return did_you_mean(name, _environment("en").filters)
    return "write a figure's name, a path into its data, and a format: `roofline.h200.ridge | number(0)`."


_QUANTITY = re.compile(rf"[−\d.,]+(?:{_NO_BREAK}\S+)?")


def is_quantity(text: str) -> bool:
    """Whether a text is a number, with or without a unit: it is set in figures of one width, unbroken."""
    return _QUANTITY.fullmatch(text) is not None
