"""Formulas for PowerPoint: from MathML, as articles have it, to Office Math (OMML, ECMA-376 part 1, 22.1).

Nearly everything that LaTeX in articles can become has a form here; what only changes spacing is left out.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

from lxml import etree

M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_FACE = "Cambria Math"
_LARGE = frozenset("∑∏∐∫∬∭∮⋂⋃⋀⋁⨁⨂⨀")
_ACCENTS = {
    **{"^": "̂", "ˆ": "̂", "~": "̃", "˜": "̃", "→": "⃗", "⃗": "⃗"},
    **{"˙": "̇", ".": "̇", "¨": "̈", "ˇ": "̌", "˘": "̆", "´": "́", "`": "̀"},
}
_BARS = frozenset("¯‾―_̲̅")
_RELATIONS = frozenset("=≠≈≡<>≤≥≪≫∼≃≅∝→⇒⇔+-−±,;")
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
_UPRIGHT = frozenset(("mn", "mo", "mtext", "ms"))
_GROUPS = frozenset(("math", "mrow", "mstyle", "mpadded", "semantics"))
_BRACES = frozenset("⏞⏟⎴⎵⏜⏝")
_HIDDEN_SIDES = {
    "box": (),
    "roundedbox": (),
    "actuarial": ("hideBot", "hideLeft"),
    "top": ("hideBot", "hideLeft", "hideRight"),
    "bottom": ("hideTop", "hideLeft", "hideRight"),
    "left": ("hideTop", "hideBot", "hideRight"),
    "right": ("hideTop", "hideBot", "hideLeft"),
}
_SIDES = ("hideTop", "hideBot", "hideLeft", "hideRight")
_STRIKES = {
    "horizontalstrike": "strikeH",
    "verticalstrike": "strikeV",
    "updiagonalstrike": "strikeBLTR",
    "downdiagonalstrike": "strikeTLBR",
}
_COLOUR = re.compile("#([0-9A-Fa-f]{6})")
_COLOURED = "colour"
"""A note on a run while a formula is written."""


class NoOfficeForm(ValueError):
    """What in a formula has no form in Office Math."""


def office_math(mathml: str, *, size: float | None = None) -> Any:
    """The `m:oMath` of a formula, in a size in points, or that of the text around it.

    Raises NoOfficeForm for a formula that cannot be written.
    """
    root = etree.Element(f"{{{M}}}oMath", nsmap={"m": M})
    _append_all(root, _children(ElementTree.fromstring(mathml)))
    for run in root.iter(f"{{{M}}}r"):
        properties = etree.Element(f"{{{_A}}}rPr", nsmap={"a": _A})
        if size is not None:
            properties.set("sz", str(round(size) * 100))
        properties.set("i", "0" if run.find(f"{{{M}}}rPr") is not None else "1")
        colour = run.attrib.pop(_COLOURED, None)
        fill = etree.SubElement(properties, f"{{{_A}}}solidFill")  # some programs take black otherwise
        kind, value = ("schemeClr", "tx1") if colour is None else ("srgbClr", colour)
        etree.SubElement(fill, f"{{{_A}}}{kind}").set("val", value)
        etree.SubElement(properties, f"{{{_A}}}latin").set("typeface", _FACE)
        run.insert(len(run) - 1, properties)
    return root


def _children(one: ElementTree.Element) -> list[ElementTree.Element]:
    return [child for child in one if _name(child) not in ("annotation", "annotation-xml")]


def _name(one: ElementTree.Element) -> str:
    return one.tag.rpartition("}")[2]


def _append_all(target: Any, elements: list[ElementTree.Element]) -> None:
    """Append elements. What follows a large operator, up to the next relation, is its operand."""
    waiting = list(elements)
    while waiting:
        _append(target, waiting.pop(0))
        last = target[-1] if len(target) else None
        if last is not None and last.tag == f"{{{M}}}nary" and not len(last[-1]):
            end = next((n for n, one in enumerate(waiting) if _ends_operand(one)), len(waiting))
            _append_all(last[-1], waiting[:end])
            del waiting[:end]


def _ends_operand(one: ElementTree.Element) -> bool:
    return _name(one) == "mo" and "".join(one.itertext()).strip() in _RELATIONS


def _append(target: Any, one: ElementTree.Element) -> None:
    before = len(target)
    write = _WRITERS.get(_name(one))
    if write is not None:
        write(target, one)
    elif _name(one) in ("mi", *_UPRIGHT):
        _run(target, one)
    elif _name(one) in _GROUPS:
        _append_all(target, _children(one))
    else:
        raise NoOfficeForm(_name(one))
    if colour := _COLOUR.fullmatch(one.get("mathcolor", "")):
        for run in (inner for made in target[before:] for inner in made.iter(f"{{{M}}}r")):
            run.set(_COLOURED, run.get(_COLOURED) or colour[1].upper())


def _run(target: Any, one: ElementTree.Element) -> None:
    text = "".join(one.itertext()).translate(_INVISIBLE)
    if not text:
        return
    run = etree.SubElement(target, f"{{{M}}}r")
    upright = _name(one) in _UPRIGHT or len(text) > 1 or one.get("mathvariant") == "normal"
    if upright:
        properties = etree.SubElement(run, f"{{{M}}}rPr")
        if _name(one) == "mtext":
            etree.SubElement(properties, f"{{{M}}}nor")
        else:
            etree.SubElement(properties, f"{{{M}}}sty").set(f"{{{M}}}val", "p")
    etree.SubElement(run, f"{{{M}}}t").text = text


def _space(target: Any, one: ElementTree.Element) -> None:
    width = one.get("width", "")
    if width.endswith("em") and (ems := float(width[:-2])) > 0:
        run = etree.SubElement(target, f"{{{M}}}r")
        etree.SubElement(run, f"{{{M}}}t").text = "\u2003" * max(1, round(ems))


def _part(target: Any, name: str, *elements: ElementTree.Element) -> None:
    _append_all(etree.SubElement(target, f"{{{M}}}{name}"), list(elements))


def _structure(name: str, *parts: str) -> Callable[[Any, ElementTree.Element], None]:
    """A writer for an element whose children become parts with these names, in this order."""

    def write(target: Any, one: ElementTree.Element) -> None:
        children = _children(one)
        if name in ("sSub", "sSup", "sSubSup") and _is_large(children[0]):
            _large(target, children[0], dict(zip(parts[1:], children[1:], strict=True)), beside=True)
            return
        made = etree.SubElement(target, f"{{{M}}}{name}")
        for part, child in zip(parts, children, strict=True):
            _part(made, part, child)

    return write


def _is_large(one: ElementTree.Element) -> bool:
    return "".join(one.itertext()).strip() in _LARGE


def _large(
    target: Any,
    operator: ElementTree.Element,
    limits: dict[str, ElementTree.Element],
    *,
    beside: bool,
) -> None:
    """A sum, product or integral with its limits; its operand follows it."""
    made = etree.SubElement(target, f"{{{M}}}nary")
    properties = etree.SubElement(made, f"{{{M}}}naryPr")
    settings = {"chr": "".join(operator.itertext()).strip(), "limLoc": "subSup" if beside else "undOvr"}
    settings |= {f"{name}Hide": "1" for name in ("sub", "sup") if name not in limits}
    for name, value in settings.items():
        etree.SubElement(properties, f"{{{M}}}{name}").set(f"{{{M}}}val", value)
    for name in ("sub", "sup"):
        _part(made, name, *([limits[name]] if name in limits else []))
    etree.SubElement(made, f"{{{M}}}e")


def _radical(target: Any, one: ElementTree.Element) -> None:
    made = etree.SubElement(target, f"{{{M}}}rad")
    children = _children(one)
    if _name(one) == "mroot":
        _part(made, "deg", children[1])
        _part(made, "e", children[0])
        return
    properties = etree.SubElement(made, f"{{{M}}}radPr")
    etree.SubElement(properties, f"{{{M}}}degHide").set(f"{{{M}}}val", "1")
    etree.SubElement(made, f"{{{M}}}deg")
    _part(made, "e", *children)


def _over(target: Any, one: ElementTree.Element) -> None:
    base, mark = _children(one)
    sign = "".join(mark.itertext()).strip()
    above = _name(one) == "mover"
    if _is_large(base):
        _large(target, base, {"sup" if above else "sub": mark}, beside=False)
    elif sign in _BARS:
        made = etree.SubElement(target, f"{{{M}}}bar")
        properties = etree.SubElement(made, f"{{{M}}}barPr")
        etree.SubElement(properties, f"{{{M}}}pos").set(f"{{{M}}}val", "top" if above else "bot")
        _part(made, "e", base)
    elif sign in _BRACES:
        made = etree.SubElement(target, f"{{{M}}}groupChr")
        properties = etree.SubElement(made, f"{{{M}}}groupChrPr")
        for name, value in (
            ("chr", sign),
            ("pos", "top" if above else "bot"),
            ("vertJc", "bot" if above else "top"),
        ):
            etree.SubElement(properties, f"{{{M}}}{name}").set(f"{{{M}}}val", value)
        _part(made, "e", base)
    elif above and sign in _ACCENTS:
        made = etree.SubElement(target, f"{{{M}}}acc")
        properties = etree.SubElement(made, f"{{{M}}}accPr")
        etree.SubElement(properties, f"{{{M}}}chr").set(f"{{{M}}}val", _ACCENTS[sign])
        _part(made, "e", base)
    else:
        made = etree.SubElement(target, f"{{{M}}}{'limUpp' if above else 'limLow'}")
        _part(made, "e", base)
        _part(made, "lim", mark)


def _under_and_over(target: Any, one: ElementTree.Element) -> None:
    base, below, above = _children(one)
    if _is_large(base):
        _large(target, base, {"sub": below, "sup": above}, beside=False)
        return
    made = etree.SubElement(target, f"{{{M}}}limUpp")
    inner = etree.SubElement(etree.SubElement(made, f"{{{M}}}e"), f"{{{M}}}limLow")
    _part(inner, "e", base)
    _part(inner, "lim", below)
    _part(made, "lim", above)


def _matrix(target: Any, one: ElementTree.Element) -> None:
    made = etree.SubElement(target, f"{{{M}}}m")
    rows = [[*_cells(row)] for row in _children(one)]
    for row in rows:
        line = etree.SubElement(made, f"{{{M}}}mr")
        for at in range(max(map(len, rows))):
            _part(line, "e", *(row[at] if at < len(row) else []))


def _cells(row: ElementTree.Element) -> Iterator[list[ElementTree.Element]]:
    for cell in _children(row):
        yield _children(cell)


def _multiscripts(target: Any, one: ElementTree.Element) -> None:
    """Scripts behind a base, and before it."""
    base, *scripts = _children(one)
    at = next((n for n, script in enumerate(scripts) if _name(script) == "mprescripts"), len(scripts))
    behind, before = scripts[:at], scripts[at + 1 :]
    if max(len(behind), len(before)) > _PAIR:
        raise NoOfficeForm("several pairs of scripts")
    if before:
        target = etree.SubElement(target, f"{{{M}}}sPre")
        _scripts(target, before)
        target = etree.SubElement(target, f"{{{M}}}e")
    if behind:
        made = etree.SubElement(target, f"{{{M}}}sSubSup")
        _part(made, "e", base)
        _scripts(made, behind)
    else:
        _append_all(target, [base])


_PAIR = 2


def _scripts(target: Any, scripts: list[ElementTree.Element]) -> None:
    for name, script in zip(("sub", "sup"), scripts, strict=False):
        _part(target, name, *([] if _name(script) in ("none", "mrow") and not len(script) else [script]))


def _enclosed(target: Any, one: ElementTree.Element) -> None:
    """A frame, single sides of it, or strokes through a formula."""
    wanted = one.get("notation", "longdiv").split()
    if unknown := [name for name in wanted if name not in _HIDDEN_SIDES and name not in _STRIKES]:
        raise NoOfficeForm(unknown[0])
    made = etree.SubElement(target, f"{{{M}}}borderBox")
    properties = etree.SubElement(made, f"{{{M}}}borderBoxPr")
    frames = [_HIDDEN_SIDES[name] for name in wanted if name in _HIDDEN_SIDES]
    settings = [side for side in _SIDES if all(side in hidden for hidden in frames)]
    settings += [strike for name, strike in _STRIKES.items() if name in wanted]
    for name in settings:
        etree.SubElement(properties, f"{{{M}}}{name}").set(f"{{{M}}}val", "1")
    _part(made, "e", *_children(one))


def _phantom(target: Any, one: ElementTree.Element) -> None:
    """Room for something that is not shown."""
    made = etree.SubElement(target, f"{{{M}}}phant")
    properties = etree.SubElement(made, f"{{{M}}}phantPr")
    etree.SubElement(properties, f"{{{M}}}show").set(f"{{{M}}}val", "0")
    _part(made, "e", *_children(one))


_WRITERS: dict[str, Callable[[Any, ElementTree.Element], None]] = {
    "mfrac": _structure("f", "num", "den"),
    "msup": _structure("sSup", "e", "sup"),
    "msub": _structure("sSub", "e", "sub"),
    "msubsup": _structure("sSubSup", "e", "sub", "sup"),
    "msqrt": _radical,
    "mroot": _radical,
    "mover": _over,
    "munder": _over,
    "munderover": _under_and_over,
    "mtable": _matrix,
    "mmultiscripts": _multiscripts,
    "mspace": _space,
    "menclose": _enclosed,
    "mphantom": _phantom,
}
