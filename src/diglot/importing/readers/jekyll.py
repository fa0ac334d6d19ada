"""Finds the posts and pages of a Jekyll site: `_posts`, `_drafts`, pages, `_config.yml`, `_data`."""

import posixpath
import re
from pathlib import Path
from typing import Any

from diglot.importing.readers.file_names import FileName, is_imported, read_file_name
from diglot.importing.readers.permalinks import filled, jekyll_pattern, tidy
from diglot.importing.readers.settings import both, label_of, read_configuration
from diglot.importing.readers.source_files import (
    MARKDOWN,
    as_date,
    as_texts,
    list_files,
    read_text,
    split_matter,
)
from diglot.importing.records import Findings, Half, Matter, MenuEntry, SiteSettings, SourceSite
from diglot.importing.words import words

_NOT_PUBLISHED = words("jekyll, not published")
_OF_THEME = re.compile(
    r"^(?:404|index|tags?|categor(?:y|ies)|archives?|search|feed|sitemap|offline)\.(?:md|html|xml|markdown)$"
)
_HTML_PAGE = (".html", ".htm")


def read_jekyll(root: Path, files: list[str] | None = None) -> SourceSite:
    """Read a Jekyll site; with `files`, only these posts of it."""
    configuration = read_configuration(root, ("_config.yml", "_config.yaml", "_config.toml"))
    everything = list_files(root)
    findings = Findings()
    halves = []
    for path in everything if files is None else files:
        parts = path.split("/")
        is_page = files is None and not {"_posts", "_drafts"}.intersection(parts[:-1])
        is_markdown = path.lower().endswith(MARKDOWN)
        if (is_page and not _is_page(path)) or not (is_markdown or path.endswith(_HTML_PAGE)):
            continue
        matter = split_matter(read_text(root / path))
        if is_page and not is_markdown and "multilingual" not in matter.values:
            if matter.values and not _OF_THEME.match(parts[-1]):
                fix = "write it as content/pages/<path>/{zh,en}.md."
                findings.tell(path, "a page in HTML is not imported", fix)
            continue
        at = read_file_name(
            parts, matter, language_keys=("lang", "language", "locale"), deepest_language_folder=None
        )
        if is_imported(path, at.code, matter, findings):
            halves.append(_half(path, at, _with_separate_terms(matter), configuration, is_page=is_page))
    return SourceSite(
        root=root,
        halves=tuple(halves),
        settings=_settings(root, configuration) if configuration else None,
        statics={f"/{path}": path for path in everything if _is_static(path)},
        findings=tuple(findings),
    )


def _is_page(path: str) -> bool:
    parts = path.split("/")
    inside = all(not part.startswith("_") for part in parts[:-1]) or parts[0] in ("_pages",)
    return (
        inside
        and parts[-1].lower() not in _NOT_PUBLISHED
        and not _OF_THEME.match(parts[-1].lower())
        and not parts[0].startswith("_doc")
    )


def _is_static(path: str) -> bool:
    parts = path.split("/")
    return (
        not any(part.startswith("_") for part in parts)
        and not path.lower().endswith(
            (*MARKDOWN, *_HTML_PAGE, ".scss", ".less", ".rb", ".gemspec", ".lock", ".sh")
        )
        and parts[-1].lower() not in _NOT_PUBLISHED
    )


def _half(path: str, at: FileName, matter: Matter, configuration: dict[str, Any], *, is_page: bool) -> Half:
    rest = "/".join(at.rest)
    reference = matter.first("ref", "lang-ref", "translation_key", "translation_id", "page_id")
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
        addresses=_addresses(matter.values, configuration, at, is_page=is_page),
        date=at.date,
        is_draft="_drafts" in path.split("/")[:-1],
        is_page=is_page,
        folders=(posixpath.dirname(path), ""),
    )


def _with_separate_terms(matter: Matter) -> Matter:
    """Front matter with tags and categories as lists; Jekyll reads one text as several, split at spaces."""
    terms = {key: matter.values.get(key) for key in ("tags", "categories")}
    separate = {key: text.split() for key, text in terms.items() if isinstance(text, str) and "," not in text}
    return matter._replace(values={**matter.values, **separate})


def _addresses(
    values: dict[str, Any], configuration: dict[str, Any], at: FileName, *, is_page: bool
) -> tuple[str, ...]:
    date = as_date(values.get("date")) or at.date
    slug = str(values.get("slug") or at.name)
    categories = [*at.folders, *(as_texts(values.get("categories") or values.get("category")))]
    if isinstance(values.get("categories"), str):
        categories = [*at.folders, *str(values["categories"]).split()]
    words = {
        "title": slug,
        "slug": re.sub(r"[^\w]+", "-", slug.lower()).strip("-"),
        "name": at.stem,
        "categories": "/".join(dict.fromkeys(re.sub(r"\s+", "-", one.lower()) for one in categories)),
        "output_ext": ".html",
        "path": "/".join(at.folders),
        "basename": at.stem,
        "collection": "posts",
    }
    if values.get("permalink"):
        given = filled(str(values["permalink"]), words, date)
        return (given,) if given else ()
    style = configuration.get("permalink")
    if is_page:
        folder = "/".join(at.folders)
        pretty = str(style) == "pretty" or str(style or "").endswith("/")
        if at.stem == "index":
            return (tidy(f"/{folder}/"),)
        return (tidy(f"/{folder}/{at.stem}/" if pretty else f"/{folder}/{at.stem}.html"),)
    address = filled(jekyll_pattern(style), words, date)
    if at.language == "en" and address and "lang" in values:
        return (address, tidy(f"/en{address}"))
    return (address,) if address else ()


def _settings(root: Path, configuration: dict[str, Any]) -> SiteSettings:
    author = configuration.get("author")
    name = author.get("name", "") if isinstance(author, dict) else author or ""
    people = read_configuration(root, ("_data/authors.yml", "_data/authors.yaml", "_data/authors.json"))
    navigation = read_configuration(
        root, ("_data/navigation.yml", "_data/menu.yml", "_data/nav.yml"), anything=True
    )
    entries = (
        navigation
        if isinstance(navigation, list)
        else next((v for v in navigation.values() if isinstance(v, list)), [])
    )
    menu = [
        MenuEntry(
            label=label_of(one, "title", "name", "label"),
            address=str(one.get("url") or one.get("link") or one.get("href")),
        )
        for one in entries
        if isinstance(one, dict) and (one.get("url") or one.get("link") or one.get("href"))
    ]
    address = f"{str(configuration.get('url') or '').rstrip('/')}{configuration.get('baseurl') or ''}"
    return SiteSettings(
        title=both(configuration.get("title") or configuration.get("name")),
        description=both(configuration.get("description")),
        base_url=address,
        author=str(name or ""),
        people={
            str(key): {
                "name": str(one.get("name") or one.get("display_name") or key),
                "url": str(one.get("web") or one.get("site") or one.get("url") or one.get("uri") or ""),
            }
            for key, one in (people.items() if isinstance(people, dict) else ())
            if isinstance(one, dict)
        },
        menu=tuple(menu),
    )
