"""What of each article is behind, for the writers' view: both halves, with what changed marked."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from diglot.diagnostics import Location
from diglot.languages import HTML_LANG, LANGUAGES, Language
from diglot.rules.sources import PostFiles
from diglot.staleness.comparing import Finding
from diglot.staleness.words import Piece, word_difference

Link = Callable[[Location], str]
"""Gives the URL that opens a place in an editor; empty if no editor is known."""


class StatusHalf(msgspec.Struct, frozen=True, kw_only=True):
    """One half of a block that is not in step."""

    lang: str
    place: str
    """Empty for a half that lacks the block."""
    link: str
    pieces: tuple[Piece, ...]
    """What it says, with what changed since both were in step."""


class StatusRow(msgspec.Struct, frozen=True, kw_only=True):
    """A block that is not in step."""

    id: str
    kind: str
    told: str
    since: str
    halves: tuple[StatusHalf, ...]


class StatusArticle(msgspec.Struct, frozen=True, kw_only=True):
    """An article that keeps count."""

    name: str
    rows: tuple[StatusRow, ...]


def status_articles(
    found: Mapping[str, tuple[Finding, ...]], posts: Mapping[str, PostFiles], link: Link
) -> tuple[StatusArticle, ...]:
    """The articles that keep count, in the order of their names; first those with something behind."""
    articles = [
        StatusArticle(name=name, rows=tuple(_row(one, posts[name], link) for one in found[name]))
        for name in sorted(found)
        if name in posts and posts[name].sync is not None
    ]
    return tuple(sorted(articles, key=lambda one: not one.rows))


_TOLD: Mapping[Language, str] = {"zh": "Chinese is behind", "en": "English is behind"}
_CHANGES = {"changed": "changed", "added": "is new", "removed": "was dropped", "moved": "moved"}
_OTHER: Mapping[Language, str] = {"zh": "the English text", "en": "the Chinese text"}


def _row(finding: Finding, post: PostFiles, link: Link) -> StatusRow:
    if finding.behind is None:
        told = "Both halves changed"
    else:
        told = f"{_TOLD[finding.behind]}: {_OTHER[finding.behind]} {_CHANGES[finding.change]}"
    return StatusRow(
        id=finding.id,
        kind=finding.kind,
        told=told,
        since=finding.since.isoformat() if finding.since else "",
        halves=tuple(_halves(finding, post, link)),
    )


def _halves(finding: Finding, post: PostFiles, link: Link) -> Iterator[StatusHalf]:
    for language in LANGUAGES:
        unit = finding.of(language).unit
        before = finding.of(language).before
        now = unit.text if unit else ""
        place = Location(path=post.path(language), line=unit.line if unit else None)
        yield StatusHalf(
            lang=HTML_LANG[language],
            place=str(place) if unit else "",
            link=link(place) if unit else "",
            pieces=word_difference(before or "", now) if now or before else (),
        )
