"""The default style of figures: fonts, sizes of text and lines, named colours."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
from cycler import cycler
from matplotlib import colors, font_manager

from diglot.figures.palette import DARK, LIGHT, SENTINELS, Theme
from diglot.languages import Language

FONTS = Path(__file__).parent / "fonts"
FACES: Mapping[Language, tuple[str, str]] = {
    # The first font decides whether “ ” ‘ ’ … · × are full or half width; the second has what it lacks.
    "zh": ("Diglot Sans SC", "Diglot Sans"),
    "en": ("Diglot Sans", "Diglot Sans SC"),
}
TRADITIONAL_FACE = "Diglot Sans Hant"
"""Has the traditional characters that these lack, and nothing else."""
CAPITALS_EM: Mapping[Language, float] = {"zh": 0.733, "en": 0.66}
"""Height of capitals and digits in the first font, in em, by which labels are centred."""
TEXT_PX: Mapping[Language, tuple[int, int]] = {"zh": (13, 12), "en": (14, 13)}
"""Size of text and of small text. The Latin font looks smaller at the same size, so it is set larger."""

_TICK_LABEL = "mute"
_STYLE: dict[Any, Any] = {
    **{"figure.dpi": 72, "savefig.dpi": 72},  # one point is one CSS pixel
    **{"figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none"},
    **{"text.color": "ink", "axes.labelcolor": "mute", "axes.edgecolor": "soft", "patch.edgecolor": "none"},
    **{"xtick.color": "soft", "xtick.labelcolor": _TICK_LABEL},
    **{"ytick.color": "soft", "ytick.labelcolor": _TICK_LABEL},
    "axes.linewidth": 1.0,
    **{"axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False},
    **{"axes.grid": True, "axes.grid.axis": "y", "axes.axisbelow": True},
    **{"grid.color": "rule", "grid.linewidth": 0.75, "grid.linestyle": "-"},
    **{"xtick.major.size": 5, "xtick.major.width": 1.0, "xtick.minor.size": 0, "xtick.major.pad": 5},
    **{"ytick.major.size": 0, "ytick.minor.size": 0, "ytick.major.pad": 6},
    **{"lines.linewidth": 2.0, "lines.solid_capstyle": "round", "lines.solid_joinstyle": "round"},
    **{"lines.markersize": 8, "lines.markeredgewidth": 2.0, "lines.scale_dashes": False},
    **{"lines.dashed_pattern": (6, 3), "lines.dotted_pattern": (1, 3)},
    **{"patch.linewidth": 0, "hatch.linewidth": 1.0, "hatch.color": "idle"},
    **{"legend.frameon": False, "axes.unicode_minus": True, "axes.formatter.useoffset": False},
    # Which dollar signs enclose a formula is decided by `drawing.runs`.
    **{"text.parse_math": False, "mathtext.fontset": "custom", "mathtext.fallback": None},
    **{"svg.fonttype": "none", "svg.hashsalt": "diglot", "pdf.fonttype": 42, "ps.fonttype": 42},
    **{"path.simplify": False, "figure.max_open_warning": 0, "font.enable_last_resort": False},
}


def use_style(language: Language, colours: Literal["variables"] | Theme, *, paper: str | None = None) -> None:
    """Set the fonts of a language, and either a theme's colours or stand-in colours for CSS variables.

    `paper` replaces the theme's colour of what lies behind labels. Changes matplotlib's state for the whole
    process.
    """
    know_faces()
    palette = {"variables": SENTINELS, "light": LIGHT, "dark": DARK}[colours]
    know_colours({**palette, "paper": paper} if paper is not None else palette)
    for name, value in _settings(language).items():
        # `_set` skips validation, which `_settings` has done; matplotlib keeps it stable in spite of the
        # underscore. Lists are copied because scripts may change them.
        mpl.rcParams._set(name, [*value] if isinstance(value, list) else value)


_MATH_FACES: tuple[Any, ...] = tuple(
    f"mathtext.{style}" for style in ("rm", "it", "bf", "bfit", "cal", "sf", "tt")
)
"""Formulas have the faces of these settings, whatever font is asked for."""


@contextmanager
def math_faces(language: Language) -> Iterator[None]:
    """Measure formulas as a drawing in this language has them, although another one may be under way."""
    before = {name: mpl.rcParams[name] for name in _MATH_FACES}
    try:
        for name in _MATH_FACES:
            mpl.rcParams._set(name, FACES[language][0])
        yield
    finally:
        for name, value in before.items():
            mpl.rcParams._set(name, value)


@cache
def _settings(language: Language) -> dict[Any, Any]:
    """All of matplotlib's settings for a language, with validated values."""
    text, small = TEXT_PX[language]
    face = FACES[language][0]
    own: dict[Any, Any] = {
        **{"font.family": list(FACES[language]), "font.size": text},
        **{"xtick.labelsize": small, "ytick.labelsize": small, "axes.labelsize": small},
        **dict.fromkeys(_MATH_FACES, face),
        "axes.prop_cycle": cycler(color=["gpu3", "tpu2", "gpu1", "tpu3", "mem", "net"]),
    }
    mpl.rcdefaults()
    mpl.rcParams.update(_STYLE | own)
    return dict(mpl.rcParams)


@cache
def know_faces() -> None:
    """Register the bundled fonts with matplotlib, unless they are already."""
    known = {font.name for font in font_manager.fontManager.ttflist}
    for path in sorted(FONTS.glob("*.ttf")):
        if re.sub(r"(?<=[a-z])(?=[A-Z])", " ", path.stem.partition("-")[0]) not in known:
            font_manager.fontManager.addfont(path)


def forget_other_faces() -> None:
    """Keep only matplotlib's own fonts, so that drawings do not depend on the fonts of the machine."""
    manager, own = font_manager.fontManager, mpl.get_data_path()
    manager.ttflist = [face for face in manager.ttflist if face.fname.startswith(own)]
    know_faces.cache_clear()


def know_colours(palette: Mapping[str, str]) -> None:
    """Register the palette's tokens as named colours of matplotlib."""
    named = colors.get_named_colors_mapping()
    for token, colour in palette.items():
        named[token] = colour
