"""The palette of figures: named colours, with a light and a dark value each.

A name (token) says what the colour means. Matplotlib accepts the tokens while a figure is drawn:
`axes.plot(x, y, color="gpu3")`. On a page each becomes the CSS variable `--fig-gpu3`, so that one drawing
serves light and dark mode. In a standalone file it becomes the colour of the requested theme.
"""

from types import MappingProxyType
from typing import Literal

from diglot.diagnostics import did_you_mean

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, Theme] = ("light", "dark")

COLOURS = MappingProxyType(
    {
        **{"paper": ("#fbfbf8", "#14171a"), "sunk": ("#f1f1ec", "#1d2125")},
        **{"rule": ("#d5d5ce", "#363b40"), "mute": ("#5f6468", "#9aa0a5")},
        **{"soft": ("#3f4448", "#c3c7c9"), "ink": ("#1a1d20", "#e7e7e2")},
        **{"gpu1": ("#5f92c4", "#4a7fb5"), "gpu2": ("#3a76b2", "#5f9bd6")},
        **{"gpu3": ("#1f5c9c", "#84b8ee"), "gpu4": ("#0f3f74", "#b4d6fb")},
        **{"tpu1": ("#cc7838", "#b8682a"), "tpu2": ("#b4580f", "#dd8238")},
        **{"tpu3": ("#943f00", "#f29c55"), "tpu4": ("#622800", "#ffc594")},
        **{"cmp": ("#2e3338", "#d0d3d4"), "mem": ("#107d72", "#2fa695")},
        **{"net": ("#861a55", "#f0a6d8"), "idle": ("#8b9095", "#757b81")},
        **{"seq0": ("#f0f0eb", "#1d2226"), "seq1": ("#e0e2e1", "#282f35")},
        **{"seq2": ("#cdd1d3", "#353e45"), "seq3": ("#b7bec3", "#434e57")},
        **{"seq4": ("#9fa9b0", "#4f5c66"), "seq5": ("#86929c", "#5b6873")},
        **{"seq6": ("#66747f", "#7d8c98"), "seq7": ("#53626f", "#97a5b0")},
        **{"seq8": ("#3a4957", "#b5c1ca"), "seq9": ("#223140", "#d8e1e7")},
    }
)
"""Token to its light and dark colour. This is the only definition: style sheets write `palette(gpu3)`."""

LIGHT = MappingProxyType({token: light for token, (light, _) in COLOURS.items()})
DARK = MappingProxyType({token: dark for token, (_, dark) in COLOURS.items()})
TOKENS = tuple(COLOURS)
SENTINELS = MappingProxyType({token: f"#0101{n:02x}" for n, token in enumerate(TOKENS, start=1)})
"""Token to the stand-in colour that is drawn and then replaced by a CSS variable. All are almost black, so
that an author is unlikely to use one of them on purpose."""


SEQUENCE = tuple(f"seq{n}" for n in range(10))
"""The ten steps of a heat map, from closest to the page's colour to farthest from it."""


def css_colour(token: str) -> str:
    """A token as a CSS colour: `light-dark(#1f5c9c, #84b8ee)`. Raises KeyError for an unknown token."""
    light, dark = COLOURS[token]
    return f"light-dark({light}, {dark})"


def color(token: str) -> str:
    """Return the token unchanged, for use as a matplotlib colour, after checking that it exists.

    Raises ValueError with the nearest name for an unknown token.
    """
    if token not in LIGHT:
        raise ValueError(f"there is no palette colour named {token!r}: {did_you_mean(token, TOKENS)}")
    return token


def sequence_token(fraction: float) -> str:
    """The heat map's colour step, `seq0` to `seq9`, for a share from 0 to 1 of its range.

    Values outside 0 to 1 get the step at the nearer end.
    """
    return f"seq{min(9, max(0, int(fraction * 10)))}"


_PALE = frozenset(("paper", "sunk", "rule", "idle", "gpu1", "tpu1", *SEQUENCE[:6]))


def text_token_on(fill: str) -> str:
    """The colour of text on a cell or bar: the one of `ink` and `paper` that can be read in both themes."""
    return "ink" if fill in _PALE else "paper"


def difference_token(share: float) -> str:
    """Colour step for a signed share of the largest difference: `tpu4` (−1), `paper` (0) … `gpu4` (+1)."""
    step = min(4, round(abs(share) * 4))
    return "paper" if step == 0 else f"{'gpu' if share > 0 else 'tpu'}{step}"
