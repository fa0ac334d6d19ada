"""Themes: where their files are looked for, and what pages take from them.

A project's `templates/` overrides the built-in theme file by file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import diglot
from diglot.languages import Language
from diglot.render.strings import Strings
from diglot.render.templates import Templates

STATIC = "static"
STRINGS = "strings"
PAGE_TEMPLATES = (
    *(
        "article.html",
        "landing.html",
        "list.html",
        "tag.html",
        "tags.html",
        "not_found.html",
        "redirect.html",
    ),
)
"""The templates that pages are rendered with; each brings those it refers to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """What pages are made with."""

    templates: Templates
    strings: Mapping[Language, Strings]
    assets: Mapping[str, str]
    """Static file, e.g. `style.css`, to its published path from the site's root."""


def built_in_theme() -> Path:
    """The folder of the theme that comes with diglot: in a wheel beside the code, else the checkout's."""
    package = Path(diglot.__file__).parent
    shipped = package / "theme"
    return shipped if shipped.is_dir() else package.parent.parent / "templates"


def theme_folders(root: Path) -> tuple[Path, ...]:
    """The folders a theme file is looked for in, the project's own first."""
    own, built_in = root / "templates", built_in_theme()
    return (own,) if own.resolve() == built_in.resolve() else (own, built_in)


def find_theme_file(folders: tuple[Path, ...], name: str) -> Path | None:
    """The first folder's file of that name, e.g. `article.html` or `static/style.css`."""
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def theme_file_names(folders: tuple[Path, ...]) -> tuple[str, ...]:
    """All files of a theme, once each, sorted, as names relative to its folders."""
    names = {
        path.relative_to(folder).as_posix()
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }
    return tuple(sorted(names))
