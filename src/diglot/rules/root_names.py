"""Files and folders at the root of a project that belong into the folders that are read.

The root is the author's: it may hold another program, too. So a file is reported only if its name, and where
that proves nothing its text, is certainly meant for diglot.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from diglot.diagnostics import Diagnostic
from diglot.engine import LISTING
from diglot.rules.homes import (
    OF_AN_EXTENSION,
    PUBLISHED_NAMES,
    is_configuration,
    is_extension,
    is_figure_script,
    is_kept,
    is_of_documentation,
    keys_of,
    of_an_article,
    of_the_site,
)
from diglot.rules.layouts import CONTENT
from diglot.rules.misnamed import SITE, SITE_FILES, misnamed, misplaced_folder
from diglot.rules.reading import read_content
from diglot.rules.sources import POSTS, SECTIONS
from diglot.rules.tasks import Fetch

_FIGURES = "figures"
_STATIC = f"{SITE}/static"
_CHIPS = f"{SITE}/hardware"


class _Mistaken(NamedTuple):
    """What people call a folder at the project's root that is read, or that belongs into another one."""

    meant: str
    names: tuple[str, ...]
    sign: str
    """A pattern for the path of a file in it that shows that it is not another program's."""
    text: str = ""
    """What such a file contains, if its name shows nothing: a pattern."""
    below: str = "*"
    """The pattern of its files, among which one has the sign."""


_HALF = r".*\b(?:zh|en)\.md"
_MARKDOWN = r"[^/]+\.(?:md|markdown|mdx)"
_EXTENSIONS = "extensions"
_FRONT_MATTER = r"\A---\s*\n(?:.*\n)*?title\s*:"
_MISTAKEN_FOLDERS = (
    _Mistaken(CONTENT, ("Content", "CONTENT", "contents", "contant", "src/content"), _HALF, below="**"),
    _Mistaken(_FIGURES, ("Figures", "FIGURES", "figure", "Figure", "figs"), r"[^/]+\.py"),
    _Mistaken(
        _FIGURES, ("plots", "charts", "scripts"), r"[^/]+\.py", r"^TITLE\b[\s\S]*^def (?:compute|draw)\b"
    ),
    _Mistaken(
        "templates",
        (
            *("Templates", "TEMPLATES", "template", "Template", "theme", "themes", "overrides"),
            *("layouts", "_layouts", "_includes"),
        ),
        r"(?:[^/]+/)?[^/]+\.html|strings/(?:zh|en)\.yaml",
        below="**",
    ),
    _Mistaken(_EXTENSIONS, ("extension", "Extensions", "plugins"), r"[^/]+\.py", OF_AN_EXTENSION),
    _Mistaken(SITE, ("Site", "SITE", "sites", "Sites"), r"(?:site|glossary|words|hant)\.ya?ml"),
    _Mistaken(
        _STATIC, ("static", "assets", "src/assets"), r"robots\.txt|humans\.txt|CNAME|_headers|_redirects"
    ),
    _Mistaken(_CHIPS, ("hardware", "chips"), r"[^/]+\.ya?ml", r"^chips\s*:"),
    *(
        _Mistaken(section.folder, (section.name, section.name.title()), _HALF, below="**")
        for section in SECTIONS
    ),
    *(
        _Mistaken(section.folder, (section.name, f"src/{section.name}"), _MARKDOWN, _FRONT_MATTER)
        for section in SECTIONS
    ),
    _Mistaken(POSTS.folder, ("blog", "articles"), _HALF, below="**"),
    _Mistaken(POSTS.folder, ("blog", "articles", "_posts", "_drafts"), _MARKDOWN, _FRONT_MATTER),
    _Mistaken("templates/strings", ("i18n",), r"(?:zh|en)\.ya?ml"),
)
"""A list, not a rule: to see every folder there would be to depend on all that other programs write."""

_AT_THE_ROOT = ("*.y*ml", "*.toml", "*.config.*", "*.py", "*.md", "_data/*", *PUBLISHED_NAMES)
"""Patterns of files at the root that could be meant for diglot."""
_OF_A_SITE = frozenset(
    (
        *("title", "base_url", "baseurl", "baseURL", "site_name", "site_url", "languages"),
        *("theme", "website", "SITENAME", "SITEURL"),
    )
)
"""Keys of configurations of sites."""
_ANY_PROGRAMS = ("config", "settings", "configuration", "params", "quarto")
"""What other programs call their configurations, too: only the keys tell."""


async def warn_of_the_root(fetch: Fetch, site: Collection[str]) -> list[Diagnostic]:
    """Files and folders that belong into the folders that are read."""
    warnings: list[Diagnostic] = []
    paths = [path for pattern in _AT_THE_ROOT for path in await fetch(LISTING, pattern)]
    for path in dict.fromkeys(paths):
        if (meant := path.replace(".yml", ".yaml")) in SITE_FILES:
            if meant == "site.yaml" or f"{SITE}/{meant}" not in site:
                warnings.append(misnamed(path, f"{SITE}/{meant}", site))
        elif path in PUBLISHED_NAMES or path.startswith("_data/") or await _is_of_a_site(fetch, path):
            warnings += filter(None, [of_the_site(path, site)])
        elif path.endswith(".md"):
            if not is_kept(path) and re.match(_FRONT_MATTER.encode(), await read_content(fetch, path)):
                warnings.append(of_an_article(path))
        elif path.endswith(".py") and is_figure_script(await read_content(fetch, path)):
            warnings.append(misnamed(path, f"{_FIGURES}/{path}", await fetch(LISTING, f"{_FIGURES}/*")))
        elif path.endswith(".py") and is_extension(await read_content(fetch, path)):
            warnings.append(misnamed(path, f"{_EXTENSIONS}/{path}", await fetch(LISTING, f"{_EXTENSIONS}/*")))
    reported: set[str] = set()
    for folder in _MISTAKEN_FOLDERS:
        for name in folder.names:
            sign = None if name in reported else await _find_sign(fetch, name, folder)
            if sign is not None:
                there = await fetch(LISTING, f"{folder.meant}/**")
                warnings.append(misplaced_folder(sign, name, folder.meant, is_there=bool(there)))
                reported.add(name)
    return warnings


async def _find_sign(fetch: Fetch, name: str, folder: _Mistaken) -> str | None:
    """The first file that shows that a folder of this name is meant for diglot; None if there is none."""
    for path in await fetch(LISTING, f"{name}/{folder.below}"):
        if re.fullmatch(folder.sign, path.removeprefix(f"{name}/")) is None:
            continue
        if not folder.text or re.search(folder.text.encode(), await read_content(fetch, path), re.MULTILINE):
            return path
    return None


async def _is_of_a_site(fetch: Fetch, path: str) -> bool:
    """Whether a file at the root is the configuration of a site that is no program's documentation."""
    if not is_configuration(path) or path.endswith(".json"):
        return False
    documentation = await fetch(LISTING, "docs/**") if is_of_documentation(path) else ()
    if documentation:
        return False
    is_generators = path.rpartition(".")[0] not in _ANY_PROGRAMS
    return is_generators or not _OF_A_SITE.isdisjoint(keys_of(await read_content(fetch, path)))
