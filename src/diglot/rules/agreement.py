"""Whether the halves of an article say the same: asked by `diglot check`, and by no page."""

from typing import NamedTuple

from msgspec import msgpack

from diglot.content.differences import Difference
from diglot.content.records import Alignment, FrontMatter
from diglot.content.terms import Term
from diglot.content.tree.nodes import embeds_in
from diglot.diagnostics import Diagnostic, Location
from diglot.engine import BlobReference, Packs
from diglot.figure_request import FigureRequest
from diglot.languages import LANGUAGES, Language
from diglot.rules.articles import align_article
from diglot.rules.figure_words import compare_figure
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import read_document
from diglot.rules.ids import HalfId
from diglot.rules.options import SELECTION
from diglot.rules.parsed_halves import tree_of
from diglot.rules.sources import PostFiles, find_halves
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.terms import read_terms


@task("agreement")
async def compare_article(fetch: Fetch, article: str) -> int:
    """How many differences there are between the halves of an article, each reported as a warning."""
    post = await find_halves(fetch, article)
    if set(post.languages) != set(LANGUAGES) or await is_hidden(fetch, post):
        return 0
    zh, en = HalfId(article, "zh"), HalfId(article, "en")
    bodies = await fetch.blob(read_document, zh), await fetch.blob(read_document, en)
    fronts = await fetch(read_front_matter, zh), await fetch(read_front_matter, en)
    halves = _Halves(bodies, fronts, await fetch.encoded(align_article, article))
    terms = await fetch(read_terms)
    found, figures = await in_worker(fetch, _compare, halves, terms)
    fetch.report(*found)
    return len(found) + sum(await fetch.all(compare_figure, figures))


async def is_hidden(fetch: Fetch, post: PostFiles) -> bool:
    """Whether an article is a draft in a build that shows none."""
    if (await fetch(SELECTION)).drafts:
        return False
    halves = [HalfId(post.name, language) for language in post.languages]
    return any(front.draft for front in await fetch.all(read_front_matter, halves))


class _Halves(NamedTuple):
    """What is known of an article's halves, Chinese first."""

    bodies: tuple[BlobReference, BlobReference]
    fronts: tuple[FrontMatter, FrontMatter]
    alignment: bytes


def _compare(
    packs: Packs, halves: _Halves, terms: tuple[Term, ...]
) -> tuple[tuple[Diagnostic, ...], list[FigureRequest]]:
    """What differs, and the figures that the halves show."""
    from diglot.content.agreement import compare_contents, compare_front_matter  # noqa: PLC0415  (only checks need it: its patterns take 25 ms)
    from diglot.content.glossary import check_terms, refused_words  # noqa: PLC0415  (only checks need it)
    from diglot.content.prose import prose_of  # noqa: PLC0415  (only checks need it)
    from diglot.content.tree.nodes import nodes_of  # noqa: PLC0415  (only checks need it)

    zh, en = (tree_of(packs, body) for body in halves.bodies)
    rows = msgpack.decode(halves.alignment, type=Alignment)
    paths = {half.language: half.path for half in (zh, en)}
    said: list[tuple[Language, Difference]] = [("zh", one) for one in compare_front_matter(*halves.fronts)]
    for half, front in zip((zh, en), halves.fronts, strict=True):
        for text in (front.title, front.description):
            prose = prose_of(nodes_of(text))
            said += ((half.language, one) for one in refused_words(prose, half.language, terms))
    in_front = (
        Diagnostic(
            rule=one.rule,
            message=f"in the front matter, {one.message}",
            severity="warning",
            location=Location(path=paths[language], line=1),
            fix=one.fix,
        )
        for language, one in said
    )
    shown = [*embeds_in(zh), *embeds_in(en)]
    figures = dict.fromkeys(FigureRequest.of(one.figure_id, one.parameters) for one in shown)
    return (*compare_contents(zh, en, rows), *check_terms(zh, en, rows, terms), *in_front), [*figures]
