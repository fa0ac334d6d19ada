"""`site/site.yaml` as a frozen value."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal
from urllib.parse import quote, urlsplit

import msgspec
from msgspec.structs import replace

from diglot.bibliography.works import STYLES, Style
from diglot.diagnostics import shortened
from diglot.editors import EDITOR_FIX, find_editor
from diglot.foreign_settings import fix_of_setting
from diglot.languages import LANGUAGES, NO_TEXT, Bilingual, Language, twin_of
from diglot.manuals import Manual, read_manual
from diglot.output_paths import LONGEST_PART_BYTES, PathFault, check_path
from diglot.services import Analytics, Giscus, read_analytics, read_comments
from diglot.shared_cache.addresses import address_fault
from diglot.shared_cache.key_texts import PUBLIC, SECRET, key_bytes
from diglot.spelling.settings import TRADITIONAL_VARIANTS, TraditionalVariant
from diglot.strict_yaml import WHOLE, Fields, read_mapping
from diglot.time_zones import DEFAULT_ZONE, find_zone, unknown_zone
from diglot.web_addresses import ascii_host, mistake_in, unicode_host

DEFAULT_TIMEOUT_S = 60.0
"""Default time limit of a figure, in seconds."""

DEFAULT_MEMORY_MB = 4096
"""Default memory limit of a figure, in millions of bytes."""

DEFAULT_FRAMES = 200
"""Default limit of the states of a figure that readers can turn."""

DEFAULT_LIST_ENTRIES = 20
"""Default number of articles on a page of a list."""

DEFAULT_RELATED = 3
"""Default number of related articles below an article."""

MOST_RELATED = 12
MOST_LIST_ENTRIES = 10_000
MOST_FEED_ENTRIES = 10_000
MOST_FRAMES = 10_000
LONGEST_TIMEOUT_S = 1_000_000.0
"""In seconds: eleven days."""
MOST_MEMORY_MB = 100_000_000

FeedText = Literal["full", "summary"]
FEED_TEXTS: tuple[FeedText, ...] = ("full", "summary")

Cards = Literal["figures", "all", "none"]
FirstUse = Literal["alone", "twin"]
FIRST_USES: tuple[FirstUse, ...] = ("alone", "twin")
CARDS: tuple[Cards, ...] = ("figures", "all", "none")

PictureFormat = Literal["webp", "avif", "none"]
PICTURE_FORMATS: tuple[PictureFormat, ...] = ("webp", "avif", "none")

HtmlPolicy = Literal["all", "safe", "none"]
HTML_POLICIES: tuple[HtmlPolicy, ...] = ("all", "safe", "none")
"""From the most generous to the strictest: what one leaves out, all behind it do."""


def is_as_strict(policy: HtmlPolicy, as_this: HtmlPolicy) -> bool:
    """Whether a policy leaves out what another one does, or more."""
    return HTML_POLICIES.index(policy) >= HTML_POLICIES.index(as_this)


TERM_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""Ids of tags and categories."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """An author of the site."""

    id: str
    name: Bilingual
    url: str | None = None
    text: Bilingual = NO_TEXT
    """Who this is, in a few sentences, for the page of the author."""
    links: tuple[tuple[Bilingual, str], ...] = ()
    """Labels and addresses of pages elsewhere."""


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """A tag, category or series with the label that readers see."""

    id: str
    label: Bilingual
    description: Bilingual = NO_TEXT
    """What it is about, for its page."""


class NavigationEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A link in the navigation bar of every page."""

    label: Bilingual
    path: str
    """From the root of the language (`/tags/`), or a complete URL."""
    leads_to: Bilingual | None = None
    """The page in each language, from the site's root; None to put the language before `path`."""

    def target(self, language: Language) -> str:
        """Where it leads for readers of a language: a path from the site's root, or a complete URL."""
        if self.leads_to is not None:
            return self.leads_to.of(language)
        return f"{language}{self.path}" if self.path.startswith("/") else self.path


class FigureGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Figures that answer one question, in the list of all."""

    title: Bilingual
    figures: tuple[str, ...]
    """Their ids."""


class Ignored(msgspec.Struct, frozen=True, kw_only=True):
    """Warnings that the author has chosen to ignore."""

    rule: str
    path: str | None
    """A pattern for the paths of files; None for all."""
    line: int
    """Where the configuration says so."""


class Deployment(msgspec.Struct, frozen=True, kw_only=True):
    """Where `diglot deploy` publishes the site."""

    branch: str = "gh-pages"
    remote: str = "origin"
    cname: str | None = None
    """The site's own domain, for a file `CNAME` in the branch."""
    to: str | None = None
    """Instead of a branch: a folder, relative to the project, or `user@host:path`."""
    delete: bool = False
    """Whether files at `user@host:path` that are not part of the site are removed."""


class CacheSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The cache that colleagues and CI share."""

    remote: str
    """A folder, relative to the project; an address for rsync; or that of an object store."""
    keys: tuple[str, ...]
    """The public keys of those whose bundles are believed."""


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """The site's configuration, complete and checked."""

    title: Bilingual
    description: Bilingual
    base_url: str
    """The site's URL, with a slash at the end."""
    authors: tuple[Person, ...] = ()
    tags: tuple[Term, ...] = ()
    categories: tuple[Term, ...] = ()
    series: tuple[Term, ...] = ()
    navigation: tuple[NavigationEntry, ...] = ()
    languages: tuple[Language, Language] = LANGUAGES
    """Both; the first one comes first on pages for both, and is shown to readers of neither."""
    traditional: TraditionalVariant | None = None
    """The traditional characters into which Chinese pages are converted; None for no such pages."""
    fallback: bool = False
    """Whether articles in one language have a page for readers of the other, unless they say otherwise."""
    gallery: bool = False
    """Whether every figure has a page of its own, and there is a list of them."""
    figure_groups: tuple[FigureGroup, ...] = ()
    """The groups in that list; what is in none of them comes last."""
    manual: Manual | None = None
    """The pages that have an order, with a list of them on each; None where pages stand alone."""
    hardware: bool = False
    """Whether every chip of the catalogue has a page of its own, and there is a list of them."""
    timezone: str = DEFAULT_ZONE
    """The time zone in which a day begins, by its name in the IANA database."""
    licence: Bilingual | None = None
    source_url: str | None = None
    """URL of the project's files, with a slash at the end: figures link to their scripts there."""
    list_entries: int = DEFAULT_LIST_ENTRIES
    """How many articles a page of a list shows."""
    related: int = DEFAULT_RELATED
    """How many related articles a page leads to; 0 for none."""
    feed_entries: int = 20
    feed_text: FeedText = "full"
    """What feeds hold of an article: all of its text, or its description."""
    tag_feeds: bool = False
    """Whether tags, categories, series and authors have feeds of their own."""
    markdown: bool = False
    """Whether articles are published as Markdown, too, with a list of them in `llms.txt`."""
    glossary: bool = False
    """Whether the terms in `site/glossary.yaml` have a page."""
    first_use: FirstUse = "alone"
    """Whether the first use of a term in an article shows its name in the other language."""
    citations: Style = "ieee"
    """How marks of citations and lists of references are written."""
    search: bool = False
    """Whether readers can search the site, if the extra `diglot[search]` is installed."""
    cards: Cards = "figures"
    """Which articles have a picture that stands for them where they are shared."""
    pictures: PictureFormat = "webp"
    """The format of authors' pictures in several widths; `none` to publish them as they are."""
    figure_timeout_s: float = DEFAULT_TIMEOUT_S
    figure_memory_mb: int = DEFAULT_MEMORY_MB
    frames: int = DEFAULT_FRAMES
    """How many states a figure may have that readers can turn."""
    ignore: tuple[Ignored, ...] = ()
    comments: Giscus | None = None
    """None where readers cannot comment."""
    analytics: Analytics | None = None
    """None where nobody counts visits."""
    html: HtmlPolicy = "all"
    """What becomes of HTML in articles: all of it stays, or what runs nothing, or it is shown as text."""
    wikilinks: bool = False
    """Whether `[[article]]` and `![[article#heading]]` are a link and a part of another article."""
    params: Mapping[str, Any] = {}
    """Values of the project's own, for its templates."""
    deploy: Deployment = Deployment()
    cache: CacheSettings | None = None
    """None where machines share nothing."""
    editor: str | None = None
    """URL template that opens a file in the author's editor, with `{path}` and perhaps `{line}`; preview
    only."""

    def of_pages(self) -> "Project":
        """The part of the configuration that pages depend on, so that the rest can change without them."""
        return replace(self, deploy=Deployment(), cache=None, ignore=(), editor=None)

    @property
    def base_path(self) -> str:
        """The path of the site's root, e.g. `/` or `/blog/`."""
        return urlsplit(self.base_url).path

    @property
    def first(self) -> Language:
        """The language that comes first."""
        return self.languages[0]

    @property
    def host(self) -> str:
        """The name of the site's host, e.g. `example.org`."""
        return unicode_host(urlsplit(self.base_url).hostname or "")

    @property
    def origin(self) -> str:
        """Scheme and host of the site, without a slash at the end."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}"


def load_project(text: str, path: str, *, base_url: str | None = None) -> Project:
    """The configuration in a YAML text; with `base_url`, for a site at another address.

    Raises DiagnosticError with all mistakes in it.
    """
    return complete_project(Fields(read_mapping(text, path)), base_url=base_url)


def complete_project(fields: Fields, *, base_url: str | None = None) -> Project:
    """The configuration in a mapping without other keys. Raises DiagnosticError with all mistakes in it."""
    project = read_project(fields)
    fields.finish(fix_of=fix_of_setting)
    fields.raise_mistakes()
    return project if base_url is None else replace(project, base_url=base_url)


def read_project(fields: Fields) -> Project:
    """The configuration in a mapping; mistakes are added to it."""
    fields.require("title", "base_url")
    nameless = Bilingual(zh="", en="")
    return Project(
        title=fields.bilingual("title", nameless),
        description=fields.bilingual("description", nameless),
        base_url=_base_url(fields),
        authors=_authors(fields),
        tags=_terms(fields, "tags"),
        categories=_terms(fields, "categories"),
        series=_terms(fields, "series"),
        navigation=_navigation(fields),
        fallback=fields.flag("fallback"),
        gallery=fields.flag("gallery"),
        figure_groups=_figure_groups(fields),
        manual=read_manual(fields.nested("manual")),
        hardware=fields.flag("hardware"),
        languages=_languages(fields.nested("languages")),
        traditional=fields.choice("traditional", TRADITIONAL_VARIANTS),
        timezone=_timezone(fields),
        licence=fields.bilingual("licence"),
        source_url=_source_url(fields),
        list_entries=_whole(fields, "list_entries", DEFAULT_LIST_ENTRIES, most=MOST_LIST_ENTRIES),
        related=_whole(fields, "related", DEFAULT_RELATED, least=0, most=MOST_RELATED),
        feed_entries=_whole(fields, "feed_entries", 20, most=MOST_FEED_ENTRIES),
        feed_text=fields.choice("feed_text", FEED_TEXTS, "full"),
        tag_feeds=fields.flag("tag_feeds"),
        cards=fields.choice("cards", CARDS, "figures"),
        pictures=fields.choice("pictures", PICTURE_FORMATS, "webp"),
        markdown=fields.flag("markdown"),
        glossary=fields.flag("glossary"),
        first_use=fields.choice("first_use", FIRST_USES, "alone"),
        citations=_citation_style(fields.nested("citations")),
        search=fields.flag("search"),
        frames=_whole(fields, "frames", DEFAULT_FRAMES, most=MOST_FRAMES),
        figure_memory_mb=_whole(fields, "figure_memory_mb", DEFAULT_MEMORY_MB, most=MOST_MEMORY_MB),
        figure_timeout_s=_positive(fields, "figure_timeout_s", DEFAULT_TIMEOUT_S, most=LONGEST_TIMEOUT_S),
        ignore=_ignored(fields),
        comments=read_comments(fields.nested("comments")),
        analytics=read_analytics(fields.nested("analytics")),
        html=fields.choice("html", HTML_POLICIES, "all"),
        wikilinks=fields.flag("wikilinks"),
        params=fields.free("params"),
        deploy=_deployment(fields.nested("deploy")),
        cache=_cache(fields.nested("cache")),
        editor=_editor(fields.nested("preview")),
    )


def _base_url(fields: Fields) -> str:
    """The site's URL as pages use it: lower-case host, encoded path, a slash at the end."""
    text = fields.text("base_url")
    if text is None:
        return _NOWHERE  # already reported as missing or not a text
    if (address := site_address(text)) is not None:
        # A name without a dot is one in a network of its own, in which the site may be.
        mistake = mistake_in(text) if "." in (urlsplit(address).hostname or "") else None
        if mistake is not None:
            fields.report("base_url", f'"{text}" {mistake.what}', mistake.fix)
        return address
    fields.report("base_url", f'"{text}" is not the address of a site', BASE_URL_FIX)
    return _NOWHERE


_NOWHERE = "https://invalid.example/"

BASE_URL_FIX = "write the complete address, as in https://example.org/ or https://example.org/blog/."


def site_address(text: str) -> str | None:
    """A site's URL as pages use it; None if the text is not one."""
    try:
        parts = urlsplit(text)
        known = bool(parts.hostname) and parts.username is None and parts.port != 0  # ValueError: bad port
    except ValueError:
        return None
    path = quote(parts.path.rstrip("/"), safe="/%~-._") + "/"
    odd = re.search(r"[\s<>\"\\?#]", text) or re.search(r"//|/\.\.?/|\.html/$", path)
    if parts.scheme not in ("http", "https") or not known or odd:
        return None
    try:
        netloc = parts.netloc.lower().replace(parts.hostname or "", ascii_host(parts.hostname or ""))
    except ValueError:  # as no server can be called
        return None
    return f"{parts.scheme}://{netloc}{path}"


def _timezone(fields: Fields) -> str:
    name = fields.text("timezone", DEFAULT_ZONE)
    if name == DEFAULT_ZONE or find_zone(name) is not None:
        return name
    message, fix = unknown_zone(name)
    fields.report("timezone", f"timezone: {message}", fix)
    return DEFAULT_ZONE


def _source_url(fields: Fields) -> str | None:
    example = "write it like https://github.com/someone/site/blob/main/."
    text = fields.address("source_url", fix=example)
    return text if text is None or text.endswith("/") else f"{text}/"


def _authors(fields: Fields) -> tuple[Person, ...]:
    people = []
    for id_, one in _entries(fields, "authors", "name"):
        person = one.nested(id_)
        if person is None:
            continue
        person.require("name")
        people.append(
            Person(
                id=id_,
                name=person.bilingual("name", Bilingual(zh=id_, en=id_)),
                url=person.address("url"),
                text=person.bilingual("text", NO_TEXT),
                links=tuple(_links(person)),
            )
        )
    return tuple(people)


def _links(person: Fields) -> Iterator[tuple[Bilingual, str]]:
    for item in person.items("links"):
        item.require("label", "url")
        label = item.bilingual("label")
        url = item.address("url", begins=(*WHOLE, "mailto:"), fix="begin it with https:// or mailto:.")
        if label is not None and url is not None:
            yield label, url


def _terms(fields: Fields, key: str) -> tuple[Term, ...]:
    terms = []
    for id_, one in _entries(fields, key, "label"):
        if len(id_) > LONGEST_PART_BYTES:
            one.report(
                id_,
                f'"{id_[:40]}…" has more than {LONGEST_PART_BYTES} characters, too many for a file name',
                "choose a shorter one; readers see the label.",
            )
        elif not TERM_ID.fullmatch(id_):
            one.report(
                id_,
                f'"{id_}" cannot be part of an address',
                "use lower-case letters, digits and single hyphens; readers see the label.",
            )
        terms.append(_term(one, id_))
    return tuple(terms)


def _term(entries: Fields, id_: str) -> Term:
    """A label alone, or `label` and `description`."""
    nameless, value = Bilingual(zh=id_, en=id_), entries.raw(id_)
    if not isinstance(value, dict) or not value.keys() & {"label", "description"}:
        return Term(id=id_, label=entries.bilingual(id_, nameless))
    term = entries.nested(id_)
    if term is None:
        return Term(id=id_, label=nameless)
    term.require("label")
    label, description = term.bilingual("label", nameless), term.bilingual("description", NO_TEXT)
    return Term(id=id_, label=label, description=description)


def _entries(fields: Fields, key: str, what: str) -> Iterator[tuple[str, Fields]]:
    """The ids of a mapping, each with the mapping; an id without a value is reported."""
    nested = fields.nested(key)
    if nested is None:
        return
    for id_ in nested:
        if id_ not in nested:
            nested.report(
                id_, f"{key}.{id_} has no {what}", "write what readers see, as in `{zh: …, en: …}`."
            )
        yield id_, nested


def _navigation(fields: Fields) -> tuple[NavigationEntry, ...]:
    entries = []
    for item in fields.items("navigation"):
        item.require("label", "path")
        label, path = item.bilingual("label"), item.text("path")
        if path is not None and (path.startswith("//") or not path.startswith(("/", *WHOLE))):
            bare = path.lstrip("/")
            item.report("path", f'"{path}" does not begin with / or https://', f'write "/{bare}".')
        elif path is not None and path.startswith("/") and (fault := _path_fault(path)):
            item.report("path", f'"{path}" {fault}', "write the address of a page, such as /tags/.")
        if label is not None and path is not None:
            entries.append(NavigationEntry(label=label, path=path))
    return tuple(entries)


def _figure_groups(fields: Fields) -> tuple[FigureGroup, ...]:
    groups = []
    for item in fields.items("figure_groups"):
        item.require("title", "figures")
        title, figures = item.bilingual("title"), item.texts("figures")
        if title is not None:
            groups.append(FigureGroup(title=title, figures=figures))
    return tuple(groups)


def _languages(fields: Fields | None) -> tuple[Language, Language]:
    first: Language = fields.choice("first", LANGUAGES, "zh") if fields else "zh"
    return first, twin_of(first)


def _citation_style(fields: Fields | None) -> Style:
    return fields.choice("style", STYLES, "ieee") if fields else "ieee"


def _path_fault(address: str) -> str | None:
    """What is wrong with an address within the site; None if nothing is."""
    path = re.split("[?#]", address, maxsplit=1)[0].strip("/")
    try:
        check_path(path or "index.html")
    except PathFault as fault:
        return str(fault)
    return None


def _ignored(fields: Fields) -> tuple[Ignored, ...]:
    entries = []
    for item in fields.items("ignore"):
        item.require("rule")
        rule, path = item.text("rule"), item.text("path")
        if rule is not None:
            entries.append(Ignored(rule=rule, path=path, line=item.line_of("rule")))
    return tuple(entries)


def _deployment(deploy: Fields | None) -> Deployment:
    if deploy is None:
        return Deployment()
    return Deployment(
        branch=deploy.text("branch", "gh-pages"),
        remote=deploy.text("remote", "origin"),
        cname=deploy.text("cname"),
        to=deploy.text("to"),
        delete=deploy.flag("delete"),
    )


def _cache(cache: Fields | None) -> CacheSettings | None:
    if cache is None:
        return None
    cache.require("remote", "keys")
    remote, keys = cache.text("remote", ""), cache.texts("keys")
    if not keys and cache.raw("keys") == []:
        cache.report(
            "keys", "cache.keys: no key is trusted, so nothing is read", "add one, or remove `cache`."
        )
    if remote and (fix := address_fault(remote)) is not None:
        cache.report("remote", f'cache.remote: "{remote}" is no place for a shared cache', fix)
    for key in keys:
        if key.startswith(SECRET):
            cache.report(
                "keys",
                "cache.keys: this is a secret key, and all who have this file can write to the cache now",
                "make new ones with `diglot cache keys`, and write the public one here.",
            )
        elif key_bytes(PUBLIC, key) is None:
            cache.report(
                "keys",
                f'cache.keys: "{key}" is no public key',
                f"copy the line that begins with {PUBLIC} from `diglot cache keys`.",
            )
    return CacheSettings(remote=remote, keys=keys) if remote and keys else None


def _editor(preview: Fields | None) -> str | None:
    text = preview.text("editor") if preview else None
    if preview is None or text is None:
        return None
    editor = find_editor(text)
    if editor is None:
        preview.report("editor", f'preview.editor: "{text}" is not a known editor', EDITOR_FIX)
    return editor


def _whole(fields: Fields, key: str, default: int, *, least: int = 1, most: int) -> int:
    value = fields.integer(key, default)
    if value < least:
        fields.report(key, f"{key}: {_cut(value)} is below {least}", f"leave it out for {default}.")
    elif value > most:
        fields.report(key, f"{key}: {_cut(value)} is above {most:,}", f"leave it out for {default}.")
    return value


def _positive(fields: Fields, key: str, default: float, *, most: float) -> float:
    value = fields.number(key, default)
    if not math.isfinite(value):
        fields.report(key, f"{key}: {value:g} is not a number of seconds", f"leave it out for {default:g}.")
    elif value <= 0:
        fields.report(key, f"{key}: {value:g} is not above 0", f"leave it out for {default:g}.")
    elif value > most:
        fields.report(key, f"{key}: {value:g} is above {most:,.0f}", f"leave it out for {default:g}.")
    return value


def _cut(value: int) -> str:
    return shortened(str(value), 40)
