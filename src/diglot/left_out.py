"""What a build leaves out on purpose, in words: an author who misses an article sees why."""

import datetime
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

LeftOutBecause = Literal["draft", "later", "expired"]
"""Why a build leaves an article out: a draft, dated after the day of the build, or after its last day."""


class LeftOut(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """An article that a build leaves out."""

    path: str
    """One of its files."""
    why: LeftOutBecause
    day: datetime.date | None = None
    """The day that it is dated, or its last one; None for a draft."""


_WORDS: dict[LeftOutBecause, tuple[str, str]] = {
    "later": ("dated in the future", "dated in the future"),
    "draft": ("draft", "drafts"),
    "expired": ("expired", "expired"),
}


def left_out_note(articles: Sequence[LeftOut], *, hint: str = "") -> str:
    """How many articles a build leaves out, and why: `left out: 3 articles (2 drafts, 1 expired)`.

    Empty if it leaves none out. `hint` says how to see which.
    """
    if not articles:
        return ""
    counts = [(sum(one.why == why for one in articles), words) for why, words in _WORDS.items()]
    why = ", ".join(f"{count} {words[count != 1]}" for count, words in counts if count)
    several = "article" if len(articles) == 1 else "articles"
    return f"left out: {len(articles)} {several} ({why}){f'; {hint}' if hint else ''}"


def left_out_lines(articles: Iterable[LeftOut]) -> list[str]:
    """A line for each article that a build leaves out."""
    found = []
    for article in articles:
        match article.why:
            case "draft":
                why = "a draft"
            case "later":
                why = f"dated {article.day}"
            case "expired":
                why = f"expired after {article.day}"
        found.append(f"  {article.path}: {why}")
    return found
