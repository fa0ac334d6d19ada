"""What a program has drawn as an element of a page: only shapes and text, in the page's colours and type.

Names of elements and attributes that are not listed here do not reach readers.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from diglot.characters import forbidden_in
from diglot.diagnostics import shortened
from diglot.diagrams.colours import page_colour
from diglot.diagrams.records import DiagramFailed, Sketch
from diglot.languages import HTML_LANG

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_SHAPES = frozenset(
    (
        *("svg", "g", "a", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"),
        *("text", "tspan", "defs", "marker", "clipPath", "use", "symbol", "linearGradient"),
        *("radialGradient", "stop", "pattern"),
    )
)
_UNSHOWN = frozenset(("title", "desc", "style", "metadata", "script", "filter"))
"""Elements that are left out: names for mice, styles that are attributes by now, shadows."""
_COLOURED = frozenset(("fill", "stroke", "stop-color"))
_WORDS = frozenset(
    (
        *("fill-opacity", "fill-rule", "stroke-opacity", "stroke-linecap", "stroke-linejoin"),
        *("opacity", "font-weight", "font-style", "text-anchor", "dominant-baseline"),
        *("alignment-baseline", "text-decoration", "visibility", "orient", "markerUnits"),
        *("preserveAspectRatio", "gradientUnits", "patternUnits", "clipPathUnits", "offset"),
        *("stop-opacity",),
    )
)
_NUMBERS = frozenset(
    (
        *("d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy"),
        *("dx", "dy", "width", "height", "transform", "viewBox", "refX", "refY", "markerWidth"),
        *("markerHeight", "stroke-width", "stroke-dasharray", "font-size", "gradientTransform"),
    )
)
_DEFINITIONS = frozenset(("marker", "symbol", "clipPath", "linearGradient", "radialGradient", "pattern"))
_NAMED = frozenset(("marker-start", "marker-mid", "marker-end", "clip-path"))
_REFERENCE = re.compile(r"url\([\"']?[^#\"')]*#([^\"')]+)[\"']?\)")
_LONG = re.compile(r"(?<![\d.])-?\d+(?:\.\d{3,}(?:e-?\d+)?|(?:\.\d+)?e-\d+)(?![\d.])")
"""Not a number that is right behind another one, as in `.5.125`: shorter, both would be one."""
_ADDRESS = re.compile(r"https?://[^\s\"<>]+|#[\w-]+")


def page_svg(drawn: str, sketch: Sketch) -> str:
    """The SVG of a program as an element of a page. Raises DiagramFailed."""
    if forbidden_in(drawn) is not None:
        raise DiagramFailed("a label contains a control character", "delete it.")
    root = ElementTree.fromstring(drawn)
    names = _Names(root, sketch.name)
    made = _shape(root, names)
    if made is None or len(view := root.get("viewBox", "").split()) != 4:
        raise DiagramFailed("nothing was drawn", "describe at least one node.")
    width, height = (max(1, round(float(side))) for side in view[2:])
    made.attrib = {
        "fill": "var(--fig-ink)",  # what says nothing is black, also on dark pages
        **made.attrib,
        "width": str(width),
        "height": str(height),
        "role": "img",
        "aria-label": sketch.alt,
        "font-family": "var(--fig-font)",
        "lang": HTML_LANG[sketch.language],
    }
    text: str = ElementTree.tostring(made, encoding="unicode")
    # An empty element, as wide as the diagram is at least: where there is less room, it scrolls.
    least = f'<canvas width="{round(width * _SMALLEST)}" height="0" aria-hidden="true"></canvas>'
    return f'<section class="diagram scroll">{least}{text}</section>'


_SMALLEST = 0.72
"""How far a diagram shrinks on narrow screens, so that text of 14 px can still be read."""


class _Names:
    """Ids, numbered in the order of their appearance; those to which nothing refers are left out."""

    def __init__(self, root: ElementTree.Element, prefix: str) -> None:
        used = {
            name
            for element in root.iter()
            for key, value in element.attrib.items()
            for name in _REFERENCE.findall(value)
            + ([value[1:]] if key in ("href", _XLINK_HREF) and value[:1] == "#" else [])
        }
        given = (element.get("id", "") for element in root.iter())
        self._new = {
            name: f"{prefix}-{n}" for n, name in enumerate(dict.fromkeys(filter(used.__contains__, given)), 1)
        }

    def new(self, name: str) -> str | None:
        """The new id; None for one that nothing has, or nothing refers to."""
        return self._new.get(name)


def _shape(element: ElementTree.Element, names: _Names) -> ElementTree.Element | None:
    """An element without what pages must not have; None for one that is left out."""
    name = element.tag.removeprefix(_SVG)
    if name == "switch":  # HTML, or else text
        other = element.find(f"{_SVG}text")
        return None if other is None else _shape(other, names)
    if name in ("foreignObject", "image"):
        what = "a picture" if name == "image" else "HTML"
        raise DiagramFailed(f"it draws {what}, which a diagram cannot hold", "use text and shapes alone.")
    if name in _UNSHOWN or element.get("display") == "none":
        return None
    if name in _DEFINITIONS and names.new(element.get("id", "")) is None:
        return None
    if name not in _SHAPES:
        raise DiagramFailed(f"it draws <{shortened(name, 40)}>", "use another kind of diagram.")
    made = ElementTree.Element(name, dict(_attributes(element, name, names)))
    made.text = element.text if name in ("text", "tspan", "a") else None
    if made.text is not None and not made.text.strip() and name == "a":
        made.text = None
    for child in element:
        if (inner := _shape(child, names)) is not None:
            inner.tail = child.tail if name in ("text", "tspan") else None
            made.append(inner)
    if name in ("g", "defs") and not len(made):
        return None
    if name == "a" and "href" not in made.attrib:
        made.tag = "g"
    return made


def _attributes(element: ElementTree.Element, name: str, names: _Names) -> Iterator[tuple[str, str]]:
    for key, value in element.attrib.items():
        if key == "id":
            if (own := names.new(value)) is not None:
                yield key, own
        elif key in _COLOURED:
            if (reference := _reference(value, names)) is not None:
                yield key, reference
            elif (colour := page_colour(value)) is not None:
                yield key, colour
        elif key in _NAMED:
            if (reference := _reference(value, names)) is not None:
                yield key, reference
        elif key in _NUMBERS:
            yield key, _rounded(value.removesuffix("px"))
        elif key in _WORDS:
            yield key, value
        elif key in ("href", _XLINK_HREF):
            if name == "use":
                if (target := names.new(value.removeprefix("#"))) is not None:
                    yield "href", f"#{target}"
            elif name == "a":
                if _ADDRESS.fullmatch(value) is None:
                    raise DiagramFailed(
                        f'it leads to "{shortened(value, 80)}"',
                        "write a whole address, which begins with https://, or the #name of a section.",
                    )
                yield "href", value


def _reference(value: str, names: _Names) -> str | None:
    found = _REFERENCE.fullmatch(value.strip())
    target = None if found is None else names.new(found[1])
    return None if target is None else f"url(#{target})"


def _rounded(value: str) -> str:
    return _LONG.sub(lambda number: f"{round(float(number[0]), 2) + 0:g}", value)
