"""Reads what a presentation of LibreOffice shows: pictures of slides, notes and masters."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from diglot.slides.archives import Archive
from diglot.slides.mistakes import damaged, encrypted
from diglot.slides.records import Deck, Picture, Place
from diglot.slides.renditions import Renditions
from diglot.slides.xml import parse_part

_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_DRAW, _STYLE, _TEXT = (f"{{{_ODF}:{name}:1.0}}" for name in ("drawing", "style", "text"))
_NOTES = f"{{{_ODF}:presentation:1.0}}notes"
_SVG = f"{{{_ODF}:svg-compatible:1.0}}"
_OTHER_CONTENTS = (f"{_DRAW}object", f"{_DRAW}object-ole", f"{{{_ODF}:table:1.0}}table")
_HREF = "{http://www.w3.org/1999/xlink}href"


def read_opendocument(archive: Archive) -> Deck:
    """What a file shows, slide by slide; then its masters."""
    if "content.xml" not in archive:
        raise damaged(archive.path, 'the part "content.xml" is missing')
    if "META-INF/manifest.xml" in archive and b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise encrypted(archive.path)
    renditions = Renditions(archive)
    pictures: list[Picture] = []
    texts: list[tuple[Place, str]] = []
    root = parse_part(archive.read_xml("content.xml"), archive.path, "content.xml")
    count = 0
    for count, page in enumerate(root.iter(f"{_DRAW}page"), start=1):
        notes = page.find(_NOTES)
        for part, place in (
            (page, Place(kind="slide", number=count)),
            (notes, Place(kind="notes", number=count)),
        ):
            if part is not None:
                without = notes if part is page else None
                pictures += _pictures(part, place, renditions, archive, without=without)
                texts += [(place, text) for text in _texts(part, without)]
    if "styles.xml" in archive:
        styles = parse_part(archive.read_xml("styles.xml"), archive.path, "styles.xml")
        for number, master in enumerate(styles.iter(f"{_STYLE}master-page"), start=1):
            place = Place(kind="master", number=number, name=master.get(f"{_STYLE}name", ""))
            pictures += _pictures(master, place, renditions, archive, without=None)
    signed = "META-INF/documentsignatures.xml" in archive
    return Deck(pictures=tuple(pictures), texts=tuple(texts), slides_count=count, signed=signed)


def _pictures(
    root: Element, place: Place, renditions: Renditions, archive: Archive, *, without: Element | None
) -> Iterator[Picture]:
    for frame in _below(root, f"{_DRAW}frame", without):
        targets = [unquote(one.get(_HREF, "")) for one in frame.iterfind(f"{_DRAW}image")]
        # A path that leads out of the file is a link to a picture next to it.
        inside = [posixpath.normpath(one) for one in targets if one and posixpath.normpath(one) in archive]
        # A formula, chart or table has a picture of itself next to it.
        if not targets or any(frame.find(name) is not None for name in _OTHER_CONTENTS):
            continue
        yield Picture(
            place=place,
            name=frame.get(f"{_DRAW}name", ""),
            description="".join(frame.findtext(f"{_SVG}desc") or ""),
            renditions=tuple(renditions.of(one) for one in inside),
            link="" if inside else targets[0],
            part="content.xml",
        )


def _texts(root: Element, without: Element | None) -> Iterator[str]:
    for paragraph in _below(root, f"{_TEXT}p", without):
        if text := "".join(paragraph.itertext()):
            yield text


def _below(root: Element, wanted: str, without: Element | None) -> Iterator[Element]:
    """All elements of a name in the order of the file, but for those in `without`."""
    stack = [root]
    while stack:
        one = stack.pop()
        if one.tag == wanted:
            yield one
        if one is not without:
            stack += reversed(one)
