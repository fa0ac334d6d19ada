"""The site as a list of files: the one task that asks for all the others."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import Fetch, Key, UpstreamFailed
from diglot.languages import LANGUAGES
from diglot.render.sitemaps import ROBOTS_PATH, SITEMAP_PATH
from diglot.render.small_pages import NOT_FOUND_PATH
from diglot.rules.manifest import Manifest, Output
from diglot.rules.pages import ArticleFiles
from diglot.rules.sources import PostFiles, Posts
from diglot.rules.tasks import Setting, Task
from diglot.rules.theme import Assets
from diglot.site_map import (
    TAXONOMIES,
    SiteMap,
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
    return {"site": Task(list_outputs, Manifest)}


async def list_outputs(fetch: Fetch, _name: str) -> Manifest:
    """Every file of the site with the digest of its content; brings all of them up to date."""
    site_map: SiteMap = await fetch("site-map")
    wanted = _pages(site_map)
    static = await _static_files(fetch)
    mistakes = [
        Diagnostic(
            rule="static-clash",
            message=f'"/{path}" is made by diglot, and cannot be a static file too',
            location=Location(path=static[path].name),
            fix="give it another name, or change what diglot makes in the theme.",
        )
        for path in sorted(wanted.keys() & static.keys())
    ]
    wanted |= static
    await fetch.digest("same-words")
    mistakes += _redirects(site_map, wanted)
    if mistakes:
        raise DiagnosticError(*mistakes)
    assets: Assets = await fetch("assets")
    wanted |= {path: Key("asset", name) for name, path in assets.paths}
    # The pages first, so that all their mistakes are found before a missing part stops the list.
    await _bring_up(fetch, wanted.values())
    for name in site_map.broken:
        post: PostFiles = await fetch("post", name)
        await _bring_up(fetch, [Key("article-page", f"{name}:{language}") for language in post.languages])
    whole = True
    for article in site_map.articles:
        try:
            beside: ArticleFiles = await fetch("article-files", article.name)
        except UpstreamFailed:
            whole = False
            continue
        wanted |= {path: Key("copy", file) for path, file in beside.files}
        wanted |= {path: Key("download", name) for path, name in beside.downloads}
    posts: Posts = await fetch("posts")
    await fetch.digests(Key("summary", name) for name in posts.names)  # a broken one is no reason to publish
    digests = await _digests(fetch, wanted.values())
    outputs = [
        Output(path=path, kind=key.kind, name=key.name, digest=digests[key])
        for path, key in sorted(wanted.items())
        if key in digests
    ]
    return Manifest(outputs=tuple(outputs), whole=whole and len(outputs) == len(wanted))


async def _digests(fetch: Fetch, keys: Collection[Key]) -> dict[Key, str]:
    """The digests of what could be made."""
    try:
        return dict(zip(keys, await fetch.digests(keys), strict=True))
    except UpstreamFailed:
        found = {}
        for key in keys:
            with suppress(UpstreamFailed):
                found[key] = await fetch.digest(*key)
        return found


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
    for article in site_map.articles:
        for language in article.languages:
            half = f"{article.name}:{language}"
            found[output_path(article_path(language, article.slug))] = Key("article-page", half)
            if len(article.languages) == 2:
                found[output_path(both_path(language, article.slug))] = Key("both-page", half)
    return found


async def _static_files(fetch: Fetch) -> dict[str, Key]:
    paths: tuple[str, ...] = await fetch("listing", "site/static/**")
    return {path.removeprefix("site/static/"): Key("copy", path) for path in paths}


def _redirects(site_map: SiteMap, wanted: dict[str, Key]) -> list[Diagnostic]:
    """Add the redirects to what is wanted; the clashes are returned."""
    mistakes = []
    for article in site_map.articles:
        for alias, language in article.aliases:
            path, key = output_path(alias), Key("redirect-page", f"{article.name}:{language}")
            if path in wanted:
                mistakes.append(
                    Diagnostic(
                        rule="alias-clash",
                        message=f'the alias "/{alias}" of {article.name} is the address of another page',
                        location=Location(path=f"content/posts/{article.name}"),
                        fix="delete it from `aliases:`.",
                    )
                )
            wanted.setdefault(path, key)
    return mistakes
