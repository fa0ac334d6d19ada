"""Formulas without MathML, for programs that show simple HTML, `<i>P</i><sub>peak</sub>/2`, or text alone.

What LaTeX sets above or below each other is written in a line, with parentheses where they are needed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from html import unescape
from xml.etree import ElementTree as ET

from markupsafe import escape

_MATH = re.compile(r"<math.*?</math>", re.DOTALL)
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
_SPACED = re.compile(r"[=≠≈≡<>≤≥≪≫∼≃≅∝→⇒⇔∈⊂⊆]|[+\-−±⋅×]")
_SIMPLE = re.compile(r"(?:<i>)?[\w.,√∞πα-ωΑ-Ω]+(?:</i>)?(?:<su[bp]>[^<]*</su[bp]>)*")


def with_plain_formulas(html: str) -> str:
    """HTML with every formula written in simple elements."""
    return _MATH.sub(lambda found: plain_formula(found[0]), html)


def plain_formula(mathml: str) -> str:
    """A formula as simple HTML."""
    return _row(ET.fromstring(mathml))


def formula_in_one_line(mathml: str) -> str:
    """A formula as text, for programs that show no formulas: `I^* = P/β`."""
    text = re.sub(r"</?i>", "", plain_formula(mathml))
    while (inner := _SCRIPT.sub(_in_line, text)) != text:
        text = inner
    return unescape(text).replace("∗", "*").strip()


_SCRIPT = re.compile(r"<su([bp])>([^<]*)</su[bp]>")


def _in_line(script: re.Match[str]) -> str:
    sign, text = "_" if script[1] == "b" else "^", script[2]
    return sign + (text if len(unescape(text)) < 2 else f"({text})")


def _row(one: ET.Element) -> str:
    return "".join(map(_written, _children(one)))


def _children(one: ET.Element) -> list[ET.Element]:
    return [child for child in one if _name(child) not in ("annotation", "annotation-xml", "mphantom")]


def _name(one: ET.Element) -> str:
    return one.tag.rpartition("}")[2]


def _written(one: ET.Element) -> str:
    name, children = _name(one), _children(one)
    write = _WRITERS.get(name)
    if write is not None and children:
        return write(children)
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        return _token(name, "".join(one.itertext()).translate(_INVISIBLE), one)
    if name == "mspace":
        return " " if one.get("width", "0") != "0" else ""
    return _row(one)


def _token(name: str, text: str, one: ET.Element) -> str:
    if name == "mi" and len(text) == 1 and text.isalpha() and one.get("mathvariant") != "normal":
        return f"<i>{escape(text)}</i>"
    if name == "mo" and _SPACED.fullmatch(text) and one.get("form") != "prefix":
        return f" {escape(text)} "
    return str(escape(text)) + (" " if name == "mo" and text in ",;" else "")


def _grouped(one: ET.Element) -> str:
    """A part of a fraction, in parentheses unless it is one name or number."""
    text = _written(one).strip()
    return text if _SIMPLE.fullmatch(text) or (text.startswith("(") and text.count(")") == 1) else f"({text})"


def _fraction(children: Sequence[ET.Element]) -> str:
    return "/".join(map(_grouped, children[:2]))


def _below(children: Sequence[ET.Element]) -> str:
    return f"{_written(children[0])}<sub>{_script(children[1:2])}</sub>"


def _above(children: Sequence[ET.Element]) -> str:
    return f"{_written(children[0])}<sup>{_script(children[1:2])}</sup>"


def _below_and_above(children: Sequence[ET.Element]) -> str:
    return f"{_below(children)}<sup>{_script(children[2:3])}</sup>"


def _script(children: Sequence[ET.Element]) -> str:
    return "".join(map(_written, children)).strip()


def _accented(children: Sequence[ET.Element]) -> str:
    """A letter with an accent above it, or a sum with its limit."""
    accent = "".join(children[1].itertext()) if len(children) > 1 else ""
    combining = _COMBINING.get(accent)
    if combining is None:
        return _above(children)
    base = _written(children[0])
    return base.replace("</i>", f"{combining}</i>") if base.endswith("</i>") else base + combining


_COMBINING = {
    **{"^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "→": "\u20d7", "˙": "\u0307"},
    **dict.fromkeys(("¯", "‾", "―", "_"), "\u0304"),
}


def _root(children: Sequence[ET.Element]) -> str:
    inside = "".join(map(_written, children)).strip()
    return f"√{inside}" if _SIMPLE.fullmatch(inside) else f"√({inside})"


def _any_root(children: Sequence[ET.Element]) -> str:
    return f"<sup>{_script(children[1:2])}</sup>{_root(children[:1])}"


def _table(children: Sequence[ET.Element]) -> str:
    return "; ".join(", ".join(_row(cell).strip() for cell in _children(row)) for row in children)


_WRITERS: Mapping[str, Callable[[Sequence[ET.Element]], str]] = {
    "mfrac": _fraction,
    "msub": _below,
    "msup": _above,
    "msubsup": _below_and_above,
    "munder": _below,
    "mover": _accented,
    "munderover": _below_and_above,
    "msqrt": _root,
    "mroot": _any_root,
    "mtable": _table,
}
