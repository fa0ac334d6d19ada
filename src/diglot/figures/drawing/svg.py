"""A drawing as SVG: inline, with the colours and font of the page, or as a standalone file."""

import copy
import io
import re
from collections.abc import Mapping
from typing import Literal
from xml.etree import ElementTree

import matplotlib as mpl
import msgspec
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from diglot.characters import code_of, forbidden_in
from diglot.diagnostics import shortened
from diglot.figures.drawing import path_data
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.readings import ATTRIBUTE as READINGS
from diglot.figures.drawing.readings import readings_of
from diglot.figures.palette import SENTINELS
from diglot.invariants import certain
from diglot.web_addresses import is_elsewhere, mistake_in, runs_nothing

SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XLINK_HREF = f"{{{_XLINK}}}href"
_TOKEN_OF = {colour: token for token, colour in SENTINELS.items()}
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_LONG = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?|-?\d+(?:\.\d+)?e-\d+")
_NOT_TURNED = re.compile(r"rotate\(-?0(?:\.0+)? [^)]*\)")
_SPACES = re.compile(r"  |^ | $")
_FACE = re.compile(r"font-family: [^;]+;? ?")
_MADE_UP_ID = re.compile(
    r"(figure|axes|patch|text|legend|matplotlib\.axis|[a-zA-Z0-9]*tick|line2d|[A-Za-z]+Collection|table|quiver)_\d+"
)
_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_AS_ATTRIBUTES = frozenset(
    (
        "fill",
        "fill-opacity",
        "fill-rule",
        "font-size",
        "font-stretch",
        "font-style",
        "font-variant",
        "font-weight",
        "image-rendering",
        "opacity",
        "stroke",
        "stroke-dasharray",
        "stroke-dashoffset",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-miterlimit",
        "stroke-opacity",
        "stroke-width",
        "text-anchor",
    )
)
_NO_METADATA: Mapping[str, None] = dict.fromkeys(("Date", "Creator", "Format", "Type"))
_MARGIN_IN = 2 / 72
"""Around a figure of pyplot, in inches."""
_SHORTER = (
    "d",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "width",
    "height",
    "points",
    "transform",
    "style",
    "viewBox",
)


class ForbiddenCharacter(ValueError):
    """A drawing contains a character that XML does not allow."""

    def __init__(self, character: str) -> None:
        super().__init__(f"the drawing contains the character {code_of(character)}")
        self.character = character


class WrongAddress(ValueError):
    """A drawing leads to addresses that run something, or lead elsewhere from each page that shows it."""

    def __init__(self, *addresses: str) -> None:
        what = _fault_of(addresses[0])
        super().__init__(f'the drawing leads to "{shortened(addresses[0], 80)}", which {what}')
        self.addresses = addresses


class Caption(msgspec.Struct, frozen=True, kw_only=True):
    """An SVG's text for readers who cannot see it, and the prefix of its ids."""

    prefix: str
    """Unique on any page, such as `roofline-column-zh`."""
    title: str
    alt: str
    lang: str
    """Language of title and alt text, as in HTML."""


class InlineSvg(msgspec.Struct, frozen=True, kw_only=True):
    """An SVG element for a page."""

    text: str
    foreign_colours: tuple[str, ...]
    """Colours outside the palette, which do not change in dark mode."""
    pictures: int
    """Number of raster images, as from `imshow`: they are neither sharp nor in the page's colours."""


def inline_svg(canvas: Canvas, caption: Caption, *, size: str) -> InlineSvg:
    """The drawing as an element of a page: colours are `var(--fig-…)`, the font is `var(--fig-font)`.

    The canvas must be drawn in the style "variables". Text stays text. There is no XML declaration, metadata
    or style sheet. Ids begin with the caption's prefix, and coordinates have two decimals.

    Raises ForbiddenCharacter and WrongAddress.
    """
    root = _drawn(canvas, fonttype="none")
    foreign = _with_variables(root)
    _name(root, caption)
    if points := readings_of(canvas.points, canvas.words):
        held = ElementTree.Element(f"{{{SVG}}}metadata", {READINGS: ""})
        held.text = points
        root.insert(2, held)
    tracks = {f"data-track-{name}": canvas.track_of(axes) for name, axes in sorted(canvas.sliders.items())}
    pictures = sum(1 for _ in root.iter(f"{{{SVG}}}image"))
    text = _as_element(root, caption, size, tracks)
    return InlineSvg(text=text, foreign_colours=tuple(foreign), pictures=pictures)


def inline_svg_of(figure: Figure, caption: Caption) -> str:
    """A figure of pyplot as an element of a page, with its margins cut off: no label of it is lost.

    It must be drawn in the style "variables". Raises ForbiddenCharacter and WrongAddress.
    """
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata=_NO_METADATA, bbox_inches="tight", pad_inches=_MARGIN_IN)
    root = _cleaned(_parsed(file.getvalue()))
    _with_variables(root)
    _name(root, caption)
    return _as_element(root, caption, "column", {})


def _with_variables(root: ElementTree.Element) -> dict[str, None]:
    """Have a drawing take colours and font of the page. Returns the colours outside the palette."""
    foreign: dict[str, None] = {}
    for element in root.iter():
        element.attrib.pop("font-family", None)
        for name, value in element.attrib.items():
            if name in ("style", "fill", "stroke", "stop-color"):
                element.set(name, _in_variables(value, foreign))
    return foreign


def _as_element(root: ElementTree.Element, caption: Caption, size: str, tracks: Mapping[str, str]) -> str:
    for element in root.iter():
        if element.text is not None and _SPACES.search(element.text):  # spaces between a name and its number
            element.set(_XML_SPACE, "preserve")
        _style_as_attributes(element)
    for element in root.iter(f"{{{SVG}}}use"):  # files keep `xlink:href`, for programs older than SVG 2
        element.set("href", element.attrib.pop(_XLINK_HREF))
    width, height = (f"{float(root.attrib[name].removesuffix('pt')):g}" for name in ("width", "height"))
    root.attrib = {
        "class": size,
        "viewBox": root.attrib["viewBox"],
        "width": width,
        "height": height,
        "role": "img",
        "aria-labelledby": f"{caption.prefix}-title {caption.prefix}-desc",
        # Matplotlib writes these into a style sheet, which would apply to the whole page.
        **{"font-family": "var(--fig-font)", "stroke-linejoin": "round", "stroke-linecap": "butt"},
        "lang": caption.lang,
        **tracks,
    }
    return _text_of(root).replace(f' xmlns="{SVG}"', "", 1)


def standalone_svg(canvas: Canvas, caption: Caption, *, page: "Page", key: str) -> bytes:
    """The drawing as a file, with glyphs as paths, a theme's colours, and the figure's key as metadata.

    The canvas must be drawn in the style of a theme. Raises ForbiddenCharacter and WrongAddress.
    """
    root = _drawn(canvas, fonttype="path")
    _name(root, caption)
    metadata = ElementTree.SubElement(root, f"{{{SVG}}}metadata")
    metadata.text = key
    root.remove(metadata)
    root.insert(2, metadata)
    left, top, width, height = page.view_box
    if page.paper is not None:
        sides = {"x": left, "y": top, "width": width, "height": height}
        attributes = {name: f"{side:g}" for name, side in sides.items()}
        root.insert(3, ElementTree.Element(f"{{{SVG}}}rect", {**attributes, "fill": page.paper}))
    root.attrib = {
        "version": "1.1",
        "viewBox": " ".join(f"{number:g}" for number in page.view_box),
        "width": f"{page.width_px:g}",
        "height": f"{page.height_px:g}",
        "role": "img",
        "aria-labelledby": f"{caption.prefix}-title {caption.prefix}-desc",
        "style": "stroke-linejoin:round;stroke-linecap:butt",
        "lang": caption.lang,
    }
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + _text_of(root).encode() + b"\n"


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """The sheet of a file, with margins around the drawing."""

    view_box: tuple[float, float, float, float]
    """Left, top, width, height in pixels of the drawing, which begins at 0, 0 inside the margins."""
    width_px: float
    """Width of the file, in CSS pixels."""
    height_px: float
    paper: str | None
    """Background colour; None for none."""


def _drawn(canvas: Canvas, *, fonttype: Literal["none", "path"]) -> ElementTree.Element:
    """matplotlib's SVG as a tree.

    Raises ForbiddenCharacter and WrongAddress.
    """
    file = io.StringIO()
    canvas.draws_gaps = fonttype == "path"
    with mpl.rc_context({"svg.fonttype": fonttype}):
        FigureCanvasSVG(canvas).print_svg(file, metadata=_NO_METADATA)  # type: ignore[no-untyped-call]  # untyped in matplotlib
    root = _parsed(file.getvalue())
    if canvas.picture is not None:
        root.append(_picture_of(canvas))
    return _cleaned(root)


def _parsed(drawn: str) -> ElementTree.Element:
    if (character := forbidden_in(drawn)) is not None:
        raise ForbiddenCharacter(character)
    return ElementTree.fromstring(drawn)


def _cleaned(root: ElementTree.Element) -> ElementTree.Element:
    """The tree without metadata, style sheet, indentation and invisible frames."""
    links = (link.get(_XLINK_HREF, "") for link in root.iter(f"{{{SVG}}}a"))  # of artists with a `url`
    if wrong := [address for address in links if _fault_of(address) is not None]:
        raise WrongAddress(*dict.fromkeys(wrong))
    for parent in list(root.iter()):
        if parent.text is not None and not parent.text.strip() and parent.tag != f"{{{SVG}}}tspan":
            parent.text = None
        for child in list(parent):
            child.tail = None
            if (
                child.tag == f"{{{SVG}}}metadata"
                or (child.tag == f"{{{SVG}}}path" and _is_invisible(child))
                or (child.tag == f"{{{SVG}}}defs" and child.find(f"{{{SVG}}}style") is not None)
            ):
                parent.remove(child)
    return root


def _fault_of(address: str) -> str | None:
    """What is wrong with an address in a drawing, which pages at several places and files show."""
    if not runs_nothing(address):
        return "browsers would run"
    if not is_elsewhere(address):
        return "is relative: it leads elsewhere from each page and file that shows the drawing"
    mistake = mistake_in(address)
    return None if mistake is None else mistake.what


def _picture_of(canvas: Canvas) -> ElementTree.Element:
    """What another library has drawn, to be changed, with its texts as readers have them."""
    picture = copy.deepcopy(certain(canvas.picture, "another library has drawn it"))
    if canvas.respelling is not None:
        for element in picture.iter():
            element.text = canvas.respelling.words(element.text or "") or None
    return picture


def _is_invisible(path: ElementTree.Element) -> bool:
    """Whether a path's style is only `fill: none`, so that it has neither fill nor stroke."""
    declared = [one.partition(":") for one in path.get("style", "").split(";") if one.strip()]
    return [(name.strip(), value.strip()) for name, _, value in declared] == [("fill", "none")]


def _style_as_attributes(element: ElementTree.Element) -> None:
    """Say in attributes what `style` says: a policy that forbids styles inside pages allows them."""
    kept = []
    for declaration in element.attrib.pop("style", "").split(";"):
        name, _, value = declaration.partition(":")
        if name in _AS_ATTRIBUTES:
            element.set(name, value)
        elif name:
            kept.append(declaration)
    if kept:
        element.set("style", ";".join(kept))


def _unwrap_groups(element: ElementTree.Element) -> None:
    """Remove groups without attributes: matplotlib wraps every artist into several."""
    inner: list[ElementTree.Element] = []
    for child in element:
        _unwrap_groups(child)
        inner += list(child) if child.tag == f"{{{SVG}}}g" and not child.attrib else [child]
    element[:] = inner


def _in_variables(value: str, foreign: dict[str, None]) -> str:
    def variable(match: re.Match[str]) -> str:
        token = _TOKEN_OF.get(match[0])
        if token is None:
            foreign[match[0]] = None
            return match[0]
        return f"var(--fig-{token})"

    # The font is set once, on the root element.
    return _FACE.sub("", _COLOUR.sub(variable, value))


def _name(root: ElementTree.Element, caption: Caption) -> None:
    """Make ids unique, remove unused ones, shorten numbers, and insert title and description."""
    for element in root.iter():
        given = element.get("id")
        if given is not None and _MADE_UP_ID.fullmatch(given):
            del element.attrib["id"]
        elif given is not None:
            element.set("id", f"{caption.prefix}-{given}")
        reference = element.get(_XLINK_HREF)
        if reference is not None and reference.startswith("#"):
            element.set(_XLINK_HREF, f"#{caption.prefix}-{reference[1:]}")
        for name, value in element.attrib.items():
            if "url(#" in value:
                element.set(name, value.replace("url(#", f"url(#{caption.prefix}-"))
        for name in _SHORTER:
            if name in element.attrib:
                element.set(name, _shortened(element.attrib[name], name))
        if element.get("transform") == "":
            del element.attrib["transform"]
    _unwrap_groups(root)
    for tag, text in (("desc", caption.alt), ("title", caption.title)):
        words = ElementTree.Element(f"{{{SVG}}}{tag}", {"id": f"{caption.prefix}-{tag}"})
        words.text = text
        root.insert(0, words)


def _shortened(value: str, name: str) -> str:
    if name == "transform":
        value = _NOT_TURNED.sub("", value).strip()
        # A scale such as 0.13 is not a coordinate: rounding it to two decimals would distort the content.
        return value if "scale" in value else _LONG.sub(_two_decimals, value)
    value = _LONG.sub(_two_decimals, value)
    if name == "d":
        return path_data.shortened(" ".join(value.split()))
    return value.replace("; ", ";").replace(": ", ":") if name == "style" else value


def _two_decimals(match: re.Match[str]) -> str:
    text = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _text_of(root: ElementTree.Element) -> str:
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    text = ElementTree.tostring(root, encoding="unicode")
    if (character := forbidden_in(text)) is not None:
        raise ForbiddenCharacter(character)
    return text
