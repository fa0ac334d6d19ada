"""Titles as typed on the command line, and the addresses made from them."""

import re
import unicodedata
from collections.abc import Sequence

from diglot.diagnostics import Refusal
from diglot.languages import LANGUAGES, Language, count_han

LONGEST_SLUG = 60
"""Maximum length of a proposed slug: people read addresses aloud, and chat programs shorten them."""
_WORD = re.compile(r"[a-z0-9]+")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def titles_by_language(titles: Sequence[str]) -> dict[Language, str]:
    """One or two titles by language.

    A title with Han characters is Chinese, one without is English. If that does not distinguish two titles,
    the first is the Chinese one.
    """
    words = [" ".join(title.split()) for title in titles]
    if "" in words:
        raise Refusal("a title is empty", "write it in quotes.")
    chinese = [count_han(title) > 0 for title in words]
    if len(words) == 1:
        return {"zh" if chinese[0] else "en": words[0]}
    in_order = words[::-1] if chinese == [False, True] else words
    return dict(zip(LANGUAGES, in_order, strict=True))


def propose_slug(titles: dict[Language, str]) -> str:
    """A slug from the words of the English title, or from the pinyin of the Chinese one."""
    if "en" in titles and (words := _words(titles["en"])):
        return _joined(words)
    chinese = titles.get("zh", "")
    words = _words(_pinyin(chinese) if count_han(chinese) else chinese)
    if not words:
        raise Refusal("the title has no letter or digit for an address", "name the address with --slug.")
    return _joined(words)


def check_slug(slug: str) -> None:
    """Raise Refusal if a text cannot be an article's address."""
    if not _SLUG.fullmatch(slug):
        words = _words(slug)
        raise Refusal(
            f'"{slug}" cannot be an address',
            f'use "{_joined(words)}".' if words else "use lower-case ASCII letters, digits and hyphens.",
        )


def _words(text: str) -> list[str]:
    """The words of a text in ASCII letters and digits: `Amdahl’s café` gives amdahls, cafe."""
    plain = unicodedata.normalize("NFKD", text.replace("'", "").replace("’", ""))
    return _WORD.findall(plain.encode("ascii", "ignore").decode().lower())


def _joined(words: Sequence[str]) -> str:
    slug = words[0][:LONGEST_SLUG]
    for word in words[1:]:
        if len(slug) + 1 + len(word) > LONGEST_SLUG:
            break
        slug += f"-{word}"
    return slug


def _pinyin(title: str) -> str:
    try:
        # It is optional, and loading its dictionary takes a moment.
        from pypinyin import lazy_pinyin  # noqa: PLC0415  (only a Chinese title without an English one needs it)
    except ModuleNotFoundError:
        raise Refusal(
            f'an address for "{title}" needs pinyin, and pypinyin is not installed',
            "name the address with --slug, give an English title too, or run `pip install 'diglot[pinyin]'`.",
        ) from None
    return " ".join(lazy_pinyin(title))
