"""Finds the posts and pages of a Hexo site: `source/_posts`, asset folders, `_config.yml`."""

import posixpath
import re

from diglot.importing.names import language_of_code
from diglot.importing.readers.file_names import DATED, FileName, is_imported, read_file_name
from diglot.importing.readers.permalinks import filled, tidy
from diglot.importing.readers.reading import Reading
from diglot.importing.readers.settings import Settings, both, read_configuration
from diglot.importing.readers.source_files import MARKDOWN, as_date, as_texts, split_matter
from diglot.importing.records import Half, Matter, MenuEntry, SiteSettings, SourceSite
from diglot.importing.source_folder import SourceFolder
from diglot.importing.words import words

_ONLY_LISTS = words("hexo, only lists")


def read_hexo(folder: SourceFolder, files: list[str] | None = None) -> SourceSite:
    """Read a Hexo site; with `files`, only these posts of it."""
    reading = Reading(folder)
    configuration = read_configuration(reading, ("_config.yml", "_config.yaml", "_config.json"))
    source = configuration.text("source_dir").strip("./") or "source"
    if source != "source" and f"{source}/" not in reading.folders:
        configuration.tell(
            "source_dir",
            f'`source_dir: {configuration.text("source_dir")}` is no folder of the blog; "source" is read',
            "",
        )
        source = "source"
    halves = []
    for path in reading.files if files is None else files:
        inside = path.removeprefix(f"{source}/")
        parts = inside.split("/")
        hidden = [part for part in parts[:-1] if part.startswith("_")]
        if (files is None and inside == path) or not path.lower().endswith(MARKDOWN):
            continue
        if hidden and hidden[0] not in ("_posts", "_drafts"):
            reading.left[path] = f'is in "{hidden[0]}/", which the site does not publish'
            continue
        text = reading.text(path)
        if text is None:
            continue
        matter = split_matter(text)
        at = read_file_name(parts, matter, language_keys=("lang", "language"), deepest_language_folder=1)
        if is_imported(path, at.code, matter, reading):
            is_page = files is None and not hidden
            found = _half(
                reading, path, at, matter, configuration=configuration, source=source, is_page=is_page
            )
            if found is None:
                reading.left[path] = "is a list, which diglot makes itself"
            else:
                halves.append(found)
    return SourceSite(
        folder=folder,
        files=frozenset(reading.files),
        halves=tuple(halves),
        settings=_settings(reading, configuration) if configuration else None,
        statics={
            f"/{path.removeprefix(source + '/')}": path for path in reading.files if _is_static(path, source)
        },
        findings=tuple(reading.findings),
        configurations=frozenset(reading.configurations),
        left=reading.left,
    )


def _is_static(path: str, source: str) -> bool:
    inside = path.removeprefix(f"{source}/")
    return (
        inside != path
        and not any(part.startswith("_") for part in inside.split("/"))
        and not path.lower().endswith((*MARKDOWN, ".html", ".htm", ".ejs", ".swig"))
    )


def _half(
    reading: Reading,
    path: str,
    at: FileName,
    matter: Matter,
    *,
    configuration: Settings,
    source: str,
    is_page: bool,
) -> Half | None:
    """The half in a file; None if it is a page that only shows a list."""
    name = "" if is_page and at.stem == "index" and at.rest else at.name
    place = "/".join(filter(None, (*at.rest, name)))
    if is_page and (
        (place in ("", "index") and not matter.body.strip())
        or matter.text("type") in _ONLY_LISTS
        or (place in _ONLY_LISTS and not matter.body.strip())
    ):
        return None
    folder = posixpath.dirname(path)
    assets = posixpath.join(folder, at.stem)
    has_assets = not is_page and f"{assets}/" in reading.folders
    folders = (*((assets,) if has_assets else ()), folder, source)
    return Half(
        source=path,
        matter=matter,
        key=f"{'page' if is_page else 'post'}:{matter.text('ref') or place.lower()}",
        name=place if is_page else name,
        language=at.language,
        addresses=_addresses(matter, configuration, at, is_page=is_page),
        date=at.date,
        is_draft="_drafts" in path.split("/"),
        is_page=is_page,
        folders=tuple(dict.fromkeys(folders)),
        bundle=assets if has_assets else None,
    )


def _addresses(matter: Matter, configuration: Settings, at: FileName, *, is_page: bool) -> tuple[str, ...]:
    values = matter.values
    if is_page:
        path = "/".join(at.folders)
        address = f"/{path}/" if at.stem == "index" else f"/{path}/{at.stem}.html"
        return (tidy(address),)
    if given := matter.text("permalink"):
        return (tidy(given),)
    pattern = configuration.text("permalink") or ":year/:month/:day/:title/"
    mapped = configuration.inside("category_map")
    categories = [
        mapped.text(one) or one for one in as_texts(values.get("categories") or values.get("category"))
    ]
    code = at.in_folder or at.code or at.language
    default = configuration.text("default_category") or "uncategorized"
    languages = configuration.texts("language")
    title = "/".join(
        [
            *(at.folders if ":lang" not in pattern else at.rest),
            at.name if not DATED.fullmatch(at.stem) else at.stem.partition("-")[2].split("-", 2)[-1],
        ]
    )
    words = {
        "title": title,
        "name": at.name,
        "post_title": re.sub(r"[^\w]+", "-", (matter.text("title") or at.name).lower()).strip("-"),
        "filename": "/".join([*at.folders, at.stem]),
        "category": "/".join(categories) or default,
        "categories": "/".join(categories) or default,
        "lang": code if code in languages or not languages else languages[0],
    }
    words.update({key: text for key in ("abbrlink", "id") if (text := matter.text(key))})
    date = as_date(values.get("date")) or at.date
    address = filled(pattern, words, date) or ""
    if not address:
        if date is not None:
            message = f"`permalink: {pattern}` has a word that is not known; some posts keep no old addresses"
            configuration.tell(
                "permalink", message, "write the old addresses into `aliases:`, if readers use them."
            )
        return ()
    if not re.search(r"\.html?$", address) and not address.endswith("/"):
        address += "/"
    return (address,)


def _settings(reading: Reading, configuration: Settings) -> SiteSettings:
    name = configuration.text("theme")
    theme = read_configuration(reading, (f"_config.{name}.yml", f"themes/{name}/_config.yml"), optional=True)
    menu = theme.inside("menu") if theme.is_mapping("menu") else configuration.inside("menu")
    entries = []
    for label in menu.keys:
        entry = menu.inside(label) if menu.is_mapping(label) else None
        address = entry.text("path", "url", "link") if entry is not None else menu.text(label)
        text = both(label.replace("_", " ").strip().capitalize())
        if address and text is not None:
            entries.append(
                MenuEntry(label=text, address=address.partition("||")[0].strip(), source=menu.path)
            )
    address = configuration.text("url").rstrip("/")
    base = configuration.text("root") or "/"
    if base.strip("/") and not address.endswith(base.rstrip("/")):
        address += f"/{base.strip('/')}"
    return SiteSettings(
        title=configuration.bilingual("title"),
        description=configuration.bilingual("description") or configuration.bilingual("subtitle"),
        base_url=address,
        author=", ".join(configuration.texts("author")),
        menu=tuple(entries),
        first=next(map(language_of_code, configuration.texts("language")), None),
    )
