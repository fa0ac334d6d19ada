"""Relationships between the parts of a PowerPoint file."""

import posixpath
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from diglot.slides.archives import Archive
from diglot.slides.xml import parse_part

_RELATIONSHIPS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


class Relationship(NamedTuple):
    """Where a part refers to."""

    kind: str
    """The last word of its type: `image`, `slideLayout`, `notesSlide`."""
    target: str
    """A part's name without a slash at the front; for an external one, its address."""
    external: bool


def relationships(archive: Archive, part: str) -> dict[str, Relationship]:
    """The relationships of a part, by id; none if it has no list of them."""
    folder, _, file = part.rpartition("/")
    name = f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels"
    if name not in archive:
        return {}
    found = {}
    for one in parse_part(archive.read_xml(name), Path(archive.path), name).iter(_RELATIONSHIPS):
        external = one.get("TargetMode") == "External"
        target = one.get("Target", "")
        if not external:
            target = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
        found[one.get("Id", "")] = Relationship(one.get("Type", "").rpartition("/")[2], target, external)
    return found
