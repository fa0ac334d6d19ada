"""A mapping read with types; mistakes are collected."""

import datetime
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean, nearest, shortened
from diglot.languages import LANGUAGES, Bilingual
from diglot.strict_yaml.limits import LONGEST_MESSAGE, MOST_MISTAKES, TOO_LARGE
from diglot.strict_yaml.reading import Keys, Mapping
from diglot.strict_yaml.words import date_in, name_value
from diglot.web_addresses import ascii_address, mistake_in

# The type of a field's default. mypy refuses `= None` for such a parameter, although a call without it
# correctly gives None. Hence the ignored assignments below.
_T = TypeVar("_T")
_V = TypeVar("_V")
_W = TypeVar("_W", bound=str)
WHOLE = ("https://", "http://")
"""How whole addresses begin."""
_DIGITS = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_MAPPING = "a mapping of `key: value` lines"


class Fields:
    """A mapping that is read field by field, with type checks; mistakes are collected.

    A key with a wrong value is reported and gives the default, so that one run shows all mistakes. A key
    without a value (`tags:`) counts as left out.
    """

    def __init__(self, mapping: Mapping, *, _keys: Keys = (), _root: "Fields | None" = None) -> None:
        self.mapping = mapping
        self._keys = _keys
        self._values: dict[str, Any] = mapping.values
        for key in _keys:
            self._values = self._values[key]  # type: ignore[index]  # inside lists, keys are numbers
        self._asked: set[str] = set()
        self._nested: list[Fields] = []
        self._mistakes: list[Diagnostic] = _root._mistakes if _root else []
        self._missing: dict[str, Diagnostic] = {}
        self.shown_texts: list[tuple[str, int]] = _root.shown_texts if _root else []
        """What was read in both languages, and so is what readers see: each text with its line."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All mistakes found so far, those of nested mappings included."""
        return tuple(self._mistakes)

    def __iter__(self) -> Iterator[str]:
        """The keys, in the file's order."""
        return iter(self._values)

    def __contains__(self, key: str) -> bool:
        return self._values.get(key) is not None

    def line_of(self, key: str) -> int:
        """The line of a key, in the file."""
        return self.mapping.line_of(*self._keys, key)

    def location_of(self, key: str) -> Location:
        """The place of a key."""
        return Location(path=self.mapping.path, line=self.line_of(key))

    def raw(self, key: str) -> Any:
        """The value as YAML gives it; None if the key is left out."""
        self._asked.add(key)
        return self._values.get(key)

    def text(self, key: str, default: _T = None) -> str | _T:  # type: ignore[assignment]  # a call without it makes _T None
        """A text; `title: 2024` must be quoted."""
        return self._read(key, default, "text", str)

    def flag(self, key: str, default: bool = False) -> bool:
        """`true` or `false`; no other words are accepted."""
        return self._read(key, default, "true or false", bool, f"write `{key}: true` or `{key}: false`.")

    def date(self, key: str, default: _T = None) -> datetime.date | _T:  # type: ignore[assignment]  # a call without it makes _T None
        """A date in the form YYYY-MM-DD."""
        # The message shows what the author wrote, not the value that YAML made of it.
        fix, value = f"write it without quotes and without a time, as in `{key}: 2026-11-20`.", self.raw(key)
        if isinstance(value, str) and (day := date_in(value)) is not None:
            fix = f"leave out the time and the quotes: `{key}: {day}`."
        return self._read(key, default, "a date", datetime.date, fix)

    def integer(self, key: str, default: _T = None) -> int | _T:  # type: ignore[assignment]  # a call without it makes _T None
        """A whole number."""
        value = self._read(key, default, "a whole number", int)
        if isinstance(value, int) and abs(value) >= TOO_LARGE:
            shown = shortened(str(value), 40)
            self.report(key, f"{self._name(key)}: {shown} has too many digits", "write a smaller number.")
            return default
        return value

    def number(self, key: str, default: _T = None) -> float | _T:  # type: ignore[assignment]  # a call without it makes _T None
        """A number, whole or not."""
        value = self._read(key, None, "a number", (int, float))
        try:
            return default if value is None else float(value)
        except OverflowError:  # a whole number of more than 308 digits
            return math.inf if value and value > 0 else -math.inf

    def _read(
        self,
        key: str,
        default: _T,
        expected: str,
        kind: type[_V] | tuple[type[_V], ...],
        fix: str | None = None,
    ) -> _V | _T:
        """The value of a key, which has to be of a kind; the default if there is none, or another."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            return value
        self._expected(key, expected, value, fix)
        return default

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        value = self.raw(key)
        if isinstance(value, str):
            return (value,)
        found = self._read(key, (), "a list of texts", list)
        for index, item in enumerate(found):
            if not isinstance(item, str):
                self._expected(key, "text", item, index=index)
        return tuple(item for item in found if isinstance(item, str))

    def located_texts(self, key: str) -> tuple[tuple[str, int], ...]:
        """A list of texts, each with its line."""
        texts, is_alone = self.texts(key), isinstance(self._values.get(key), str)
        places: list[Keys] = [() if is_alone else (index,) for index, _ in enumerate(texts)]
        return tuple(
            (text, self.mapping.line_of(*self._keys, key, *place))
            for text, place in zip(texts, places, strict=True)
        )

    def choice(self, key: str, allowed: Sequence[_W], default: _T = None) -> _W | _T:  # type: ignore[assignment]  # a call without it makes _T None
        """One of the allowed words."""
        value = self.raw(key)
        found = next((one for one in allowed if one == value), None)
        if found is None and value is not None:
            words = ", ".join(allowed)
            self._expected(key, f"one of {words}", value, did_you_mean(str(value), allowed))
        return default if found is None else found

    def address(
        self,
        key: str,
        default: _T = None,  # type: ignore[assignment]  # a call without it makes _T None
        *,
        begins: tuple[str, ...] = WHOLE,
        fix: str = "begin it with https://.",
    ) -> str | _T:
        """A whole address; one that begins otherwise is reported, and is the value all the same."""
        value = self.text(key, default)
        if isinstance(value, str) and not value.startswith(begins):
            self.report(key, f'{self._name(key)}: "{value}" is not a complete address', fix)
        elif isinstance(value, str) and (mistake := mistake_in(value)) is not None:
            self.report(key, f'{self._name(key)}: "{value}" {mistake.what}', mistake.fix)
        return ascii_address(value) if isinstance(value, str) else value

    def bilingual(self, key: str, default: _T = None) -> Bilingual | _T:  # type: ignore[assignment]  # a call without it makes _T None
        """A text in both languages, `{zh: …, en: …}`; a plain text is used for both."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, str):
            self.shown_texts.append((value, self.line_of(key)))
            return Bilingual(zh=value, en=value)
        if not isinstance(value, dict):
            self._expected(key, "text, or {zh: …, en: …}", value)
            return default
        both = self._below(key)
        both.require(*LANGUAGES)
        for code in both:
            if code not in LANGUAGES and nearest(code, LANGUAGES) is None:
                both.raw(code)  # `finish` need not report it again
                what = f'{self._name(key)}: "{shortened(code, 60)}" is not a language of the site'
                both.report(code, what, "its languages are zh and en.", rule="field-unknown")
        zh, en = both.text("zh"), both.text("en")
        if zh is None or en is None:
            return default
        self.shown_texts += [(zh, both.line_of("zh")), (en, both.line_of("en"))]
        return Bilingual(zh=zh, en=en)

    def nested(self, key: str) -> "Fields | None":
        """The nested mapping of a key as `Fields`; its mistakes join these."""
        return None if self._read(key, None, _MAPPING, dict) is None else self._below(key)

    def free(self, key: str) -> dict[str, Any]:
        """A mapping of whatever an author puts there, for templates. Its dates are texts."""
        found = self._read(key, {}, _MAPPING, dict)
        return {name: self._plain(one, key, name) for name, one in found.items()}

    def _plain(self, value: Any, *keys: str | int) -> Any:
        """A value as it can be stored."""
        if isinstance(value, dict):
            return {name: self._plain(one, *keys, name) for name, one in value.items()}
        if isinstance(value, list):
            return [self._plain(one, *keys, index) for index, one in enumerate(value)]
        if isinstance(value, datetime.date):
            return value.isoformat()
        if isinstance(value, int) and abs(value) >= TOO_LARGE:
            self._report(keys, f"{shortened(str(value), 40)} has too many digits", "put it in quotes.")
        return value

    def items(self, key: str) -> tuple["Fields", ...]:
        """A list of mappings, each as `Fields`."""
        found = self._read(key, (), "a list", list, "begin each item with `- `.")
        for index, item in enumerate(found):
            if not isinstance(item, dict):
                self._expected(key, _MAPPING, item, index=index)
        return tuple(self._below(key, index) for index, item in enumerate(found) if isinstance(item, dict))

    def require(self, *keys: str) -> None:
        """Report those of the keys that are left out or have no value."""
        for key in keys:
            self._asked.add(key)
            if self._values.get(key) is None:
                example = {"date": "2026-11-20"}.get(key, "…")
                fix = f"add `{key}: {example}`."
                if len(self._mistakes) < MOST_MISTAKES:
                    self.report(key, f"{self._name(key)} is missing", fix, rule="field-missing")
                    self._missing[key] = self._mistakes[-1]

    def report(
        self,
        key: str,
        message: str,
        fix: str | None = None,
        *,
        rule: str = "field-value",
        index: int | str | None = None,
    ) -> None:
        """Add a mistake about a key, or about what is below it, with its location and source line."""
        self._report((key,) if index is None else (key, index), message, fix, rule)

    def _report(self, keys: Keys, message: str, fix: str | None, rule: str = "field-value") -> None:
        if len(self._mistakes) >= MOST_MISTAKES:
            return
        keys = (*self._keys, *keys)
        line = self.mapping.line_of(*keys)
        of_key, of_value = self.mapping.columns.get(keys, (None, None))
        column = of_key if rule == "field-unknown" else of_value
        self._mistakes.append(
            Diagnostic(
                rule=rule,
                message=shortened(message, LONGEST_MESSAGE),
                location=Location(path=self.mapping.path, line=line, column=column),
                source_line=self.mapping.source_line(line),
                fix=None if fix is None else shortened(fix, LONGEST_MESSAGE),
            )
        )

    def finish(self, known: Iterable[str] = (), fix_of: Callable[[str], str | None] = lambda _: None) -> None:
        """Report keys that were never read, here and in nested mappings.

        `known` are valid keys that need not be read; `fix_of` says what to do about unknown ones, if it
        knows them. A required key that is only misspelt is not missing as well.
        """
        names = {*self._asked, *known}
        for key in self._values:
            if key not in names and len(self._mistakes) < MOST_MISTAKES:
                fix = fix_of(key) or did_you_mean(key, names)
                self.report(key, f'unknown key "{self._name(key)}"', fix, rule="field-unknown")
                if (meant := nearest(key, names)) in self._missing:
                    self._mistakes.remove(self._missing.pop(meant))
        for fields in self._nested:
            fields.finish()

    def raise_mistakes(self) -> None:
        """Raise DiagnosticError if any mistake was reported."""
        if self._mistakes:
            raise DiagnosticError(*self._mistakes)

    def _below(self, *keys: str | int) -> "Fields":
        nested = Fields(self.mapping, _keys=(*self._keys, *keys), _root=self)
        self._nested.append(nested)
        return nested

    def _name(self, key: str, index: int | None = None) -> str:
        parts = [f"[{k}]" if isinstance(k, int) else f".{shortened(k, 60)}" for k in (*self._keys, key)]
        return "".join(parts).removeprefix(".") + ("" if index is None else f"[{index}]")

    def _expected(
        self, key: str, expected: str, found: Any, fix: str | None = None, *, index: int | None = None
    ) -> None:
        if fix is None and expected.startswith("text") and not isinstance(found, list | dict):
            fix = "put it in quotes."
        elif fix is None and expected == _MAPPING:
            fix = "write its keys on lines of their own below it, indented by two spaces."
        elif fix is None and "number" in expected and isinstance(found, str):
            digits = _DIGITS.match(found)
            fix = f"write {digits[0] if digits else 'it in digits'}, without a unit and without quotes."
        message = f"{self._name(key, index)}: expected {expected}, found {name_value(found)}"
        self.report(key, message, fix, rule="field-type", index=index)
