"""What editors show next to the keys of `site.yaml` and of front matter, and the limits of their values."""

from pathlib import Path
from typing import Any

import msgspec

from diglot.editors import EDITORS
from diglot.project import (
    DEFAULT_FRAMES,
    DEFAULT_LIST_ENTRIES,
    DEFAULT_MEMORY_MB,
    DEFAULT_RELATED,
    DEFAULT_TIMEOUT_S,
    LONGEST_TIMEOUT_S,
    MOST_FEED_ENTRIES,
    MOST_FRAMES,
    MOST_LIST_ENTRIES,
    MOST_MEMORY_MB,
    MOST_RELATED,
    TERM_ID,
)
from diglot.scaffold.schemas.asking import TEXTS
from diglot.shared_cache.key_texts import PUBLIC

Notes = dict[str, dict[str, Any]]

_TERM: dict[str, Any] = {
    "anyOf": [
        *TEXTS["anyOf"],
        {
            "type": "object",
            "properties": {"label": TEXTS, "description": TEXTS},
            "required": ["label"],
            "additionalProperties": False,
        },
    ],
}
_TERM_IDS: dict[str, Any] = {"propertyNames": {"pattern": f"^{TERM_ID.pattern}$"}}
_WHOLE = "^https?://"
_ADDRESS = {"pattern": _WHOLE}


def _from(least: int, most: int, default: int) -> dict[str, Any]:
    return {"minimum": least, "maximum": most, "default": default}


_PUBLIC_KEY = {"type": "string", "pattern": f"^{PUBLIC}[A-Za-z0-9_-]{{43}}$"}

_LIMITS: Notes = {
    "base_url": _ADDRESS,
    "authors.*.url": _ADDRESS,
    "authors.*.links[].url": {"pattern": f"{_WHOLE}|^mailto:"},
    "tags": _TERM_IDS,
    "tags.*": _TERM,
    "categories": _TERM_IDS,
    "categories.*": _TERM,
    "series": _TERM_IDS,
    "series.*": _TERM,
    "navigation[].path": {"pattern": f"^/|{_WHOLE}"},
    "glossary": {"default": False},
    "first_use": {"default": "alone"},
    "citations.style": {"default": "ieee"},
    "timezone": {"default": "UTC"},
    "source_url": _ADDRESS,
    "manual.edit_url": _ADDRESS,
    "feed_text": {"default": "full"},
    "markdown": {"default": False},
    "search": {"default": False},
    "cards": {"default": "figures"},
    "pictures": {"default": "webp"},
    "tag_feeds": {"default": False},
    "list_entries": _from(1, MOST_LIST_ENTRIES, DEFAULT_LIST_ENTRIES),
    "related": _from(0, MOST_RELATED, DEFAULT_RELATED),
    "feed_entries": _from(1, MOST_FEED_ENTRIES, 20),
    "figure_timeout_s": {"exclusiveMinimum": 0, "maximum": LONGEST_TIMEOUT_S, "default": DEFAULT_TIMEOUT_S},
    "frames": _from(1, MOST_FRAMES, DEFAULT_FRAMES),
    "figure_memory_mb": _from(1, MOST_MEMORY_MB, DEFAULT_MEMORY_MB),
    "analytics.plausible.src": _ADDRESS,
    "analytics.goatcounter": {"anyOf": [{"required": ["code"]}, {"required": ["endpoint"]}]},
    "analytics.goatcounter.endpoint": _ADDRESS,
    "analytics.goatcounter.src": _ADDRESS,
    "analytics.umami.src": _ADDRESS,
    "deploy.branch": {"default": "gh-pages"},
    "deploy.remote": {"default": "origin"},
    "cache.keys": {"anyOf": [_PUBLIC_KEY, {"type": "array", "items": _PUBLIC_KEY, "minItems": 1}]},
    "preview.editor": {"anyOf": [{"enum": sorted(EDITORS)}, {"pattern": "\\{path\\}"}]},
}
_NAME = {"pattern": "^[a-z0-9][a-z0-9-]*$"}

_DESCRIPTIONS = msgspec.yaml.decode(
    Path(__file__).with_name("descriptions.yaml").read_bytes(), type=dict[str, dict[str, str]]
)


def _notes(kind: str, limits: Notes) -> Notes:
    return {key: {"description": text, **limits.get(key, {})} for key, text in _DESCRIPTIONS[kind].items()}


SITE = _notes("site", _LIMITS)
FRONT_MATTER = _notes("front-matter", {"slug": _NAME, "series": _NAME, "part": {"minimum": 1}})
