"""What the home page of a site with few articles shows of each."""

from collections.abc import AsyncIterator

from diglot.figure_request import FigureRequest
from diglot.languages import Language
from diglot.listings import Listing
from diglot.render.few_articles import FEW_ARTICLES, FewArticles, LeadArticle
from diglot.render.figure_embeds import EmbeddedFigure
from diglot.render.gallery import ListedFigure
from diglot.render.materials import ListedTalk
from diglot.rules.figure_materials import gather_figure
from diglot.rules.figures import compute_figure, draw_figure, find_scripts
from diglot.rules.frames import find_exploration
from diglot.rules.gallery import list_figure
from diglot.rules.halves import cut_references
from diglot.rules.ids import DrawingId, HalfId
from diglot.rules.parsed_halves import References
from diglot.rules.projects import read_site_settings
from diglot.rules.references import resolve_references
from diglot.rules.summaries import map_articles
from diglot.rules.talk_lists import has_talks, list_talk
from diglot.rules.tasks import Fetch
from diglot.site_map import Summary

_ALL_LEAD, _MOST_LEADS = 5, 3
"""Up to how many articles have a figure each, and how many of more."""
_MOST_TURNABLE, _MOST_TALKS = 3, 1


async def gather_few(fetch: Fetch, listing: Listing) -> FewArticles | None:
    """What the home page presents, or None where there are none, or too many for it or for one page."""
    if not 0 < listing.total <= FEW_ARTICLES or len(listing.articles) < listing.total:
        return None
    language = listing.topic.language
    leads: list[LeadArticle] = []
    shown: set[str] = set()
    turnable: dict[str, EmbeddedFigure] = {}
    count = listing.total if listing.total <= _ALL_LEAD else _MOST_LEADS
    for article in listing.articles[:count]:
        half, references = await _references(fetch, article, language)
        figures = [figure async for figure in _turnable(fetch, half, references)]
        quoted = (await fetch(resolve_references, half)).in_title
        figures.sort(key=lambda figure: figure.figure_id not in quoted)  # what its title says is shown first
        lead = next((one for one in figures if one.figure_id not in shown), None)
        lead = lead or await _first_drawn(fetch, half, references, shown)
        if lead is not None:
            shown.add(lead.figure_id)
        turnable |= {figure.figure_id: figure for figure in figures if figure.figure_id not in turnable}
        leads.append(LeadArticle(article=article, figure=lead, turnable=len(figures)))
    further = [figure for name, figure in turnable.items() if name not in shown]
    return FewArticles(
        leads=tuple(leads),
        others=tuple(listing.articles[count:]),
        turnable=tuple(further[:_MOST_TURNABLE]),
        listed=await _listed(fetch, language),
        talks=await _newest_talks(fetch, language),
    )


async def _references(fetch: Fetch, article: Summary, language: Language) -> tuple[HalfId, References]:
    """The half that readers of a language get, and what its body refers to, which is found to be right."""
    shown = article.shown(language) or article.halves[0]
    half = HalfId(article.name, shown.language)
    await fetch(resolve_references, half)
    return half, await fetch(cut_references, half)


async def _turnable(fetch: Fetch, half: HalfId, references: References) -> AsyncIterator[EmbeddedFigure]:
    """The figures of a half that readers can turn, as they can there."""
    for embed in references.explored:
        drawing = DrawingId(FigureRequest.parse(embed.request), half.language)
        if (await fetch(draw_figure, drawing)).svgs:
            exploration, _ = await find_exploration(fetch, drawing, embed.explored)
            yield EmbeddedFigure(
                figure_id=drawing.request.figure_id,
                language=half.language,
                material=await gather_figure(fetch, drawing.request, (half.language,)),
                exploration=exploration,
            )


async def _first_drawn(
    fetch: Fetch, half: HalfId, references: References, shown: set[str]
) -> EmbeddedFigure | None:
    """The first figure of a half that is drawn, and that the page doesn't show yet."""
    for text, _ in references.embedded:
        request = FigureRequest.parse(text)
        if request.figure_id in shown or (await fetch(compute_figure, request)).form:
            continue
        if (await fetch(draw_figure, DrawingId(request, half.language))).svgs:
            return EmbeddedFigure(
                figure_id=request.figure_id,
                language=half.language,
                material=await gather_figure(fetch, request, (half.language,)),
                exploration=None,
            )
    return None


async def _listed(fetch: Fetch, language: Language) -> tuple[ListedFigure, ...]:
    """What the list of all figures shows, where there is one."""
    if not (await fetch(read_site_settings)).gallery:
        return ()
    ids = (await fetch(find_scripts)).ids
    return tuple(await fetch.all(list_figure, [DrawingId(FigureRequest.of(one), language) for one in ids]))


async def _newest_talks(fetch: Fetch, language: Language) -> tuple[ListedTalk, ...]:
    if not await fetch(has_talks):
        return ()
    talks = [talk.name for talk in (await fetch(map_articles)).talks if language in talk.languages]
    return tuple(await fetch.all(list_talk, talks[:_MOST_TALKS]))
