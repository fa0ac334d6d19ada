"""What decks hold of figures, whatever kind of file they are."""

from typing import Literal

import msgspec

from diglot.slides.picture_metadata import PictureMetadata

PlaceKind = Literal["slide", "notes", "layout", "master", "line", "file"]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where in a deck something is."""

    kind: PlaceKind
    number: int = 0
    """Of the slide, from 1, also for its notes; of a line in a text; of a master or layout in the file."""
    name: str = ""
    """What authors call a master or layout."""

    def __str__(self) -> str:
        match self.kind:
            case "file":
                return "picture"
            case "notes":
                return f"slide {self.number}, notes"
            case "master" | "layout":
                return f'{self.kind} "{self.name}"' if self.name else f"{self.kind} {self.number}"
            case _:
                return f"{self.kind} {self.number}"


class Rendition(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a picture: many are kept as SVG, and as PNG for programs that do not know SVG."""

    part: str
    """The member of the deck's archive; for texts and folders, the path of the file."""
    metadata: PictureMetadata
    sha256: str = ""
    """Hex digest of the file; empty if its metadata says what it is."""


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture on a slide. One that is shown twice is two pictures, which may share their files."""

    place: Place
    name: str = ""
    """What the deck calls it, such as `Picture 4`."""
    description: str = ""
    """Its alternative text in the deck."""
    renditions: tuple[Rendition, ...] = ()
    link: str = ""
    """Where a picture is that the deck only links to; it is not looked at."""
    part: str = ""
    """The XML part of the deck that shows it."""
    shape_id: str = ""
    """Its number within that part."""
    chart: str = ""
    """The part of a chart of PowerPoint that was made from a figure; empty for a picture."""


class BoundText(msgspec.Struct, frozen=True, kw_only=True):
    """A value on a slide that was written from an expression."""

    place: Place
    expression: str
    language: str
    text: str
    """As it was written."""
    part: str
    shape_id: str
    tags: str
    """The part of the deck that says all this."""
    shown: bool
    """Whether the slide still shows that text."""


class Deck(msgspec.Struct, frozen=True, kw_only=True):
    """What one file shows."""

    pictures: tuple[Picture, ...] = ()
    texts: tuple[tuple[Place, str], ...] = ()
    """Paragraphs of slides and notes."""
    bound: tuple[BoundText, ...] = ()
    slides_count: int = 0
    signed: bool = False
    """Whether it has a digital signature, which a change makes invalid."""
