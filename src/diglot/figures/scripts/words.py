"""Text of figures: scripts give both languages, and the one that is being drawn is used."""

from collections.abc import Iterable, Mapping
from typing import Any

from diglot.characters import code_of, forbidden_in
from diglot.diagnostics import did_you_mean
from diglot.figures.scripts.columns import DeclaredColumn
from diglot.figures.scripts.misuse import Misuse
from diglot.languages import Language, join_interval, number_for_reading, twin_of
from diglot.years import are_years


def undeclared(name: str, use: str, columns: Mapping[str, DeclaredColumn]) -> Misuse:
    """The mistake of a column that `COLUMNS` says nothing about; `use` says what needs it."""
    entry = f'"{name}": {{"zh": "…", "en": "…"}}'
    add = f"add {entry} to COLUMNS." if columns else f"write COLUMNS = {{{entry}}}."
    return Misuse(f'COLUMNS has no "{name}", which {use}', did_you_mean(name, columns, otherwise=add))


class Words:
    """The argument `t` of scripts: `t(zh="脊点", en="ridge")` is the text in the language being drawn."""

    __slots__ = ("columns", "language", "years")

    def __init__(
        self,
        language: Language,
        columns: Mapping[str, DeclaredColumn] | None = None,
        years: frozenset[str] = frozenset(),
    ) -> None:
        self.language: Language = language
        self.years = years
        """Columns of categories that all are years in the rows of a chart."""
        self.columns: Mapping[str, DeclaredColumn] = columns or {}
        """The script's `COLUMNS`."""

    def twin(self) -> "Words":
        """The same in the other language."""
        return Words(twin_of(self.language), self.columns)

    def with_categories(self, rows: Iterable[Mapping[str, Any]], *names: str | None) -> "Words":
        """The same, knowing which of these columns of categories hold years."""
        given = [*rows]
        years = {
            name
            for name in names
            if name is not None and are_years((row.get(name) for row in given), recent=True)
        }
        return Words(self.language, self.columns, self.years | years) if years else self

    def __call__(self, *, zh: str, en: str) -> str:
        """The text in the language being drawn. Raises Misuse for a character forbidden on pages."""
        text = zh if self.language == "zh" else en
        if (character := forbidden_in(text)) is not None:
            what = f"this text contains the character {code_of(character)}, which is not allowed on pages"
            raise Misuse(what, "delete it: it is invisible.")
        return text

    def number(self, value: float, digits: int = 0) -> str:
        """A number with `digits` decimals, formatted for reading: `1,024`, `0.97`. Same in both languages.

        A number that would round to 0, but is not 0, is shown with as many digits as it needs.
        Raises ValueError if it is not finite.
        """
        return number_for_reading(value, digits)

    def percent(self, share: float, digits: int = 0) -> str:
        """A share from 0 to 1 in percent, as `number` formats it: `97%`."""
        return f"{self.number(100 * share, digits)}%"

    def interval(self, estimate: Mapping[str, Any], digits: int = 0) -> str:
        """An estimate's `value`, `low` and `high` as prose has them: `94 (63 to 141)`.

        One whose `basis` is `far` says that nothing like it was measured.
        """
        texts = [self.number(estimate[name], digits) for name in ("value", "low", "high")]
        return join_interval(*texts, language=self.language, is_far=estimate.get("basis") == "far")

    def name(self, column: str, value: object) -> str:
        """What `COLUMNS` call a value of a column. Raises Misuse if they do not name it."""
        names = self.columns[column].names if column in self.columns else {}
        if str(value) not in names:
            what = f'COLUMNS["{column}"] has no name for "{value}"'
            raise Misuse(what, did_you_mean(str(value), names))
        return names[str(value)].of(self.language)

    def join(self, parts: list[str] | tuple[str, ...]) -> str:
        """The parts as a list within a sentence: `a、b和c` or `a, b and c`."""
        comma, last = ("、", "和") if self.language == "zh" else (", ", " and ")
        return comma.join(parts[:-1]) + last + parts[-1] if len(parts) > 1 else "".join(parts)
