"""Finds the posts and pages of a Hugo site: bundles, language suffixes and folders, its configuration."""

import posixpath
import re
from pathlib import Path
from typing import Any

from diglot.importing.names import language_of_code, split_language_suffix
from diglot.importing.readers.file_names import is_imported, language_of, names_language
from diglot.importing.readers.hugo_configuration import (
    Layout,
    hugo_configuration,
    layout_of,
    lower_keys,
    settings_of,
)
from diglot.importing.readers.permalinks import filled, tidy
from diglot.importing.readers.source_files import (
    MARKDOWN,
    as_date,
    as_texts,
    list_files,
    read_text,
    split_matter,
)
from diglot.importing.records import Findings, Half, Matter, SourceSite
from diglot.importing.words import words

_SECTIONS_OF_POSTS = words("hugo, sections of posts")
_ONLY_LISTS = words("hugo, only lists")


def read_hugo(root: Path, files: list[str] | None = None) -> SourceSite:
    """Read a Hugo site; with `files`, only these."""
    configuration = hugo_configuration(root)
    layout = layout_of(configuration)
    findings = Findings()
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
                findings.tell(path, message, "convert it to Markdown first, with pandoc for example.")
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
    statics = {
        f"/{path.removeprefix(static + '/')}": path
        for static in as_texts(configuration.get("staticdir") or "static")
        for path in everything
        if path.startswith(f"{static}/")
    }
    for path in everything:
        if path.startswith("assets/") and re.search(r"\.(png|jpe?g|gif|svg|webp|avif)$", path, re.IGNORECASE):
            statics.setdefault(f"/{path.removeprefix('assets/')}", path)
        elif path.startswith("content/") and not path.lower().endswith((*MARKDOWN, ".html")):
            statics.setdefault(f"/{path.removeprefix('content/')}", path)
    return SourceSite(
        root=root,
        halves=tuple(halves),
        settings=settings_of(configuration) if configuration else None,
        statics=statics,
        findings=tuple(findings),
    )


def _content_folder(path: str, layout: Layout) -> str | None:
    inside = [folder for folder in layout.folders if path.startswith(f"{folder}/")]
    return max(inside, key=len) if inside else None


def _post_sections(configuration: dict[str, Any], layout: Layout, files: list[str]) -> frozenset[str]:
    """The sections of posts: the theme's main sections and those with usual names; if empty, all sections."""
    params = configuration.get("params")
    main = as_texts(lower_keys(params).get("mainsections")) if isinstance(params, dict) else ()
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
    layout: Layout,
    sections: frozenset[str],
    findings: Findings,
    is_site: bool,
) -> Half | None:
    inside = path.removeprefix(f"{folder}/") if folder else path
    parts = inside.split("/")
    stem, suffix = split_language_suffix(posixpath.splitext(parts.pop())[0])
    matter = split_matter(read_text(root / path))
    if stem == "_index":
        if matter.body.strip():
            message = "the text of a list is not imported: lists have none"
            findings.tell(path, message, "move it to a page in content/pages/.", line=matter.body_line)
        return None
    is_bundle = stem == "index" and bool(parts)
    in_folder = ""
    of_folder = layout.folders.get(folder, "")
    if parts and names_language(parts[0]) and of_folder == layout.default:
        in_folder = parts.pop(0)  # content/zh/… without `contentDir`
    code = str(matter.values.get("lang") or suffix or in_folder)
    if not code and (layout.is_multilingual or of_folder != layout.default):
        code = of_folder
    if not is_imported(path, code, matter, findings):
        return None
    name = parts[-1] if is_bundle else stem
    section = parts[0] if parts and (not is_bundle or len(parts) > 1) else ""
    is_page = is_site and (
        not section
        or (bool(sections) and section not in sections and matter.values.get("type") not in ("post", "posts"))
    )
    if (
        is_page
        and (name in _ONLY_LISTS or str(matter.values.get("layout", "")) in _ONLY_LISTS)
        and not matter.body.strip()
    ):
        return None
    reference = matter.values.get("translationKey")
    place = "/".join([*parts, *(() if is_bundle else (stem,))])
    folder_of_file = posixpath.dirname(path)
    return Half(
        source=path,
        matter=matter,
        key=f"key:{reference}" if reference else f"{'page' if is_page else 'post'}:{place.lower()}",
        name=place if is_page else name,
        language=language_of(code, matter),
        addresses=_addresses(
            matter, parts, configuration, layout, stem=stem, is_bundle=is_bundle, code=code or of_folder
        ),
        date=next((as_date(one) for one in (stem, name) if re.match(r"\d{4}-\d", one)), None),
        is_page=is_page,
        folders=tuple(dict.fromkeys((folder_of_file, folder, "content", ""))),
        bundle=folder_of_file if is_bundle else None,
    )


def _addresses(
    matter: Matter,
    parts: list[str],
    configuration: dict[str, Any],
    layout: Layout,
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
    """A part of an address as Hugo makes it: lower case, hyphens for spaces, few other characters."""
    return re.sub(r"-{2,}", "-", re.sub(r"[^\w.+~/@-]", "", re.sub(r"\s+", "-", name.strip().lower()))).strip(
        "-"
    )
