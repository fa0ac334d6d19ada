"""What the page of an article leads to: its neighbours in lists and in its series, and related articles."""

from collections.abc import Mapping
from functools import cached_property

import msgspec
from msgspec.structs import replace

from diglot.engine import UpstreamFailed
from diglot.languages import Language
from diglot.relatedness import related_articles
from diglot.rules.ids import HalfId
from diglot.rules.keywords import find_keywords
from diglot.rules.projects import read_site_settings
from diglot.rules.summaries import map_articles, summarise
from diglot.rules.tasks import Fetch, task
from diglot.site_map import Neighbours, SeriesPlace, Summary


class Sequence(
    msgspec.Struct, frozen=True, kw_only=True, array_like=True, dict=True
):  # dict: cached properties
    """The names of a language's articles in the order of its list. A new title does not change them."""

    names: tuple[str, ...]

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Each article's index in `names`."""
        return {name: position for position, name in enumerate(self.names)}


@task("sequence")
async def list_sequence(fetch: Fetch, language: Language) -> Sequence:
    """The articles of a language in the order of its list."""
    site_map = await fetch(map_articles)
    return Sequence(names=tuple(article.name for article in site_map.by_language[language]))


@task("neighbours")
async def find_neighbours(fetch: Fetch, half: HalfId) -> Neighbours:
    """What the page of an article leads to: the articles before and after it, and related ones."""
    sequence = await fetch(list_sequence, half.language)
    position = sequence.positions.get(half.article)
    if position is None:  # the site map is that of the last good build
        raise UpstreamFailed(list_sequence.key(half.language))

    series = (await fetch(summarise, half.article)).series
    place = await _place(fetch, series, half) if series else None

    async def beside(other: int) -> Summary | None:
        if not 0 <= other < len(sequence.names):
            return None
        return _named(await fetch(summarise, sequence.names[other]), half.language)

    related = await fetch(find_related, half.article)
    return Neighbours(
        newer=await beside(position - 1),
        older=await beside(position + 1),
        place=place,
        related=tuple([_named(await fetch(summarise, name), half.language) for name in related]),
    )


@task("series-parts")
async def list_parts(fetch: Fetch, series: str) -> Sequence:
    """The names of the parts of a series, in order and in any language: a slice of the site map."""
    parts = (await fetch(map_articles)).series.get(series, ())
    return Sequence(names=tuple(part.name for part in parts))


async def _place(fetch: Fetch, series: str, half: HalfId) -> SeriesPlace:
    parts = await fetch(list_parts, series)
    position = parts.positions.get(half.article)
    if position is None:  # the site map is that of the last good build
        raise UpstreamFailed(list_parts.key(series))

    async def beside(other: int) -> Summary | None:
        if not 0 <= other < len(parts.names):
            return None
        return _named(await fetch(summarise, parts.names[other]), half.language)

    return SeriesPlace(
        series=series,
        number=position + 1,
        count=len(parts.names),
        before=await beside(position - 1),
        after=await beside(position + 1),
    )


@task("related-lists")
async def relate_articles(fetch: Fetch, _name: None) -> dict[str, tuple[str, ...]]:
    """The related articles of each; made again when the words or tags of an article change."""
    most = (await fetch(read_site_settings)).related
    articles = (await fetch(map_articles)).articles
    keywords = await fetch.all(find_keywords, [one.name for one in articles])
    found = {one.name: some for one, some in zip(articles, keywords, strict=True)}
    return related_articles(articles, found, most)


@task("related")
async def find_related(fetch: Fetch, name: str) -> tuple[str, ...]:
    """The articles related to one, the closest first, the same in both languages: a slice of all lists."""
    if not await fetch(wants_related):
        return ()
    return (await fetch(relate_articles)).get(name, ())


@task("wants-related")
async def wants_related(fetch: Fetch, _name: None) -> bool:
    """Whether pages lead to related articles at all: a slice of the configuration."""
    return (await fetch(read_site_settings)).related > 0


def _named(summary: Summary, language: Language) -> Summary:
    """A neighbour with only what a link needs, so that its other changes do not rerun pages."""
    shown = summary.shown(language) or summary.halves[0]
    halves = (replace(shown, description="", reading_minutes=1),)
    return Summary(
        name=summary.name,
        slug=summary.slug_in(language),
        halves=halves,
        date=summary.date,
        fallback=summary.fallback,
    )
