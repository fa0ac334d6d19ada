"""Finds the posts and pages of a Jekyll site: `_posts`, `_drafts`, pages, `_config.yml`, `_data`."""

import datetime
import posixpath
import re
from pathlib import Path
from typing import Any

from diglot.importing.names import (
    is_other_language,
    language_of_code,
    language_of_text,
    split_language_suffix,
)
from diglot.importing.permalinks import filled, jekyll_pattern, tidy
from diglot.importing.records import Finding, Half, MenuEntry, SiteSettings, SourceSite
from diglot.importing.settings import both, is_imported, label_of, read_configuration
from diglot.importing.source_files import (
    MARKDOWN,
    Matter,
    as_date,
    as_texts,
    list_files,
    read_text,
    split_matter,
)
from diglot.languages import Language

_DATED = re.compile(r"([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})-(.+)")
_NOT_PUBLISHED = frozenset(
    (
        "readme.md",
        "license",
        "license.md",
        "gemfile",
        "gemfile.lock",
        "package.json",
        "package-lock.json",
        "rakefile",
        "gruntfile.js",
        "gulpfile.js",
        "changelog.md",
        "contributing.md",
        "readme.zh.md",
        "makefile",
    )
)
_OF_THEME = re.compile(
    r"^(?:404|index|tags?|categor(?:y|ies)|archives?|search|feed|sitemap|offline)\.(?:md|html|xml|markdown)$"
)
_HTML_PAGE = (".html", ".htm")


def read_jekyll(root: Path, files: list[str] | None = None) -> SourceSite:
    """Read a Jekyll site; with `files`, only these posts of it."""
    configuration = read_configuration(root, ("_config.yml", "_config.yaml", "_config.toml"))
    everything = list_files(root)
    findings: list[Finding] = []
    halves = []
    wanted = everything if files is None else files
    for path in wanted:
        parts = path.split("/")
        is_post, is_draft = "_posts" in parts[:-1] or files is not None, "_drafts" in parts[:-1]
        is_markdown = path.lower().endswith(MARKDOWN)
        if not is_post and not is_draft and not _is_page(path):
            continue
        if not is_markdown and not path.endswith(_HTML_PAGE):
            continue
        matter = split_matter(read_text(root / path))
        if not is_markdown and not (is_post or is_draft or "multilingual" in matter.values):
            if matter.values and not _OF_THEME.match(parts[-1]):
                findings.append(
                    Finding(
                        path=path,
                        line=0,
                        message="a page in HTML is not imported",
                        fix="write it as content/pages/<path>/{zh,en}.md.",
                    )
                )
            continue
        half = _half(
            path,
            matter,
            configuration,
            is_page=not (is_post or is_draft),
            is_draft=is_draft,
            findings=findings,
        )
        if half is not None:
            halves.append(half)
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


def _half(
    path: str,
    matter: Matter,
    configuration: dict[str, Any],
    *,
    is_page: bool,
    is_draft: bool,
    findings: list[Finding],
) -> Half | None:
    stem = posixpath.splitext(posixpath.basename(path))[0]
    dated = _DATED.fullmatch(stem)
    date = as_date(dated[1]) if dated else None
    name, suffix = split_language_suffix(dated[2] if dated else stem)
    folders = [part for part in path.split("/")[:-1] if part not in ("_posts", "_drafts", "_pages")]
    in_folder = next((part for part in folders if language_of_code(part) or is_other_language(part)), "")
    behind = re.fullmatch(r"(.+)[-_](zh|en|cn|zh-cn|zh_cn)", name, re.IGNORECASE)
    code = next(
        (str(matter.values[key]) for key in ("lang", "language", "locale") if matter.values.get(key)),
        suffix or in_folder,
    )
    if not is_imported(path, code, matter, findings):
        return None
    text = f"{matter.values.get('title', '')}\n{matter.body}"
    language = language_of_code(code) or language_of_text(text)
    if behind is not None and language_of_code(behind[2]) == language:
        name = behind[1]
    rest = "/".join(part for part in folders if part != in_folder)
    reference = next(
        (
            str(matter.values[key])
            for key in ("ref", "lang-ref", "translation_key", "translation_id", "page_id")
            if matter.values.get(key)
        ),
        "",
    )
    key = (
        f"ref:{reference}"
        if reference
        else f"{rest}/{date or ''}/{name.lower()}"
        if not is_page
        else f"page:{rest}/{name.lower()}"
    )
    lines = tuple(range(matter.body_line, matter.body_line + matter.body.count("\n") + 1))
    old = _addresses(
        matter.values,
        configuration,
        name=name,
        stem=stem,
        language=language,
        date=date,
        folders=folders,
        is_page=is_page,
    )
    page_name = "/".join(filter(None, (rest, name if name != "index" else ""))) or name
    return Half(
        source=path,
        key=key,
        name=page_name if is_page else name,
        language=language,
        matter=_with_separate_terms(matter.values),
        lines=matter.lines,
        body=matter.body,
        body_lines=lines,
        addresses=old,
        date=date,
        is_draft=is_draft,
        is_page=is_page,
        folders=(posixpath.dirname(path), ""),
    )


def _with_separate_terms(matter: dict[str, Any]) -> dict[str, Any]:
    """Front matter with tags and categories as lists; Jekyll reads one text as several, split at spaces."""
    return {
        key: value.split()
        if key in ("tags", "categories") and isinstance(value, str) and "," not in value
        else value
        for key, value in matter.items()
    }


def _addresses(
    values: dict[str, Any],
    configuration: dict[str, Any],
    *,
    name: str,
    stem: str,
    language: Language,
    date: datetime.date | None,
    folders: list[str],
    is_page: bool,
) -> tuple[str, ...]:
    date = as_date(values.get("date")) or date
    slug = str(values.get("slug") or name)
    categories = [*folders, *(as_texts(values.get("categories") or values.get("category")))]
    if isinstance(values.get("categories"), str):
        categories = [*folders, *str(values["categories"]).split()]
    words = {
        "title": slug,
        "slug": re.sub(r"[^\w]+", "-", slug.lower()).strip("-"),
        "name": stem,
        "categories": "/".join(dict.fromkeys(re.sub(r"\s+", "-", one.lower()) for one in categories)),
        "output_ext": ".html",
        "path": "/".join(folders),
        "basename": stem,
        "collection": "posts",
    }
    if values.get("permalink"):
        given = filled(str(values["permalink"]), words, date)
        return (given,) if given else ()
    style = configuration.get("permalink")
    if is_page:
        folder = "/".join(folders)
        pretty = str(style) == "pretty" or str(style or "").endswith("/")
        if stem == "index":
            return (tidy(f"/{folder}/"),)
        return (tidy(f"/{folder}/{stem}/" if pretty else f"/{folder}/{stem}.html"),)
    address = filled(jekyll_pattern(style), words, date)
    if language == "en" and address and "lang" in values:
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
