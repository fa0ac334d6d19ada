"""What checks of a whole site need of each page. It is kept, so that an edit has few pages parsed again."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import msgpack

from diglot.check.addresses import SiteAddress
from diglot.check.parsed_pages import ParsedPage
from diglot.check.picture_widths import loaded, shown_width_px
from diglot.digests import digest_of

_ALWAYS_THERE = ("", "top")


class Version(msgspec.Struct, frozen=True, array_like=True):
    """A version of a page in another language."""

    language: str
    """As `hreflang` writes it."""
    address: str
    goal: str | None
    """The file it leads to; None outside the site."""


class LoadedPicture(msgspec.Struct, frozen=True, array_like=True):
    """A picture as readers with a wide and sharp screen load it."""

    goal: str
    """The file of the site that is loaded."""
    src: str
    width_px: int
    """How wide it is shown, in CSS pixels."""
    is_src: bool
    """Whether `src` is what is loaded, not one of several widths."""
    line: int


class PageFacts(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A page without its text."""

    names: frozenset[str]
    """Ids, and names of anchors."""
    followed: frozenset[str]
    """The site's files that readers can follow a link to, whether they exist or not."""
    loaded: frozenset[str]
    """Other files of the site that its addresses lead to."""
    fragments: Mapping[str, frozenset[str]]
    """Files with the ids on them that its addresses name."""
    is_faulty: bool
    """Whether something is wrong with the page itself: an id twice, a picture without words, no address."""
    language: str
    title: str
    description: str
    canonical: str | None
    """The file of the page that stands for this one; None where it does not say."""
    alternates: tuple[Version, ...]
    pictures: tuple[LoadedPicture, ...]
    is_indexed: bool
    """False for a page that search engines are told to leave out, or that leads on at once."""


class FactDigests(msgspec.Struct, frozen=True, array_like=True):
    """Digests of a page's facts, apart by who reads them: facts that were checked are not read again."""

    names: str
    goals: str
    """Of the files that its addresses lead to."""
    fragments: str
    """Of the ids that they name on other pages, and of whether something is wrong with the page itself."""
    head: str
    """Of what search engines read."""
    pictures: str
    named: tuple[str, ...]
    """The files on which its addresses name ids."""


def digests_of(facts: PageFacts) -> FactDigests:
    """The digests of a page's facts."""
    title, address = (facts.language, facts.title, facts.description), (facts.canonical, facts.is_indexed)
    return FactDigests(
        names=_digest_of(facts.names),
        goals=_digest_of(facts.followed, facts.loaded),
        fragments=_digest_of(facts.fragments, facts.is_faulty),
        head=_digest_of(*title, *address, facts.alternates),
        pictures=_digest_of(facts.pictures, facts.is_indexed),
        named=tuple(sorted(facts.fragments)),
    )


_ENCODER = msgpack.Encoder(order="deterministic")


def _digest_of(*facts: Any) -> str:
    return digest_of(_ENCODER.encode(facts))


class ReadPage(NamedTuple):
    """What a worker found out of a page."""

    path: str
    facts: bytes
    """Encoded: nobody may ask for them."""
    digests: FactDigests


def read_page(html: str, path: str, address: SiteAddress) -> ReadPage:
    """The facts of a page at an output path, with their digests."""
    facts = facts_of(html, path, address)
    return ReadPage(path, msgpack.encode(facts), digests_of(facts))


def facts_of(html: str, path: str, address: SiteAddress) -> PageFacts:
    """The facts of a page at an output path."""
    page = ParsedPage(html)
    goals, fragments, is_valid = _goals_of(page, path, address)

    def goal(target: str) -> str | None:
        return _goal(target, path, address)

    followed = frozenset(found for one in page.leads_to if (found := goal(one)) is not None)
    return PageFacts(
        names=frozenset(page.names),
        followed=followed,
        loaded=goals - followed,
        fragments={goal: frozenset(ids) for goal, ids in fragments.items()},
        is_faulty=bool(page.repeated or page.textless or not is_valid),
        language=page.language,
        title=page.title,
        description=page.description,
        canonical=(goal(page.canonical) or "") if page.canonical else None,
        alternates=tuple(Version(one.language, one.address, goal(one.address)) for one in page.alternates),
        pictures=tuple(_shown(page, path, address)),
        is_indexed=page.is_indexed,
    )


def _goals_of(
    page: ParsedPage, path: str, address: SiteAddress
) -> tuple[frozenset[str], dict[str, set[str]], bool]:
    """The files that a page leads to, the ids on them, and whether all its addresses are valid."""
    goals: set[str] = set()
    fragments: dict[str, set[str]] = {}
    is_valid = True
    for target in {target for target, _ in page.targets}:
        try:
            goal, fragment = address.goal(target, path)
        except ValueError:
            is_valid = False
            continue
        if goal is None:
            continue
        goals.add(goal)
        if names_an_id(fragment) and not (goal == path and fragment in page.names):
            fragments.setdefault(goal, set()).add(fragment)
    return frozenset(goals), fragments, is_valid


def _shown(page: ParsedPage, path: str, address: SiteAddress) -> Iterator[LoadedPicture]:
    for picture in page.pictures:
        width_px = shown_width_px(picture)
        target = loaded(picture, width_px).address
        if (goal := _goal(target, path, address)) is not None:
            yield LoadedPicture(goal, picture.src, width_px, target == picture.src, picture.line)


def _goal(target: str, path: str, address: SiteAddress) -> str | None:
    try:
        return address.goal(target, path)[0]
    except ValueError:
        return None


def names_an_id(fragment: str) -> bool:
    """Whether a fragment has to be the id of something on the page."""
    return fragment not in _ALWAYS_THERE and not fragment.startswith(":~:")
