"""How large an SVG file says it is, and what keeps browsers from showing it."""

import re
from typing import NamedTuple
from xml.parsers import expat

_SVG = "http://www.w3.org/2000/svg"
_LENGTH = re.compile(
    r"\s*\+?((?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?)\s*(px|pt|pc|mm|cm|in|q|r?em|ex)?\s*", re.I
)
_PX = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_PX |= {"q": 96 / 101.6, "em": 16.0, "rem": 16.0, "ex": 8.0}


class NotSvg(ValueError):
    """Why browsers show nothing of an SVG file, as a predicate to its name."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.fix = fix


class SvgSize(NamedTuple):
    """What an SVG file says of its size, in CSS pixels."""

    width_px: float | None
    """None for a share of the room that there is, and where nothing is said."""
    height_px: float | None
    box: tuple[float, float] | None
    """Width and height of its view box, which give its proportions."""

    @property
    def sides(self) -> tuple[float, float] | None:
        """Width and height; one of them may follow from the other. None where neither is said."""
        width, height, box = self
        if width is not None and height is not None:
            return width, height
        if box is None or (width is None and height is None):
            return None
        if width is not None:
            return width, width * box[1] / box[0]
        return (height or 0) * box[0] / box[1], height or 0


def read_svg(content: bytes) -> SvgSize:
    """The size of an SVG file. Raises NotSvg if browsers do not show it as a picture."""
    root, fault = _root(content)
    if fault is not None:
        raise NotSvg(f"is not XML: {fault}", "correct it there, or save it as SVG again.")
    name, attributes = root
    namespace, _, local = name.rpartition(" ")
    if local.lower() != "svg":
        raise NotSvg(f"begins with <{local}> instead of <svg>", "save the picture as SVG.")
    if namespace != _SVG:
        raise NotSvg(f'has no xmlns="{_SVG}" in its <svg>', f'begin it with <svg xmlns="{_SVG}" ….')
    sides = (attributes.get("width", ""), attributes.get("height", ""), *_view_box(attributes)[2:])
    if any(found is not None and not float(found[1]) for found in map(_LENGTH.fullmatch, sides)):
        what = "is 0 pixels wide or high, so that nothing is shown"
        raise NotSvg(what, "write a width, height and viewBox above 0 into its <svg>.")
    return _size(attributes)


def svg_size(svg: str | bytes) -> tuple[float, float] | None:
    """Width and height in CSS pixels; those of its view box where it has none. None if it does not say."""
    (name, attributes), _ = _root(svg.encode() if isinstance(svg, str) else svg)
    if name.rpartition(" ")[2] != "svg":
        return None
    size = _size(attributes)
    return size.sides or size.box


def _size(attributes: dict[str, str]) -> SvgSize:
    numbers = _view_box(attributes)
    sides = [_px(one) for one in numbers[2:]] if len(numbers) == 4 else []
    box = (sides[0], sides[1]) if sides and sides[0] and sides[1] else None
    return SvgSize(_px(attributes.get("width", "")), _px(attributes.get("height", "")), box)


def _view_box(attributes: dict[str, str]) -> list[str]:
    return re.split(r"[\s,]+", attributes.get("viewBox", "").strip())


def _px(length: str) -> float | None:
    found = _LENGTH.fullmatch(length)
    return None if found is None else float(found[1]) * _PX[(found[2] or "").lower()] or None


_Root = tuple[str, dict[str, str]]


def _root(content: bytes) -> tuple[_Root, str | None]:
    """The name of the first element, with its namespace, and its attributes; and why the file is no XML."""
    root: list[_Root] = []
    parser = expat.ParserCreate(namespace_separator=" ")

    def begin(name: str, attributes: dict[str, str]) -> None:
        root.append((name, attributes))
        parser.StartElementHandler = None

    parser.StartElementHandler = begin
    fault = None
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError) as error:  # the last two: an unknown encoding
        fault = str(error)
    return (root[0] if root else ("", {})), fault
