"""Files and folders at the root of a project that belong into the folders that are read.

The root is the author's: it may hold another program, too. So a file is reported only if its name, and where
that proves nothing its text, is certainly meant for diglot.
"""

import re
from typing import NamedTuple

from diglot.diagnostics import Diagnostic
from diglot.engine import LISTING
from diglot.invariants import certain
from diglot.rules.homes import (
    OF_AN_EXTENSION,
    PUBLISHED_NAMES,
    is_configuration,
    is_extension,
    is_figure_script,
    is_kept,
    is_of_documentation,
    is_of_references,
    keys_of,
    of_an_article,
    of_references,
    of_the_site,
)
from diglot.rules.layouts import CONTENT
from diglot.rules.misnamed import SITE, SITE_FILES, as_error, misnamed, misplaced_folder, warning
from diglot.rules.near_names import near_folder
from diglot.rules.reading import read_content
from diglot.rules.sources import POSTS, SECTIONS, find_posts
from diglot.rules.tasks import Fetch

_FIGURES = "figures"
_STATIC = f"{SITE}/static"
_CHIPS = f"{SITE}/hardware"
_SECTION_NAMES = tuple(section.name for section in SECTIONS)


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
    _Mistaken(CONTENT, ("Content", "CONTENT", "src/content", "内容"), _HALF, below="**"),
    _Mistaken(_FIGURES, ("Figures", "FIGURES", "Figure", "figs", "图", "图表"), r"[^/]+\.py"),
    _Mistaken(
        _FIGURES, ("plots", "charts", "scripts"), r"[^/]+\.py", r"^TITLE\b[\s\S]*^def (?:compute|draw)\b"
    ),
    _Mistaken(
        "templates",
        (
            *("Templates", "TEMPLATES", "Template", "模板", "theme", "themes", "overrides"),
            *("layouts", "_layouts", "_includes"),
        ),
        r"(?:[^/]+/)?[^/]+\.html|strings/(?:zh|en)\.yaml",
        below="**",
    ),
    _Mistaken(_EXTENSIONS, ("Extensions",), r"[^/]+\.py", r"^(?:from|import) diglot\b|^feature[ \t]*[:=]"),
    _Mistaken(_EXTENSIONS, ("plugins",), r"[^/]+\.py", OF_AN_EXTENSION),
    _Mistaken(SITE, ("Site", "SITE", "Sites"), r"(?:site|glossary|words|hant)\.ya?ml"),
    _Mistaken(
        _STATIC,
        ("static", "assets", "src/assets"),
        r"robots\.txt|humans\.txt|CNAME|_headers|_redirects|favicon\.\w+|apple-touch-icon[\w-]*\.png",
    ),
    _Mistaken(_CHIPS, ("hardware", "chips", "chip"), r"[^/]+\.ya?ml", r"^chips\s*:"),
    *(
        _Mistaken(section.folder, (section.name, section.name[:-1], section.name.title()), _HALF, below="**")
        for section in SECTIONS
    ),
    *(
        _Mistaken(section.folder, (section.name, f"src/{section.name}"), _MARKDOWN, _FRONT_MATTER)
        for section in SECTIONS
    ),
    _Mistaken(POSTS.folder, ("blog", "article", "articles", "博客", "文章"), _HALF, below="**"),
    _Mistaken(POSTS.folder, ("blog", "articles", "_posts", "_drafts"), _MARKDOWN, _FRONT_MATTER),
    _Mistaken("templates/strings", ("i18n",), r"(?:zh|en)\.ya?ml"),
)
"""A list, and what is nearly one of its words: to see every folder there would be to depend on all that other
programs write."""
_LETTERS = 3
"""Letters that the name of a folder shares with the word that it is compared with."""

_AT_THE_ROOT = ("*.y*ml", "*.toml", "*.config.*", "*.py", "*.md", "*.bib", "_data/*", *PUBLISHED_NAMES)
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


_REFERENCES = frozenset((f"{SITE}/references.bib", f"{SITE}/references.json"))


async def warn_of_the_root(fetch: Fetch, site: frozenset[str]) -> list[Diagnostic]:
    """Files and folders that belong into the folders that are read."""
    warnings: list[Diagnostic] = []
    paths = [path for pattern in _AT_THE_ROOT for path in await fetch(LISTING, pattern)]
    for path in dict.fromkeys(paths):
        if (meant := path.replace(".yml", ".yaml")) in SITE_FILES:
            if meant == "site.yaml" or f"{SITE}/{meant}" not in site:
                warnings.append(misnamed(path, f"{SITE}/{meant}", site))
        elif path in PUBLISHED_NAMES or path.startswith("_data/") or await _is_of_a_site(fetch, path):
            warnings += filter(None, [of_the_site(path, site)])
        elif is_of_references(path):
            if not site & _REFERENCES:  # it may be of a paper in the same repository
                warnings.append(of_references(path, site))
        elif path.endswith(".md"):
            if not is_kept(path) and re.match(_FRONT_MATTER.encode(), await read_content(fetch, path)):
                warnings.append(of_an_article(path))
        elif path.endswith(".py") and is_figure_script(await read_content(fetch, path)):
            warnings.append(misnamed(path, f"{_FIGURES}/{path}", await fetch(LISTING, f"{_FIGURES}/*")))
        elif path.endswith(".py") and is_extension(await read_content(fetch, path)):
            warnings.append(misnamed(path, f"{_EXTENSIONS}/{path}", await fetch(LISTING, f"{_EXTENSIONS}/*")))
    reported: set[str] = set()
    if (lost := await _lost_articles(fetch)) is not None:
        warnings.append(lost)
        reported.add(certain(lost.location, "it is about a file").path.partition("/")[0])
    for folder in _MISTAKEN_FOLDERS:
        for name in (*folder.names, *await _near_folders(fetch, folder)):
            sign = None if name in reported else await _find_sign(fetch, name, folder)
            if sign is not None:
                is_whole = sign.removeprefix(f"{name}/").partition("/")[0] in _SECTION_NAMES
                meant = CONTENT if is_whole else folder.meant
                there = await fetch(LISTING, f"{meant}/**")
                found = misplaced_folder(sign, name, meant, is_there=bool(there))
                loses_all = meant.startswith(CONTENT) and await _has_no_article(fetch)
                warnings.append(as_error(found) if loses_all else found)
                reported.add(name)
    return warnings


async def _lost_articles(fetch: Fetch) -> Diagnostic | None:
    """The error about a site without any article, if another folder at the root holds some."""
    for section in SECTIONS if await _has_no_article(fetch) else ():
        for path in await fetch(LISTING, f"*/{section.name}/**"):
            folder = path.partition("/")[0]
            if folder not in (CONTENT, "public") and re.fullmatch(_HALF, path) is not None:
                message = f'this site has no articles: nothing reads those in the folder "{folder}"'
                fix = f"rename it to {CONTENT}."
                if await fetch(LISTING, f"{CONTENT}/**"):
                    fix = f"move its files into {CONTENT}/."
                return as_error(warning(path, message, fix))
    return None


async def _has_no_article(fetch: Fetch) -> bool:
    posts = await fetch(find_posts)
    return not posts.articles and not posts.refused


async def _near_folders(fetch: Fetch, folder: _Mistaken) -> list[str]:
    """The folders at the root whose name is nearly the word for a folder that is read."""
    word = folder.meant.rpartition("/")[2]
    singular = word.removesuffix("s")
    paths = await fetch(LISTING, f"{word[:_LETTERS]}*/{folder.below}")
    names = dict.fromkeys(path.partition("/")[0] for path in paths)
    names.pop(word, None)
    return [name for name in names if name == singular or near_folder(name, (word, singular)) is not None]


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
