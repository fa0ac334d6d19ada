"""What pages take from a theme, and where the built-in one is."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

import diglot
from diglot.languages import Language
from diglot.render.parts import Filler
from diglot.render.recent import Recent
from diglot.render.strings import Strings
from diglot.render.templates import Templates
from diglot.render.views import HalfView, HeadView


@dataclass(slots=True, kw_only=True)
class FilledHalf:
    """What the pages that show a half have in common, as far as one of them has asked for it."""

    filler: Filler
    head: HeadView | None = None
    blocks: dict[int, HalfView] = field(default_factory=dict)
    """Blocks by their place in the document; figures and tables of numbers, which pages show in their own
    way, are not here, and no links to the twin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """What pages are made with."""

    templates: Templates
    strings: Mapping[Language, Strings]
    assets: Mapping[str, str]
    """Static file, e.g. `style.css`, to its published path from the site's root."""
    shown: dict[Hashable, Markup] = field(default_factory=dict, compare=False)
    """What was rendered once and stands on several pages."""
    filled: Recent[object, FilledHalf] = field(default_factory=lambda: Recent(4), compare=False)
    """Halves of the last articles, by all that they were filled with."""


def built_in_theme() -> Path:
    """The folder of the theme that comes with diglot: in a wheel beside the code, else the checkout's."""
    package = Path(diglot.__file__).parent
    shipped = package / "theme"
    return shipped if shipped.is_dir() else package.parent.parent / "templates"
