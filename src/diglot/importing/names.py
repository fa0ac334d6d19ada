"""Names that diglot accepts, made from those of other systems: slugs, ids of terms, languages."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any
from urllib.parse import unquote

from diglot.importing.words import words
from diglot.languages import Language, count_han

_ZH = words("chinese")
_EN = words("english")
_OTHERS = words("other languages")
_LONGEST = 80
"""Maximum length of a slug; longer ones are cut at a hyphen."""


def language_of_code(code: Any) -> Language | None:
    """The language that a code such as `zh-CN`, `zh_Hans` or `en-us` means; None for any other."""
    plain = str(code).strip().lower().replace("_", "-")
    return "zh" if plain in _ZH else "en" if plain in _EN else None


def is_other_language(code: Any) -> bool:
    """Whether a code means a language that diglot does not have."""
    return str(code).strip().lower().replace("_", "-") in _OTHERS


def split_language_suffix(stem: str) -> tuple[str, str]:
    """Split `about.zh-cn` into `about` and `zh-cn`; the code is empty if there is no such suffix."""
    before, dot, code = stem.rpartition(".")
    known = language_of_code(code) is not None or is_other_language(code)
    return (before, code) if dot and before and known else (stem, "")


def language_of_text(text: str) -> Language:
    """The language of a text, by its fraction of Han characters; code, which is mostly ASCII, is ignored."""
    prose = re.sub(
        r"^(```|~~~).*?^\1|<[^>]*>|https?://\S+|`[^`\n]*`", " ", text, flags=re.MULTILINE | re.DOTALL
    )
    words = len(re.findall(r"[A-Za-z]{2,}", prose))
    return "zh" if count_han(prose) > max(_FEW_HAN if words else 0, words // 2) else "en"


_FEW_HAN = 4
"""Han characters that an English text may have, as in a name."""


def slug_of(name: str) -> str:
    """A slug from a name: lower-case ASCII letters, digits and hyphens; empty if none of them is left.

    Han characters become pinyin if the library `pypinyin` is installed, otherwise they are dropped.
    """
    text = unquote(name)
    if count_han(text):
        text = _pinyin(text)
    text = (
        unicodedata.normalize("NFKD", text)
        .lower()
        .replace("&", " and ")
        .replace("++", "pp")
        .replace("#", " sharp ")
    )
    text = "".join(one for one in text if not unicodedata.combining(one))
    slug = re.sub(r"[^a-z0-9]+", "-", re.sub(r"['’]", "", text)).strip("-")
    if len(slug) > _LONGEST:
        slug = slug[:_LONGEST].rpartition("-")[0] or slug[:_LONGEST]
    return slug


@cache
def _pinyin_library() -> Any:
    try:
        import pypinyin  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415  (optional)
    except ImportError:
        return None
    return pypinyin


def _pinyin(text: str) -> str:
    library = _pinyin_library()
    return " ".join(library.lazy_pinyin(text)) if library is not None else re.sub(r"[^\x00-\x7f]+", " ", text)


def term_id(label: str) -> str:
    """The id of a tag or category: its slug, else the codes of its characters, the same in every import."""
    slug = slug_of(label)
    if slug and not (count_han(label) and _pinyin_library() is None):
        return slug
    codes = "-".join(f"u{ord(one):x}" for one in label if not one.isspace() and not one.isascii())
    return "-".join(filter(None, (slug, codes[:_LONGEST].rstrip("-u")))) or "term"


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, or the first of `name-2`, `name-3` … that is not taken."""
    used = set(taken)
    number, found = 2, name
    while found in used:
        found, number = f"{name}-{number}", number + 1
    return found


def file_name(name: str) -> str:
    """A file name that can be linked and published without encoding: no spaces or brackets."""
    plain = re.sub(r"[\s%#?&<>\"'`()\[\]{}|\\:*^!$+,;=@~]+", "-", unquote(name)).strip("-. ")
    return re.sub(r"-+(?=\.)|(?<=\.)-+", "", plain) or "file"
