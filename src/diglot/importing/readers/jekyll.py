"""Finds the posts and pages of a Jekyll site: `_posts`, `_drafts`, pages, `_config.yml`, `_data`."""

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import msgspec

from diglot.importing.readers.file_names import DATED, FileName, is_imported, names_language, read_file_name
from diglot.importing.readers.permalinks import filled, jekyll_pattern, tidy
from diglot.importing.readers.reading import Reading
from diglot.importing.readers.settings import Settings, label_of, read_configuration
from diglot.importing.readers.source_files import MARKDOWN, as_date, as_texts, split_matter
from diglot.importing.records import Half, Matter, MenuEntry, SiteSettings, SourceSite
from diglot.importing.source_folder import SourceFolder
from diglot.importing.words import words

_NOT_PUBLISHED = words("jekyll, not published")
_OF_THEME = re.compile(
    r"^(?:404|index|tags?|categor(?:y|ies)|archives?|search|feed|sitemap|offline)\.(?:md|html|xml|markdown)$"
)
_HTML_PAGE = (".html", ".htm")
_LIST_OF_POSTS = re.compile(r"\{%-?\s*for\s+\w+\s+in\s+(?:site|paginator)\b")
_NO_WORDS = re.compile(
    r"\{%-?\s*for\b.*?\{%-?\s*endfor\s*-?%\}|\{%.*?%\}|\{\{.*?\}\}"
    r"|<!--.*?-->|<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>|\]\([^)\n]*\)",
    re.DOTALL | re.IGNORECASE,
)
"""What of a body is no text of its author: loops, Liquid, HTML and addresses."""


class _Collection(NamedTuple):
    """A collection of the configuration: a folder of articles besides the posts."""

    name: str
    is_published: bool
    """Whether its articles have pages of their own."""
    permalink: str


class _Layout(NamedTuple):
    """Where the files of a site are."""

    base: str
    """The folder of the site's files, with a slash at its end; empty for the top."""
    collections_folder: str
    collections: dict[str, _Collection]
    """By the folder of each."""
    excluded: tuple[str, ...]


def read_jekyll(folder: SourceFolder, files: list[str] | None = None) -> SourceSite:
    """Read a Jekyll site; with `files`, only these posts of it."""
    reading = Reading(folder)
    configuration = read_configuration(reading, ("_config.yml", "_config.yaml", "_config.toml"))
    layout = _layout_of(configuration, reading)
    halves = []
    unknown: dict[str, list[str]] = {}
    for path in reading.files if files is None else files:
        inside = path.removeprefix(layout.base)
        if files is None and layout.base and inside == path:
            continue
        if files is None and any(_is_excluded(inside, pattern) for pattern in layout.excluded):
            reading.left[path] = "is excluded by the configuration"
            continue
        half = _read_half(
            path,
            inside,
            configuration=configuration,
            layout=layout,
            reading=reading,
            unknown=unknown,
            is_site=files is None,
        )
        if half is not None:
            halves.append(half)
    for name, found in unknown.items():
        message = f'the site does not publish "{name}/": its Markdown files, {len(found)}, are not imported'
        fix = (
            f"to import them, write `collections: {{{name.lstrip('_')}: {{output: true}}}}` into _config.yml."
        )
        reading.findings.tell(found[0], message, fix)
    return SourceSite(
        folder=folder,
        files=frozenset(reading.files),
        halves=tuple(_joined(halves, layout)),
        settings=_settings(reading, configuration, layout) if configuration else None,
        statics={
            f"/{path.removeprefix(layout.base)}": path
            for path in reading.files
            if path.startswith(layout.base)
            and path not in reading.left
            and _is_static(path.removeprefix(layout.base))
        },
        findings=tuple(reading.findings),
        configurations=frozenset(reading.configurations),
        left=reading.left,
    )


def _joined(halves: list[Half], layout: _Layout) -> Iterator[Half]:
    """The halves, in which those of a collection for one language have the keys of their twins.

    The name of such a file has no date, as the name of a post has, so that their keys differ.
    """
    collections = {f"_{one.name}" for one in layout.collections.values() if names_language(one.name)}
    keys: dict[str, set[str]] = {}
    for half in halves:
        if not half.is_page and not collections.intersection(half.source.split("/")):
            keys.setdefault(half.name.lower(), set()).add(half.key)
    for half in halves:
        found = keys.get(half.name.lower(), set())
        is_alone = half.date is None and collections.intersection(half.source.split("/"))
        yield msgspec.structs.replace(half, key=next(iter(found))) if is_alone and len(found) == 1 else half


def _layout_of(configuration: Settings, reading: Reading) -> _Layout:
    def folder(key: str) -> str:
        name = configuration.text(key).strip("./")
        if name and f"{name}/" not in reading.folders:
            configuration.tell(
                key, f"`{key}: {configuration.text(key)}` is no folder of the blog; it is not used", ""
            )
            return ""
        return f"{name}/" if name else ""

    base, inside = folder("source"), folder("collections_dir")
    declared = (
        {name: Settings({}) for name in configuration.texts("collections")}
        if configuration.is_list("collections")
        else {
            name: configuration.inside("collections").inside(name)
            for name in configuration.inside("collections").keys
        }
    )
    collections = {
        f"_{name}": _Collection(name, one.is_on("output"), one.text("permalink"))
        for name, one in declared.items()
        if name not in ("posts", "drafts")
    }
    return _Layout(base, inside, collections, configuration.texts("exclude"))


def _is_excluded(path: str, pattern: str) -> bool:
    plain = pattern.strip("/")
    return bool(plain) and (path == plain or path.startswith(f"{plain}/") or fnmatchcase(path, plain))


def _read_half(
    path: str,
    inside: str,
    *,
    configuration: Settings,
    layout: _Layout,
    reading: Reading,
    unknown: dict[str, list[str]],
    is_site: bool,
) -> Half | None:
    """The half in a file; None if there is none."""
    parts = inside.split("/")
    collection = next((layout.collections[part] for part in parts[:-1] if part in layout.collections), None)
    is_post = bool({"_posts", "_drafts"}.intersection(parts[:-1]))
    is_markdown = path.lower().endswith(MARKDOWN)
    if not is_markdown and not path.lower().endswith(_HTML_PAGE):
        return None
    is_plain = is_site and not is_post and collection is None
    if is_plain and not _is_page(inside):
        if is_markdown and (name := next((part for part in parts[:-1] if part.startswith("_")), "")):
            reading.left[path] = f'is in "{name}/", which the site does not publish'
            if name not in _OF_SYSTEM:
                unknown.setdefault(name, []).append(path)
        return None
    text = reading.text(path)
    if text is None:
        return None
    matter = _with_defaults(split_matter(text), configuration, inside, collection, is_post=is_post)
    is_of_theme = is_plain and is_markdown and _OF_THEME.match(parts[-1].lower()) is not None
    if is_of_theme and not _words_of(matter):
        reading.left[path] = "has no text of its own"
        return None
    is_dated = DATED.match(parts[-1]) is not None or as_date(matter.values.get("date")) is not None
    is_article = collection is not None and (is_dated or names_language(collection.name))
    is_page = is_site and not is_post and not is_article
    if is_page and is_markdown and collection is None and matter.body_line == 1 and not matter.values:
        fix = "write two lines of --- at its top, if it is a page of the site, and import again."
        reading.leave(path, "has no front matter", fix)
        return None
    if is_page and not is_markdown and "multilingual" not in matter.values:
        if matter.values and not _OF_THEME.match(parts[-1]):
            reading.left[path] = "is a page in HTML"
            fix = "write it as content/pages/<path>/{zh,en}.md."
            reading.findings.tell(path, "a page in HTML is not imported", fix)
        return None
    if collection is not None and not matter.body.strip():
        reading.leave(path, "has no text")
        return None
    special = (*(one for one in layout.collections_folder.split("/") if one), *layout.collections)
    if collection is not None:
        at_name = collection.name
        if names_language(at_name) or is_page:
            special = tuple(one for one in special if one != f"_{at_name}")
            parts = [at_name if part == f"_{at_name}" else part for part in parts]
    at = read_file_name(
        parts,
        matter,
        language_keys=("lang", "language", "locale"),
        deepest_language_folder=None,
        special=special,
    )
    if not is_imported(path, at.code, matter, reading):
        return None
    is_home = at.name.lower() == "index" and not at.rest
    if is_of_theme and (is_home or at.name == "404" or _LIST_OF_POSTS.search(matter.body)):
        kind = "is the home page" if is_home else "is a page of the theme, which diglot makes itself,"
        target = f"content/pages/{'home' if is_home else '<path>'}/{{zh,en}}.md"
        fix = f"write the text into {target}, if readers need it."
        reading.leave(path, f"{kind} with {_words_of(matter):,} letters and digits of text", fix)
        return None
    is_undated = is_site and "_posts" in parts[:-1] and at.date is None
    if is_undated:
        message = "Jekyll publishes no post without a date in the name of its file; it is imported as a draft"
        reading.findings.tell(path, message, "delete `draft: true` to publish it.")
    is_hidden = collection is not None and not collection.is_published
    if is_hidden:
        message = "its collection has no `output: true`, so it had no page; it is imported as a draft"
        reading.findings.tell(path, message, "delete `draft: true` to publish it.")
    return _half(
        path,
        at,
        _with_separate_terms(matter),
        configuration,
        collection,
        is_page=is_page,
        is_hidden=is_hidden or is_undated,
    )


_USED_DEFAULTS = words("keys used elsewhere") | {"author", "authors", "tags", "categories", "series", "date"}
_OF_SYSTEM = frozenset(("_includes", "_layouts", "_sass", "_plugins", "_data", "_site", "_templates"))


def _with_defaults(
    matter: Matter, configuration: Settings, path: str, collection: _Collection | None, *, is_post: bool
) -> Matter:
    """Front matter with the values that the configuration gives to all files of a kind."""
    values: dict[str, Any] = {}
    kinds = ("", "posts") if is_post else ("", collection.name if collection is not None else "pages")
    for entry in configuration.entries("defaults"):
        scope = entry.inside("scope")
        where = scope.text("path").strip("/")
        if scope.text("type") in kinds and (not where or path == where or path.startswith(f"{where}/")):
            given = entry.inside("values").values
            values.update({key: given[key] for key in given if key in _USED_DEFAULTS})
    return matter._replace(values={**values, **matter.values}) if values else matter


def _is_page(path: str) -> bool:
    parts = path.split("/")
    inside = all(not part.startswith("_") for part in parts[:-1]) or parts[0] in ("_pages",)
    return (
        inside
        and parts[-1].lower() not in _NOT_PUBLISHED
        and not (path.lower().endswith(_HTML_PAGE) and _OF_THEME.match(parts[-1].lower()))
        and not parts[0].startswith("_doc")
    )


def _words_of(matter: Matter) -> int:
    """How many letters and digits of its author a body has, without Liquid and HTML."""
    return len(re.findall(r"[^\W_]", _NO_WORDS.sub(" ", matter.body)))


def _is_static(path: str) -> bool:
    parts = path.split("/")
    return (
        not any(part.startswith("_") for part in parts)
        and not path.lower().endswith(
            (*MARKDOWN, *_HTML_PAGE, ".scss", ".less", ".rb", ".gemspec", ".lock", ".sh")
        )
        and parts[-1].lower() not in _NOT_PUBLISHED
    )


def _half(
    path: str,
    at: FileName,
    matter: Matter,
    configuration: Settings,
    collection: _Collection | None,
    *,
    is_page: bool,
    is_hidden: bool,
) -> Half:
    rest = "/".join(at.rest)
    reference = matter.text("ref", "lang-ref", "translation_key", "translation_id", "page_id")
    if reference:
        key = f"ref:{reference}"
    elif is_page:
        key = f"page:{rest}/{at.name.lower()}"
    else:
        key = f"{rest}/{at.date or ''}/{at.name.lower()}"
    page_name = "/".join(filter(None, (rest, at.name if at.name != "index" else ""))) or at.name
    return Half(
        source=path,
        matter=matter,
        key=key,
        name=page_name if is_page else at.name,
        language=at.language,
        addresses=_addresses(matter, configuration, at, collection, is_page=is_page),
        date=at.date,
        is_draft=is_hidden or "_drafts" in path.split("/")[:-1],
        is_page=is_page,
        folders=(posixpath.dirname(path), ""),
    )


def _with_separate_terms(matter: Matter) -> Matter:
    """Front matter with tags and categories as lists; Jekyll reads one text as several, split at spaces."""
    terms = {key: matter.values.get(key) for key in ("tags", "categories")}
    separate = {key: text.split() for key, text in terms.items() if isinstance(text, str) and "," not in text}
    return matter._replace(values={**matter.values, **separate})


def _addresses(
    matter: Matter, configuration: Settings, at: FileName, collection: _Collection | None, *, is_page: bool
) -> tuple[str, ...]:
    values = matter.values
    date = as_date(values.get("date")) or at.date
    slug = matter.text("slug") or at.name
    categories = [*at.folders, *(as_texts(values.get("categories") or values.get("category")))]
    if isinstance(values.get("categories"), str):
        categories = [*at.folders, *str(values["categories"]).split()]
    name = collection.name if collection is not None else "posts"
    folders = at.folders[1:] if at.folders[:1] == [name] else at.folders
    words = {
        "title": slug,
        "slug": re.sub(r"[^\w]+", "-", slug.lower()).strip("-"),
        "name": at.stem,
        "categories": "/".join(dict.fromkeys(re.sub(r"\s+", "-", one.lower()) for one in categories)),
        "output_ext": ".html",
        "path": "/".join([*folders, at.stem] if collection is not None else folders),
        "basename": at.stem,
        "collection": name,
    }
    if given := matter.text("permalink"):
        address = filled(given, words, date)
        return (address,) if address else ()
    style = configuration.text("permalink")
    pretty = style == "pretty" or style.endswith("/")
    if collection is not None:
        pattern = collection.permalink or f"/:collection/:path{'/' if pretty else ':output_ext'}"
        address = filled(pattern, words, date)
        return (address,) if address else ()
    if is_page:
        folder = "/".join(at.folders)
        if at.stem == "index":
            return (tidy(f"/{folder}/"),)
        return (tidy(f"/{folder}/{at.stem}/" if pretty else f"/{folder}/{at.stem}.html"),)
    address = filled(jekyll_pattern(style), words, date)
    if address is None and date is not None:
        configuration.tell(
            "permalink",
            f"`permalink: {style}` has a word that is not known; posts keep no old addresses",
            "write the old addresses into `aliases:`, if readers use them.",
        )
    if at.language == "en" and address and "lang" in values:
        return (address, tidy(f"/en{address}"))
    return (address,) if address else ()


def _settings(reading: Reading, configuration: Settings, layout: _Layout) -> SiteSettings:
    def data(*names: str, list_key: str = "") -> Settings:
        folder = f"{layout.base}{configuration.text('data_dir').strip('./') or '_data'}"
        paths = tuple(f"{folder}/{name}" for name in names)
        return read_configuration(reading, paths, optional=True, list_key=list_key)

    author = (
        configuration.inside("author").text("name")
        if configuration.is_mapping("author")
        else ", ".join(configuration.texts("author"))
    )
    people = data("authors.yml", "authors.yaml", "authors.json")
    navigation = data("navigation.yml", "menu.yml", "nav.yml", list_key="entries")
    key = next((key for key in navigation.keys if navigation.is_list(key)), "")
    menu = []
    for entry in navigation.entries(key) if key else ():
        address = entry.text("url", "link", "href")
        label = label_of(entry, "title", "titles", "name", "label")
        if address and label is not None:
            menu.append(MenuEntry(label=label, address=address, source=entry.path))
    address = f"{configuration.text('url').rstrip('/')}{configuration.text('baseurl')}"
    return SiteSettings(
        title=configuration.bilingual("title") or configuration.bilingual("name"),
        description=configuration.bilingual("description"),
        base_url=address,
        author=author,
        people={
            key: {
                "name": people.inside(key).text("name", "display_name") or key,
                "url": people.inside(key).text("web", "site", "url", "uri"),
            }
            for key in people.keys
            if people.is_mapping(key)
        },
        menu=tuple(menu),
    )
