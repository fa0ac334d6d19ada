"""Reports files that nothing reads because their names are only nearly right.

Each folder says which names it knows; `near_names` says which other names are nearly those. A file whose keys
would change what is published (`meta.yml` with `draft: true`) is an error, any other one a warning.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial

from diglot.diagnostics import Diagnostic
from diglot.engine import FILE, LISTING, UNREADABLE_LISTING
from diglot.rules.content_names import ContentNames
from diglot.rules.layouts import CONTENT
from diglot.rules.misnamed import (
    SITE,
    SITE_FILES,
    as_error,
    misnamed,
    misplaced_folder,
    near_names,
    script_names,
    setting_names,
    warning,
)
from diglot.rules.near_names import is_backup, near_folder, other_ending
from diglot.rules.options import CONFIGURATION
from diglot.rules.projects import find_first_language
from diglot.rules.sources import SECTIONS, find_posts
from diglot.rules.tasks import Fetch, task
from diglot.rules.theme import folders_of
from diglot.unreadable import diagnose_unreadable

_SITE_FOLDERS = ("static", "hardware")
_FIGURES = "figures"
_OF_THEMES = ("static", "strings")
_CHIPS = f"{SITE}/hardware"

_MISTAKEN_FOLDERS = {
    "content": ("Content", "CONTENT", "contents", "contant"),
    _FIGURES: ("Figures", "FIGURES", "figure", "Figure", "figs"),
    "templates": ("Templates", "TEMPLATES", "template", "Template", "theme", "themes", "layouts"),
    SITE: ("Site", "SITE", "sites", "Sites"),
    f"{SITE}/static": ("static",),
    _CHIPS: ("hardware", "chips"),
    **{section.folder: (section.name, section.name.title()) for section in SECTIONS},
}
"""The folders at the project's root that are read, or where they belong, by what people call them.
A list, not a rule: to see every folder there would be to depend on all that other programs write."""
_MEANT_FOR_DIGLOT = re.compile(
    r"[^/]+/(?:[^/]+\.py|[^/]+\.html|strings/(?:zh|en)\.yaml|(?:site|glossary|words|hant)\.ya?ml"
    r"|.*\b(?:zh|en)\.md)"
    r"|static/.*|(?:hardware|chips)/[^/]+\.ya?ml"
)
"""What in such a folder shows that it is not another program's."""

_FOLDERS_IN_SITE = {
    **dict.fromkeys(("chips", "chip", "accelerators"), _CHIPS),
    **dict.fromkeys(("templates", "template", "theme", "themes", "layouts"), "templates"),
    **dict.fromkeys(("assets", "public", "files"), f"{SITE}/static"),
    **dict.fromkeys(("figures", "figure"), _FIGURES),
    **dict.fromkeys(("content", "posts", "pages", "talks"), "content"),
    **dict.fromkeys(("strings", "words", "i18n"), "templates/strings"),
}
"""What people call the folders that are read, in a place where none of them is."""
_PUBLISHED_NAMES = ("robots.txt", "humans.txt", "ads.txt", "CNAME", "_headers", "_redirects")
_PUBLISHED_ENDINGS = (
    ".css",
    ".js",
    ".ico",
    ".svg",
    ".png",
    ".jpg",
    ".webp",
    ".xml",
    ".webmanifest",
    ".woff2",
)
_OTHER_NAMES = {
    **dict.fromkeys(("gloss", "terms", "terminology", "vocabulary"), "glossary.yaml"),
    **dict.fromkeys(("hant-words", "hant_words", "traditional", "opencc"), "hant.yaml"),
    **dict.fromkeys(("config", "_config", "settings", "configuration", "hugo", "mkdocs"), "site.yaml"),
}
"""What people call the files of `site/`, without their ending."""
_OTHER_DATA = (".json", ".toml", ".csv", ".json5")

_KEY = re.compile(r"^[ \t{]*[\"']?(\w+)[\"']?[ \t]*[:=]", re.MULTILINE)


@task("file-names")
async def check_names(fetch: Fetch, _name: None) -> None:
    """Report the files that nothing reads although their names are nearly those of files that are read."""
    site = await fetch(LISTING, f"{SITE}/**")
    for folder in ("content", _FIGURES, SITE, "templates"):
        for pattern in (folder, f"{folder}/**"):
            fetch.report(*map(diagnose_unreadable, await fetch(UNREADABLE_LISTING, pattern)))
    fetch.report(*_in_site(site, await fetch(CONFIGURATION)))
    fetch.report(*script_names(await fetch(LISTING, f"{_FIGURES}/*")))
    fetch.report(*await _at_the_root(fetch, frozenset(site)))
    fetch.report(*await _in_templates(fetch))
    fetch.report(*await _in_content(fetch))


def _in_site(paths: Iterable[str], configuration: str) -> Iterator[Diagnostic]:
    """What nothing reads in `site/`; the configuration may have any name."""
    there = frozenset(paths)
    folders: set[str] = set()
    for path in sorted(there):
        first, slash, rest = path.removeprefix(f"{SITE}/").partition("/")
        if path == configuration:
            continue
        if not slash:
            yield from (
                misnamed(path, f"{SITE}/{one}", there) for one, _ in near_names(path, SITE_FILES, there)
            )
            yield from setting_names(path)
            yield from _of_another_folder(path, first, there)
        elif first == "hardware":
            yield from _chip_file(path, rest, there)
        elif first not in folders and (meant := _folder_meant(first)) is not None:
            folders.add(first)
            is_there = any(one.startswith(f"{meant}/") for one in there)
            yield misplaced_folder(path, f"{SITE}/{first}", meant, is_there=is_there)


def _folder_meant(name: str) -> str | None:
    """The folder that one in `site/` was meant to be."""
    if (near := near_folder(name, _SITE_FOLDERS)) is not None:
        return f"{SITE}/{near}"
    return _FOLDERS_IN_SITE.get(name)


def _of_another_folder(path: str, name: str, there: Collection[str]) -> Iterator[Diagnostic]:
    """The warning about a file in `site/` that is published as it is, or a template, by its name."""
    if name.endswith((".html", ".j2")):
        yield misnamed(path, f"templates/{name}", there)
    elif name in _PUBLISHED_NAMES or name.endswith(_PUBLISHED_ENDINGS):
        yield misnamed(path, f"{SITE}/static/{name}", there)
    elif (meant := _OTHER_NAMES.get(name.rpartition(".")[0])) is not None:
        yield misnamed(path, f"{SITE}/{meant}", there)


def _chip_file(path: str, name: str, there: Collection[str]) -> Iterator[Diagnostic]:
    report = partial(misnamed, there=there, rule="chip-file-name")
    if "/" in name and name.endswith(".yaml"):
        yield report(path, f"{_CHIPS}/{name.rpartition('/')[2]}")
    elif "/" not in name and (stem := other_ending(name, "yaml")) is not None and not is_backup(name):
        yield report(path, f"{_CHIPS}/{stem}.yaml")
    elif name.endswith(_OTHER_DATA):
        message = f'nothing reads "{name}": the facts of chips are in YAML files'
        yield warning(path, message, f"write them into {path.rpartition('.')[0]}.yaml.", "chip-file-name")


async def _at_the_root(fetch: Fetch, site: Collection[str]) -> list[Diagnostic]:
    """Files and folders that belong into the folders that are read."""
    found = []
    for meant in SITE_FILES:
        for name in (meant, meant.replace(".yaml", ".yml")):
            if await fetch(LISTING, name) and (meant == "site.yaml" or f"{SITE}/{meant}" not in site):
                found.append(misnamed(name, f"{SITE}/{meant}", site))
    for meant, names in _MISTAKEN_FOLDERS.items():
        for name in names:
            paths = [one for one in await fetch(LISTING, f"{name}/**") if _MEANT_FOR_DIGLOT.fullmatch(one)]
            if paths:
                is_there = bool(await fetch(LISTING, f"{meant}/**"))
                found.append(misplaced_folder(paths[0], name, meant, is_there=is_there))
    return found


async def _in_templates(fetch: Fetch) -> list[Diagnostic]:
    """Own templates that no page uses and that are nearly called as one of the theme."""
    own, built_in = folders_of(fetch)[0], folders_of(fetch)[-1]
    if own == built_in:
        return []
    paths = await fetch(LISTING, f"{own}/**")
    known = [path.rpartition("/")[2] for path in await fetch(LISTING, f"{built_in}/*.html")] if paths else []
    found = []
    folders: set[str] = set()
    for path in paths:
        first, slash, rest = path.removeprefix(f"{own}/").partition("/")
        if slash and first in _OF_THEMES:
            continue
        if slash and (meant := near_folder(first, _OF_THEMES)) is not None:
            if first not in folders:
                is_there = any(one.startswith(f"{own}/{meant}/") for one in paths)
                found.append(misplaced_folder(path, f"{own}/{first}", f"{own}/{meant}", is_there=is_there))
            folders.add(first)
            continue
        name = rest.rpartition("/")[2] if slash else first
        nearly = [name] if slash and name in known else [one for one, _ in near_names(path, known, paths)]
        if nearly and not await _is_used(fetch, path, own, paths):
            found.append(misnamed(path, f"{own}/{nearly[0]}", paths))
    return found


async def _is_used(fetch: Fetch, path: str, own: str, paths: Iterable[str]) -> bool:
    """Whether an own template is named in another one."""
    name = path.removeprefix(f"{own}/")
    texts = [await fetch(FILE, one) for one in paths if one != path and one.endswith(".html")]
    return any(name in (text or b"").decode("utf-8", "replace") for text in texts)


async def _in_content(fetch: Fetch) -> list[Diagnostic]:
    paths = await fetch(LISTING, f"{CONTENT}/**")
    names = ContentNames(paths, await fetch(find_posts), await fetch(find_first_language))
    found = list(names.certain())
    for file in names.doubtful():
        text = (await fetch(FILE, file.path) or b"").decode("utf-8", "replace")
        if file.is_meant(frozenset(_KEY.findall(text))):
            found.append(as_error(misnamed(file.path, file.shared, names.there)))
    return found
