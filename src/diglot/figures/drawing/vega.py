"""Charts of Altair: what `draw` returns is drawn by vl-convert, in the style of all figures.

Neither is imported before a script has: its chart is known by the name of its class's module.
"""

import io
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from matplotlib import colors

from diglot.diagnostics import shortened
from diglot.figures.drawing.style import FACES, FONTS, TEXT_PX
from diglot.figures.palette import SEQUENCE
from diglot.figures.scripts import memory
from diglot.figures.scripts.misuse import Misuse

if TYPE_CHECKING:
    from diglot.figures.drawing.canvas import Canvas

_LONGEST = 300
_SERIES = ("gpu3", "tpu2", "gpu1", "tpu3", "mem", "net")
_UNUSED = ("class", "role", "aria-hidden", "aria-label", "aria-roledescription", "pointer-events")
"""Attributes in English, or for scripts that no page has: the alternative text is that of the figure."""


def chart_of(returned: object) -> Mapping[str, Any] | None:
    """The specification of a chart of Altair; None for anything else that `draw` returns. Raises Misuse."""
    if not type(returned).__module__.startswith("altair."):
        return None
    try:
        spec: Mapping[str, Any] = returned.to_dict()  # type: ignore[attr-defined]  # all its charts have it
    except Exception as error:  # of several kinds, with texts of many lines
        message = shortened(" ".join(str(error).split()), _LONGEST)
        raise Misuse(f"Altair refuses the chart: {message}", "correct it as Altair says.") from error
    return spec


def put_chart(spec: Mapping[str, Any], canvas: "Canvas") -> None:
    """Draw a chart over the whole canvas, in the colours and the language that are in use.

    It is as wide as the canvas, and as high as it says, or else as the canvas is. Charts that are made of
    several are drawn in their own size, and made smaller where they are too wide.
    """
    try:
        import vl_convert  # noqa: PLC0415  (an extra, and only scripts with such charts need it)
    except ImportError as error:
        raise Misuse(
            "a chart of Altair is drawn by vl-convert, which is not installed",
            "run `pip install 'diglot[altair]'`.",
        ) from error
    if (address := next(_addresses(spec), None)) is not None:
        raise Misuse(
            f'the chart reads "{address}" itself, where diglot does not see it',
            "read the data in `compute`, and give the chart `alt.Data(values=…)`.",
        )
    sized = {"width": canvas.width_px, "height": canvas.height_px}
    fitted = {"autosize": {"type": "fit", "contains": "padding"}}
    given = dict(spec.get("config") or {})
    view = given.pop("view", {})  # Altair's own, which has a size
    whole = {**(sized | fitted if _is_single(spec) else {}), **spec}
    whole["config"] = _merged(_style(canvas), {**given, "view": {"stroke": None} | _without_size(view)})
    memory.let_reserve()
    vl_convert.register_font_directory(str(FONTS))
    root = ElementTree.fromstring(vl_convert.vegalite_to_svg(whole))
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    scale = min(1.0, canvas.width_px / width)
    canvas.set_height_px(round(height * scale))
    picture = ElementTree.Element(f"{{{_SVG}}}g", {"transform": f"scale({scale:g})"} if scale < 1 else {})
    picture.extend(root)
    for element in picture.iter():
        for name in _UNUSED:
            element.attrib.pop(name, None)
        for name in ("fill", "stroke", "stop-color"):
            if name in element.attrib:
                element.set(name, _in_six_digits(element.attrib[name]))
    canvas.picture = picture


def png(svg: bytes, words: Mapping[str, str], dpi: int) -> bytes:
    """A file with such a chart as PNG, with metadata. Its texts have the bundled fonts."""
    import vl_convert  # noqa: PLC0415  (it has drawn the chart)
    from PIL import Image, PngImagePlugin  # noqa: PLC0415  (only such charts need it)

    chunks = PngImagePlugin.PngInfo()
    for name, text in words.items():
        chunks.add_itxt(name, text)
    file = io.BytesIO()
    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg.decode(), scale=dpi / 96))) as picture:
        picture.save(file, "PNG", pnginfo=chunks)
    return file.getvalue()


_RGB = re.compile(r"rgb\((\d+), (\d+), (\d+)\)")
_SHORT = re.compile("#([0-9a-f])([0-9a-f])([0-9a-f])")


def _in_six_digits(colour: str) -> str:
    """A colour as other drawings have it; one between two stand-ins, on a continuous scale, is one itself."""
    if (parts := _RGB.fullmatch(colour)) is not None:
        return "#{:02x}{:02x}{:02x}".format(*map(int, parts.groups()))
    return _SHORT.sub(r"#\1\1\2\2\3\3", colour) if _SHORT.fullmatch(colour) else colour


def _addresses(part: object) -> Iterator[str]:
    """The addresses of data in a specification."""
    if isinstance(part, Mapping):
        if isinstance(data := part.get("data"), Mapping) and "url" in data:
            yield str(data["url"])
        for value in part.values():
            yield from _addresses(value)
    elif isinstance(part, list):
        for value in part:
            yield from _addresses(value)


_SVG = "http://www.w3.org/2000/svg"
_OF_SEVERAL = ("hconcat", "vconcat", "concat", "facet", "repeat")


def _is_single(spec: Mapping[str, Any]) -> bool:
    encoding = spec.get("encoding", {})
    return not any(key in spec for key in _OF_SEVERAL) and not {"row", "column", "facet"} & {*encoding}


def _without_size(view: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in view.items() if not key.startswith(("continuous", "discrete"))}


def _style(canvas: "Canvas") -> dict[str, Any]:
    """The look of figures as a configuration of Vega-Lite."""
    text, small = TEXT_PX[canvas.language]
    face = ", ".join(FACES[canvas.language])

    def words(prefix: str, colour: str, size: int) -> dict[str, Any]:
        names = (f"{prefix}Font", f"{prefix}FontWeight", f"{prefix}FontSize", f"{prefix}Color")
        return dict(zip(names, (face, "normal", size, colour_of(colour)), strict=True))

    line = {"domainColor": colour_of("soft"), "tickColor": colour_of("soft"), "gridColor": colour_of("rule")}
    plain = {"font": face, "fontWeight": "normal"}
    return {
        "background": None,
        "font": face,
        "padding": 4,
        "axis": line | words("label", "mute", small) | words("title", "mute", small),
        "axisY": {"domain": False, "ticks": False},
        "header": words("label", "mute", small) | words("title", "ink", text),
        "legend": words("label", "ink", small)
        | words("title", "mute", small)
        | {"gradientStrokeColor": colour_of("rule")},
        "title": plain | {"fontSize": text, "color": colour_of("ink"), "anchor": "start"},
        "text": plain | {"fontSize": small, "color": colour_of("ink")},
        "mark": {"color": colour_of(_SERIES[0])},
        "line": {"strokeWidth": 2},
        "rule": {"color": colour_of("soft")},
        "range": {
            "category": [*map(colour_of, _SERIES)],
            "ordinal": [*map(colour_of, SEQUENCE)],
            "ramp": [*map(colour_of, SEQUENCE)],
            "heatmap": [*map(colour_of, SEQUENCE)],
        },
    }


def colour_of(token: str) -> str:
    """A colour of the palette as it is drawn now: a theme's, or a stand-in for a variable of the page."""
    return colors.to_hex(token)


def _merged(one: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Two configurations, of which the second says what counts."""
    return {
        **one,
        **{
            key: _merged(one[key], value)
            if isinstance(value, Mapping) and isinstance(one.get(key), Mapping)
            else value
            for key, value in over.items()
        },
    }
