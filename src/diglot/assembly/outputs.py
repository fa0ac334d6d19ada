"""Makes the manifest: the task that fetches all others."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from diglot.assembly.clashes import add_finished, add_giving_way, leave_out_clashes
from diglot.assembly.registry import FEATURES, outputs_of
from diglot.diagnostics import Diagnostic
from diglot.engine import Key, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.rules.features import ARTICLE, DRAWING, FIGURE, HALF, SHOWN_DRAWING, SITE_WIDE, Owner, OwnerT
from diglot.rules.figures import find_shown_figures
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import read_document
from diglot.rules.ids import DrawingId, HalfId
from diglot.rules.manifest import Manifest, OutputFile
from diglot.rules.references import resolve_references
from diglot.rules.site import SITE
from diglot.rules.sources import find_post, kind_of
from diglot.rules.summaries import find_page_languages, map_articles, summarise
from diglot.rules.tasks import Fetch, task
from diglot.site_map import SiteMap


class _Wanted(NamedTuple):
    """Files to be made."""

    files: dict[str, Key]
    """The tasks that make them, by output path."""
    whole: bool
    """False if a feature could not list its files."""

    def __or__(self, other: "_Wanted") -> "_Wanted":
        return _Wanted(self.files | other.files, self.whole and other.whole)


_NOTHING, _FAILED = _Wanted({}, whole=True), _Wanted({}, whole=False)


@task("article-outputs")
async def list_article_outputs(fetch: Fetch, name: str) -> Manifest:
    """The files of one article that could be made: its pages, pictures and downloads."""
    summary = await fetch(summarise, name)
    wanted = await _gather(fetch, ARTICLE, summary)
    await _bring_up(fetch, wanted.files.values())  # in parallel, and to find all their mistakes
    for language in summary.languages:
        half = HalfId(name, language)
        try:
            embedded = (await fetch(resolve_references, half)).embedded
        except UpstreamFailed:
            wanted |= _FAILED
            continue
        wanted |= await _gather(fetch, HALF, half)
        for text in embedded if summary.kind != "talk" else ():  # slides contain their drawings
            wanted |= await _gather(fetch, DRAWING, DrawingId(FigureRequest.parse(text), language))
    return await _made_of(fetch, wanted)


@task("figure-outputs")
async def list_figure_outputs(fetch: Fetch, figure_id: str) -> Manifest:
    """The files of one figure that could be made: its pages, its data and its downloads."""
    wanted = await _gather(fetch, FIGURE, figure_id)
    await _bring_up(fetch, wanted.files.values())
    request = FigureRequest.of(figure_id)
    for drawing in (DrawingId(request, language) for language in await fetch(find_page_languages)):
        wanted |= await _gather(fetch, SHOWN_DRAWING, drawing) | await _gather(fetch, DRAWING, drawing)
    return await _made_of(fetch, wanted)


async def _gather(fetch: Fetch, owner: Owner[OwnerT], of: OwnerT) -> _Wanted:
    """What all features make of something."""
    found = _NOTHING
    for output in outputs_of(owner):
        try:
            found |= _Wanted({**await output.files(fetch, of)}, whole=True)
        except UpstreamFailed:
            found |= _FAILED
    return found


async def _made_of(fetch: Fetch, wanted: _Wanted) -> Manifest:
    await _bring_up(fetch, wanted.files.values())
    made = await _manifest(fetch, wanted.files)
    return Manifest(outputs=made.outputs, whole=wanted.whole and made.whole)


@task(SITE.kind)
async def list_outputs(fetch: Fetch, _name: None) -> Manifest:
    """The manifest of the site. Brings all its files up to date."""
    site_map = await fetch(map_articles)
    figures = await _find_figures(fetch)
    wanted, mistakes = await _site_wide(fetch, site_map, figures)
    parts = (
        *(list_article_outputs.key(article.name) for article in site_map.everything),
        *(list_figure_outputs.key(figure) for figure in figures),
    )
    # Run all tasks first, so that all their mistakes are found before a failed one stops the list.
    await _bring_up(fetch, [*parts, *wanted.files.values()])
    await _bring_up_broken(fetch, site_map.broken)
    manifests = [await _manifest(fetch, wanted.files), *await _made(fetch, parts)]
    are_all_made = len(manifests) == 1 + len(parts)
    found: dict[str, OutputFile] = {}
    for manifest in manifests:
        mistakes += await add_finished(fetch, manifest.outputs, found)
    mistakes += await leave_out_clashes(fetch, found)
    for copies in (copies for feature in FEATURES for copies in feature.copies):
        try:
            manifests.append(await _manifest(fetch, await copies.files(fetch, found)))
        except UpstreamFailed:
            manifests.append(Manifest(whole=False))
        if copies.replace:
            found |= {output.path: output for output in manifests[-1].outputs}
        else:
            mistakes += await add_finished(fetch, manifests[-1].outputs, found)
    fetch.report(*mistakes)  # errors, but a preview still publishes the other files
    return Manifest(
        outputs=tuple(found[path] for path in sorted(found)),
        left_out=site_map.left_out,
        whole=wanted.whole
        and not mistakes
        and not (site_map.broken or site_map.hidden)
        and are_all_made
        and all(manifest.whole for manifest in manifests),
    )


async def _site_wide(
    fetch: Fetch, site_map: SiteMap, figures: Collection[str]
) -> tuple[_Wanted, list[Diagnostic]]:
    """The files that are neither an article's nor a figure's, and errors about those that are left out."""
    wanted, giving_way = _NOTHING, []
    for output in outputs_of(SITE_WIDE):
        try:
            listed = await output.files(fetch, None)
        except UpstreamFailed:
            wanted |= _FAILED
            continue
        if output.gives_way:
            giving_way.append(listed)
        else:
            wanted |= _Wanted({**listed}, whole=True)
    await _bring_up(fetch, [check.key(None) for feature in FEATURES for check in feature.checks])
    pages = _NOTHING
    if any(path.endswith("index.html") for listed in giving_way for path in listed):
        for article in site_map.everything:
            pages |= await _gather(fetch, ARTICLE, article)
        for figure in figures:
            pages |= await _gather(fetch, FIGURE, figure)
    mistakes: list[Diagnostic] = []
    for listed in giving_way:
        mistakes += await add_giving_way(fetch, listed, wanted.files, pages.files)
    return wanted, mistakes


async def _find_figures(fetch: Fetch) -> tuple[str, ...]:
    try:
        return await find_shown_figures(fetch)
    except UpstreamFailed:
        return ()


async def _bring_up_broken(fetch: Fetch, articles: Iterable[str]) -> None:
    """Run what can be run of articles that have no place in the site, to find all their mistakes."""
    for name in articles:
        post = await fetch(find_post, name)
        halves = [HalfId(name, language) for language in post.languages]
        pages = [feature.pages[kind] for feature in FEATURES if (kind := kind_of(name)) in feature.pages]
        parts = (read_front_matter, read_document, resolve_references, *pages)
        await _bring_up(fetch, [part.key(half) for part in parts for half in halves])


async def _made(fetch: Fetch, parts: Collection[Key]) -> list[Manifest]:
    """The manifests of those articles and figures that have one."""
    articles, figures = list_article_outputs.names_in(parts), list_figure_outputs.names_in(parts)
    try:
        return [
            *await fetch.all(list_article_outputs, [*articles]),
            *await fetch.all(list_figure_outputs, [*figures]),
        ]
    except UpstreamFailed as failed:
        return await _made(fetch, [key for key in parts if key not in failed.keys])


async def _manifest(fetch: Fetch, wanted: Mapping[str, Key]) -> Manifest:
    """A manifest of the wanted files that could be made."""
    digests = await _digests(fetch, wanted.values())
    return Manifest(
        outputs=tuple(
            OutputFile(path=path, kind=key.kind, name=key.name, digest=digests[key])
            for path, key in wanted.items()
            if key in digests
        ),
        whole=digests.keys() >= set(wanted.values()),
    )


async def _digests(fetch: Fetch, keys: Collection[Key]) -> dict[Key, str]:
    """The digests of the values that could be made."""
    try:
        return dict(zip(keys, await fetch.digests(keys), strict=True))
    except UpstreamFailed as failed:
        return await _digests(fetch, [key for key in keys if key not in failed.keys])


async def _bring_up(fetch: Fetch, keys: Iterable[Key]) -> None:
    """Run tasks without using their values or failing with them."""
    with suppress(UpstreamFailed):
        await fetch.digests(keys)
