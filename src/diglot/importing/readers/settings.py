"""Reads configurations of the old systems in any format, and their values by their types."""

import re
from collections.abc import Mapping
from typing import Any

from diglot.diagnostics import Refusal
from diglot.importing.names import language_of_code
from diglot.importing.readers.reading import Reading
from diglot.importing.readers.source_files import decoded, read_values
from diglot.importing.records import Findings
from diglot.importing.source_folder import Unreadable, shown
from diglot.languages import Bilingual

_NAMES = (
    (bool, "true or false"),
    (int | float, "a number"),
    (str, "a text"),
    (list, "a list"),
    (dict, "a mapping"),
)


class Settings:
    """Values of a configuration. One of another type than is asked for is reported, and counts as absent."""

    def __init__(
        self,
        values: Mapping[str, Any],
        source: tuple[str, str] = ("", ""),
        findings: Findings | None = None,
        *,
        above: str = "",
    ) -> None:
        self._values = {str(key): value for key, value in values.items()}
        self._source = source
        self._findings = findings if findings is not None else Findings()
        self._above = above

    def __bool__(self) -> bool:
        return bool(self._values)

    def __contains__(self, key: str) -> bool:
        return self._values.get(key) is not None

    @property
    def path(self) -> str:
        """The file that they are in."""
        return self._source[0]

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys, in order."""
        return tuple(self._values)

    def text(self, *keys: str) -> str:
        """The first of these values that is given, a text on one line; empty if none is."""
        return next((text for text in map(self._text, keys) if text), "")

    def _text(self, key: str) -> str:
        value = self._values.get(key)
        if value is None or isinstance(value, dict | list):
            return self._wrong(key, value, "a text") if value else ""
        return " ".join(str(value).split())

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, or one text alone."""
        value = self._values.get(key)
        if not isinstance(value, list):
            return (text,) if (text := self._text(key)) else ()
        wrong = [item for item in value if isinstance(item, dict | list)]
        if wrong:
            self._wrong(key, wrong[0], "a text", where="in its list")
        return tuple(" ".join(str(item).split()) for item in value if item is not None and item not in wrong)

    def is_on(self, key: str) -> bool:
        """A truth value; false if it is not given."""
        value = self._values.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        if str(value).lower() in ("true", "false"):
            return str(value).lower() == "true"
        self._wrong(key, value, "true or false")
        return False

    def inside(self, key: str) -> "Settings":
        """A mapping; empty if it is not given."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, dict):
            self._wrong(key, value, "a mapping")
        return self._below(value if isinstance(value, dict) else {}, key)

    def entries(self, key: str) -> "list[Settings]":
        """A list of mappings."""
        value = self._values.get(key)
        if value is not None and not isinstance(value, list):
            self._wrong(key, value, "a list")
        return self._entries(key, value if isinstance(value, list) else [])

    def _entries(self, key: str, values: list[Any]) -> "list[Settings]":
        wrong = next((item for item in values if not isinstance(item, dict)), None)
        if wrong is not None:
            self._wrong(key, wrong, "a mapping", where="in its list")
        return [self._below(item, key) for item in values if isinstance(item, dict)]

    def bilingual(self, key: str) -> Bilingual | None:
        """A text for both languages, from one text or one per language; None if it is not given."""
        value = self._values.get(key)
        if isinstance(value, dict):
            return both({str(code): text for code, text in value.items() if isinstance(text, str)})
        return both(self._text(key))

    def is_mapping(self, key: str) -> bool:
        """Whether a value is a mapping, for keys that may be one."""
        return isinstance(self._values.get(key), dict)

    def is_list(self, key: str) -> bool:
        """Whether a value is a list, for keys that may be one."""
        return isinstance(self._values.get(key), list)

    def tell(self, key: str, message: str, fix: str) -> None:
        """Report something about a value."""
        path, text = self._source
        found = re.search(
            rf"(?:^|[{{,])[ \t\"'\[-]*{re.escape(key)}[\"'\]]?[ \t]*[:=\]]",
            text,
            re.MULTILINE | re.IGNORECASE,
        )
        line = text.count("\n", 0, found.start()) + 1 if found else 0
        self._findings.tell(path, message, fix, line=line)

    def _below(self, values: dict[Any, Any], key: str) -> "Settings":
        return Settings(values, self._source, self._findings, above=f"{self._above}{key}.")

    def _wrong(self, key: str, value: Any, expected: str, *, where: str = "") -> str:
        name = next((name for kind, name in _NAMES if isinstance(value, kind)), "a date")
        quoted = f" ({shown(str(value))[:60]})" if not isinstance(value, list | dict) else ""
        behind = f" {where}" if where else ""
        self.tell(
            key,
            f"`{self._above}{key}` has {name}{quoted}{behind} where {expected} is expected; it is not used",
            "correct it, and import again into an empty folder.",
        )
        return ""

    def with_values(self, values: Mapping[str, Any]) -> "Settings":
        """These settings with other values in place of some."""
        return Settings({**self._values, **values}, self._source, self._findings, above=self._above)

    @property
    def values(self) -> dict[str, Any]:
        """All values, whatever their types are."""
        return self._values


def read_configuration(
    reading: Reading,
    names: tuple[str, ...],
    *,
    optional: bool = False,
    list_key: str = "",
    lower: bool = False,
) -> Settings:
    """The values of the first of these files that exists; none if none does.

    Raises Refusal if the file cannot be read; an `optional` one is reported and left out. A list at its top
    becomes the value of `list_key`. With `lower`, keys are in lower case at all levels.
    """
    for name in names:
        aside = any(name.startswith(folder) for folder in reading.folder.aside)
        if name not in reading.folder.files and not (aside and (reading.folder.root / name).is_file()):
            continue
        reading.configurations.add(name)
        try:
            text = decoded(reading.folder.file(name).read_bytes())
            values = read_values(
                text, {".toml": "toml", ".json": "json"}.get(name[name.rfind(".") :], "yaml")
            )
        except (ValueError, Unreadable, RecursionError) as error:
            message = " ".join(str(error).split())[:200]
            if not optional:
                raise Refusal(
                    f"{shown(name)} cannot be read: {message}", "correct it, or move it away."
                ) from None
            reading.configurations.discard(name)
            reading.leave(
                name, f"cannot be read: {message}", "correct it, and import again into an empty folder."
            )
            return Settings({})
        if isinstance(values, list) and list_key:
            values = {list_key: values}
        if not isinstance(values, dict):
            message = "has no keys at its top, and nothing of it is used"
            reading.findings.tell(name, f"it {message}", "correct it, and import again into an empty folder.")
            values = {}
        return Settings(_lowered(values) if lower else values, (name, text), reading.findings)
    return Settings({})


def _lowered(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key).lower(): _lowered(inner) for key, inner in value.items()}
    return [_lowered(inner) for inner in value] if isinstance(value, list) else value


def both(value: Mapping[str, str] | str | None) -> Bilingual | None:
    """A text for both languages, from one text or one per language; None if it is empty."""
    if isinstance(value, Mapping):
        by_language = {
            language_of_code(code): " ".join(text.split()) for code, text in value.items() if text.strip()
        }
        texts = [by_language[language] for language in ("zh", "en") if language in by_language]
        return Bilingual(zh=texts[0], en=texts[-1]) if texts else None
    return Bilingual(zh=value, en=value) if value else None


def label_of(entry: Settings, *keys: str) -> Bilingual | None:
    """The label of a menu's entry in both languages: `title`, or `title_en` and `title_zh` where given."""
    one = next((label for key in keys if key in entry and (label := entry.bilingual(key))), None)
    zh = entry.text(*(f"{key}_{code}" for key in keys for code in ("zh", "cn")))
    en = entry.text(*(f"{key}_en" for key in keys))
    if one is None and not (zh or en):
        return None
    return Bilingual(zh=zh or (one.zh if one else en), en=en or (one.en if one else zh))
