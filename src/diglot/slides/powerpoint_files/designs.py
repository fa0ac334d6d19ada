"""The layouts of a PowerPoint file: those of a person's template, or diglot's own."""

import io
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from lxml import etree
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.enum.text import MSO_ANCHOR
from pptx.util import Emu

from diglot.figures.palette import DARK, LIGHT, Theme
from diglot.languages import TRADITIONAL, Edition
from diglot.slides.powerpoint_files.elements import add
from diglot.slides.xml import A, P

EMU_PER_PX = 9525
"""A slide of 16:9 has 1,280 × 720 px."""
_WIDTH, _HEIGHT, _MARGIN = 1280, 720, 80
_NUMBER_WIDTH, _DATE_WIDTH = 60, 240
_TITLE_TOP, _TITLE_HEIGHT, _BODY_TOP, _BODY_HEIGHT = 34, 76, 124, 524
_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE)
_BODIES = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT)
_SIDE_BY_SIDE = 2
_RULE_TOP = 448
_TITLE_SIZE = 3200
"""Of titles, in hundredths of a point."""
LINE_SPACING, PARAGRAPH_SPACING = 1.1, 0.55
"""Between lines, in their usual distance; between paragraphs, in their size."""
_SERIF = '<a:latin typeface="Georgia" panose="02040502050405020303" pitchFamily="18"/>'
_SANS = '<a:latin typeface="Arial" panose="020B0604020202020204" pitchFamily="34"/>'
_SIMPLIFIED, _TRADITIONAL = "Microsoft YaHei", "Microsoft JhengHei"
"""Faces that PowerPoint has on every system; where a program lacks one, its family says what is like it."""
_FOOT_TOP, _FOOT_HEIGHT, _FOOT_SIZE = 656, 44, 1200


class Rect(NamedTuple):
    """A place on a slide, in EMU."""

    left: int
    top: int
    width: int
    height: int

    def columns(self, shares: Sequence[float]) -> tuple["Rect", ...]:
        """The place divided into columns with a gap between them."""
        gap = 40 * EMU_PER_PX
        room = self.width - gap * (len(shares) - 1)
        found, left = [], self.left
        for share in shares:
            width = round(room * share / sum(shares))
            found.append(Rect(left, self.top, width, self.height))
            left += width + gap
        return tuple(found)


class Design:
    """A presentation without slides, and which of its layouts serves what."""

    def __init__(self, template: bytes | None, theme: Theme = "light", *, edition: Edition = "zh") -> None:
        """Without a template, the design is diglot's own, in one of two themes, with faces for `edition`."""
        self._han = _TRADITIONAL if edition == TRADITIONAL else _SIMPLIFIED
        self._titles = _SERIF if edition == "en" else _SANS
        self.theme: Theme = theme
        self.presentation: Any = Presentation(None if template is None else io.BytesIO(template))
        self.is_own = template is None
        if self.is_own:
            _lay_out(self.presentation)
            if theme == "dark":
                self.presentation.slide_master.element.find(f"{P}clrMap").attrib.update(_DARK_ON_TOP)
        else:
            _remove_slides(self.presentation)
        self._layouts = [*self.presentation.slide_layouts]

    @property
    def slide(self) -> Rect:
        """A whole slide."""
        return Rect(0, 0, int(self.presentation.slide_width), int(self.presentation.slide_height))

    def cover(self) -> Any:
        """The layout of the first slide."""
        return self._find(titles=1, bodies=0, subtitle=True)

    def layout(self, bodies: int) -> Any:
        """The layout with a title and up to two places for text side by side."""
        return self._find(titles=1, bodies=min(bodies, _SIDE_BY_SIDE), subtitle=False)

    def body(self) -> Rect:
        """The place below the title: that of a layout with one text, or what the slide leaves."""
        places = [one for one in self.layout(1).placeholders if one.placeholder_format.type in _BODIES]
        if places and places[0].width:
            one = places[0]
            return Rect(int(one.left), int(one.top), int(one.width), int(one.height))
        whole = self.slide
        side, top = whole.width // 16, whole.height // 5
        return Rect(side, top, whole.width - 2 * side, whole.height - top - side)

    def twin(self) -> Rect:
        """On the cover of diglot's own design, the place of the title in the other language."""
        side = _MARGIN * EMU_PER_PX
        return Rect(side, 372 * EMU_PER_PX, self.slide.width - 2 * side, 60 * EMU_PER_PX)

    def foot(self) -> Rect:
        """The place below all others, for footnotes: left of the number of the slide."""
        body, height = self.body(), self.slide.height
        top = min(body.top + body.height, height - height // 10)
        return Rect(body.left, top, body.width * 4 // 5, height - top - height // 60)

    def title(self) -> tuple[Rect, float]:
        """The place of titles, and their size in points, as far as the layout or the master says it."""
        titles = [one for one in self.layout(1).placeholders if one.placeholder_format.type in _TITLES]
        style = self.presentation.slide_master.element.find(f"{P}txStyles/{P}titleStyle/{A}lvl1pPr/{A}defRPr")
        size = float(style.get("sz", _TITLE_SIZE)) / 100 if style is not None else _TITLE_SIZE / 100
        if titles and titles[0].width:
            one = titles[0]
            return Rect(int(one.left), int(one.top), int(one.width), int(one.height)), size
        body = self.body()
        return Rect(body.left, 0, body.width, body.top), size

    @property
    def has_centred_titles(self) -> bool:
        """Whether titles are in the middle, as far as the master says it."""
        title = self.presentation.slide_master.element.find(f"{P}txStyles/{P}titleStyle/{A}lvl1pPr")
        return title is not None and title.get("algn") == "ctr"

    def statement(self, *, has_remarks: bool) -> tuple[Rect, Rect]:
        """The places of a sentence in large type, and of the text below it."""
        body, height = self.body(), self.slide.height
        if not has_remarks:
            middle = Rect(body.left, height // 8, body.width, height * 3 // 4)
            return middle, middle
        return (
            Rect(body.left, height // 8, body.width, height * 3 // 8),
            Rect(body.left, height * 17 // 32, body.width, height * 11 // 32),
        )

    def own_theme(self, theme: str) -> str:
        """The theme of diglot's own design: its colours of data, and faces for both scripts."""
        return _own_theme(theme, self.theme, self._titles, self._han)

    def _find(self, *, titles: int, bodies: int, subtitle: bool) -> Any:
        """The first layout with these placeholders, or else the nearest."""

        def distance(layout: Any) -> tuple[int, int]:
            kinds = [one.placeholder_format.type for one in layout.placeholders]
            found = sum(kind in _BODIES for kind in kinds)
            has_subtitle = PP_PLACEHOLDER.SUBTITLE in kinds
            others = sum(kind in _OTHERS for kind in kinds)
            wrong = abs(min(sum(kind in _TITLES for kind in kinds), 1) - titles) * 4
            return wrong + abs(found - bodies) * 2 + (has_subtitle != subtitle) * 3 + others, 0

        return min(self._layouts, key=distance)


_OTHERS = (PP_PLACEHOLDER.PICTURE, PP_PLACEHOLDER.CHART, PP_PLACEHOLDER.TABLE, PP_PLACEHOLDER.VERTICAL_TITLE)


def _remove_slides(presentation: Any) -> None:
    """A template may be a deck with slides, which the talk does not need."""
    ids = presentation.slides.element
    for one in [*ids]:
        presentation.part.drop_rel(one.rId)
        ids.remove(one)


def _lay_out(presentation: Any) -> None:
    """Make python-pptx's template, which is 4:3, a plain one of 16:9."""
    presentation.slide_width, presentation.slide_height = _px(_WIDTH), _px(_HEIGHT)
    wide = _WIDTH - 2 * _MARGIN
    rest = wide - _DATE_WIDTH - _NUMBER_WIDTH
    feet = {
        PP_PLACEHOLDER.FOOTER: (_MARGIN, _FOOT_TOP, rest),
        PP_PLACEHOLDER.DATE: (_MARGIN + rest, _FOOT_TOP, _DATE_WIDTH),
        PP_PLACEHOLDER.SLIDE_NUMBER: (_MARGIN + rest + _DATE_WIDTH, _FOOT_TOP, _NUMBER_WIDTH),
    }
    for holder in (presentation.slide_master, *presentation.slide_layouts):
        scale = _WIDTH / 960
        for shape in holder.placeholders:
            kind = shape.placeholder_format.type
            if kind in _TITLES and holder.name != "Title Slide":
                _place(shape, _MARGIN, _TITLE_TOP, wide, _TITLE_HEIGHT)
            elif holder is presentation.slide_master and kind == PP_PLACEHOLDER.BODY:
                _place(shape, _MARGIN, _BODY_TOP, wide, _BODY_HEIGHT)
            elif kind in feet:
                _place(shape, *feet[kind], _FOOT_HEIGHT)
                _style_foot(shape, "l" if kind == PP_PLACEHOLDER.FOOTER else "r")
            elif holder is presentation.slide_master:  # layouts have it from there
                shape.left, shape.width = Emu(int(shape.left * scale)), Emu(int(shape.width * scale))
    for layout in presentation.slide_layouts:
        bodies = [one for one in layout.placeholders if one.placeholder_format.type in _BODIES]
        if layout.name == "Title Slide":
            for shape in layout.placeholders:
                if shape.placeholder_format.type == PP_PLACEHOLDER.CENTER_TITLE:
                    _place(shape, _MARGIN, 110, wide, 250)
                elif shape.placeholder_format.type == PP_PLACEHOLDER.SUBTITLE:
                    _place(shape, _MARGIN, 468, wide, 180)
        elif layout.name == "Two Content":
            half = (wide - 40) // 2
            for number, shape in enumerate(bodies):
                _place(shape, _MARGIN + number * (half + 40), _BODY_TOP, half, _BODY_HEIGHT)
        elif layout.name == "Title and Content":
            _place(bodies[0], _MARGIN, _BODY_TOP, wide, _BODY_HEIGHT)
    for layout in [*presentation.slide_layouts]:
        if layout.name not in ("Title Slide", "Title and Content", "Two Content", "Title Only"):
            presentation.slide_layouts.remove(layout)
        else:
            for shape in layout.placeholders:  # sizes of their own
                if shape.placeholder_format.type in feet:
                    continue
                for style in shape.element.findall(f".//{A}lstStyle/*"):
                    style.getparent().remove(style)
    _style_texts(presentation.slide_master)
    for layout in presentation.slide_layouts:
        if layout.name == "Title Slide":
            for shape in layout.placeholders:
                for style in shape.element.iter(f"{A}lvl1pPr"):
                    style.set("algn", "l")
                if shape.placeholder_format.type == PP_PLACEHOLDER.CENTER_TITLE:
                    shape.text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM
                    properties = shape.element.find(f".//{A}lstStyle")
                    level = add(properties, f"{A}lvl1pPr", algn="l")
                    add(level, f"{A}defRPr", sz="5400")
                elif shape.placeholder_format.type == PP_PLACEHOLDER.SUBTITLE:
                    style = add(
                        shape.element.find(f".//{A}lstStyle"), f"{A}lvl1pPr", marL="0", indent="0", algn="l"
                    )
                    add(style, f"{A}buNone")
                    add(style, f"{A}defRPr", sz="2000")
            _rule_under_title(layout)


def _rule_under_title(layout: Any) -> None:
    """A line between the titles of a cover and what is below them."""
    line = layout.shapes._spTree.makeelement(f"{P}cxnSp", {})
    names = add(line, f"{P}nvCxnSpPr")
    add(names, f"{P}cNvPr", id="90", name="Rule")
    add(names, f"{P}cNvCxnSpPr")
    add(names, f"{P}nvPr")
    properties = add(line, f"{P}spPr")
    place = add(properties, f"{A}xfrm")
    add(place, f"{A}off", x=str(_px(_MARGIN)), y=str(_px(_RULE_TOP)))
    add(place, f"{A}ext", cx=str(_px(_WIDTH - 2 * _MARGIN)), cy="0")
    add(add(properties, f"{A}prstGeom", prst="line"), f"{A}avLst")
    add(add(add(properties, f"{A}ln", w="12700"), f"{A}solidFill"), f"{A}schemeClr", val="tx1")
    layout.shapes._spTree.append(line)


def _style_foot(shape: Any, side: str) -> None:
    """Small type in the colour of what is secondary, at the lower end of its place."""
    shape.element.find(f".//{A}bodyPr").set("anchor", "b")
    for inset in ("lIns", "rIns"):
        shape.element.find(f".//{A}bodyPr").set(inset, "0")
    styles = shape.element.find(f".//{A}lstStyle")
    for style in [*styles]:
        styles.remove(style)
    text = add(add(styles, f"{A}lvl1pPr", algn=side), f"{A}defRPr", sz=str(_FOOT_SIZE))
    add(add(text, f"{A}solidFill"), f"{A}schemeClr", val="tx2")


def _style_texts(master: Any) -> None:
    """Titles at the left; sizes for a room."""
    styles = master.element.find(f"{P}txStyles")
    title = styles.find(f"{P}titleStyle/{A}lvl1pPr")
    title.set("algn", "l")
    title.find(f"{A}defRPr").set("sz", str(_TITLE_SIZE))
    for level, size in zip(range(1, 6), (2600, 2400, 2000, 2000, 2000), strict=True):
        style = styles.find(f"{P}bodyStyle/{A}lvl{level}pPr")
        style.find(f"{A}defRPr").set("sz", str(size))
        style.find(f"{A}spcBef/{A}spcPct").set("val", f"{PARAGRAPH_SPACING * 100_000:.0f}")
        spacing = etree.Element(f"{A}lnSpc")
        add(spacing, f"{A}spcPct", val=f"{LINE_SPACING * 100_000:.0f}")
        style.insert(0, spacing)
        if (bullet := style.find(f"{A}buChar")) is not None:
            bullet.set("char", "–")
    for shape in master.placeholders:
        if shape.placeholder_format.type in _TITLES:
            shape.text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM


def _px(length: float) -> Emu:
    return Emu(round(length * EMU_PER_PX))


def _place(shape: Any, left: float, top: float, width: float, height: float) -> None:
    shape.left, shape.top, shape.width, shape.height = (_px(one) for one in (left, top, width, height))


_DARK_ON_TOP = {"bg1": "dk1", "tx1": "lt1", "bg2": "dk2", "tx2": "lt2"}
"""Which colours of its theme a dark presentation takes for backgrounds and texts."""


def _own_theme(theme: str, wanted: Theme, titles: str, han: str) -> str:
    own = DARK if wanted == "dark" else LIGHT
    grounds = (
        {"dk1": DARK["paper"], "lt1": DARK["ink"], "dk2": DARK["sunk"], "lt2": DARK["soft"]}
        if wanted == "dark"
        else {"dk1": LIGHT["ink"], "lt1": LIGHT["paper"], "dk2": LIGHT["soft"], "lt2": LIGHT["sunk"]}
    )
    colours = {
        **grounds,
        **{f"accent{n}": own[name] for n, name in enumerate(_ACCENTS, start=1)},
        "hlink": own["soft"],
        "folHlink": own["soft"],
    }
    for name, colour in colours.items():
        value = f'<a:{name}><a:srgbClr val="{colour[1:].upper()}"/></a:{name}>'
        theme = re.sub(rf"<a:{name}>.*?</a:{name}>", value, theme, flags=re.DOTALL)
    for use, latin in (("major", titles), ("minor", _SANS)):
        faces = rf'\1{latin}<a:ea typeface="{han}"/>'
        theme = re.sub(rf"(<a:{use}Font>\s*)<a:latin [^>]*/>\s*<a:ea [^>]*/>", faces, theme)
    return theme


_ACCENTS = ("gpu3", "tpu3", "mem", "net", "cmp", "idle")
