"""The site as a list of files: the one task that asks for all the others."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress

from diglot.diagnostics import Diagnostic, Location
from diglot.engine import Fetch, Key, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.figures.records import DrawnFigure
from diglot.languages import LANGUAGES
from diglot.render.sitemaps import ROBOTS_PATH, SITEMAP_PATH
from diglot.render.small_pages import NOT_FOUND_PATH
from diglot.rules.manifest import Manifest, Output
from diglot.rules.needs import Needs
from diglot.rules.pages import download_path, downloads_of
from diglot.rules.sources import PostFiles
from diglot.rules.tasks import Setting, Task
from diglot.rules.theme import Assets
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


def tasks(_setting: Setting) -> Mapping[str, Task]:
    """The site itself."""
    return {
        "article-outputs": Task(list_article_outputs, Manifest),
        "site": Task(list_outputs, Manifest),
    }


async def list_article_outputs(fetch: Fetch, name: str) -> Manifest:
    """What can be made of the files of one article: its pages, pictures and downloads."""
    summary: Summary = await fetch("summary", name)
    wanted = _article_pages(summary)
    await _bring_up(fetch, wanted.values())  # their mistakes first, side by side
    whole = True
    for language in summary.languages:
        try:
            needs: Needs = await fetch("needs", f"{name}:{language}")
        except UpstreamFailed:
            whole = False
            continue
        wanted |= {published: Key("copy", path) for path, published in needs.files.items()}
        for request in map(FigureRequest.parse, needs.embedded):
            try:
                drawn: DrawnFigure = await fetch("drawing", f"{request}@{language}")
            except UpstreamFailed:
                whole = False
                continue
            for word in downloads_of(drawn):
                path = download_path(request, language, word)
                wanted[path] = Key("download", f"{request}@{language}.{word}")
    made = await _manifest(fetch, wanted)
    return Manifest(outputs=made.outputs, whole=whole and made.whole)


async def list_outputs(fetch: Fetch, _name: str) -> Manifest:
    """Every file of the site with the digest of its content; brings all of them up to date."""
    site_map: SiteMap = await fetch("site-map")
    wanted = _pages(site_map)
    of_articles = {path for article in site_map.articles for path in _article_pages(article)}
    static = await _static_files(fetch)
    clashes = static.keys() & (wanted.keys() | of_articles)
    mistakes = [
        Diagnostic(
            rule="static-clash",
            message=f'"/{path}" is made by diglot, and cannot be a static file too',
            location=Location(path=static[path].name),
            fix="give it another name, or change what diglot makes in the theme.",
        )
        for path in sorted(clashes)
    ]
    wanted |= {path: key for path, key in static.items() if path not in clashes}
    await fetch.digest("same-words")
    mistakes += _redirects(site_map, wanted, of_articles)
    fetch.warn(*mistakes)  # errors, which keep none of the other files from a preview
    assets: Assets = await fetch("assets")
    wanted |= {path: Key("asset", name) for name, path in assets.paths}
    # All pages first, so that all their mistakes are found before a missing part stops the list.
    parts = [Key("article-outputs", article.name) for article in site_map.articles]
    await _bring_up(fetch, [*parts, *wanted.values()])
    for name in site_map.broken:
        post: PostFiles = await fetch("post", name)
        await _bring_up(fetch, [Key("article-page", f"{name}:{language}") for language in post.languages])
    manifests = [await _manifest(fetch, wanted), *await _made(fetch, parts)]
    found = {output.path: output for manifest in manifests for output in manifest.outputs}
    return Manifest(
        outputs=tuple(found[path] for path in sorted(found)),
        whole=not mistakes
        and not site_map.broken
        and len(manifests) == 1 + len(parts)
        and all(manifest.whole for manifest in manifests),
    )


async def _made(fetch: Fetch, keys: Collection[Key]) -> list[Manifest]:
    """The lists that could be made."""
    try:
        return [*await fetch.all(keys)]
    except UpstreamFailed as failed:
        return await _made(fetch, [key for key in keys if key not in failed.keys])


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
        output_path(""): Key("landing-page"),
        NOT_FOUND_PATH: Key("not-found-page"),
        SITEMAP_PATH: Key("sitemap"),
        ROBOTS_PATH: Key("robots"),
        ".nojekyll": Key("no-jekyll"),
    }
    for language in LANGUAGES:
        found[feed_path(language)] = Key("feed", language)
    for language in page_languages(site_map):
        found[output_path(home_path(language))] = Key("home-page", language)
        for taxonomy in TAXONOMIES:
            used = terms_in(site_map, language, taxonomy)
            if used or taxonomy == "tags":  # the navigation leads to the tags, also where there are none yet
                found[output_path(terms_path(language, taxonomy))] = Key(
                    "terms-page", f"{taxonomy}:{language}"
                )
            for term, _count in used:
                page = Key("term-page", f"{taxonomy}/{term}:{language}")
                found[output_path(term_path(language, taxonomy, term))] = page
    return found


def _article_pages(article: Summary) -> dict[str, Key]:
    """The pages of an article by output path."""
    found: dict[str, Key] = {}
    for language in article.languages:
        half = f"{article.name}:{language}"
        found[output_path(article_path(language, article.slug))] = Key("article-page", half)
        if len(article.languages) == 2:
            found[output_path(both_path(language, article.slug))] = Key("both-page", half)
    return found


async def _static_files(fetch: Fetch) -> dict[str, Key]:
    paths: tuple[str, ...] = await fetch("listing", "site/static/**")
    return {path.removeprefix("site/static/"): Key("copy", path) for path in paths}


def _redirects(site_map: SiteMap, wanted: dict[str, Key], taken: Collection[str]) -> list[Diagnostic]:
    """Add the redirects to what is wanted; the clashes are returned."""
    mistakes = []
    for article in site_map.articles:
        for alias, language in article.aliases:
            path, key = output_path(alias), Key("redirect-page", f"{article.name}:{language}")
            if path in wanted or path in taken:
                mistakes.append(
                    Diagnostic(
                        rule="alias-clash",
                        message=f'the alias "/{alias}" of {article.name} is the address of another page',
                        location=Location(path=f"content/posts/{article.name}"),
                        fix="delete it from `aliases:`.",
                    )
                )
            else:
                wanted[path] = key
    return mistakes
