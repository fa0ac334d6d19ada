"""Finds out which keys a reader of YAML expects, by letting it read fields that record every access."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from diglot.strict_yaml import Fields, read_mapping

EACH = "*"
"""Stands for every key of a mapping from ids."""

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
BILINGUAL: Schema = {
    "type": "object",
    "properties": {"zh": TEXT, "en": TEXT},
    "required": ["zh", "en"],
    "additionalProperties": False,
}
"""A text that must be given in both languages."""
TEXTS: Schema = {"anyOf": [TEXT, BILINGUAL]}


class AskedFields(Fields):
    """Fields that have every key, but no values; `asked` is what the reader asked for."""

    def __init__(self, *, is_empty: bool = False) -> None:
        """With `is_empty`, no key exists."""
        super().__init__(read_mapping("", ""))
        self._is_empty = is_empty
        self.asked: dict[str, Schema | AskedFields | list[AskedFields]] = {}
        self.required: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return iter((EACH,))

    def __contains__(self, key: str) -> bool:
        return not self._is_empty

    def raw(self, key: str) -> Any:
        """Records a key whose type the reader finds out itself."""
        self.asked.setdefault(key, {})

    def text(self, key: str, default: Any = None) -> Any:
        """Records a string."""
        return self._note(key, TEXT, default)

    def flag(self, key: str, default: bool = False) -> bool:
        """Records a boolean."""
        return bool(self._note(key, {"type": "boolean"}, default))

    def date(self, key: str, default: Any = None) -> Any:
        """Records a date."""
        return self._note(key, {"type": "string", "format": "date"}, default)

    def integer(self, key: str, default: Any = None) -> Any:
        """Records an integer."""
        return self._note(key, {"type": "integer"}, default)

    def number(self, key: str, default: Any = None) -> Any:
        """Records a number."""
        return self._note(key, {"type": "number"}, default)

    def texts(self, key: str) -> tuple[str, ...]:
        """Records a list of strings."""
        self._note(key, {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}, None)
        return ()

    def choice(self, key: str, allowed: Sequence[str], default: Any = None) -> Any:
        """Records one of a few words."""
        return self._note(key, {"enum": list(allowed)}, default)

    def bilingual(self, key: str, default: Any = None) -> Any:
        """Records a text in both languages."""
        return self._note(key, TEXTS, default)

    def free(self, key: str) -> dict[str, Any]:
        """Records a mapping with any content."""
        self._note(key, {"type": "object"}, None)
        return {}

    def nested(self, key: str) -> "AskedFields":
        """Records a mapping, and what the reader asks of it."""
        inside = self.asked.setdefault(key, AskedFields())
        if not isinstance(inside, AskedFields):
            inside = self.asked[key] = AskedFields()
        return inside

    def items(self, key: str) -> tuple["AskedFields", ...]:
        """Records a list of mappings, and what the reader asks of each."""
        inside = AskedFields()
        self.asked[key] = [inside]
        return (inside,)

    def require(self, *keys: str) -> None:
        """Records required keys."""
        self.required += keys

    def report(self, *_words: Any, **_more: Any) -> None:
        """Does nothing, because no value can be wrong."""

    def finish(self, known: Iterable[str] = (), fix_of: Callable[[str], str | None] = lambda _: None) -> None:
        """Does nothing, because no key is unknown."""

    def _note(self, key: str, schema: Schema, default: Any) -> Any:
        if not self.asked.get(key):
            self.asked[key] = schema
        return default


def schema_of(fields: AskedFields, notes: Mapping[str, Schema], above: str = "") -> Schema:
    """The JSON Schema of what a reader asked for, with `notes` added by path, such as `authors.*.name`."""
    properties = {
        key: {**_one(asked, notes, f"{above}{key}"), **notes.get(f"{above}{key}", {})}
        for key, asked in fields.asked.items()
    }
    each = properties.pop(EACH, False)
    schema: Schema = {"type": "object"}
    if properties:
        schema["properties"] = properties
    if fields.required:
        schema["required"] = list(dict.fromkeys(fields.required))
    return {**schema, "additionalProperties": each}


def _one(asked: Schema | AskedFields | list[AskedFields], notes: Mapping[str, Schema], path: str) -> Schema:
    if isinstance(asked, AskedFields):
        return schema_of(asked, notes, f"{path}.")
    if isinstance(asked, list):
        return {"type": "array", "items": schema_of(asked[0], notes, f"{path}[].")}
    return asked
