"""Small pictures and decks, as diglot, PowerPoint and LibreOffice write them."""

import copy
import io
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pptx import Presentation
from pptx.util import Inches

OLD = "bars en light 16:9 data 00000001"


def png(key: str = OLD, *, title: str = "Bars", description: str = "Two bars.", size=(320, 180)) -> bytes:
    """A picture with the metadata of an export; without any if the key is empty."""
    words = PngInfo()
    for name, text in (("Title", title), ("Description", description), ("Source", key)):
        if key:
            words.add_text(name, text)
    target = io.BytesIO()
    Image.new("RGB", size, "white").save(target, "PNG", pnginfo=words)
    return target.getvalue()


def svg(key: str = OLD, *, title: str = "Bars", description: str = "Two bars.") -> bytes:
    """The same as SVG."""
    said = f"<title>{title}</title><desc>{description}</desc><metadata>{key}</metadata>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720">{said}<g/></svg>'.encode()


def deck(path: Path, pictures: Iterable[bytes]) -> Path:
    """A deck with one picture on each slide."""
    made = Presentation()
    for picture in pictures:
        slide = made.slides.add_slide(made.slide_layouts[6])
        slide.shapes.add_picture(io.BytesIO(picture), Inches(1), Inches(1), width=Inches(5))
    made.save(str(path))
    return path


def deck_of_all_kinds(path: Path) -> Path:
    """A deck that shows one figure in all the ways in which people put pictures into decks."""
    made = Presentation()
    blank = made.slide_layouts[6]

    def placed(shapes, picture: bytes):
        return shapes.add_picture(io.BytesIO(picture), Inches(1), Inches(1), width=Inches(5))

    first = made.slides.add_slide(blank)
    placed(first.shapes, png()).name = "The ridge"
    copied = made.slides.add_slide(blank)
    picture = copy.deepcopy(first.shapes[0]._element)
    picture.blipFill.blip.rEmbed = copied.part.relate_to(
        first.part.related_part(picture.blipFill.blip.rEmbed), _IMAGE
    )
    copied.shapes._spTree.append(picture)
    cropped = placed(made.slides.add_slide(blank).shapes, png())
    cropped.crop_left = cropped.crop_top = 0.2
    grouped = placed(made.slides.add_slide(blank).shapes, png())
    grouped._parent.add_group_shape([grouped])
    noted = made.slides.add_slide(blank).notes_slide
    _append(noted, png())
    _append(made.slide_master, png())
    _append(blank, png())
    placed(made.slides.add_slide(blank).shapes, png(""))
    made.save(str(path))
    return path


def mistakes_in(path: Path) -> list[str]:
    """What is wrong in a PowerPoint file by the schemas of Office Open XML (ECMA-376), as Office has them.

    A chart's workbook is looked into, too.
    """
    audit = pytest.importorskip("openxml_audit", reason="openxml-audit is not installed")
    found = [
        f"{one.part_uri} {one.path}: {one.description}"
        for one in audit.OpenXmlValidator().validate(path).errors
        # In presentations, runs of formulas have the properties of other runs; the schemas know Word's alone.
        if not (one.node == "rPr" and "/oMath" in (one.path or ""))
    ]
    with zipfile.ZipFile(path) as archive:
        types = etree.fromstring(archive.read("[Content_Types].xml"))
        known = {(one.get("Extension") or one.get("PartName", "")).lower() for one in types}
        for name in archive.namelist():
            if f"/{name}".lower() not in known and name.rpartition(".")[2].lower() not in known:
                found.append(f"/{name}: its type is not said")
            if name.endswith(".xlsx"):
                inner = path.with_name(f"{path.stem}-{name.rpartition('/')[2]}")
                inner.write_bytes(archive.read(name))
                found += mistakes_in(inner)
    return [one for one in found if not one.startswith("/[Content_Types].xml:")]


_IMAGE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"


def _append(holder, picture: bytes) -> None:
    """Put a picture where python-pptx has no method for it: into notes, a master or a layout."""
    part, relationship = holder.part.get_or_add_image_part(io.BytesIO(picture))
    assert part is not None
    holder.shapes._spTree.add_pic(
        77, "Picture 77", "", relationship, Inches(1), Inches(1), Inches(5), Inches(3)
    )


def rewritten(path: Path, changes: dict[str, bytes | None], **options: int) -> Path:
    """A deck with other parts, or without some."""
    with zipfile.ZipFile(path) as old:
        members = {one.filename: old.read(one) for one in old.infolist()}
    members |= changes
    with zipfile.ZipFile(path, "w", options.get("compression", zipfile.ZIP_DEFLATED)) as new:
        for name, content in members.items():
            if content is not None:
                new.writestr(name, content)
    return path


def with_svg(path: Path, fallback: bytes, picture: bytes) -> Path:
    """A deck with one picture as PowerPoint keeps an SVG: with a PNG file that it has drawn from it."""
    deck(path, [fallback])
    with zipfile.ZipFile(path) as archive:
        slide = archive.read("ppt/slides/slide1.xml").decode()
        relationships = archive.read("ppt/slides/_rels/slide1.xml.rels").decode()
        types = archive.read("[Content_Types].xml").decode()
    extension = (
        '<a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip '
        'xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:embed="rId9"/>'
        "</a:ext></a:extLst>"
    )
    start = slide.index("<a:blip")
    end = slide.index("/>", start)
    slide = f"{slide[:end]}>{extension}</a:blip>{slide[end + 2 :]}"
    one = f'<Relationship Id="rId9" Type="{_IMAGE}" Target="../media/drawing.svg"/></Relationships>'
    kind = '<Default Extension="svg" ContentType="image/svg+xml"/></Types>'
    return rewritten(
        path,
        {
            "ppt/slides/slide1.xml": slide.encode(),
            "ppt/slides/_rels/slide1.xml.rels": relationships.replace("</Relationships>", one).encode(),
            "[Content_Types].xml": types.replace("</Types>", kind).encode(),
            "ppt/media/drawing.svg": picture,
        },
    )


_ODP = """<?xml version="1.0"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:presentation>
<draw:page draw:name="page1">
<draw:frame draw:name="Ridge"><draw:image xlink:href="Pictures/1.png"/></draw:frame>
<draw:frame><draw:text-box><text:p>At 206 FLOP</text:p></draw:text-box></draw:frame>
<presentation:notes><draw:frame><draw:image xlink:href="Pictures/1.png"/></draw:frame></presentation:notes>
</draw:page><draw:page draw:name="page2">
<draw:g><draw:frame><draw:image xlink:href="../beside.png"/></draw:frame></draw:g></draw:page>
</office:presentation></office:body></office:document-content>"""


def odp(path: Path, picture: bytes) -> Path:
    """A presentation of LibreOffice: a picture on a slide and in its notes, and one that is linked."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
        archive.writestr("content.xml", _ODP, zipfile.ZIP_DEFLATED)
        archive.writestr("Pictures/1.png", picture)
    return path
