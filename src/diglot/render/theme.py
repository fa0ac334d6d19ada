"""The theme that pages are rendered with, and the place of the built-in one."""

from collections.abc import Hashable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

import diglot
from diglot.languages import LANGUAGES, Language
from diglot.project import Project
from diglot.render.recent import Recent
from diglot.render.strings import Strings
from diglot.render.templates import Templates


class Theme(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Templates, texts and static files for pages, with caches of what several pages show."""

    templates: Templates
    strings: Mapping[Language, Strings]
    assets: Mapping[str, str]
    """From a static file, e.g. `style.css`, to its published path from the site's root."""
    custom_style: str = ""
    """Path of the project's own style sheet from the site's root; empty if it has none."""

    @cached_property
    def shown(self) -> dict[Hashable, Markup]:
        """HTML that several pages show, rendered once."""
        return {}

    @cached_property
    def given(self) -> Recent[tuple[Project, Language], Mapping[str, object]]:
        """What the templates of all pages get, by site and language."""
        return Recent(len(LANGUAGES))

    @cached_property
    def filled(self) -> Recent[object, Any]:
        """The `ResolvedHalf` of each half of the last articles, by all that they are made from."""
        return Recent(4)


def built_in_theme() -> Path:
    """Folder of the built-in theme: next to the code in a wheel, otherwise `templates/` of the checkout."""
    package = Path(diglot.__file__).parent
    shipped = package / "theme"
    return shipped if shipped.is_dir() else package.parent.parent / "templates"
