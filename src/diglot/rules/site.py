"""Which tasks exist, and the one that asks for all of them: the site as a list of files."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from diglot.content.records import Alignment, Document, FrontMatter
from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import Fetch, Key, Rule, UpstreamFailed
from diglot.figures.records import ComputedFigure, DrawnFigure, Script
from diglot.figures.workers import FigureWorkers
from diglot.languages import LANGUAGES
from diglot.project import Project, load_project
from diglot.render.sitemaps import ROBOTS_PATH, SITEMAP_PATH
from diglot.render.small_pages import NOT_FOUND_PATH
from diglot.render.strings import Strings
from diglot.render.theme import built_in_theme
from diglot.rules import articles, figures, files, pages, sources, summaries
from diglot.rules.code import code_digest
from diglot.rules.options import SiteOptions
from diglot.rules.reading import read_text
from diglot.rules.theme import Assets, TemplateSet, ThemeTasks
from diglot.site_map import (
    Neighbours,
    SiteMap,
    Summary,
    article_path,
    both_path,
    feed_path,
    home_path,
    output_path,
    page_languages,
    tag_path,
    tags_in,
    tags_path,
)

SITE = Key("site")
Run = Callable[[Fetch, str], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One file of the site."""

    path: str
    """From the output folder."""
    kind: str
    name: str
    """With `kind`, the key of the task that makes it."""
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Every file of the site, sorted by path."""

    outputs: tuple[Output, ...] = ()


def site_rules(options: SiteOptions, workers: Callable[[], FigureWorkers]) -> Mapping[str, Rule]:
    """The rules of every kind of task; `workers` gives the figure workers when a figure needs them."""
    theme = ThemeTasks(options.root, built_in_theme())
    page = pages.PageTasks(theme)
    script = figures.FigureTasks(workers)
    base = code_digest(
        "diagnostics.py", "digests.py", "figure_request.py", "languages.py", "strict_yaml.py", "rules"
    )
    content = code_digest("content") + base
    drawing = code_digest("figures") + base
    records = ("content/records.py", "figures/records.py", "project.py", "site_map.py")
    rendering = code_digest("render", *records) + base
    table: tuple[tuple[str, Run, Any, str], ...] = (
        ("project", lambda fetch, _: _load_project(fetch, options.config), Project, rendering),
        ("posts", sources.find_posts, sources.Posts, content),
        ("post", sources.find_post, sources.PostFiles, content),
        ("front-matter", articles.read_front_matter, FrontMatter, content),
        ("document", articles.read_document, Document, content),
        ("outline", articles.outline_half, articles.Outline, content),
        ("frame", articles.frame_half, Document, content),
        ("alignment", articles.align_article, Alignment, content),
        ("scripts", figures.find_scripts, figures.Scripts, content),
        ("script", figures.find_script, Script | None, content),
        ("data", script.compute, ComputedFigure, drawing),
        ("drawing", script.draw, DrawnFigure, drawing),
        ("download", script.export, bytes, drawing),
        ("summary", summaries.summarise, Summary, rendering),
        ("address", summaries.find_address, str, rendering),
        ("site-map", summaries.map_articles, SiteMap, rendering),
        ("neighbours", summaries.find_neighbours, Neighbours, rendering),
        ("templates", theme.collect, TemplateSet, rendering),
        ("words", page.words, Strings, rendering),
        ("same-words", pages.compare_words, None, rendering),
        ("asset", theme.asset, bytes, rendering),
        ("asset-path", theme.asset_path, str, rendering),
        ("assets", theme.list_assets, Assets, rendering),
        ("copy", files.copy, bytes, base),
        ("picture-size", files.measure_picture, tuple[int, int], base),
        ("article-files", pages.list_article_files, pages.ArticleFiles, rendering),
        ("article-page", page.article, bytes, rendering),
        ("both-page", page.both, bytes, rendering),
        ("home-page", page.home, bytes, rendering),
        ("tags-page", page.tags, bytes, rendering),
        ("tag-page", page.tag, bytes, rendering),
        ("landing-page", page.landing, bytes, rendering),
        ("not-found-page", page.not_found, bytes, rendering),
        ("redirect-page", page.redirect, bytes, rendering),
        ("feed", pages.feed, bytes, rendering),
        ("sitemap", pages.sitemap, bytes, rendering),
        ("robots", pages.robots, bytes, rendering),
        ("no-jekyll", files.nothing, bytes, base),
        ("site", list_outputs, Manifest, rendering),
    )
    return {kind: Rule(kind=kind, run=run, value_type=type_, code=code) for kind, run, type_, code in table}


async def _load_project(fetch: Fetch, config: str) -> Project:
    return load_project(await read_text(fetch, config), config)


async def list_outputs(fetch: Fetch, _name: str) -> Manifest:
    """Every file of the site with the digest of its content; brings all of them up to date."""
    project: Project = await fetch("project")
    site_map: SiteMap = await fetch("site-map")
    wanted = {**_pages(project, site_map), **await _static_files(fetch)}
    await fetch.digest("same-words")
    mistakes = _redirects(site_map, wanted)
    if mistakes:
        raise DiagnosticError(*mistakes)
    assets: Assets = await fetch("assets")
    wanted |= {path: Key("asset", name) for name, path in assets.paths}
    # The pages first, so that all their mistakes are found before a missing part stops the list.
    await _bring_up(fetch, wanted.values())
    for name in site_map.broken:
        post: sources.PostFiles = await fetch("post", name)
        await _bring_up(fetch, [Key("article-page", f"{name}:{language}") for language in post.languages])
    for article in site_map.articles:
        try:
            beside: pages.ArticleFiles = await fetch("article-files", article.name)
        except UpstreamFailed:
            continue
        wanted |= {path: Key("copy", file) for path, file in beside.files}
        wanted |= {path: Key("download", name) for path, name in beside.downloads}
    posts: sources.Posts = await fetch("posts")
    await fetch.digests(Key("summary", name) for name in posts.names)  # a broken one is no reason to publish
    digests = await fetch.digests(wanted.values())
    outputs = [
        Output(path=path, kind=key.kind, name=key.name, digest=digest)
        for (path, key), digest in zip(wanted.items(), digests, strict=True)
    ]
    return Manifest(outputs=tuple(sorted(outputs, key=lambda output: output.path)))


async def _bring_up(fetch: Fetch, keys: Iterable[Key]) -> None:
    """Have the tasks run, whether or not they fail."""
    with suppress(UpstreamFailed):
        await fetch.digests(keys)


def _pages(project: Project, site_map: SiteMap) -> dict[str, Key]:
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
        found[output_path(tags_path(language))] = Key("tags-page", language)
        for tag, _count in tags_in(site_map, language):
            found[output_path(tag_path(language, tag))] = Key("tag-page", f"{tag}:{language}")
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


_ADDRESS = re.compile(r"(https?://[^/]+)?/?(?P<path>.*)")


def key_of(target: str, manifest: Manifest | None, known: Mapping[str, Key]) -> Key | None:
    """The task behind what a person calls it: a page's address, an output file, a figure, an article."""
    if target in known:
        return known[target]
    match = _ADDRESS.fullmatch(target)
    path = match["path"] if match else target
    for output in manifest.outputs if manifest else ():
        if output.path in (path, f"{path}index.html", f"{path}/index.html"):
            return Key(output.kind, output.name)
    return None
