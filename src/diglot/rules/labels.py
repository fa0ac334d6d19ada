"""Labels of tags, categories and series: so cut that a new one makes only the pages again that show it."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Literal

import msgspec
from msgspec.structs import replace

from diglot.project import Project, Term
from diglot.rules.front_matters import read_front_matter
from diglot.rules.ids import HalfId
from diglot.rules.projects import read_project
from diglot.rules.sources import find_post
from diglot.rules.tasks import Fetch, task
from diglot.site_map import group_of, term_name

Labelled = Literal["tags", "categories", "series"]
_LABELLED: tuple[Labelled, ...] = ("tags", "categories", "series")

_GROUPS = 64
"""Of thousands of terms. A change runs one task for each group, and one for each term in its own group."""


class Terms(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The terms that a page shows, in the order of the configuration's taxonomies."""

    tags: tuple[Term, ...] = ()
    categories: tuple[Term, ...] = ()
    series: tuple[Term, ...] = ()

    def in_project(self, project: Project) -> Project:
        """The configuration with these terms."""
        return replace(project, tags=self.tags, categories=self.categories, series=self.series)


NO_TERMS = Terms()


def all_terms(project: Project) -> Terms:
    """Those of the whole configuration."""
    return Terms(tags=project.tags, categories=project.categories, series=project.series)


@task("label-group")
async def cut_labels(fetch: Fetch, group: str) -> Mapping[str, Term]:
    """The terms of one of the groups that names fall into, by taxonomy and id: `tags/attention`."""
    project = await fetch(read_project)
    named = (
        (term_name(taxonomy, term.id), term) for taxonomy in _LABELLED for term in getattr(project, taxonomy)
    )
    return {name: term for name, term in named if _group_of(name) == group}


@task("label")
async def find_label(fetch: Fetch, name: str) -> Term | None:
    """A term: a slice of its group. None for one that the configuration does not list."""
    return (await fetch(cut_labels, _group_of(name))).get(name)


@task("article-labels")
async def find_article_labels(fetch: Fetch, article: str) -> Terms:
    """The terms of an article."""
    post = await fetch(find_post, article)
    fronts = [await fetch(read_front_matter, HalfId(article, language)) for language in post.languages]
    used = dict.fromkeys(
        chain.from_iterable(
            (
                *(("tags", one) for one in front.tags),
                *(("categories", one) for one in front.categories),
                *((("series", front.series),) if front.series else ()),
            )
            for front in fronts
        )
    )
    return await find_terms(fetch, used)


async def find_terms(fetch: Fetch, used: Iterable[tuple[str, str]]) -> Terms:
    """Some terms, each named by its taxonomy and id, as far as the configuration lists them."""
    names = [term_name(taxonomy, term) for taxonomy, term in dict.fromkeys(used) if taxonomy in _LABELLED]
    found = await fetch.all(find_label, names)
    by_taxonomy: dict[str, list[Term]] = {}
    for name, term in zip(names, found, strict=True):
        if term is not None:
            by_taxonomy.setdefault(name.partition("/")[0], []).append(term)
    return Terms(**{taxonomy: tuple(terms) for taxonomy, terms in by_taxonomy.items()})


def _group_of(name: str) -> str:
    return str(group_of(name, _GROUPS))
