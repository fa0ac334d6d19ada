"""Formulas for PowerPoint: from MathML, as articles have it, to Office Math (OMML, ECMA-376 part 1, 22.1).

All that LaTeX in articles can become has a form here; lines of arrays and sizes set by hand are left out.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree import ElementTree

from lxml import etree

from diglot.slides.powerpoint_files.elements import add
from diglot.slides.powerpoint_files.formula_signs import (
    ACCENTS,
    BARS,
    BRACES,
    FENCES,
    HIDDEN_SIDES,
    INVISIBLE,
    LARGE,
    RELATIONS,
    SIDES,
    SPACES,
    STRIKES,
)
from diglot.slides.xml import A, M

_FACE = "Cambria Math"
_COLOUR = re.compile("#([0-9A-Fa-f]{6})")
_COLOURED = "colour"
"""A note on a run while a formula is written."""


_UPRIGHT = frozenset(("mn", "mo", "mtext", "ms"))
_GROUPS = frozenset(("math", "mrow", "mstyle", "semantics"))


class NoOfficeForm(ValueError):
    """What in a formula has no form in Office Math."""


def office_math(mathml: str, *, size: float | None = None) -> Any:
    """The `m:oMath` of a formula, in a size in points, or that of the text around it.

    Raises NoOfficeForm for a formula that cannot be written.
    """
    root = etree.Element(f"{M}oMath", nsmap={"m": M[1:-1]})
    _append_all(root, _children(ElementTree.fromstring(mathml)))
    for run in root.iter(f"{M}r"):
        properties = etree.Element(f"{A}rPr", nsmap={"a": A[1:-1]})
        if size is not None:
            properties.set("sz", str(round(size) * 100))
        properties.set("i", "0" if run.find(f"{M}rPr") is not None else "1")
        colour = run.attrib.pop(_COLOURED, None)
        fill = add(properties, f"{A}solidFill")  # some programs take black otherwise
        kind, value = ("schemeClr", "tx1") if colour is None else ("srgbClr", colour)
        add(fill, f"{A}{kind}", val=value)
        add(properties, f"{A}latin", typeface=_FACE)
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
        if last is not None and last.tag == f"{M}nary" and not len(last[-1]):
            end = next((n for n, one in enumerate(waiting) if _ends_operand(one)), len(waiting))
            _append_all(last[-1], waiting[:end])
            del waiting[:end]


def _ends_operand(one: ElementTree.Element) -> bool:
    return _name(one) == "mo" and _sign(one) in RELATIONS


def _append(target: Any, one: ElementTree.Element) -> None:
    before = len(target)
    write = _WRITERS.get(_name(one))
    if write is not None:
        write(target, one)
    elif _name(one) in ("mi", *_UPRIGHT):
        _run(target, one)
    elif _name(one) in _GROUPS:
        children = _children(one)
        if len(children) > 1 and _is_fence(children[0]) and _is_fence(children[-1]):
            _delimited(target, children)
        else:
            _append_all(target, children)
    else:
        raise NoOfficeForm(_name(one))
    if colour := _COLOUR.fullmatch(one.get("mathcolor", "")):
        for run in (inner for made in target[before:] for inner in made.iter(f"{M}r")):
            run.set(_COLOURED, run.get(_COLOURED) or colour[1].upper())


def _sign(one: ElementTree.Element) -> str:
    return "".join(one.itertext()).strip().translate(INVISIBLE)


def _is_fence(one: ElementTree.Element) -> bool:
    """Whether a sign grows with what it encloses: as from `\\left(`, which may be invisible, not from `(`."""
    text = "".join(one.itertext()).strip()
    return _name(one) == "mo" and one.get("stretchy") != "false" and text in FENCES


def _delimited(target: Any, children: list[ElementTree.Element]) -> None:
    """What is between fences, in parts where signs in between grow, too."""
    first, *inner, last = children
    parts: list[list[ElementTree.Element]] = [[]]
    between = ""
    for one in inner:
        if one.get("stretchy") == "true" and _is_fence(one) and between in ("", _sign(one)):
            between = _sign(one)
            parts.append([])
        else:
            parts[-1].append(one)
    made = add(target, f"{M}d")
    signs = {"begChr": _sign(first), "sepChr": between, "endChr": _sign(last)}
    _properties(made, {name: sign for name, sign in signs.items() if sign or name != "sepChr"})
    for part in parts:
        _part(made, "e", *part)


def _properties(made: Any, settings: Mapping[str, str]) -> None:
    properties = add(made, f"{made.tag}Pr")
    for name, value in settings.items():
        add(properties, f"{M}{name}").set(f"{M}val", value)


def _run(target: Any, one: ElementTree.Element) -> None:
    text = "".join(one.itertext()).translate(INVISIBLE)
    if not text:
        return
    run = add(target, f"{M}r")
    upright = _name(one) in _UPRIGHT or len(text) > 1 or one.get("mathvariant") == "normal"
    if upright:
        properties = add(run, f"{M}rPr")
        if _name(one) == "mtext":
            add(properties, f"{M}nor")
        else:
            add(properties, f"{M}sty").set(f"{M}val", "p")
    add(run, f"{M}t").text = text


def _space(target: Any, one: ElementTree.Element) -> None:
    width = one.get("width", "")
    if not width.endswith("em"):
        return
    text, ems = "", float(width[:-2])
    for wide, space in SPACES:
        count = round(ems / wide, 1) // 1 if ems > 0 else 0
        text += space * int(count)
        ems -= count * wide
    if text:
        run = add(target, f"{M}r")
        add(run, f"{M}t").text = text


def _part(target: Any, name: str, *elements: ElementTree.Element) -> None:
    _append_all(add(target, f"{M}{name}"), list(elements))


def _structure(name: str, *parts: str) -> Callable[[Any, ElementTree.Element], None]:
    """A writer for an element whose children become parts with these names, in this order."""

    def write(target: Any, one: ElementTree.Element) -> None:
        children = _children(one)
        if name in ("sSub", "sSup", "sSubSup") and _is_large(children[0]):
            _large(target, children[0], dict(zip(parts[1:], children[1:], strict=True)), beside=True)
            return
        made = add(target, f"{M}{name}")
        for part, child in zip(parts, children, strict=True):
            _part(made, part, child)

    return write


def _fraction(target: Any, one: ElementTree.Element) -> None:
    made = add(target, f"{M}f")
    if one.get("linethickness") == "0":
        _properties(made, {"type": "noBar"})
    for name, part in zip(("num", "den"), _children(one), strict=True):
        _part(made, name, part)


def _is_large(one: ElementTree.Element) -> bool:
    return _sign(one) in LARGE


def _large(
    target: Any,
    operator: ElementTree.Element,
    limits: dict[str, ElementTree.Element],
    *,
    beside: bool,
) -> None:
    """A sum, product or integral with its limits; its operand follows it."""
    made = add(target, f"{M}nary")
    settings = {"chr": _sign(operator), "limLoc": "subSup" if beside else "undOvr"}
    settings |= {f"{name}Hide": "1" for name in ("sub", "sup") if name not in limits}
    _properties(made, settings)
    for name in ("sub", "sup"):
        _part(made, name, *([limits[name]] if name in limits else []))
    add(made, f"{M}e")


def _radical(target: Any, one: ElementTree.Element) -> None:
    made = add(target, f"{M}rad")
    children = _children(one)
    if _name(one) == "mroot":
        _part(made, "deg", children[1])
        _part(made, "e", children[0])
        return
    _properties(made, {"degHide": "1"})
    add(made, f"{M}deg")
    _part(made, "e", *children)


def _over(target: Any, one: ElementTree.Element) -> None:
    base, mark = _children(one)
    above = _name(one) == "mover"
    sign = _sign(mark) if _name(mark) == "mo" else ""
    if _is_large(base):
        _large(target, base, {"sup" if above else "sub": mark}, beside=False)
    elif sign in BARS:
        made = add(target, f"{M}bar")
        _properties(made, {"pos": "top" if above else "bot"})
        _part(made, "e", base)
    elif above and sign in ACCENTS:
        made = add(target, f"{M}acc")
        _properties(made, {"chr": ACCENTS[sign]})
        _part(made, "e", base)
    elif sign in BRACES or (sign and "true" in (one.get("accent"), one.get("accentunder"))):
        _grouped(target, sign, base, above=above)
    else:
        made = add(target, f"{M}{'limUpp' if above else 'limLow'}")
        _part(made, "e", base)
        _part(made, "lim", _written(mark))


def _written(limit: ElementTree.Element) -> ElementTree.Element:
    """What is written at a long arrow, without the space that makes it long."""
    parts = _children(limit)
    return parts[0] if len(parts) == _PAIR and _name(parts[1]) == "mspace" else limit


def _grouped(target: Any, sign: str, base: ElementTree.Element, *, above: bool) -> None:
    """A sign as wide as what it is above or below, such as a brace."""
    made = add(target, f"{M}groupChr")
    pos, baseline = ("top", "bot") if above else ("bot", "top")
    _properties(made, {"chr": sign, "pos": pos, "vertJc": baseline})
    _part(made, "e", base)


def _under_and_over(target: Any, one: ElementTree.Element) -> None:
    base, below, above = _children(one)
    if _is_large(base):
        _large(target, base, {"sub": below, "sup": above}, beside=False)
        return
    made = add(target, f"{M}limUpp")
    inner = add(add(made, f"{M}e"), f"{M}limLow")
    _part(inner, "e", base)
    _part(inner, "lim", _written(below))
    _part(made, "lim", _written(above))


def _matrix(target: Any, one: ElementTree.Element) -> None:
    made = add(target, f"{M}m")
    rows = [_children(row) for row in _children(one)]
    _properties(made, {"plcHide": "1"})  # no boxes where cells are empty
    columns = add(made[0], f"{M}mcs")
    for at in range(max(map(len, rows))):
        first = next((row[at].get("class", "").split() for row in rows if at < len(row)), [])
        aligned = next((name for name in first if name in ("left", "right")), "center")
        column = add(columns, f"{M}mc")
        _properties(column, {"count": "1", "mcJc": aligned})
    for row in rows:
        line = add(made, f"{M}mr")
        for at in range(len(columns)):
            parts = _children(row[at]) if at < len(row) else []
            cell = add(line, f"{M}e")
            if not parts or _name(parts[0]) == "mo":  # LibreOffice needs something before an operator
                empty = ElementTree.Element("mtext")
                empty.text = "\u200b"
                _run(cell, empty)
            _append_all(cell, parts)


def _multiscripts(target: Any, one: ElementTree.Element) -> None:
    """Scripts behind a base, and before it."""
    base, *scripts = _children(one)
    at = next((n for n, script in enumerate(scripts) if _name(script) == "mprescripts"), len(scripts))
    behind, before = scripts[:at], scripts[at + 1 :]
    if max(len(behind), len(before)) > _PAIR:
        raise NoOfficeForm("several pairs of scripts")
    if before:
        target = add(target, f"{M}sPre")
        _scripts(target, before)
        target = add(target, f"{M}e")
    if behind:
        made = add(target, f"{M}sSubSup")
        _part(made, "e", base)
        _scripts(made, behind)
    else:
        _append_all(target, [base])


_PAIR = 2


def _scripts(target: Any, scripts: list[ElementTree.Element]) -> None:
    for name, script in zip(("sub", "sup"), scripts, strict=False):
        _part(target, name, *([] if _name(script) in ("none", "mrow") and not len(script) else [script]))


def _enclosed(target: Any, one: ElementTree.Element) -> None:
    """A frame, single sides of it, strokes through a formula, or an angle with a line under what it holds."""
    wanted = one.get("notation", "longdiv").split()
    if wanted == ["phasorangle"]:
        angle = add(add(target, f"{M}r"), f"{M}t")
        angle.text = "∠"
        made = add(target, f"{M}bar")
        _properties(made, {"pos": "bot"})
        _part(made, "e", *_children(one))
        return
    if unknown := [name for name in wanted if name not in HIDDEN_SIDES and name not in STRIKES]:
        raise NoOfficeForm(unknown[0])
    made = add(target, f"{M}borderBox")
    frames = [HIDDEN_SIDES[name] for name in wanted if name in HIDDEN_SIDES]
    settings = [side for side in SIDES if all(side in hidden for hidden in frames)]
    settings += [strike for name, strike in STRIKES.items() if name in wanted]
    _properties(made, dict.fromkeys(settings, "1"))
    _part(made, "e", *_children(one))


def _padded(target: Any, one: ElementTree.Element) -> None:
    """What has other sizes than its own: of something that is not shown, only its height or width counts."""
    children = _children(one)
    if len(children) == 1 and _name(children[0]) == "mphantom":
        _phantom(target, children[0], one)
    else:
        _append_all(target, children)


def _phantom(target: Any, one: ElementTree.Element, around: ElementTree.Element | None = None) -> None:
    """Room for something that is not shown."""
    made = add(target, f"{M}phant")
    settings = {"show": "0"}
    if around is not None and around.get("width") == "0":
        settings |= {"zeroWid": "1"}
    if around is not None and around.get("height") == "0":
        settings |= {"zeroAsc": "1", "zeroDesc": "1"}
    _properties(made, settings)
    _part(made, "e", *_children(one))


_WRITERS: dict[str, Callable[[Any, ElementTree.Element], None]] = {
    "mfrac": _fraction,
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
    "mpadded": _padded,
    "mphantom": _phantom,
}
