"""Reads configurations of the old systems in any format, and their texts in one or two languages."""

from pathlib import Path
from typing import Any

from diglot.diagnostics import Refusal
from diglot.importing.names import language_of_code
from diglot.importing.readers.source_files import read_text, read_values
from diglot.languages import Bilingual


def read_configuration(root: Path, names: tuple[str, ...], *, anything: bool = False) -> Any:
    """The values of the first of these files that exists; an empty mapping if none does.

    Raises Refusal if the file cannot be read. With `anything`, the file may contain a list.
    """
    for name in names:
        path = root / name
        if not path.is_file():
            continue
        kind = {".toml": "toml", ".json": "json"}.get(path.suffix, "yaml")
        try:
            values = read_values(read_text(path), kind)
        except ValueError as error:
            message = " ".join(str(error).split())
            raise Refusal(f"{name} cannot be read: {message[:200]}", "correct it, or move it away.") from None
        return values if anything or isinstance(values, dict) else {}
    return {}


def both(value: Any) -> Bilingual | None:
    """A text of a configuration for both languages, from one text or one per language; None if empty."""
    if isinstance(value, dict):
        by_language = {
            language_of_code(key): str(text) for key, text in value.items() if isinstance(text, str)
        }
        found = [by_language[language] for language in ("zh", "en") if language in by_language]
        return Bilingual(zh=found[0], en=found[-1]) if found else None
    text = " ".join(str(value).split()) if value not in (None, "", []) else ""
    return Bilingual(zh=text, en=text) if text else None


def label_of(entry: dict[str, Any], *keys: str) -> Bilingual:
    """The label of a menu's entry in both languages: `title`, or `title_en` and `title_zh` where given."""
    text = next((str(entry[key]) for key in keys if entry.get(key)), "")
    zh = next(
        (str(entry[f"{key}_{code}"]) for key in keys for code in ("zh", "cn") if entry.get(f"{key}_{code}")),
        text,
    )
    en = next((str(entry[f"{key}_en"]) for key in keys if entry.get(f"{key}_en")), text)
    return Bilingual(zh=zh or en, en=en or zh)
