"""Finds the posts and pages of a Hugo site: bundles, language suffixes and folders, its configuration."""

import posixpath
import re

from diglot.importing.names import language_of_code, split_language_suffix
from diglot.importing.readers.file_names import is_imported, language_of, names_language
from diglot.importing.readers.hugo_configuration import (
    HugoConfiguration,
    Layout,
    hugo_configuration,
    layout_of,
    settings_of,
)
from diglot.importing.readers.permalinks import filled, tidy
from diglot.importing.readers.reading import Reading
from diglot.importing.readers.source_files import MARKDOWN, as_date, split_matter
from diglot.importing.records import Half, Matter, SourceSite
from diglot.importing.source_folder import SourceFolder
from diglot.importing.words import words

_SECTIONS_OF_POSTS = words("hugo, sections of posts")
_ONLY_LISTS = words("hugo, only lists")


def read_hugo(folder: SourceFolder, files: list[str] | None = None) -> SourceSite:
    """Read a Hugo site; with `files`, only these."""
    reading = Reading(folder)
    configuration = hugo_configuration(reading)
    layout = layout_of(configuration, reading)
    halves = []
    sections = _post_sections(configuration, layout, reading.files)
    for path in reading.files if files is None else files:
        inside = _content_folder(path, layout)
        if inside is None and files is None:
            continue
        if not path.lower().endswith(MARKDOWN):
            if (
                inside is not None
                and path.lower().endswith((".html", ".org", ".adoc", ".rst", ".ipynb", ".pandoc"))
                and posixpath.basename(path) != "_index.html"
            ):
                kind = f"a page in {posixpath.splitext(path)[1]}"
                fix = "convert it to Markdown first, with pandoc for example."
                reading.left[path] = f"is {kind}"
                reading.findings.tell(path, f"{kind} is not imported", fix)
            continue
        half = _half(
            reading,
            path,
            inside or "",
            configuration=configuration,
            layout=layout,
            sections=sections,
            is_site=files is None,
        )
        if half is not None:
            halves.append(half)
    return SourceSite(
        folder=folder,
        files=frozenset(reading.files),
        halves=tuple(halves),
        settings=settings_of(configuration) if configuration else None,
        statics=_statics(reading, layout),
        findings=tuple(reading.findings),
        configurations=frozenset(reading.configurations),
        left=reading.left,
    )


def _statics(reading: Reading, layout: Layout) -> dict[str, str]:
    statics = {
        f"/{path.removeprefix(f'{folder}/')}": path
        for folder in layout.statics
        for path in reading.files
        if path.startswith(f"{folder}/")
    }
    for path in reading.files:
        folder = _content_folder(path, layout)
        if path.startswith("assets/") and re.search(r"\.(png|jpe?g|gif|svg|webp|avif)$", path, re.IGNORECASE):
            statics.setdefault(f"/{path.removeprefix('assets/')}", path)
        elif (
            folder is not None
            and path not in reading.left
            and not path.lower().endswith((*MARKDOWN, ".html"))
        ):
            statics.setdefault(f"/{path.removeprefix(f'{folder}/')}", path)
    return statics


def _content_folder(path: str, layout: Layout) -> str | None:
    inside = [folder for folder in layout.folders if path.startswith(f"{folder}/")]
    return max(inside, key=len) if inside else None


def _post_sections(configuration: HugoConfiguration, layout: Layout, files: list[str]) -> frozenset[str]:
    """The sections of posts: the theme's main sections and those with usual names; if empty, all sections."""
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
    return frozenset(configuration.params.texts("mainsections")) | (there & _SECTIONS_OF_POSTS)


def _half(
    reading: Reading,
    path: str,
    folder: str,
    *,
    configuration: HugoConfiguration,
    layout: Layout,
    sections: frozenset[str],
    is_site: bool,
) -> Half | None:
    inside = path.removeprefix(f"{folder}/") if folder else path
    parts = inside.split("/")
    stem, suffix = split_language_suffix(posixpath.splitext(parts.pop())[0])
    text = reading.text(path)
    if text is None:
        return None
    matter = split_matter(text)
    if stem == "_index":
        reading.left[path] = "is about a list, which diglot makes itself"
        if matter.body.strip():
            message = "the text of a list is not imported: lists have none"
            fix = "move it to a page in content/pages/."
            reading.findings.tell(path, message, fix, line=matter.body_line)
        return None
    is_bundle = stem == "index" and bool(parts)
    in_folder = ""
    of_folder = layout.folders.get(folder, "")
    if parts and names_language(parts[0]) and of_folder == layout.default:
        in_folder = parts.pop(0)  # content/zh/… without `contentDir`
    code = matter.text("lang") or suffix or in_folder
    if not code and (layout.is_multilingual or of_folder != layout.default):
        code = of_folder
    if not is_imported(path, code, matter, reading):
        return None
    name = parts[-1] if is_bundle and parts else stem
    section = parts[0] if parts and (not is_bundle or len(parts) > 1) else ""
    is_page = is_site and (
        not section
        or (bool(sections) and section not in sections and matter.text("type") not in ("post", "posts"))
    )
    if is_page and (name in _ONLY_LISTS or matter.text("layout") in _ONLY_LISTS) and not matter.body.strip():
        reading.left[path] = "is a list, which diglot makes itself"
        return None
    reference = matter.text("translationKey")
    place = "/".join([*parts, *(() if is_bundle and parts else (stem,))])
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
        bundle=folder_of_file if is_bundle and parts else None,
    )


def _addresses(
    matter: Matter,
    parts: list[str],
    configuration: HugoConfiguration,
    layout: Layout,
    *,
    stem: str,
    is_bundle: bool,
    code: str,
) -> tuple[str, ...]:
    in_subdir = layout.is_multilingual and (
        code.lower() != layout.default.lower() or layout.default_in_subdir
    )
    prefix = f"/{code.lower()}" if in_subdir and code else ""
    if url := matter.text("url"):
        given = tidy(url)
        return tuple(dict.fromkeys((given, tidy(f"{prefix}{given}"))))
    file = parts[-1] if is_bundle and parts else stem
    sections = parts[:-1] if is_bundle else parts
    slug = matter.text("slug")
    title = matter.text("title") or file
    pattern = configuration.permalinks.get(sections[0].lower()) if sections else None
    words = {
        "sections": "/".join(map(_plain, sections)),
        "section": _plain(sections[0]) if sections else "",
        "title": _plain(title),
        "slug": _plain(slug or title),
        "filename": _plain(file),
        "contentbasename": _plain(file),
        "slugorfilename": _plain(slug or file),
        "slugorcontentbasename": _plain(slug or file),
    }
    date = as_date(matter.values.get("date"))
    address = filled(pattern, words, date) if pattern else None
    if pattern and address is None and date is not None:
        message = f"`permalinks: {pattern}` has a word that is not known; the usual addresses are redirected"
        configuration.main.tell(
            "permalinks", message, "correct `aliases:`, if readers use the old addresses."
        )
    address = address or tidy("/" + "/".join([*map(_plain, sections), _plain(slug or file)]) + "/")
    if configuration.main.text("uglyurls").lower() == "true":
        address = f"{address.rstrip('/')}.html"
    elif not re.search(r"\.html?$", address):
        address = f"{address.rstrip('/')}/"
    return (f"{prefix}{address}",)


def _plain(name: str) -> str:
    """A part of an address as Hugo makes it: lower case, hyphens for spaces, few other characters."""
    return re.sub(r"-{2,}", "-", re.sub(r"[^\w.+~/@-]", "", re.sub(r"\s+", "-", name.strip().lower()))).strip(
        "-"
    )
