"""The site as a list of files: the one task that asks for all the others."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress

from diglot.characters import visible
from diglot.diagnostics import Diagnostic, Location
from diglot.engine import Fetch, Key, UpstreamFailed
from diglot.figure_request import FigureRequest
from diglot.figures.records import DrawnFigure
from diglot.languages import LANGUAGES
from diglot.output_paths import Clash, PathFault, any_clash, check_path, find_clashes
from diglot.render.sitemaps import ROBOTS_PATH, SITEMAP_PATH
from diglot.render.small_pages import NOT_FOUND_PATH
from diglot.rules.manifest import Manifest, Output
from diglot.rules.needs import Needs
from diglot.rules.pages import downloads_of
from diglot.rules.requests import download_path
from diglot.rules.sources import PostFiles
from diglot.rules.summaries import alias_place
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
    await fetch.digest("same-words")
    mistakes += await _redirects(fetch, site_map, wanted, of_articles)
    assets: Assets = await fetch("assets")
    wanted |= {path: Key("asset", name) for name, path in assets.paths}
    # All pages first, so that all their mistakes are found before a missing part stops the list.
    parts = [Key("article-outputs", article.name) for article in site_map.articles]
    await _bring_up(fetch, [*parts, *wanted.values()])
    for name in site_map.broken:
        post: PostFiles = await fetch("post", name)
        await _bring_up(fetch, [Key("article-page", f"{name}:{language}") for language in post.languages])
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
            path, key = output_path(alias), Key("redirect-page", f"{article.name}:{language}")
            if path in wanted or path in taken:
                other = wanted.get(path)
                what = _named(other.kind, other.name) if other else "another article"
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


_STANDING = ("asset", "download", "copy", "redirect-page")
"""What makes way for a page: each for those before it."""


def _by_standing(found: Mapping[str, Output]) -> list[str]:
    """All paths: pages before what must make way for them."""
    paths = [path for path, output in found.items() if output.kind not in _STANDING]
    for kind in _STANDING:
        paths += [path for path, output in found.items() if output.kind == kind]
    return paths


async def _clash(fetch: Fetch, site_map: SiteMap, refused: Output, first: Output, clash: Clash) -> Diagnostic:
    """Two files that cannot both be there; the second is left out."""
    why = f'{clash.why} "/{first.path}", which is {_named(first.kind, first.name)}'
    if refused.kind == "redirect-page":
        name = refused.name.rpartition(":")[0]
        for article in site_map.articles:
            for alias, _ in article.aliases:
                if article.name == name and output_path(alias) == refused.path:
                    return await _alias_clash(fetch, article, alias, why)
    return Diagnostic(
        rule="path-clash",
        message=f'"/{refused.path}" {why}',
        location=Location(path=refused.name if refused.kind == "copy" else first.name)
        if "copy" in (refused.kind, first.kind)
        else None,
        fix="give one of the two another name.",
    )


def _named(kind: str, name: str) -> str:
    """A file as its author knows it."""
    match kind:
        case "copy":
            return name
        case "asset":
            return f"{name} of the theme"
        case "download":
            return f"a file of the figure {name}"
        case "redirect-page":
            return f"an alias of {name.rpartition(':')[0]}"
        case "article-page" | "both-page":
            return f"a page of {name.rpartition(':')[0]}"
    return "a page that diglot makes" if kind.endswith("-page") else "a file that diglot makes"
