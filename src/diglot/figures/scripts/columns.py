"""What a script's `COLUMNS` say about its data: labels in both languages, units, digits, names of values.

Charts, tables and readings take labels and number formats from here, so that a script states them once.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from diglot.characters import code_of, forbidden_in
from diglot.diagnostics import did_you_mean
from diglot.figures.scripts.kinds import kind_of
from diglot.languages import LANGUAGES, Bilingual, Language, number_for_reading
from diglot.years import Naming, are_named, naming_of, ungrouped

KEYS = ("zh", "en", "unit", "digits", "names", "plain")
SHARE = "share"
"""The unit of numbers from 0 to 1 that are shown as percentages."""
_PREFIXES = {"p": 1e-12, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
_PREFIXES |= {"T": 1e12, "P": 1e15, "E": 1e18}
_HIGHEST_LABEL = {"s": 1_000}
"""The number from which the next larger prefix is used. 1,979 TFLOP/s is usual, 1,979 ms is not."""
BASE_UNITS = ("FLOP/s", "OP/s", "FLOP", "B/s", "B", "s", "Hz", "W", "J")
"""Units that get a prefix (TFLOP/s, GB/s, ms), chosen by the numbers. Any other unit is shown as it is."""

_IN_CHINESE = {
    "seconds": "秒",
    "tokens": "词元",
    "tokens/s": "词元/s",
    "USD": "美元",
    "USD/h": "美元/h",
    "USD per million tokens": "美元/百万词元",
}
"""Units of this field that are words; any other text is the same in both languages."""

ROLE_NAMES = {
    "cmp": Bilingual("计算", "compute"),
    "mem": Bilingual("访存", "memory"),
    "net": Bilingual("网络", "network"),
    "idle": Bilingual("空闲", "idle"),
}
"""What a step waits for, where a script's `COLUMNS` do not name it."""


class ShownUnit(msgspec.Struct, frozen=True, kw_only=True):
    """How the numbers of a column are shown: divided by `factor`, with `text` as their unit."""

    factor: float
    text: str


class DeclaredColumn(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `COLUMNS`."""

    label: Bilingual
    unit: Bilingual = Bilingual("", "")
    digits: int | None = None
    """Decimals; None for as many as three significant digits need."""
    names: Mapping[str, Bilingual] = {}
    """What values are called: `{"prefill": {"zh": "预填充", "en": "prefill"}}`."""
    plain: bool | None = None
    """Whether its numbers are names, such as ports, that have no groups of digits; None if nobody says so."""
    naming: Naming | None = None
    """What its name or its label says that its numbers are, such as years; None for quantities."""

    def shown_unit(self, values: Iterable[float], language: Language) -> ShownUnit:
        """The unit in which these values are shown, with a prefix that keeps the largest below 10,000."""
        unit = self.unit.of(language)
        if self.unit.en == SHARE:
            return ShownUnit(factor=0.01, text="%")
        if self.unit.en not in BASE_UNITS:
            return ShownUnit(factor=1, text=unit)
        largest = max((abs(value) for value in values if math.isfinite(value)), default=0)
        below = _HIGHEST_LABEL.get(unit, 10_000) * (1 - 1e-9)
        ordered = sorted(_PREFIXES.items(), key=lambda one: one[1])
        if unit in ("B", "FLOP", "FLOP/s", "OP/s", "B/s"):
            ordered = [one for one in ordered if one[1] >= 1]
        prefix, factor = next((one for one in ordered if largest / one[1] < below), ordered[-1])
        return ShownUnit(factor=factor, text=prefix + unit) if largest else ShownUnit(factor=1, text=unit)

    def number(self, value: float, shown: ShownUnit | None = None) -> str:
        """A value as text, in the shown unit but without its name."""
        if self.is_plain([value]):
            return ungrouped(value)
        scaled = value / (shown.factor if shown is not None else 0.01 if self.unit.en == SHARE else 1)
        return number_for_reading(scaled, digits_for(scaled) if self.digits is None else self.digits)

    def plain_or_none(self, values: Iterable[float]) -> bool | None:
        """The same for a table, which looks at the numbers itself where nobody says what they are."""
        return self.is_plain(values) or self.plain

    def is_plain(self, values: Iterable[float]) -> bool:
        """Whether these numbers are names, which are shown as they are: `2026`, not `2,026`."""
        return self.plain if self.plain is not None else are_named(values, self.naming, whole=False)


def digits_for(value: float) -> int:
    """Decimals that show a number with about three significant digits, without zeros at the end."""
    if value == 0 or not math.isfinite(value):
        return 0
    digits = max(0, min(6, 2 - math.floor(math.log10(abs(value)))))
    rounded = round(value, digits)
    return next((n for n in range(digits) if math.isclose(rounded, round(rounded, n), rel_tol=1e-9)), digits)


def both_of(text: Any) -> Bilingual | None:
    """A text that is the same in both languages, or `{"zh": "…", "en": "…"}`; None for anything else."""
    if isinstance(text, str):
        return Bilingual(text, text)
    if isinstance(text, Mapping) and set(text) == set(LANGUAGES):
        zh, en = text["zh"], text["en"]
        return Bilingual(zh, en) if isinstance(zh, str) and isinstance(en, str) else None
    return None


def _unit_of(given: Any) -> Bilingual:
    if isinstance(given, str):
        return Bilingual(_IN_CHINESE.get(given, given), given)
    return both_of(given) or Bilingual("", "")


def read_columns(given: Any) -> tuple[dict[str, DeclaredColumn], list[tuple[str, str]]]:
    """The columns of a script's `COLUMNS`, and its mistakes as (message, fix)."""
    example = 'write COLUMNS = {"rate": {"zh": "算力", "en": "Rate", "unit": "FLOP/s"}}.'
    if not isinstance(given, Mapping):
        return {}, [(f"COLUMNS is {kind_of(given)}, not a mapping", example)]
    found, mistakes = {}, []
    for name, entry in given.items():
        if not isinstance(entry, Mapping):
            fix = 'write {"zh": "…", "en": "…", "unit": "FLOP/s"}.'
            mistakes.append((f'COLUMNS["{name}"] is {kind_of(entry)}, not a mapping', fix))
            continue
        wrong = list(_mistakes_of(str(name), entry))
        mistakes += wrong
        if not wrong:
            names = entry.get("names", {})
            found[str(name)] = DeclaredColumn(
                label=Bilingual(entry["zh"], entry["en"]),
                unit=_unit_of(entry.get("unit", "")),
                digits=entry.get("digits"),
                names={str(value): both_of(text) or Bilingual("", "") for value, text in names.items()},
                plain=entry.get("plain"),
                naming=None if entry.get("unit") else naming_of(str(name), entry["en"], entry["zh"]),
            )
    return found, mistakes


def _mistakes_of(name: str, entry: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    where = f'COLUMNS["{name}"]'
    for key in entry:
        if key not in KEYS:
            yield f'{where} has the key "{key}", which is not known', did_you_mean(str(key), KEYS)
    texts = {}
    for language in LANGUAGES:
        if not isinstance(entry.get(language), str) or not entry[language].strip():
            yield f'{where} has no text in "{language}"', 'write {"zh": "…", "en": "…"}.'
        else:
            texts[f'{where}["{language}"]'] = entry[language]
    unit = both_of(entry.get("unit", ""))
    if unit is None:
        yield (
            f'{where}["unit"] is neither a text nor one per language',
            'write "FLOP/s" or {"zh": "…", "en": "…"}.',
        )
    else:
        texts[f'{where}["unit"]'] = "".join(unit)
    digits = entry.get("digits")
    if digits is not None and (
        not isinstance(digits, int) or isinstance(digits, bool) or not 0 <= digits <= 9
    ):
        yield f'{where}["digits"] is {digits!r}', "write the number of decimals, from 0 to 9."
    if not isinstance(entry.get("plain"), bool | None):
        yield (
            f'{where}["plain"] is {entry["plain"]!r}',
            "write True for numbers that are names, such as ports, which are then shown without commas.",
        )
    names = entry.get("names", {})
    if not isinstance(names, Mapping):
        yield f'{where}["names"] is {kind_of(names)}, not a mapping', "write the name of each value."
    else:
        for value, text in names.items():
            both = both_of(text)
            if both is None:
                yield (
                    f'{where}["names"]["{value}"] is neither a text nor one per language',
                    'write "…" or {"zh": "…", "en": "…"}.',
                )
            else:
                texts[f'{where}["names"]["{value}"]'] = "".join(both)
    for place, text in texts.items():
        if (character := forbidden_in(text)) is not None:
            yield (
                f"{place} contains the character {code_of(character)}",
                "delete it: it is not allowed on pages.",
            )
