"""Formulas that are simple enough to be text, as runs."""

from collections.abc import Iterator

from msgspec.structs import replace

from diglot.slides.contents import Run
from diglot.slides.html_tree import Element

_TOKENS = ("mi", "mn", "mo", "mtext", "ms")
_ROWS = ("math", "mrow", "mstyle", "mpadded")
_SCRIPTS = ("msup", "msub")


def is_plain(one: Element, *, in_script: bool = False) -> bool:
    """Whether a formula is letters, numbers and signs with single exponents and indices: text in a line."""
    if one.name in _TOKENS or one.name == "mspace":
        return True
    inner = [child for child in one.children if isinstance(child, Element)]
    if one.name in _SCRIPTS and not in_script:
        return all(is_plain(child, in_script=True) for child in inner)
    return one.name in _ROWS and all(is_plain(child, in_script=in_script) for child in inner)


def plain_runs(one: Element, style: Run) -> Iterator[Run]:
    """A plain formula as text, with its exponents and indices."""
    if one.name in _TOKENS:
        text = one.text.translate(_INVISIBLE)
        spaced = f"\u00a0{text}\u00a0" if one.name == "mo" and text in _WITH_SPACES else text
        yield replace(style, text=spaced, italic=one.name == "mi" and len(text) == 1)
        return
    inner = [child for child in one.children if isinstance(child, Element)]
    if one.name in _SCRIPTS:
        yield from plain_runs(inner[0], style)
        shifted = replace(style, shift="up" if one.name == "msup" else "down")
        yield from plain_runs(inner[1], shifted)
        return
    for child in inner:
        yield from plain_runs(child, style)


_WITH_SPACES = frozenset("=≤≥<>≈×+−∈→")
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
