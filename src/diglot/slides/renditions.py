"""Files of pictures in an archive, each read once, because copies of a slide share them."""

import hashlib

from diglot.slides.archives import Archive
from diglot.slides.picture_metadata import picture_metadata
from diglot.slides.records import Rendition

_BEGINNING = 2**16


def rendition(part: str, content: bytes) -> Rendition:
    """A file of a picture, described."""
    return Rendition(
        part=part, metadata=picture_metadata(content), sha256=hashlib.sha256(content).hexdigest()
    )


class Renditions:
    """The files of pictures of one archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: dict[str, Rendition] = {}

    def of(self, part: str) -> Rendition:
        """The file of a picture. Raises DiagnosticError if it is damaged."""
        if part not in self._known:
            # Pictures of this project say at their beginning what they are; others may be large.
            metadata = picture_metadata(self._archive.read(part, _BEGINNING))
            self._known[part] = (
                rendition(part, self._archive.read(part))
                if metadata.key is None
                else Rendition(part=part, metadata=metadata)
            )
        return self._known[part]
