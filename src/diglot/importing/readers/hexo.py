"""Finds the posts and pages of a Hexo site: `source/_posts`, asset folders, `_config.yml`."""

import posixpath
import re
from pathlib import Path
from typing import Any

from diglot.importing.names import language_of_code
from diglot.importing.readers.file_names import DATED, FileName, is_imported, read_file_name
from diglot.importing.readers.permalinks import filled, tidy
from diglot.importing.readers.settings import both, read_configuration
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

_ONLY_LISTS = words("hexo, only lists")


def read_hexo(root: Path, files: list[str] | None = None) -> SourceSite:
    """Read a Hexo site; with `files`, only these posts of it."""
    configuration = read_configuration(root, ("_config.yml", "_config.yaml", "_config.json"))
    source = str(configuration.get("source_dir") or "source").strip("/")
    everything = list_files(
        root, ignored=frozenset(("node_modules", "themes", "public", ".deploy_git", "scaffolds"))
    )
    findings = Findings()
    halves = []
    for path in everything if files is None else files:
        inside = path.removeprefix(f"{source}/")
        parts = inside.split("/")
        hidden = [part for part in parts[:-1] if part.startswith("_")]
        if (
            (files is None and inside == path)
            or not path.lower().endswith(MARKDOWN)
            or (hidden and hidden[0] not in ("_posts", "_drafts"))
        ):
            continue
        matter = split_matter(read_text(root / path))
        at = read_file_name(parts, matter, language_keys=("lang", "language"), deepest_language_folder=1)
        if is_imported(path, at.code, matter, findings):
            halves += _half(root, path, at, matter, configuration, is_page=files is None and not hidden)
    return SourceSite(
        root=root,
        halves=tuple(halves),
        settings=_settings(root, configuration) if configuration else None,
        statics={
            f"/{path.removeprefix(source + '/')}": path for path in everything if _is_static(path, source)
        },
        findings=tuple(findings),
    )


def _is_static(path: str, source: str) -> bool:
    inside = path.removeprefix(f"{source}/")
    return (
        inside != path
        and not any(part.startswith("_") for part in inside.split("/"))
        and not path.lower().endswith((*MARKDOWN, ".html", ".htm", ".ejs", ".swig"))
    )


def _half(
    root: Path, path: str, at: FileName, matter: Matter, configuration: dict[str, Any], *, is_page: bool
) -> list[Half]:
    """The half in a file; none if it is a page that only shows a list."""
    name = "" if is_page and at.stem == "index" and at.rest else at.name
    place = "/".join(filter(None, (*at.rest, name)))
    if is_page and (
        place in ("", "index")
        or str(matter.values.get("type", "")) in _ONLY_LISTS
        or (place in _ONLY_LISTS and not matter.body.strip())
    ):
        return []
    folder = posixpath.dirname(path)
    assets = posixpath.join(folder, at.stem)
    has_assets = not is_page and (root / assets).is_dir()
    folders = (*((assets,) if has_assets else ()), folder, str(configuration.get("source_dir") or "source"))
    half = Half(
        source=path,
        matter=matter,
        key=f"{'page' if is_page else 'post'}:{matter.values.get('ref') or place.lower()}",
        name=place if is_page else name,
        language=at.language,
        addresses=_addresses(matter.values, configuration, at, is_page=is_page),
        date=at.date,
        is_draft="_drafts" in path.split("/"),
        is_page=is_page,
        folders=tuple(dict.fromkeys(folders)),
        bundle=assets if has_assets else None,
    )
    return [half]


def _addresses(
    values: dict[str, Any], configuration: dict[str, Any], at: FileName, *, is_page: bool
) -> tuple[str, ...]:
    if is_page:
        path = "/".join(at.folders)
        address = f"/{path}/" if at.stem == "index" else f"/{path}/{at.stem}.html"
        return (tidy(address),)
    if values.get("permalink"):
        return (tidy(str(values["permalink"])),)
    pattern = str(configuration.get("permalink") or ":year/:month/:day/:title/")
    mapped = configuration.get("category_map") if isinstance(configuration.get("category_map"), dict) else {}
    categories = [
        str((mapped or {}).get(one, one))
        for one in as_texts(values.get("categories") or values.get("category"))
    ]
    code = at.in_folder or at.code or at.language
    default = str(configuration.get("default_category") or "uncategorized")
    languages = as_texts(configuration.get("language"))
    title = "/".join(
        [
            *(at.folders if ":lang" not in pattern else at.rest),
            at.name if not DATED.fullmatch(at.stem) else at.stem.partition("-")[2].split("-", 2)[-1],
        ]
    )
    words = {
        "title": title,
        "name": at.name,
        "post_title": re.sub(r"[^\w]+", "-", str(values.get("title", at.name)).lower()).strip("-"),
        "filename": "/".join([*at.folders, at.stem]),
        "category": "/".join(categories) or default,
        "categories": "/".join(categories) or default,
        "lang": code if code in languages or not languages else languages[0],
    }
    words.update({key: str(values[key]) for key in ("abbrlink", "id") if values.get(key)})
    address = filled(pattern, words, as_date(values.get("date")) or at.date) or ""
    if not address:
        return ()
    if not re.search(r"\.html?$", address) and not address.endswith("/"):
        address += "/"
    return (address,)


def _settings(root: Path, configuration: dict[str, Any]) -> SiteSettings:
    theme = read_configuration(
        root,
        (f"_config.{configuration.get('theme')}.yml", f"themes/{configuration.get('theme')}/_config.yml"),
    )
    menu = theme.get("menu") if isinstance(theme.get("menu"), dict) else configuration.get("menu")
    entries = []
    for label, target in menu.items() if isinstance(menu, dict) else ():
        address = target.get("path") or target.get("url") if isinstance(target, dict) else target
        text = both(str(label).replace("_", " ").strip().capitalize())
        if address and text is not None:
            entries.append(MenuEntry(label=text, address=str(address).partition("||")[0].strip()))
    address = str(configuration.get("url") or "").rstrip("/")
    base = str(configuration.get("root") or "/")
    if base.strip("/") and not address.endswith(base.rstrip("/")):
        address += f"/{base.strip('/')}"
    return SiteSettings(
        title=both(configuration.get("title")),
        description=both(configuration.get("description") or configuration.get("subtitle")),
        base_url=address,
        author=str(configuration.get("author") or ""),
        menu=tuple(entries),
        first=next(map(language_of_code, as_texts(configuration.get("language"))), None),
    )
