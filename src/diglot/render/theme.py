"""What pages take from a theme, and where the built-in one is."""

from collections.abc import Hashable, Mapping
from functools import cached_property
from pathlib import Path

import msgspec
from markupsafe import Markup

import diglot
from diglot.languages import Language
from diglot.render.parts import Resolver
from diglot.render.recent import Recent
from diglot.render.strings import Strings
from diglot.render.templates import Templates
from diglot.render.views import HalfView, HeadView


class ResolvedHalf(msgspec.Struct, kw_only=True):
    """What the pages that show a half have in common, as far as one of them has asked for it."""

    resolver: Resolver
    head: HeadView | None = None
    blocks: dict[int, HalfView] = msgspec.field(default_factory=dict)
    """Blocks by their place in the document; figures and tables of numbers, which pages show in their own
    way, are not here, and no links to the twin."""


class Theme(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What pages are made with."""

    templates: Templates
    strings: Mapping[Language, Strings]
    assets: Mapping[str, str]
    """Static file, e.g. `style.css`, to its published path from the site's root."""

    @cached_property
    def shown(self) -> dict[Hashable, Markup]:
        """What was rendered once and stands on several pages."""
        return {}

    @cached_property
    def filled(self) -> Recent[object, ResolvedHalf]:
        """Halves of the last articles, by all that they were filled with."""
        return Recent(4)


def built_in_theme() -> Path:
    """The folder of the theme that comes with diglot: in a wheel beside the code, else the checkout's."""
    package = Path(diglot.__file__).parent
    shipped = package / "theme"
    return shipped if shipped.is_dir() else package.parent.parent / "templates"
