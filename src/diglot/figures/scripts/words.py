"""The words of a figure: the two languages side by side, one of them picked."""

from diglot.characters import code_of, forbidden_in
from diglot.languages import Language, number_for_reading


class Words:
    """What a script calls `t`: `t(zh="脊点", en="ridge")` is the word in the language being drawn."""

    __slots__ = ("language",)

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def __call__(self, *, zh: str, en: str) -> str:
        """The text in the language being drawn. Raises ValueError for a character that no page may hold."""
        text = zh if self.language == "zh" else en
        if (character := forbidden_in(text)) is not None:
            raise ValueError(
                f"this text contains the character {code_of(character)}, which is not allowed on pages"
            )
        return text

    def number(self, value: float, digits: int = 0) -> str:
        """A number for reading: `1,024`, `0.97`; the same string in both languages.

        One that would be shown as 0 with so many digits, and is not, is shown with as many as it takes.
        Raises ValueError for what is not a finite number.
        """
        return number_for_reading(value, digits)

    def join(self, parts: list[str] | tuple[str, ...]) -> str:
        """A list in a sentence: `a、b 和 c` or `a, b and c`."""
        comma, last = ("、", "和") if self.language == "zh" else (", ", " and ")
        return comma.join(parts[:-1]) + last + parts[-1] if len(parts) > 1 else "".join(parts)
