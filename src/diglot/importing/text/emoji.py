"""Names of emoji, `:rocket:`, as the characters."""

import re
import unicodedata

from diglot.content.foreign_names import emoji_named
from diglot.importing.text.body import Body

_NAME = re.compile(r"(?<![A-Za-z0-9_:/\\]):([a-z][a-z0-9_]{1,30}|\+1|-1):(?![A-Za-z0-9_:])")
_FIRST = 0x1F300
"""Where pictures begin in Unicode."""
_WORDS = frozenset(
    ("ring", "key", "label", "link", "name", "pill", "door", "tent", "bell", "page", "file", "target")
)
"""Pictures whose names are between colons for other reasons, in keywords of Lisp or reStructuredText."""


def emoji_of(name: str) -> str | None:
    """The emoji with a name as GitHub, Hugo and others have them; None for a word that is none."""
    if name in ("+1", "-1"):
        return "👍" if name == "+1" else "👎"
    if (known := emoji_named(name)) is not None:
        return known
    try:
        character = unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return None
    is_picture = ord(character) >= _FIRST and unicodedata.category(character) == "So"
    return character if is_picture and name not in _WORDS else None


def with_emoji(text: str) -> str:
    """A text on one line with characters for names."""
    return _NAME.sub(lambda found: emoji_of(found[1]) or found[0], text) if ":" in text else text


def convert_emoji(body: Body) -> None:
    """Put characters in place of names, outside of code."""
    body.substitute(_NAME, lambda found: emoji_of(found[1]))
