"""What checks of a whole site need of each page. It is kept, so that an edit has few pages parsed again."""

import msgspec

from diglot.check.addresses import SiteAddress
from diglot.check.parsed_pages import ParsedPage, Picture, parse_page

_ALWAYS_THERE = ("", "top")


class Version(msgspec.Struct, frozen=True, array_like=True):
    """A version of a page in another language."""

    language: str
    """As `hreflang` writes it."""
    address: str
    goal: str | None
    """The file it leads to; None outside the site."""


class PageFacts(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A page without its text."""

    names: frozenset[str]
    """Ids, and names of anchors."""
    goals: frozenset[str]
    """The site's files that its addresses lead to, whether they exist or not."""
    followed: frozenset[str]
    """Those of them that readers can follow a link to."""
    fragments: frozenset[tuple[str, str]]
    """Files with the ids on them that its addresses name."""
    is_faulty: bool
    """Whether something is wrong with the page itself: an id twice, a picture without words, no address."""
    language: str
    title: str
    description: str
    canonical: str | None
    """The file of the page that stands for this one; None where it does not say."""
    alternates: tuple[Version, ...]
    pictures: tuple[Picture, ...]
    is_indexed: bool
    """False for a page that search engines are told to leave out, or that leads on at once."""


def facts_of(html: str, path: str, address: SiteAddress) -> PageFacts:
    """The facts of a page at an output path."""
    page = parse_page(html)
    goals, fragments, is_valid = _goals_of(page, path, address)

    def goal(target: str) -> str | None:
        return _goal(target, path, address)

    return PageFacts(
        names=frozenset(page.names),
        goals=goals,
        followed=frozenset(found for one in page.leads_to if (found := goal(one)) is not None),
        fragments=fragments,
        is_faulty=bool(page.repeated or page.textless or not is_valid),
        language=page.language,
        title=page.title,
        description=page.description,
        canonical=(goal(page.canonical) or "") if page.canonical else None,
        alternates=tuple(Version(one.language, one.address, goal(one.address)) for one in page.alternates),
        pictures=tuple(page.pictures),
        is_indexed=page.is_indexed,
    )


def _goals_of(
    page: ParsedPage, path: str, address: SiteAddress
) -> tuple[frozenset[str], frozenset[tuple[str, str]], bool]:
    """The files that a page leads to, the ids on them, and whether all its addresses are valid."""
    goals: set[str] = set()
    fragments: set[tuple[str, str]] = set()
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
            fragments.add((goal, fragment))
    return frozenset(goals), frozenset(fragments), is_valid


def _goal(target: str, path: str, address: SiteAddress) -> str | None:
    try:
        return address.goal(target, path)[0]
    except ValueError:
        return None


def names_an_id(fragment: str) -> bool:
    """Whether a fragment has to be the id of something on the page."""
    return fragment not in _ALWAYS_THERE and not fragment.startswith(":~:")
