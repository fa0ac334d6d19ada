"""Small changes of shapes that python-pptx has no methods for."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from diglot.figures.picture_key import PictureKey
from diglot.slides.powerpoint_files.designs import Rect
from diglot.slides.powerpoint_files.elements import add
from diglot.slides.xml import A, P

_RULE_WIDTH = "15875"
_NUMBER_FIELD = "{86CB4B4D-7CA3-9044-876B-883B54F8677D}"
"""Any id does; PowerPoint wants one."""


def remove(shapes: Sequence[Any]) -> None:
    """Take shapes off their slide."""
    for shape in shapes:
        shape.element.getparent().remove(shape.element)


def body_of(shape: Any) -> Any:
    """The element with a shape's text."""
    return shape.element.find(f"{P}txBody")


def centre(body: Any) -> None:
    """Centre the paragraphs of a text."""
    for properties in body.iterfind(f"{A}p/{A}pPr"):
        properties.set("algn", "ctr")


def number_slide(slide: Any, place: Any, number: int) -> None:
    """Show the number of a slide where its layout has a place for it; programs keep it right."""
    body = body_of(foot_of(slide, place))
    field = add(add(body, f"{A}p"), f"{A}fld", id=_NUMBER_FIELD, type="slidenum")
    add(field, f"{A}rPr", lang="en-US")
    add(field, f"{A}t").text = str(number)


def foot_of(slide: Any, place: Any) -> Any:
    """A placeholder of the layout's foot, without text; slides do not have them by themselves."""
    shape = deepcopy(place.element)
    used = max((int(one.get("id", 0)) for one in slide.shapes._spTree.iter(f"{P}cNvPr")), default=1)
    shape.find(f".//{P}cNvPr").set("id", str(used + 1))
    body = shape.find(f"{P}txBody")
    for paragraph in body.findall(f"{A}p"):
        body.remove(paragraph)
    slide.shapes._spTree.append(shape)
    made = slide.shapes[-1]
    made.left, made.top, made.width, made.height = place.left, place.top, place.width, place.height
    return made


def text_box(slide: Any, place: Rect, *, middle: bool = False) -> Any:
    """A new text box, whose text may be in its middle instead of at its top."""
    shape = slide.shapes.add_textbox(*place)
    shape.text_frame.word_wrap = True
    if middle:
        shape.element.find(f".//{A}bodyPr").set("anchor", "ctr")
    return shape


def describe(shape: Any, key: PictureKey | None, description: str) -> None:
    """Give a shape its alternative text; a figure's has its key, and so has its name."""
    named = shape.element.find(f".//{P}cNvPr")
    if key is not None:
        named.set("name", str(key))
        description = f"{description}\n{key}"
    named.set("descr", description)


def rule(cell: Any, *, above: bool, below: bool) -> None:
    """Draw lines above and below a cell of a table."""
    properties = cell.find(f"{A}tcPr")
    if properties is None:
        properties = add(cell, f"{A}tcPr")
    properties.set("anchor", "ctr")
    for name, wanted in (("lnT", above), ("lnB", below)):
        if wanted:
            line = add(properties, f"{A}{name}", w=_RULE_WIDTH)
            add(add(line, f"{A}solidFill"), f"{A}schemeClr", val="tx1")
