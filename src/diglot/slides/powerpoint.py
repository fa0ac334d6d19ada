"""Reads what a PowerPoint file shows: pictures of slides, notes, layouts and masters, with their texts."""

import json
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

import msgspec

from diglot.figures.picture_key import picture_key
from diglot.slides.archives import Archive
from diglot.slides.bound_values import locate
from diglot.slides.mistakes import damaged
from diglot.slides.part_names import Relationship, relationships
from diglot.slides.records import BoundText, Deck, Picture, Place, PlaceKind
from diglot.slides.renditions import Renditions
from diglot.slides.xml import ASVG, A, C, P, R, parse_part, shown_elements

VALUES_TAG = "DIGLOT_VALUES"
"""The tag of a shape that says which of its texts are values of figures, and their expressions."""
_SLIDES = f"{P}sldIdLst/{P}sldId"
_NAME = "cNvPr"


def read_powerpoint(archive: Archive) -> Deck:
    """What a file shows, slide by slide; then its notes, layouts and masters. Macros are never looked at."""
    main = next(
        (one.target for one in relationships(archive, "").values() if one.kind == "officeDocument"), None
    )
    if main is None:
        raise damaged(archive.path, "it has no presentation in it")
    reader = _Reader(archive)
    root = parse_part(archive.read_xml(main), archive.path, main)
    known = relationships(archive, main)
    count = 0
    slides: set[str] = set()
    for count, slide in enumerate(root.iterfind(_SLIDES), start=1):
        if (found := known.get(slide.get(f"{R}id", ""))) is None or found.external:
            continue
        if found.target in slides:
            raise damaged(archive.path, f'the slide "{found.target}" is in it twice')
        slides.add(found.target)
        reader.read_slide(found.target, count)
    reader.read_shared()
    return Deck(
        pictures=tuple(reader.pictures),
        texts=tuple(reader.texts),
        bound=tuple(reader.bound),
        slides_count=count,
        signed=any(name.startswith("_xmlsignatures/") for name in archive.names),
    )


class _Reader:
    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._renditions = Renditions(archive)
        self._shared: dict[str, Place] = {}
        """Layouts and masters, and other parts that several slides share, in the order they were met."""
        self.pictures: list[Picture] = []
        self.texts: list[tuple[Place, str]] = []
        self.bound: list[BoundText] = []

    def read_slide(self, part: str, number: int) -> None:
        """Read a slide, with its notes and whatever else belongs to it alone."""
        self._read(part, Place(kind="slide", number=number))

    def read_shared(self) -> None:
        """Read the layouts and masters of the slides before."""
        done: set[str] = set()
        while waiting := [part for part in self._shared if part not in done]:
            for part in waiting:
                done.add(part)
                self._read(part, self._shared[part])

    def _read(self, part: str, place: Place) -> None:
        if part not in self._archive:
            raise damaged(self._archive.path, f'the part "{part}" is missing')
        root = parse_part(self._archive.read_xml(part), self._archive.path, part)
        known = relationships(self._archive, part)
        if place.kind in ("layout", "master"):
            named = root.find(f"{P}cSld")
            place = msgspec.structs.replace(place, name=named.get("name", "") if named is not None else "")
        for frame in root.iter(f"{P}graphicFrame"):  # a chart that was made from a figure says so in its name
            named = next(_named(frame), None)
            if named is not None and picture_key(named.get("name", "")) is not None:
                chart = frame.find(f".//{C}chart")
                leads = known.get(chart.get(f"{R}id", "")) if chart is not None else None
                self.pictures.append(
                    Picture(
                        place=place,
                        name=named.get("name", ""),
                        description=named.get("descr", ""),
                        part=part,
                        shape_id=named.get("id", ""),
                        chart=leads.target if leads is not None and not leads.external else "",
                    )
                )
        seen: set[tuple[str, tuple[str, ...], str]] = set()
        for shape, picture in self._pictures(root, known):
            files = tuple(one.part for one in picture.renditions)
            # Newer shapes appear twice in a part, with a form for older programs.
            if (shape, files, picture.link) not in seen:
                seen.add((shape, files, picture.link))
                self.pictures.append(msgspec.structs.replace(picture, place=place, part=part))
        if place.kind in ("slide", "notes"):
            self._read_texts(root, known, part, place)
        for one in known.values():
            self._follow(one, place)

    def _follow(self, one: Relationship, place: Place) -> None:
        if one.external:
            return
        match one.kind:
            case "notesSlide" if place.kind == "slide":
                self._read(one.target, Place(kind="notes", number=place.number))
            case "slideLayout" | "slideMaster":
                kind: PlaceKind = "layout" if one.kind == "slideLayout" else "master"
                number = 1 + sum(place.kind == kind for place in self._shared.values())
                self._shared.setdefault(one.target, Place(kind=kind, number=number))
            case "diagramData" | "diagramDrawing" | "chart":
                root = parse_part(self._archive.read_xml(one.target), self._archive.path, one.target)
                for _, picture in self._pictures(root, relationships(self._archive, one.target)):
                    self.pictures.append(msgspec.structs.replace(picture, place=place, part=one.target))

    def _pictures(self, root: Element, known: dict[str, Relationship]) -> Iterator[tuple[str, Picture]]:
        """Every picture in a part: of shapes of any kind, in groups, and of backgrounds."""
        for blip, holder in _with_holders(root, f"{A}blip"):
            ids = [blip.get(f"{R}embed"), *(svg.get(f"{R}embed") for svg in blip.iter(f"{ASVG}svgBlip"))]
            files = [known[one] for one in ids if one in known]
            linked = known.get(blip.get(f"{R}link", ""))
            inside = dict.fromkeys(one.target for one in files if not one.external)
            outside = [one.target for one in (*files, linked) if one is not None and one.external]
            shape = "" if holder is None else holder.get("id", "")
            yield (
                shape,
                Picture(
                    place=Place(kind="slide"),
                    name="" if holder is None else holder.get("name", ""),
                    description="" if holder is None else holder.get("descr", ""),
                    renditions=tuple(self._renditions.of(name) for name in inside if name in self._archive),
                    link="" if inside else next(iter(outside), ""),
                    shape_id=shape,
                ),
            )

    def _read_texts(self, root: Element, known: dict[str, Relationship], part: str, place: Place) -> None:
        shown = [*shown_elements(root)]
        for paragraph in (one for one in shown if one.tag == f"{A}p"):
            if text := "".join(one.text or "" for one in shown_elements(paragraph) if one.tag == f"{A}t"):
                self.texts.append((place, text))
        for shape in (one for one in shown if one.tag in (f"{P}sp", f"{P}graphicFrame")):
            tags = shape.find(f".//{P}custDataLst/{P}tags")
            found = known.get(tags.get(f"{R}id", "")) if tags is not None else None
            named = next(_named(shape), None)
            if found is None or found.external or named is None or found.target not in self._archive:
                continue
            runs = [one.text or "" for one in shown_elements(shape) if one.tag == f"{A}t"]
            values = self._values(found.target)
            spots = locate(runs, [value["text"] for value in values])
            self.bound += [
                BoundText(
                    place=place,
                    expression=value["expression"],
                    language=value["language"],
                    text=value["text"],
                    part=part,
                    shape_id=named.get("id", ""),
                    tags=found.target,
                    shown=spot is not None,
                )
                for value, spot in zip(values, spots, strict=True)
            ]

    def _values(self, tags: str) -> list[dict[str, str]]:
        root = parse_part(self._archive.read_xml(tags), self._archive.path, tags)
        for tag in root.iter(f"{P}tag"):
            if tag.get("name", "").upper() == VALUES_TAG:
                return _checked(tag.get("val", ""))
        return []


def _checked(text: str) -> list[dict[str, str]]:
    """The values that a tag lists; none if it was damaged."""
    try:
        found: Any = json.loads(text)
        values = msgspec.convert(found, list[dict[str, str]])
        return [one for one in values if {"expression", "language", "text"} <= one.keys()]
    except (ValueError, msgspec.ValidationError):
        return []


def _named(shape: Element) -> Iterator[Element]:
    """The elements with the name and description of a shape, its own first."""
    return (one for one in shape.iter() if one.tag.endswith(f"}}{_NAME}"))


def _with_holders(root: Element, wanted: str) -> Iterator[tuple[Element, Element | None]]:
    """All elements of a name, each with the name and description of the nearest shape around it."""
    stack: list[tuple[Element, Element | None]] = [(root, None)]
    while stack:
        one, around = stack.pop()
        if one.tag == wanted:
            yield one, around
        own = next((inner for child in one for inner in child if inner.tag.endswith(f"}}{_NAME}")), around)
        stack += [(child, own) for child in reversed(one)]
