"""Which pictures of a deck are current, and what has changed in the others."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from diglot.content.bound_units import units_of_formats
from diglot.content.computed_numbers import KnownNumbers
from diglot.expressions.numbers_of import earlier_numbers, numbers_of, numbers_within
from diglot.figure_request import FigureRequest
from diglot.figures.picture_key import PictureKey, picture_key
from diglot.figures.records import ComputedFigure
from diglot.slides.changes import Change, list_changes
from diglot.slides.kept import Kept
from diglot.slides.records import BoundText, Deck, Picture, Place
from diglot.slides.typed_numbers import TypedNumber, find_typed

Status = Literal["current", "stale", "unknown", "gone"]


class Now(msgspec.Struct, frozen=True, kw_only=True):
    """A figure as the project computes it now."""

    computed: ComputedFigure | None = None
    gone: str = ""
    """Why there is no such figure any more."""
    trouble: str = ""
    """Why it cannot be computed now."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A picture with its status."""

    picture: Picture
    status: Status
    key: PictureKey | None = None
    """The figure that it shows; None if nothing is known of it."""
    reason: str = ""
    """Why it is gone or unknown."""
    digest_now: str = ""
    changes: tuple[Change, ...] = ()
    """Empty for a stale picture if the data that it was drawn from was not kept."""
    data_kept: bool = True


def identify(picture: Picture, kept: Kept) -> PictureKey | None:
    """The figure that a picture shows, as its metadata says.

    Where a program removed that: as a manifest knows the file, or as the shape's name or description says.
    """
    for one in picture.renditions:
        if one.metadata.key is not None:
            return one.metadata.key
    for one in picture.renditions:
        if (known := kept.keys.get(one.sha256)) is not None:
            return known
    return picture_key(picture.name) or picture_key(picture.description)


def find_status(deck: Deck, kept: Kept, now: Mapping[FigureRequest, Now]) -> list[Finding]:
    """The status of every picture of a deck. `now` has every figure that `identify` names."""
    return [_status(picture, identify(picture, kept), kept, now) for picture in deck.pictures]


def _status(
    picture: Picture, key: PictureKey | None, kept: Kept, now: Mapping[FigureRequest, Now]
) -> Finding:
    if key is None:
        reason = f'it is a link to "{picture.link}", which is not followed' if picture.link else ""
        return Finding(picture=picture, status="unknown", reason=reason)
    current = now[key.request]
    if current.gone:
        return Finding(picture=picture, status="gone", key=key, reason=current.gone)
    if current.computed is None:
        return Finding(picture=picture, status="unknown", key=key, reason=current.trouble)
    if not current.computed.drawable:
        reason = f'"{key.request.figure_id}" computes numbers but draws nothing any more'
        return Finding(picture=picture, status="gone", key=key, reason=reason)
    digest = current.computed.digest
    drawn_from = {one.metadata.key.digest for one in picture.renditions if one.metadata.key} or {key.digest}
    if drawn_from == {digest}:
        return Finding(picture=picture, status="current", key=key, digest_now=digest)
    old = kept.data_of(key.digest)
    return Finding(
        picture=picture,
        status="stale",
        key=key,
        digest_now=digest,
        changes=tuple(_changes(picture, key, current.computed, old)),
        data_kept=old is not None,
    )


def _changes(picture: Picture, key: PictureKey, computed: ComputedFigure, old: Any) -> list[Change]:
    """The message, which the picture has in its metadata, and all values."""
    changes = []
    title = next((one.metadata.title for one in picture.renditions if one.metadata.title), "")
    message = computed.message.of(key.language) if key.language else ""
    if title and message and title != message:
        changes.append(Change("message", f'"{title}"', f'"{message}"'))
    if old is not None:
        changes += list_changes(old, msgspec.json.decode(computed.data))
    return changes


class ValueFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A value on a slide with its status."""

    value: BoundText
    status: Status
    now: str = ""
    """Its text as it would be written now; empty if that cannot be said."""
    reason: str = ""
    """Why it is gone or unknown."""


class NumberFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A number that a person typed on a slide next to a figure."""

    place: Place
    number: TypedNumber


def find_typed_numbers(
    deck: Deck, findings: list[Finding], kept: Kept, now: Mapping[FigureRequest, Now]
) -> list[NumberFinding]:
    """Numbers typed on the slides of figures that are what a figure's value was, or near to what it is."""
    units = units_of_formats(one.expression for one in deck.bound)
    known: dict[tuple[str | None, FigureRequest], KnownNumbers] = {}
    data: dict[int, list[KnownNumbers]] = {}
    for one in findings:
        computed = now[one.key.request].computed if one.key is not None else None
        if one.picture.place.kind in ("slide", "notes") and one.key is not None and computed is not None:
            digest = one.key.digest if one.status == "stale" else None
            key = (digest, one.key.request)
            if key not in known:
                name = one.key.request.expression
                now_known = numbers_of(name, computed.data)
                old = () if digest is None else numbers_within(name, kept.data_of(digest))
                known[key] = KnownNumbers(now_known, earlier_numbers(old, now_known), units)
            data.setdefault(one.picture.place.number, []).append(known[key])
    bound: dict[Place, list[str]] = {}
    for value in deck.bound:
        bound.setdefault(value.place, []).append(value.text)
    found: dict[tuple[Place, TypedNumber], None] = {}
    for place, text in deck.texts:
        for numbers in data.get(place.number, ()):
            for number in find_typed(text, numbers):
                # The value of an expression may have its unit or not.
                if not {number.text, number.digits}.intersection(bound.get(place, ())):
                    found[place, number] = None
    return [NumberFinding(place=place, number=number) for place, number in found]
