"""Formulas as text: as runs where they are simple, and in one line for programs that show no formulas."""

from collections.abc import Iterator

from msgspec.structs import replace

from diglot.slides.contents import Run
from diglot.slides.html_tree import Element, with_single_spaces

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
_BETWEEN: dict[str, tuple[str, ...]] = {
    "mfrac": ("/",),
    **dict.fromkeys(("msup", "mover"), ("^",)),
    **dict.fromkeys(("msub", "munder"), ("_",)),
    **dict.fromkeys(("msubsup", "munderover"), ("_", "^")),
}
"""What stands in a line of text between the parts of an element."""


def in_one_line(one: Element) -> str:
    """A formula in a line of text, for programs that show no formulas: `I^* = P/β`."""
    inner = [child for child in one.children if isinstance(child, Element)]
    match one.name:
        case name if name in _BETWEEN and inner:
            first, *others = map(_in_brackets, inner)
            return first + "".join(sign + part for sign, part in zip(_BETWEEN[name], others, strict=False))
        case "msqrt":
            return f"√{_in_brackets(Element(name='mrow', attributes={}, children=one.children))}"
        case "mroot" if len(inner) == 2:
            return f"{in_one_line(inner[1])}√{_in_brackets(inner[0])}"
        case "mtr":
            return " ".join(map(in_one_line, inner)) + "; "
        case "mtable":
            return "".join(map(in_one_line, inner)).removesuffix("; ")
    text = "".join(child if isinstance(child, str) else in_one_line(child) for child in one.children)
    text = with_single_spaces(text).translate(_INVISIBLE).replace("∗", "*")
    if one.name == "mo" and text in (",", ";"):
        return f"{text} "
    return f" {text} " if one.name == "mo" and text in _WITH_SPACES else text


def _in_brackets(one: Element) -> str:
    text = in_one_line(one).strip()
    return text if len(text) < 2 else f"({text})"
