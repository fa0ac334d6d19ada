"""What an update changes in the parts of a deck besides pictures: what shapes say of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from diglot.figures.picture_key import PictureKey, picture_key
from diglot.slides.records import Picture
from diglot.slides.xml import with_attributes


class Redrawn(NamedTuple):
    """A picture whose files are replaced."""

    picture: Picture
    key: PictureKey
    """The key of the new files."""
    description: str
    """The description in the new files."""


def shapes_redescribed(content: bytes, redrawn: Sequence[Redrawn]) -> bytes:
    """A part with the new keys and descriptions of shapes, where these had the old ones.

    Names and descriptions that people gave stay as they are.
    """
    by_shape = {one.picture.shape_id: one for one in redrawn if one.picture.shape_id}

    def change(name: str, attributes: Mapping[str, str]) -> Mapping[str, str]:
        one = by_shape.get(attributes.get("id", "")) if name.rpartition(":")[2] == "cNvPr" else None
        if one is None:
            return {}
        wanted = {}
        if picture_key(attributes.get("name", "")) is not None:
            wanted["name"] = str(one.key)
        if (text := attributes.get("descr", "")) and (now := _described(text, one)) != text:
            wanted["descr"] = now
        return wanted

    return with_attributes(content, change)


def _described(text: str, one: Redrawn) -> str:
    old = next((r.metadata.description for r in one.picture.renditions if r.metadata.description), "")
    if old and one.description:
        text = text.replace(old, one.description)
    elif (
        len(text.splitlines()) > 1 and picture_key(text) is not None and one.description
    ):  # as diglot wrote it
        return f"{one.description}\n{one.key}"
    return "\n".join(str(one.key) if picture_key(line) is not None else line for line in text.splitlines())
