"""Finds the posts and pages of a Hugo site: bundles, language suffixes and folders, its configuration."""

import posixpath
import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from diglot.importing.names import (
    is_other_language,
    language_of_code,
    language_of_text,
    split_language_suffix,
)
from diglot.importing.permalinks import filled, key_of, tidy
from diglot.importing.records import Finding, Half, MenuEntry, SiteSettings, SourceSite
from diglot.importing.settings import both, is_imported, read_configuration
from diglot.importing.source_files import (
    MARKDOWN,
    Matter,
    as_date,
    as_texts,
    list_files,
    read_text,
    split_matter,
)
from diglot.languages import LANGUAGES, Bilingual, Language

_ENDINGS = ("toml", "yaml", "yml", "json")
_SECTIONS_OF_POSTS = frozenset(
    (
        "post",
        "posts",
        "blog",
        "blogs",
        "articles",
        "article",
        "notes",
        "note",
        "tech",
        "news",
        "writing",
        "essays",
        "essay",
        "diary",
        "tutorials",
    )
)
_ONLY_LISTS = frozenset(("search", "archives", "archive", "tags", "categories", "series", "section", "404"))


class _Layout(NamedTuple):
    """How a site's languages are laid out."""

    folders: dict[str, str]
    """Code of a language by its content folder."""
    default: str
    is_multilingual: bool
    default_in_subdir: bool


def read_hugo(root: Path, files: list[str] | None = None) -> SourceSite:
    """Read a Hugo site; with `files`, only these."""
    configuration = _configuration(root)
    layout = _layout(configuration)
    findings: list[Finding] = []
    halves = []
    everything = list_files(root, ignored=frozenset(("node_modules", "themes", "public", "resources")))
    content = everything if files is None else files
    sections = _post_sections(configuration, layout, everything)
    for path in content:
        folder = _content_folder(path, layout)
        if folder is None and files is None:
            continue
        if not path.lower().endswith(MARKDOWN):
            if (
                folder is not None
                and path.lower().endswith((".html", ".org", ".adoc", ".rst", ".ipynb", ".pandoc"))
                and posixpath.basename(path) != "_index.html"
            ):
                message = f"a page in {posixpath.splitext(path)[1]} is not imported"
                findings.append(
                    Finding(
                        path=path,
                        line=0,
                        message=message,
                        fix="convert it to Markdown first, with pandoc for example.",
                    )
                )
            continue
        half = _half(
            root,
            path,
            folder or "",
            configuration=configuration,
            layout=layout,
            sections=sections,
            findings=findings,
            is_site=files is None,
        )
        if half is not None:
            halves.append(half)
    statics = {}
    for static in as_texts(configuration.get("staticdir") or "static"):
        statics.update(
            {
                f"/{path.removeprefix(static + '/')}": path
                for path in everything
                if path.startswith(f"{static}/")
            }
        )
    for path in everything:
        if path.startswith("assets/") and re.search(r"\.(png|jpe?g|gif|svg|webp|avif)$", path, re.IGNORECASE):
            statics.setdefault(f"/{path.removeprefix('assets/')}", path)
        elif path.startswith("content/") and not path.lower().endswith((*MARKDOWN, ".html")):
            statics.setdefault(f"/{path.removeprefix('content/')}", path)
    return SourceSite(
        root=root,
        halves=tuple(halves),
        settings=_settings(configuration) if configuration else None,
        statics=statics,
        findings=tuple(findings),
    )


def _configuration(root: Path) -> dict[str, Any]:
    """The configuration, in one file or several, with lower-case keys at the top."""
    stems = ("hugo", "config", "config/_default/hugo", "config/_default/config")
    main = _lower(read_configuration(root, tuple(f"{stem}.{end}" for stem in stems for end in _ENDINGS)))
    for part in ("languages", "menus", "menu", "params", "permalinks", "taxonomies"):
        more = read_configuration(root, tuple(f"config/_default/{part}.{end}" for end in _ENDINGS))
        if more:
            main["menus" if part == "menu" else part] = more
    menus = {}
    for path in (
        sorted((root / "config/_default").glob("menus.*.*")) if (root / "config/_default").is_dir() else ()
    ):
        menus[path.name.split(".")[1]] = read_configuration(root, (f"config/_default/{path.name}",))
    if menus:
        main["menus_by_language"] = menus
    return main


def _lower(values: dict[str, Any]) -> dict[str, Any]:
    return {str(key).lower(): value for key, value in values.items()}


def _languages(configuration: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = configuration.get("languages")
    return (
        {str(code): _lower(one) for code, one in found.items() if isinstance(one, dict)}
        if isinstance(found, dict)
        else {}
    )


def _layout(configuration: dict[str, Any]) -> _Layout:
    languages = _languages(configuration)
    default = str(configuration.get("defaultcontentlanguage") or "en")
    content = str(configuration.get("contentdir") or "content").strip("/")
    folders = {content: default}
    for code, one in languages.items():
        if one.get("contentdir"):
            folders[str(one["contentdir"]).strip("/")] = code
    return _Layout(
        folders, default, len(languages) > 1, configuration.get("defaultcontentlanguageinsubdir") is True
    )


def _content_folder(path: str, layout: _Layout) -> str | None:
    inside = [folder for folder in layout.folders if path.startswith(f"{folder}/")]
    return max(inside, key=len) if inside else None


def _post_sections(configuration: dict[str, Any], layout: _Layout, files: list[str]) -> frozenset[str]:
    """The sections whose files are posts: those that a theme is told of, else the usual names, else all."""
    params = configuration.get("params")
    main = as_texts(_lower(params).get("mainsections")) if isinstance(params, dict) else ()
    there = set()
    for path in files:
        folder = _content_folder(path, layout)
        if folder is not None and path.lower().endswith(MARKDOWN):
            parts = [
                part
                for part in path.removeprefix(f"{folder}/").split("/")[:-1]
                if language_of_code(part) is None
            ]
            there.update(parts[:1])
    return frozenset(main) | (there & _SECTIONS_OF_POSTS)


def _half(
    root: Path,
    path: str,
    folder: str,
    *,
    configuration: dict[str, Any],
    layout: _Layout,
    sections: frozenset[str],
    findings: list[Finding],
    is_site: bool,
) -> Half | None:
    inside = path.removeprefix(f"{folder}/") if folder else path
    parts = inside.split("/")
    stem, suffix = split_language_suffix(posixpath.splitext(parts.pop())[0])
    matter = split_matter(read_text(root / path))
    if stem == "_index":
        if matter.body.strip():
            findings.append(
                Finding(
                    path=path,
                    line=matter.body_line,
                    message="the text of a list is not imported: lists have none",
                    fix="move it to a page in content/pages/.",
                )
            )
        return None
    is_bundle = stem == "index" and bool(parts)
    in_folder = ""
    if (
        parts
        and (language_of_code(parts[0]) or is_other_language(parts[0]))
        and layout.folders.get(folder, "") == layout.default
    ):
        in_folder = parts.pop(0)  # content/zh/… without a contentDir
    of_folder = layout.folders.get(folder, "")
    code = str(matter.values.get("lang") or suffix or in_folder)
    if not code and (layout.is_multilingual or of_folder != layout.default):
        code = of_folder
    if not is_imported(path, code, matter, findings):
        return None
    language = language_of_code(code) or language_of_text(f"{matter.values.get('title', '')}\n{matter.body}")
    name = parts[-1] if is_bundle else stem
    section = parts[0] if parts and (not is_bundle or len(parts) > 1) else ""
    is_page = (
        is_site
        and bool(sections)
        and section not in sections
        and matter.values.get("type") not in ("post", "posts")
    )
    is_page = is_page or (is_site and not section)
    if (
        is_page
        and (name in _ONLY_LISTS or str(matter.values.get("layout", "")) in _ONLY_LISTS)
        and not matter.body.strip()
    ):
        return None
    reference = matter.values.get("translationKey")
    place = "/".join([*parts, *(() if is_bundle else (stem,))])
    folder_of_file = posixpath.dirname(path)
    lines = tuple(range(matter.body_line, matter.body_line + matter.body.count("\n") + 1))
    return Half(
        source=path,
        key=f"key:{reference}" if reference else f"{'page' if is_page else 'post'}:{place.lower()}",
        name=place if is_page else name,
        language=language,
        matter=matter.values,
        lines=matter.lines,
        body=matter.body,
        body_lines=lines,
        addresses=_addresses(
            matter, parts, configuration, layout, stem=stem, is_bundle=is_bundle, code=code or of_folder
        ),
        date=as_date(stem)
        if re.match(r"\d{4}-\d", stem)
        else as_date(name)
        if re.match(r"\d{4}-\d", name)
        else None,
        is_page=is_page,
        folders=tuple(dict.fromkeys((folder_of_file, folder, "content", ""))),
        bundle=folder_of_file if is_bundle else None,
    )


def _addresses(
    matter: Matter,
    parts: list[str],
    configuration: dict[str, Any],
    layout: _Layout,
    *,
    stem: str,
    is_bundle: bool,
    code: str,
) -> tuple[str, ...]:
    values = matter.values
    in_subdir = layout.is_multilingual and (
        code.lower() != layout.default.lower() or layout.default_in_subdir
    )
    prefix = f"/{code.lower()}" if in_subdir and code else ""
    if values.get("url"):
        given = tidy(str(values["url"]))
        return tuple(dict.fromkeys((given, tidy(f"{prefix}{given}"))))
    file = parts[-1] if is_bundle else stem
    sections = parts[:-1] if is_bundle else parts
    slug = str(values.get("slug") or "")
    patterns = configuration.get("permalinks")
    patterns = patterns.get("page", patterns) if isinstance(patterns, dict) else {}
    pattern = patterns.get(sections[0]) if sections else None
    words = {
        "sections": "/".join(map(_plain, sections)),
        "section": _plain(sections[0]) if sections else "",
        "title": _plain(str(values.get("title") or file)),
        "slug": _plain(slug or str(values.get("title") or file)),
        "filename": _plain(file),
        "contentbasename": _plain(file),
        "slugorfilename": _plain(slug or file),
        "slugorcontentbasename": _plain(slug or file),
    }
    date = as_date(values.get("date"))
    address = filled(str(pattern), words, date) if isinstance(pattern, str) else None
    address = address or tidy("/" + "/".join([*map(_plain, sections), _plain(slug or file)]) + "/")
    if configuration.get("uglyurls") is True:
        address = f"{address.rstrip('/')}.html"
    elif not re.search(r"\.html?$", address):
        address = f"{address.rstrip('/')}/"
    return (f"{prefix}{address}",)


def _plain(name: str) -> str:
    """A part of an address as Hugo makes it: lower case, hyphens for spaces, few other marks."""
    return re.sub(r"-{2,}", "-", re.sub(r"[^\w.+~/@-]", "", re.sub(r"\s+", "-", name.strip().lower()))).strip(
        "-"
    )


def _settings(configuration: dict[str, Any]) -> SiteSettings:
    languages = {language_of_code(code): one for code, one in _languages(configuration).items()}

    def text(*keys: str) -> Bilingual | None:
        params = configuration.get("params")
        common = next(
            (
                v
                for k in keys
                for v in (configuration.get(k), _lower(params).get(k) if isinstance(params, dict) else None)
                if isinstance(v, str) and v
            ),
            None,
        )
        own = {
            str(language): next(
                (
                    v
                    for k in keys
                    for v in (one.get(k), _lower(one.get("params") or {}).get(k))
                    if isinstance(v, str) and v
                ),
                common,
            )
            for language, one in languages.items()
            if language
        }
        return both({key: value for key, value in own.items() if value}) or both(common)

    author = configuration.get("author")
    params = configuration.get("params")
    author = author or (_lower(params).get("author") if isinstance(params, dict) else "")
    name = (
        author.get("name")
        if isinstance(author, dict)
        else author[0]
        if isinstance(author, list) and author
        else author
    )
    return SiteSettings(
        title=text("title"),
        description=text("description", "subtitle"),
        base_url=_address(configuration.get("baseurl")),
        author=re.sub(r"<[^<>]*>", "", str(name or "")).strip(),
        menu=_menu(configuration, languages),
    )


def _address(value: Any) -> str:
    text = str(value or "")
    return text if urlsplit(text).netloc else ""


def _menu(
    configuration: dict[str, Any], languages: dict[Language | None, dict[str, Any]]
) -> tuple[MenuEntry, ...]:
    """The main menu, its labels in both languages where both have an entry with the same address."""
    by_language: dict[Language | None, list[dict[str, Any]]] = {}
    for code, menus in (configuration.get("menus_by_language") or {}).items():
        by_language[language_of_code(code)] = _entries(menus)
    for language, one in languages.items():
        if found := _entries(one.get("menu") or one.get("menus")):
            by_language[language] = found
    common = _entries(configuration.get("menu") or configuration.get("menus"))
    lists = [
        entries
        for entries in (by_language.get("zh"), by_language.get("en"), None if by_language else common)
        if entries
    ]
    labels: dict[str, dict[str, str]] = {}
    for code in LANGUAGES:
        for entry in by_language.get(code, common):
            labels.setdefault(_target(entry), {})[code] = str(
                entry.get("name") or entry.get("title") or entry.get("identifier") or ""
            )
    met: dict[str, MenuEntry] = {}
    for entries in lists:
        for entry in sorted(
            entries,
            key=_weight,
        ):
            target = _target(entry)
            label = both(labels.get(target))
            if target and label is not None:
                met.setdefault(target, MenuEntry(label=label, address=target))
    return tuple(met.values())


def _weight(entry: dict[str, Any]) -> int:
    weight = entry.get("weight")
    return weight if isinstance(weight, int) else 0


def _entries(menus: Any) -> list[dict[str, Any]]:
    entries = menus.get("main") if isinstance(menus, dict) else menus
    return [_lower(one) for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []


def _target(entry: dict[str, Any]) -> str:
    target = str(entry.get("url") or entry.get("pageref") or "")
    return target if not target or urlsplit(target).scheme else f"/{key_of(target)}/"
