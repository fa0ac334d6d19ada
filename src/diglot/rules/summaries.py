"""Summaries of articles, the site map, and slices of it that pages fetch."""

import re
from collections.abc import Iterable
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from diglot.content.front_matter import split_front_matter
from diglot.content.records import FrontMatter, Parts
from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean
from diglot.engine import FILE, UpstreamFailed
from diglot.languages import Language
from diglot.left_out import LeftOut, LeftOutBecause
from diglot.output_paths import PathFault, address_of_alias
from diglot.render.article import plain_text
from diglot.render.materials import value_requests
from diglot.render.parts import Problems
from diglot.rules.articles import check_twin
from diglot.rules.figures import compute_figure
from diglot.rules.front_matters import read_front_matter
from diglot.rules.halves import cut_outline, cut_references, cut_skeleton
from diglot.rules.ids import HalfId
from diglot.rules.keywords import find_keywords
from diglot.rules.labels import find_article_labels
from diglot.rules.options import SELECTION, Selection
from diglot.rules.projects import read_project, read_site_settings
from diglot.rules.reading import read_text, read_text_if_there
from diglot.rules.requests import check_requests
from diglot.rules.sources import HOME_PAGE, PostFiles, Posts, find_halves, find_post, find_posts, kind_of
from diglot.rules.tasks import Fetch, task
from diglot.site_map import (
    ARCHIVE,
    BOTH,
    FIGURES,
    HARDWARE,
    HOME,
    PAGE,
    POSTS,
    TAXONOMIES,
    HalfSummary,
    SiteMap,
    Summary,
    article_path,
    map_site,
    page_path,
    without_language,
)
from diglot.strict_yaml import read_mapping
from diglot.which_pages import page_languages

_SHARED_KEYS = (
    *("date", "expires", "draft", "tags", "categories", "authors"),
    *("series", "part", "contents", "execute", "article"),
)


@task("summary", keeps_last_good=True)
async def summarise(fetch: Fetch, name: str) -> Summary:
    """What other pages show of an article. Raises DiagnosticError if keys differ between its halves."""
    post = await find_halves(fetch, name)
    read = await fetch.all(read_front_matter, [HalfId(name, language) for language in post.languages])
    fronts: dict[Language, FrontMatter] = dict(zip(post.languages, read, strict=True))
    await check_twin(fetch, post)
    mistakes = await _disagreements(fetch, post, fronts)
    mistakes += await _reserved(fetch, post, fronts)
    mistakes += await _article_of_talk(fetch, post, fronts)
    if mistakes:
        raise DiagnosticError(*mistakes)
    fetch.report(*await _unlabelled(fetch, post, fronts))
    # Both halves together, so that one process parses them and highlights the code that they share once.
    # All parts at once, because those that only pages need later are still in memory now.
    parsed = [HalfId(name, one) for one in fronts]
    await fetch.ahead(
        part.key(half) for half in parsed for part in (cut_outline, cut_skeleton, cut_references)
    )
    if kind_of(name) == "post" and (await fetch(read_site_settings)).related:
        await fetch.ahead([find_keywords.key(name)])
    outlines = await fetch.all(cut_outline, parsed)
    first, front = next(iter(fronts.items()))
    main_slug = _slug(post, first, front)
    updated = max(filter(None, (one.updated for one in fronts.values())), default=None)
    halves = []
    problems = Problems()
    for (language, own), outline in zip(fronts.items(), outlines, strict=True):
        path = post.path(language)
        texts: list[str] = []
        for parts in (own.title, own.description or outline.first_text, own.event):
            try:
                texts.append(await _text(fetch, parts, language, path))
            except DiagnosticError as error:  # both halves report theirs
                problems.add(*error.diagnostics)
                texts.append("")
        title, description, event = texts
        halves.append(
            HalfSummary(
                language=language,
                title=title,
                description=description,
                reading_minutes=outline.reading_minutes,
                slug=None if (slug := _slug(post, language, own)) == main_slug else slug,
                event=event,
                updated=None if own.updated == updated else own.updated or own.date,
            )
        )
    problems.raise_found()
    return Summary(
        name=name,
        slug=main_slug,
        kind=kind_of(name),
        halves=tuple(halves),
        date=front.date,
        updated=updated,
        expires=front.expires,
        draft=front.draft,
        fallback=await _has_fallback(fetch, post, front),
        tags=front.tags,
        categories=front.categories,
        authors=front.authors,
        series=front.series,
        part=front.part,
        aliases=_aliases(fronts, (await fetch(read_site_settings)).languages),
        article=front.article,
    )


@task("site-map", keeps_last_good=True)
async def map_articles(fetch: Fetch, _name: None) -> SiteMap:
    """The articles that this build shows, without broken ones, which their own tasks report."""
    posts = await fetch(find_posts)
    selection = await fetch(SELECTION)
    with suppress(UpstreamFailed):
        await fetch.digests(map(summarise.key, posts.names))  # in parallel
    found: list[Summary] = []
    broken: list[str] = []
    left_out: list[LeftOut] = []
    for name in posts.names:
        try:
            summary = await fetch(summarise, name)
        except UpstreamFailed:
            broken.append(name)
            continue
        if (why := _why_left_out(summary, selection)) is None:
            found.append(_mapped(summary, selection))
        else:
            day = {"draft": None, "later": summary.date, "expired": summary.expires}[why]
            path = posts.articles[name].path(summary.languages[0])
            left_out.append(LeftOut(path=path, why=why, day=day))
    fetch.report(*await _same_part(fetch, found))
    clashing = await _same_address(fetch, found)
    broken += clashing
    hidden = await _probable_addresses(fetch, posts, broken)
    return map_site((one for one in found if one.name not in clashing), broken, hidden, left_out)


async def _probable_addresses(fetch: Fetch, posts: Posts, broken: Iterable[str]) -> dict[str, str]:
    """The addresses, without the language, that articles with mistakes would have without them.

    Each with the article's name, which is empty for one whose files have wrong names.
    """
    found: dict[str, str] = {}
    for path, name in posts.refused.items():
        words = [re.sub(r"[^a-z0-9]+", "-", word.casefold()).strip("-") for word in name.split("/")]
        usual = usual_path(PostFiles(name="/".join(words), shared=""), "zh")
        found |= dict.fromkeys(await _addresses_by(fetch, usual, [path]), "")
    for name in broken:
        post = await fetch(find_post, name)
        for language in post.languages:
            paths = [post.path(language), post.shared]
            found |= dict.fromkeys(await _addresses_by(fetch, usual_path(post, language), paths), name)
    return found


async def _addresses_by(fetch: Fetch, usual: str, paths: Iterable[str]) -> list[str]:
    """An address without its language, as usual and as lines of files with mistakes set it."""
    address = usual.partition("/")[2].rstrip("/")
    found = [address]
    for path in paths:
        text = (await fetch(FILE, path) or b"").decode("utf-8", "replace")
        found += [address[: address.rfind("/") + 1] + slug for slug in _SLUG_LINE.findall(text)]
    return found


_SLUG_LINE = re.compile(r"""^slug\s*:\s*["']?([a-z0-9-]+)""", re.MULTILINE)


class ArticleAddresses(msgspec.Struct, frozen=True, kw_only=True):
    """Where an article is."""

    paths: dict[Language, str]
    """The paths of its pages from the site's root; none if this build leaves the article out."""
    expired: bool = False
    """Whether it is shown although its last day has passed."""


@task("address")
async def find_addresses(fetch: Fetch, name: str) -> ArticleAddresses:
    """Where an article is, and whether it has expired."""
    summary = await fetch(summarise, name)
    selection = await fetch(SELECTION)
    if _why_left_out(summary, selection) is not None:
        return ArticleAddresses(paths={})
    paths = {language: summary.path(language) for language in summary.shown_in}
    return ArticleAddresses(paths=paths, expired=_has_expired(summary, selection))


async def find_hidden_at(fetch: Fetch, address: str) -> str:
    """The name of the article that would be at an address if this build did not leave it out; else empty.

    It asks for every article: only a link that leads nowhere is worth it.
    """
    posts = await fetch(find_posts)
    for name in posts.names:
        with suppress(UpstreamFailed):
            summary = await fetch(summarise, name)
            if address in summary.addresses:
                return name
    return ""


async def why_hidden(fetch: Fetch, name: str) -> str:
    """Why this build leaves an article out, in words that go on after "an article that"."""
    summary, selection = await fetch(summarise, name), await fetch(SELECTION)
    match _why_left_out(summary, selection):
        case "draft":
            return "is a draft"
        case "expired":
            return f"expired after {summary.expires}"
    return f"is dated in the future, {summary.date}"


@task("article-at")
async def find_article_at(fetch: Fetch, address: str) -> str:
    """The name of the article at an address without its language, such as `posts/roofline`; empty if there is
    none. A slice of the site map.

    Raises UpstreamFailed where an article with mistakes would be whose name is not known.
    """
    site_map = await fetch(map_articles)
    if address in site_map.by_address:
        return site_map.by_address[address].name
    name = site_map.hidden.get(address)
    if name == "":
        raise UpstreamFailed(map_articles.key(None))
    return name or ""


@task("page-languages")
async def find_page_languages(fetch: Fetch, _name: None) -> tuple[Language, ...]:
    """The languages of the site's pages, zh before en: a slice of the map, for pages without articles."""
    return page_languages(await fetch(map_articles))


def usual_path(post: PostFiles, language: Language) -> str:
    """The path of an article's page from the site's root, unless front matter sets another."""
    slug = post.slug(language)
    return article_path(language, slug) if kind_of(post.name) == "post" else page_path(language, slug)


def _slug(post: PostFiles, language: Language, front: FrontMatter) -> str:
    """The slug of a half. That in front matter replaces the last part of a page's path."""
    usual = post.slug(language)
    if front.slug is None or usual == HOME:
        return usual
    above = usual.rpartition("/")[0]
    return f"{above}/{front.slug}" if above else front.slug


def _mapped(summary: Summary, selection: Selection) -> Summary:
    """An article as the site map has it: without what no list shows, so that its changes rerun no lists."""
    mapped = replace(summary, expires=None, expired=_has_expired(summary, selection))
    if summary.kind == "post":
        return mapped
    halves = (replace(half, title="", description="", reading_minutes=1, event="") for half in summary.halves)
    return replace(mapped, halves=tuple(halves))


async def _has_fallback(fetch: Fetch, post: PostFiles, front: FrontMatter) -> bool:
    """Whether an article has a page for readers of the language that it lacks."""
    if len(post.languages) > 1 or post.name == HOME_PAGE or kind_of(post.name) == "talk":
        return False
    return (await fetch(read_site_settings)).fallback if front.fallback is None else front.fallback


async def _text(fetch: Fetch, parts: Parts, language: Language, path: str) -> str:
    requests = value_requests(parts)
    mistakes = await check_requests(fetch, [(request, path, _line_of(parts)) for request in requests])
    if mistakes:
        raise DiagnosticError(*mistakes)
    data: dict[str, bytes] = {}
    for request in requests:
        computed = await fetch(compute_figure, request)
        data[str(request)] = computed.data
    return plain_text(parts, language=language, path=path, data=data)


def _line_of(parts: Parts) -> int:
    return next((part.line for part in parts if not isinstance(part, str)), 1)


def _why_left_out(summary: Summary, selection: Selection) -> LeftOutBecause | None:
    """Why a build leaves an article out; None for one that it shows."""
    return selection.leaves_out(draft=summary.draft, date=summary.date, expires=summary.expires)


def _has_expired(summary: Summary, selection: Selection) -> bool:
    return summary.expires is not None and summary.expires < selection.day


async def _disagreements(
    fetch: Fetch, post: PostFiles, fronts: dict[Language, FrontMatter]
) -> list[Diagnostic]:
    if len(fronts) < 2:
        return []
    mistakes = []
    for key in _SHARED_KEYS:
        zh, en = getattr(fronts["zh"], key), getattr(fronts["en"], key)
        if zh != en:
            mistakes.append(
                Diagnostic(
                    rule="pair-differs",
                    message=f"{key} is {_shown(en)} here and {_shown(zh)} in {post.zh}",
                    location=await key_location(fetch, post, "en", key),
                    fix=f"write it once, in {post.shared}.",
                )
            )
    return mistakes


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "empty"
    return "not set" if value is None else str(value)


async def _unlabelled(
    fetch: Fetch, post: PostFiles, fronts: dict[Language, FrontMatter]
) -> tuple[Diagnostic, ...]:
    """Warnings for tags, categories and authors that the configuration does not list."""
    front = next(iter(fronts.values()))
    labels = await fetch(find_article_labels, post.name)
    people = [person.id for person in (await fetch(read_site_settings)).authors]
    found = []
    for key, used, known in (
        ("tags", front.tags, labels.tags),
        ("categories", front.categories, labels.categories),
        ("series", (front.series,) if front.series else (), labels.series),
        ("authors", front.authors, ()),
    ):
        ids = people if key == "authors" else [term.id for term in known]
        if key != "authors" and not {*used} <= {*ids}:  # only then its pages depend on all terms
            ids = [term.id for term in getattr(await fetch(read_project), key)]
        found += [
            Diagnostic(
                rule="term-unknown",
                message=f'{key}: "{one}" has no label in the site\'s configuration',
                severity="warning",
                location=await key_location(fetch, post, post.languages[0], key),
                fix=did_you_mean(
                    one, ids, otherwise=f"add it under `{key}:`, with a label in each language."
                ),
            )
            for one in used
            if one not in ids
        ]
    return tuple(found)


GENERATED = (POSTS, *TAXONOMIES, ARCHIVE, PAGE, "feed.xml", "feed.json", "404.html")
"""First parts of addresses below a language that are no page's on any site."""


async def _reserved(fetch: Fetch, post: PostFiles, fronts: dict[Language, FrontMatter]) -> list[Diagnostic]:
    """Errors for pages at addresses that diglot uses itself."""
    mistakes = []
    project = await fetch(read_site_settings)
    switched = {FIGURES: project.gallery, HARDWARE: project.hardware}
    generated = (*GENERATED, *(one for one, is_on in switched.items() if is_on))
    for language, front in fronts.items() if kind_of(post.name) == "page" else ():
        slug = _slug(post, language, front)
        first, last = slug.partition("/")[0], slug.rpartition("/")[2]
        if first in generated or last == BOTH:
            mistakes.append(
                Diagnostic(
                    rule="page-clash",
                    message=f'a page cannot have the address "/{page_path(language, slug)}": diglot uses '
                    + (f'"/{language}/{first}" itself' if last != BOTH else "it for side-by-side pages"),
                    location=await key_location(fetch, post, language, "slug"),
                    fix="give its folder or file another name, or the front matter another `slug:`.",
                )
            )
    return mistakes[:1]


async def _article_of_talk(
    fetch: Fetch, post: PostFiles, fronts: dict[Language, FrontMatter]
) -> list[Diagnostic]:
    """The error for a talk about an article that does not exist."""
    for language, front in fronts.items():
        if not front.article:
            continue
        names = [one for one in (await fetch(find_posts)).names if kind_of(one) == "post"]
        if front.article not in names:
            return [
                Diagnostic(
                    rule="talk-article",
                    message=f'article: there is no article "{front.article}"',
                    location=await key_location(fetch, post, language, "article"),
                    fix=did_you_mean(
                        front.article, names, otherwise="write the name of a folder in content/posts/."
                    ),
                )
            ]
    return []


async def key_location(fetch: Fetch, post: PostFiles, language: Language, key: str) -> Location:
    """The line that sets a key, in the half or in the shared file; line 1 of the half if none does."""
    path = post.path(language)
    for candidate, text in (
        (path, await read_text(fetch, path)),
        (post.shared, await read_text_if_there(fetch, post.shared) or ""),
    ):
        found = re.search(rf"^{key}\s*:", text, re.MULTILINE)
        if found:
            return Location(path=candidate, line=text.count("\n", 0, found.start()) + 1)
    return Location(path=path, line=1)


async def readable_aliases(fetch: Fetch, name: str) -> dict[str, Language]:
    """The old addresses of an article with mistakes that can be read all the same."""
    post = await fetch(find_post, name)
    found: dict[str, Language] = {}
    for language in post.languages:
        path = post.path(language)
        with suppress(DiagnosticError):  # reported where the half is read
            matter = split_front_matter(await read_text(fetch, path), path).yaml or ""
            for text in (matter, await read_text_if_there(fetch, post.shared) or ""):
                aliases = read_mapping(text, path).values.get("aliases")
                for alias in aliases if isinstance(aliases, list) else ():
                    with suppress(PathFault):
                        found.setdefault(address_of_alias(str(alias)), language)
    return found


async def alias_location(fetch: Fetch, name: str, address: str) -> Location:
    """The line of an article's front matter that claims an old address."""
    post = await fetch(find_post, name)
    for language in post.languages:
        position = await key_location(fetch, post, language, "aliases")
        text = await read_text_if_there(fetch, position.path) or ""
        for line, words in enumerate(text.split("\n")[(position.line or 1) - 1 :], start=position.line or 1):
            for word in re.findall(r"/[^\s,\]\"']*", words):
                with suppress(PathFault):
                    if address_of_alias(word) == address:
                        return replace(position, line=line)
    return position


def _aliases(
    fronts: dict[Language, FrontMatter], order: tuple[Language, Language]
) -> tuple[tuple[str, Language], ...]:
    """Old addresses. One that both halves claim (from the shared file) leads to the half in whose language it
    is, as in `/en/roof/`, else to the half that is first.
    """
    found: dict[str, Language] = {}
    for language in (one for one in order if one in fronts):
        for alias in fronts[language].aliases:
            address = address_of_alias(alias)
            if address.startswith(f"{language}/"):
                found[address] = language
            found.setdefault(address, language)
    return tuple(found.items())


async def _same_part(fetch: Fetch, summaries: list[Summary]) -> list[Diagnostic]:
    """Warnings for parts of a series that have the same number."""
    taken: dict[tuple[str, int], Summary] = {}
    found = []
    for summary in summaries:
        if summary.part is None:
            continue
        first = taken.setdefault((summary.series, summary.part), summary)
        if first is not summary:
            post, other = await find_halves(fetch, summary.name), await find_halves(fetch, first.name)
            found.append(
                Diagnostic(
                    rule="series-part",
                    message=f'part {summary.part} of the series "{summary.series}" is already '
                    f"{other.zh or other.en}",
                    severity="warning",
                    location=await key_location(fetch, post, post.languages[0], "part"),
                    fix="give each part a number of its own; without it, parts follow by date.",
                )
            )
    return found


async def _same_address(fetch: Fetch, summaries: list[Summary]) -> list[str]:
    """Report articles at the address of another one. Returns their names.

    It need not be in the same language, because links can leave the language out.
    """
    taken: dict[str, Summary] = {}
    clashing = []
    for summary in summaries:
        for language in summary.languages:
            address = without_language(summary.path(language))
            first = taken.setdefault(address, summary)
            if first is summary:
                continue
            post = await find_halves(fetch, summary.name)
            other = await find_halves(fetch, first.name)
            slug = summary.slug_in(language)
            clashing.append(summary.name)
            fetch.report(
                Diagnostic(
                    rule="slug-clash",
                    message=f'the address "{slug}" is already used by {other.zh or other.en}',
                    location=await key_location(fetch, post, language, "slug"),
                    fix="change the `slug:` of one of them.",
                )
            )
            break
    return clashing
