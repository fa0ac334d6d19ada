"""What pages take from a theme, and where the built-in one is."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

import diglot
from diglot.languages import Language
from diglot.render.strings import Strings
from diglot.render.templates import Templates


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """What pages are made with."""

    templates: Templates
    strings: Mapping[Language, Strings]
    assets: Mapping[str, str]
    """Static file, e.g. `style.css`, to its published path from the site's root."""
    shown: dict[Hashable, Markup] = field(default_factory=dict, compare=False)
    """What was rendered once and stands on several pages."""


def built_in_theme() -> Path:
    """The folder of the theme that comes with diglot: in a wheel beside the code, else the checkout's."""
    package = Path(diglot.__file__).parent
    shipped = package / "theme"
    return shipped if shipped.is_dir() else package.parent.parent / "templates"
