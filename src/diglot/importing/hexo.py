"""Finds the posts and pages of a Hexo site: `source/_posts`, asset folders, `_config.yml`."""

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
from diglot.importing.permalinks import filled, tidy
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

_DATED = re.compile(r"([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})-(.+)")
_ONLY_LISTS = frozenset(("tags", "categories", "archives", "archive", "search", "404", "link", "links"))


def read_hexo(root: Path, files: list[str] | None = None) -> SourceSite:
    """Read a Hexo site; with `files`, only these posts of it."""
    configuration = read_configuration(root, ("_config.yml", "_config.yaml", "_config.json"))
    source = str(configuration.get("source_dir") or "source").strip("/")
    everything = list_files(
        root, ignored=frozenset(("node_modules", "themes", "public", ".deploy_git", "scaffolds"))
    )
    findings: list[Finding] = []
    halves = []
    for path in everything if files is None else files:
        inside = path.removeprefix(f"{source}/")
        if files is None and inside == path:
            continue
        parts = inside.split("/")
        hidden = [part for part in parts[:-1] if part.startswith("_")]
        if not path.lower().endswith(MARKDOWN) or (hidden and hidden[0] not in ("_posts", "_drafts")):
            continue
        is_page = files is None and not hidden
        matter = split_matter(read_text(root / path))
        half = _half(
            root,
            path,
            parts,
            matter,
            configuration=configuration,
            findings=findings,
            is_page=is_page,
            is_draft=hidden[:1] == ["_drafts"],
        )
        if half is not None:
            halves.append(half)
    statics = {f"/{path.removeprefix(source + '/')}": path for path in everything if _is_static(path, source)}
    return SourceSite(
        root=root,
        halves=tuple(halves),
        settings=_settings(root, configuration) if configuration else None,
        statics=statics,
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
    root: Path,
    path: str,
    parts: list[str],
    matter: Matter,
    *,
    configuration: dict[str, Any],
    findings: list[Finding],
    is_page: bool,
    is_draft: bool,
) -> Half | None:
    stem = posixpath.splitext(parts[-1])[0]
    folders = [part for part in parts[:-1] if part not in ("_posts", "_drafts")]
    dated = _DATED.fullmatch(stem)
    name, suffix = split_language_suffix(dated[2] if dated else stem)
    in_folder = next((part for part in folders[:1] if language_of_code(part) or is_other_language(part)), "")
    code = next(
        (str(matter.values[key]) for key in ("lang", "language") if matter.values.get(key)),
        suffix or in_folder,
    )
    if not is_imported(path, code, matter, findings):
        return None
    language = language_of_code(code) or language_of_text(f"{matter.values.get('title', '')}\n{matter.body}")
    behind = re.fullmatch(r"(.+)[-_](zh|en|cn|zh-cn|zh_cn)", name, re.IGNORECASE)
    if behind is not None and language_of_code(behind[2]) == language:
        name = behind[1]
    rest = [part for part in folders if part != in_folder]
    if is_page and stem == "index" and rest:
        name = ""
    place = "/".join(filter(None, (*rest, name)))
    if is_page and (
        place in ("", "index")
        or str(matter.values.get("type", "")) in _ONLY_LISTS
        or (place in _ONLY_LISTS and not matter.body.strip())
    ):
        return None
    folder = posixpath.dirname(path)
    assets = posixpath.join(folder, stem)
    has_assets = not is_page and (root / assets).is_dir()
    lines = tuple(range(matter.body_line, matter.body_line + matter.body.count("\n") + 1))
    return Half(
        source=path,
        key=f"{'page' if is_page else 'post'}:{matter.values.get('ref') or place.lower()}",
        name=place if is_page else name,
        language=language,
        matter=matter.values,
        lines=matter.lines,
        body=matter.body,
        body_lines=lines,
        addresses=_addresses(
            matter.values,
            configuration,
            name=name,
            stem=stem,
            folders=folders,
            rest=rest,
            code=in_folder or code or language,
            file_date=as_date(dated[1]) if dated else None,
            is_page=is_page,
        ),
        date=as_date(dated[1]) if dated else None,
        is_draft=is_draft,
        is_page=is_page,
        folders=tuple(
            dict.fromkeys(
                (*((assets,) if has_assets else ()), folder, str(configuration.get("source_dir") or "source"))
            )
        ),
        bundle=assets if has_assets else None,
    )


def _addresses(
    values: dict[str, Any],
    configuration: dict[str, Any],
    *,
    name: str,
    stem: str,
    folders: list[str],
    rest: list[str],
    code: str,
    file_date: datetime.date | None,
    is_page: bool,
) -> tuple[str, ...]:
    if is_page:
        path = "/".join(folders)
        address = f"/{path}/" if stem == "index" else f"/{path}/{stem}.html"
        return (tidy(address),)
    if values.get("permalink"):
        return (tidy(str(values["permalink"])),)
    pattern = str(configuration.get("permalink") or ":year/:month/:day/:title/")
    mapped = configuration.get("category_map") if isinstance(configuration.get("category_map"), dict) else {}
    categories = [
        str((mapped or {}).get(one, one))
        for one in as_texts(values.get("categories") or values.get("category"))
    ]
    default = str(configuration.get("default_category") or "uncategorized")
    languages = as_texts(configuration.get("language"))
    title = "/".join(
        [
            *(folders if ":lang" not in pattern else rest),
            name if not _DATED.fullmatch(stem) else stem.partition("-")[2].split("-", 2)[-1],
        ]
    )
    words = {
        "title": title,
        "name": name,
        "post_title": re.sub(r"[^\w]+", "-", str(values.get("title", name)).lower()).strip("-"),
        "filename": "/".join([*folders, stem]),
        "category": "/".join(categories) or default,
        "categories": "/".join(categories) or default,
        "lang": code if code in languages or not languages else languages[0],
    }
    if values.get("abbrlink"):
        words["abbrlink"] = str(values["abbrlink"])
    if values.get("id"):
        words["id"] = str(values["id"])
    address = filled(pattern, words, as_date(values.get("date")) or file_date) or ""
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
