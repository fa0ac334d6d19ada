"""The page of a site's terms, and where articles use them."""

from collections.abc import Mapping

from diglot.content.terms import Term
from diglot.engine import BlobReference, Packs
from diglot.languages import Language
from diglot.render.glossary import glossary_page
from diglot.render.materials import LinkedArticle
from diglot.rules.halves import read_document
from diglot.rules.ids import HalfId
from diglot.rules.page_contexts import render
from diglot.rules.parsed_halves import tree_of
from diglot.rules.summaries import find_page_languages, map_articles
from diglot.rules.tasks import Fetch, in_worker, task
from diglot.rules.terms import read_terms
from diglot.site_map import Summary

_MOST_ARTICLES = 5
"""Of the articles that use a term, those that use it most are named."""


@task("term-uses")
async def count_terms(fetch: Fetch, half: HalfId) -> Mapping[str, int]:
    """How often a half uses each of the site's terms, by the term's id, without those that it does not."""
    terms = await fetch(read_terms)
    body = await fetch.blob(read_document, half)
    return await in_worker(fetch, _count, body, terms)


@task("glossary-page", bytes)
async def make_glossary_page(fetch: Fetch, language: Language) -> BlobReference:
    """The page of the terms in a language."""
    terms = await fetch(read_terms)
    site_map = await fetch(map_articles)
    articles = [one for one in site_map.everything if language in one.languages]
    uses = await fetch.all(count_terms, [HalfId(one.name, language) for one in articles])
    listed = tuple(
        (term, _most_first(term, [*zip(articles, uses, strict=True)], language))
        for term in sorted(terms, key=lambda term: term.names.en.casefold())  # so both pages have one order
    )
    languages = await fetch(find_page_languages)
    return await render(fetch, ["glossary.html"], glossary_page, listed, language, languages)


def _most_first(
    term: Term, uses: list[tuple[Summary, Mapping[str, int]]], language: Language
) -> tuple[LinkedArticle, ...]:
    """The articles that use a term most."""
    using = [(used[term.id], article) for article, used in uses if term.id in used]
    using.sort(key=lambda one: (-one[0], one[1].name))
    found = []
    for _, article in using[:_MOST_ARTICLES]:
        half = article.half(language)
        if half is not None and half.title:  # the text of the home page may have none
            found.append(
                LinkedArticle(paths={language: article.path(language)}, titles={language: half.title})
            )
    return tuple(found)


def _count(packs: Packs, body: BlobReference, terms: tuple[Term, ...]) -> dict[str, int]:
    from diglot.content.glossary import count_uses  # noqa: PLC0415  (only sites with such a page need its patterns)

    return count_uses(tree_of(packs, body), terms)
