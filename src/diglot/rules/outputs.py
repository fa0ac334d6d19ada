"""The site as a list of files: the one task that asks for all the others."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress

from diglot.characters import visible
from diglot.diagnostics import Diagnostic, Location
from diglot.engine import LISTING, Key, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.languages import LANGUAGES
from diglot.output_paths import Clash, PathFault, any_clash, check_path, find_clashes
from diglot.render.sitemaps import ROBOTS_PATH, SITEMAP_PATH
from diglot.render.small_pages import NOT_FOUND_PATH
from diglot.rules.figures import draw_figure, export_figure
from diglot.rules.files import copy_file, write_no_jekyll
from diglot.rules.ids import DownloadId, DrawingId, HalfId, TermId, TermListId
from diglot.rules.links import STATIC
from diglot.rules.manifest import Manifest, Output
from diglot.rules.needs import find_needs
from diglot.rules.pages import (
    downloads_of,
    make_article_page,
    make_both_page,
    make_feed,
    make_home_page,
    make_landing_page,
    make_not_found_page,
    make_redirect_page,
    make_robots,
    make_sitemap,
    make_term_page,
    make_terms_page,
)
from diglot.rules.requests import download_path
from diglot.rules.site import SITE
from diglot.rules.sources import find_post
from diglot.rules.summaries import alias_place, map_articles, summarise
from diglot.rules.tasks import Fetch, task
from diglot.rules.theme import compare_words, list_assets, make_asset
from diglot.site_map import (
    TAXONOMIES,
    SiteMap,
    Summary,
    article_path,
    both_path,
    feed_path,
    home_path,
    output_path,
    page_languages,
    term_path,
    terms_in,
    terms_path,
)


@task("article-outputs")
async def list_article_outputs(fetch: Fetch, name: str) -> Manifest:
    """What can be made of the files of one article: its pages, pictures and downloads."""
    summary = await fetch(summarise, name)
    wanted = _article_pages(summary)
    await _bring_up(fetch, wanted.values())  # their mistakes first, side by side
    whole = True
    for language in summary.languages:
        try:
            needs = await fetch(find_needs, HalfId(name, language))
        except UpstreamFailed:
            whole = False
            continue
        wanted |= {published: copy_file.key(path) for path, published in needs.files.items()}
        for request in map(FigureRequest.parse, needs.embedded):
            drawing = DrawingId(request, language)
            try:
                drawn = await fetch(draw_figure, drawing)
            except UpstreamFailed:
                whole = False
                continue
            for word in downloads_of(drawn):
                path = download_path(request, language, word)
                wanted[path] = export_figure.key(DownloadId(drawing, word))
    made = await _manifest(fetch, wanted)
    return Manifest(outputs=made.outputs, whole=whole and made.whole)


@task(SITE.kind)
async def list_outputs(fetch: Fetch, _name: None) -> Manifest:
    """Every file of the site with the digest of its content; brings all of them up to date."""
    site_map = await fetch(map_articles)
    wanted = _pages(site_map)
    of_articles = {path for article in site_map.articles for path in _article_pages(article)}
    static = await _static_files(fetch)
    mistakes = [
        Diagnostic(
            rule="static-clash",
            message=f'"/{path}" is made by diglot, and cannot be a static file too',
            location=Location(path=static[path].name),
            fix="give it another name, or change what diglot makes in the theme.",
        )
        for path in sorted(static.keys() & (wanted.keys() | of_articles))
    ]
    mistakes += [
        Diagnostic(
            rule="path-name",
            message=f'"{visible(path)}" cannot be published: its path {fault}',
            location=Location(path=static[path].name),
            fix="give the file another name.",
        )
        for path, fault in _faults(static)
    ]
    refused = {mistake.location.path for mistake in mistakes if mistake.location}
    wanted |= {path: key for path, key in static.items() if key.name not in refused}
    await fetch.digest(compare_words)
    mistakes += await _redirects(fetch, site_map, wanted, of_articles)
    assets = await fetch(list_assets)
    wanted |= {path: make_asset.key(name) for name, path in assets.paths}
    # All pages first, so that all their mistakes are found before a missing part stops the list.
    parts = [article.name for article in site_map.articles]
    await _bring_up(fetch, [*map(list_article_outputs.key, parts), *wanted.values()])
    for name in site_map.broken:
        post = await fetch(find_post, name)
        await _bring_up(fetch, [make_article_page.key(HalfId(name, one)) for one in post.languages])
    manifests = [await _manifest(fetch, wanted), *await _made(fetch, parts)]
    found: dict[str, Output] = {}
    for output in (output for manifest in manifests for output in manifest.outputs):
        first = found.setdefault(output.path, output)
        if first.digest != output.digest:
            clash = Clash(first.path, output.path, "is the same as")
            mistakes.append(await _clash(fetch, site_map, output, first, clash))
    if any_clash(found):
        for clash in find_clashes(_by_standing(found)):
            left_out = found.pop(clash.second)
            mistakes.append(await _clash(fetch, site_map, left_out, found[clash.first], clash))
    fetch.warn(*mistakes)  # errors, which keep none of the other files from a preview
    return Manifest(
        outputs=tuple(found[path] for path in sorted(found)),
        whole=not mistakes
        and not site_map.broken
        and len(manifests) == 1 + len(parts)
        and all(manifest.whole for manifest in manifests),
    )


async def _made(fetch: Fetch, articles: Collection[str]) -> list[Manifest]:
    """The lists that could be made."""
    try:
        return [*await fetch.all(list_article_outputs, articles)]
    except UpstreamFailed as failed:
        rest = [one for one in articles if list_article_outputs.key(one) not in failed.keys]
        return await _made(fetch, rest)


async def _manifest(fetch: Fetch, wanted: Mapping[str, Key]) -> Manifest:
    """What could be made of some files."""
    digests = await _digests(fetch, wanted.values())
    return Manifest(
        outputs=tuple(
            Output(path=path, kind=key.kind, name=key.name, digest=digests[key])
            for path, key in wanted.items()
            if key in digests
        ),
        whole=digests.keys() >= set(wanted.values()),
    )


async def _digests(fetch: Fetch, keys: Collection[Key]) -> dict[Key, str]:
    """The digests of what could be made."""
    try:
        return dict(zip(keys, await fetch.digests(keys), strict=True))
    except UpstreamFailed as failed:
        return await _digests(fetch, [key for key in keys if key not in failed.keys])


async def _bring_up(fetch: Fetch, keys: Iterable[Key]) -> None:
    """Have the tasks run, whether or not they fail."""
    with suppress(UpstreamFailed):
        await fetch.digests(keys)


def _pages(site_map: SiteMap) -> dict[str, Key]:
    """Pages, feeds and maps by output path."""
    found: dict[str, Key] = {
        output_path(""): make_landing_page.key(None),
        NOT_FOUND_PATH: make_not_found_page.key(None),
        SITEMAP_PATH: make_sitemap.key(None),
        ROBOTS_PATH: make_robots.key(None),
        ".nojekyll": write_no_jekyll.key(None),
    }
    for language in LANGUAGES:
        found[feed_path(language)] = make_feed.key(language)
    for language in page_languages(site_map):
        found[output_path(home_path(language))] = make_home_page.key(language)
        for taxonomy in TAXONOMIES:
            used = terms_in(site_map, language, taxonomy)
            if used or taxonomy == "tags":  # the navigation leads to the tags, also where there are none yet
                page = make_terms_page.key(TermListId(taxonomy, language))
                found[output_path(terms_path(language, taxonomy))] = page
            for term, _count in used:
                page = make_term_page.key(TermId(taxonomy, term, language))
                found[output_path(term_path(language, taxonomy, term))] = page
    return found


def _article_pages(article: Summary) -> dict[str, Key]:
    """The pages of an article by output path."""
    found: dict[str, Key] = {}
    for language in article.languages:
        half = HalfId(article.name, language)
        found[output_path(article_path(language, article.slug))] = make_article_page.key(half)
        if len(article.languages) == 2:
            found[output_path(both_path(language, article.slug))] = make_both_page.key(half)
    return found


async def _static_files(fetch: Fetch) -> dict[str, Key]:
    paths = await fetch(LISTING, f"{STATIC}/**")
    return {path.removeprefix(f"{STATIC}/"): copy_file.key(path) for path in paths}


def _faults(paths: Iterable[str]) -> Iterator[tuple[str, PathFault]]:
    for path in paths:
        try:
            check_path(path)
        except PathFault as fault:
            yield path, fault


async def _redirects(
    fetch: Fetch, site_map: SiteMap, wanted: dict[str, Key], taken: Collection[str]
) -> list[Diagnostic]:
    """Add the redirects to what is wanted; the clashes are returned."""
    mistakes = []
    for article in site_map.articles:
        for alias, language in article.aliases:
            path, key = output_path(alias), make_redirect_page.key(HalfId(article.name, language))
            if path in wanted or path in taken:
                other = wanted.get(path)
                what = _named(other, path) if other else "another article"
                mistakes.append(await _alias_clash(fetch, article, alias, f"is the address of {what}"))
            else:
                wanted[path] = key
    return mistakes


async def _alias_clash(fetch: Fetch, article: Summary, alias: str, why: str) -> Diagnostic:
    return Diagnostic(
        rule="alias-clash",
        message=f'the alias "/{alias}" of {article.name} {why}',
        location=await alias_place(fetch, article.name, alias),
        fix="delete it from `aliases:`.",
    )


_STANDING = tuple(one.kind for one in (make_asset, export_figure, copy_file, make_redirect_page))
"""What makes way for a page: each for those before it."""


def _by_standing(found: Mapping[str, Output]) -> list[str]:
    """All paths: pages before what must make way for them."""
    standing = {kind: place for place, kind in enumerate(_STANDING, 1)}
    return sorted(found, key=lambda path: standing.get(found[path].kind, 0))


async def _clash(fetch: Fetch, site_map: SiteMap, refused: Output, first: Output, clash: Clash) -> Diagnostic:
    """Two files that cannot both be there; the second is left out."""
    why = f'{clash.why} "/{first.path}", which is {_named(first.key, first.path)}'
    redirected = [half.article for half in make_redirect_page.names_in([refused.key])]
    for article in site_map.articles:
        for alias, _ in article.aliases:
            if article.name in redirected and output_path(alias) == refused.path:
                return await _alias_clash(fetch, article, alias, why)
    copied = [*copy_file.names_in([refused.key]), *copy_file.names_in([first.key])]
    return Diagnostic(
        rule="path-clash",
        message=f'"/{refused.path}" {why}',
        location=Location(path=copied[0]) if copied else None,
        fix="give one of the two another name.",
    )


def _named(key: Key, path: str) -> str:
    """A file as its author knows it."""
    match key.kind:
        case copy_file.kind:
            return key.name
        case make_asset.kind:
            return f"{key.name} of the theme"
        case export_figure.kind:
            return f"a file of the figure {key.name}"
        case make_redirect_page.kind:
            return f"an alias of {make_redirect_page.read_name(key.name).article}"
        case make_article_page.kind | make_both_page.kind:
            return f"a page of {HalfId.parse(key.name).article}"
    return "a page that diglot makes" if path.endswith(".html") else "a file that diglot makes"
