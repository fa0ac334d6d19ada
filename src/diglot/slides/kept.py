"""What exports leave behind for later: which picture is which, and the numbers that it was drawn from.

An export folder has a `manifest.json` with every picture in it, and `data/<digest>.json` with the data of
every figure. Decks are often elsewhere, so that several folders may have some.
"""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from diglot.figure_request import FigureRequest
from diglot.figures.palette import Theme
from diglot.figures.picture_key import PictureKey, picture_key
from diglot.invariants import certain
from diglot.languages import Language

MANIFEST = "manifest.json"
DATA = "data"


class KeptPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture in an export folder."""

    file: str
    """Its path, relative to the folder."""
    sha256: str
    """Hex digest of the file, by which a picture without metadata is recognised."""
    figure: str
    """The figure with its parameters: `roofline?dtype=fp8`."""
    data: str
    """Short digest of the figure's data."""
    language: Language
    theme: Theme
    size: str
    key: str = ""
    """All of this as the picture's metadata has it, with options that have no field here."""

    @property
    def picture_key(self) -> PictureKey:
        """What the picture's metadata says."""
        return picture_key(self.key) or PictureKey(
            request=FigureRequest.parse(self.figure),
            digest=self.data,
            language=self.language,
            theme=self.theme,
            size=self.size,
        )


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of pictures that were exported before."""

    keys: dict[str, PictureKey]
    """By the SHA-256 of the file."""
    folders: tuple[Path, ...]

    def data_of(self, digest: str) -> Any:
        """The data of a figure at the time of an export, as plain values; None if it was not kept."""
        for folder in self.folders:
            try:
                return msgspec.json.decode((folder / DATA / f"{digest}.json").read_bytes())
            except (OSError, msgspec.DecodeError):
                continue
        return None


def keep_data(folder: Path, digest: str, data: bytes) -> None:
    """Keep the data of a figure, canonical JSON, next to the pictures that are drawn from it."""
    path = folder / DATA / f"{digest}.json"
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, data)


def kept_picture(path: Path, key: PictureKey, content: bytes) -> KeptPicture:
    """A picture that was just exported. Raises InvariantError if its key does not say how."""
    return KeptPicture(
        file=path.name,
        sha256=hashlib.sha256(content).hexdigest(),
        figure=str(key.request),
        data=key.digest,
        language=certain(key.language, "exported pictures have a language"),
        theme=certain(key.theme, "exported pictures have a theme"),
        size=key.size,
        key=str(key),
    )


def keep_pictures(folder: Path, pictures: Iterable[KeptPicture]) -> None:
    """Add pictures to the manifest of their folder. Older ones stay in it, for they may be in decks."""
    before = _pictures(folder)
    known = {one.sha256: one for one in (*before, *pictures)}
    if len(known) > len({one.sha256 for one in before}):
        folder.mkdir(parents=True, exist_ok=True)
        in_order = sorted(known.values(), key=lambda one: (one.file, one.data, one.sha256))
        encoded = msgspec.json.format(msgspec.json.encode({"pictures": in_order}), indent=1)
        write_file(folder / MANIFEST, encoded + b"\n")


def write_file(path: Path, content: bytes) -> None:
    """Write a file. What is interrupted leaves no partial one."""
    # Its name is short, as `path` may have the longest one allowed.
    beside = path.with_name(f".diglot-{os.getpid()}.tmp")
    beside.write_bytes(content)
    beside.replace(path)


def read_kept(decks: Iterable[Path], exports: Path) -> Kept:
    """What export folders know: those that hold a deck or are next to one, and the project's own."""
    homes = {deck.resolve().parent for deck in decks}
    folders = dict.fromkeys((exports, *sorted(homes), *sorted(home.parent for home in homes)))
    for home in sorted(homes):
        marks = (*home.glob(f"*/{MANIFEST}"), *home.glob(f"*/{DATA}"))
        folders.update(dict.fromkeys(sorted(one.parent for one in marks)))
    keys: dict[str, PictureKey] = {}
    for folder in folders:
        for picture in _pictures(folder):
            keys.setdefault(picture.sha256, picture.picture_key)
    return Kept(keys=keys, folders=tuple(folders))


def _pictures(folder: Path) -> list[KeptPicture]:
    """The pictures in a manifest; none if there is none, or another program's."""
    try:
        found = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=dict[str, Any])
        return msgspec.convert(found.get("pictures", []), list[KeptPicture])
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return []
