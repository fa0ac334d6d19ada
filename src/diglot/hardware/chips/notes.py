"""Notes of the catalogue, which readers see in Chinese and in English."""

import re
from dataclasses import dataclass

from diglot.hardware.data.tables import Table

_HAN = re.compile(r"[\u3400-\u9fff]")
LANGUAGES = ("zh", "en")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A remark in one or both languages."""

    zh: str = ""
    """Empty if there is only English."""
    en: str = ""
    """Empty if there is only Chinese."""

    def __str__(self) -> str:
        """The English text, or the only one there is."""
        return self.en or self.zh

    def followed_by(self, other: "Note | None") -> "Note":
        """Both remarks, one after the other, in each language that the first one has."""
        if other is None:
            return self
        return Note(zh=self.zh and f"{self.zh}。{other.zh or other.en}", en=self.en and f"{self.en}. {other}")


def read_note(table: Table, key: str) -> Note:
    """A required remark: one text, or texts for `zh`, `en` or both. Raises TableError.

    A single text with Chinese characters is Chinese.
    """
    if not table.is_table(key):
        text = table.text(key)
        return Note(zh=text) if _HAN.search(text) else Note(en=text)
    texts = table.table(key)
    texts.check_keys(LANGUAGES)
    if not texts.members:
        raise table.error(key, "must be text, or have texts for zh, en or both")
    return Note(**{language: texts.text(language) for language in texts.members})


def read_optional_note(table: Table, key: str) -> Note | None:
    """A remark, or None where the key is missing. Raises TableError."""
    return read_note(table, key) if key in table.members else None
