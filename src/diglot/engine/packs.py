"""Large stored values: appended to a few files, for to make a file costs more than to write what is in it.

Each process appends to a pack of its own. Where a value lies is known to SQLite alone; what no row names is
waste, such as the last words of a killed process, and goes when packs are put in order.
"""

import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from diglot.cache_files import SAFELY, make_folder, make_way_for_file, remove
from diglot.digests import digest_of

_READING = os.O_RDONLY | SAFELY
_APPENDING = os.O_WRONLY | os.O_CREAT | os.O_APPEND | SAFELY


class ObjectMissing(Exception):
    """A stored value is gone or damaged; the task that made it has to run again."""


class BlobReference(NamedTuple):
    """Where a large value lies."""

    digest: str
    """Of the value: it is compared whenever the value is read."""
    pack: str
    offset: int
    size: int


class StoredBlob(NamedTuple):
    """A value that lies in a pack already: who made it put it there, perhaps another process."""

    blob: BlobReference
    parts: Mapping[str, bytes]
    """Fields of the value that somebody is about to need, each as it is encoded there."""


class Packs(NamedTuple):
    """The packs of one store. They can be sent to another process, which reads and writes as this one does.

    Only one build writes at a time, and no two of its processes have the same number.
    """

    folder: str

    @classmethod
    def of(cls, store: str | os.PathLike[str]) -> "Packs":
        """Those of the store in a folder."""
        return cls(os.path.join(store, "objects"))

    def add(self, content: bytes, *, pack: str | None = None) -> BlobReference:
        """Store a value."""
        pack = pack or str(os.getpid())
        try:
            offset = self._append(pack, content)
        except OSError:  # nothing is there yet, or something else
            make_folder(self.folder)
            make_way_for_file(f"{self.folder}/{pack}")
            offset = self._append(pack, content)
        return BlobReference(digest_of(content), pack, offset, len(content))

    def _append(self, pack: str, content: bytes) -> int:
        with open(os.open(f"{self.folder}/{pack}", _APPENDING, 0o666), "ab") as file:
            offset = file.seek(0, os.SEEK_END)
            file.write(content)
        return offset

    def read(self, blob: BlobReference) -> bytes:
        """A value. Raises ObjectMissing where it is gone or damaged."""
        try:
            number = os.open(f"{self.folder}/{blob.pack}", _READING)
            try:
                content = os.pread(number, blob.size, blob.offset)
            finally:
                os.close(number)
        except OSError as error:
            raise ObjectMissing(blob.digest) from error
        if digest_of(content) != blob.digest:
            raise ObjectMissing(blob.digest)
        return content

    def has(self, blob: BlobReference) -> bool:
        """Whether there is something in a place; not, whether it is whole."""
        try:
            return os.stat(f"{self.folder}/{blob.pack}").st_size >= blob.offset + blob.size
        except OSError:
            return False

    def copy_out(self, files: Iterable[tuple[BlobReference, str]]) -> None:
        """Write values into files, and make their folders. Raises ObjectMissing for one that is damaged."""
        for blob, path in files:
            content = self.read(blob)
            try:
                _write(path, content)
            except FileNotFoundError:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                _write(path, content)

    def sizes_bytes(self) -> dict[str, int]:
        """How large each pack is."""
        try:
            with os.scandir(self.folder) as entries:
                return {
                    entry.name: entry.stat().st_size
                    for entry in entries
                    if entry.is_file(follow_symlinks=False)
                }
        except (FileNotFoundError, NotADirectoryError):
            return {}

    def unused_name(self) -> str:
        """The name of a pack that is not there yet, and that no process appends to by itself."""
        number = 0
        while os.path.lexists(f"{self.folder}/put-{number}"):
            number += 1
        return f"put-{number}"

    def keep_only(self, packs: Collection[str]) -> None:
        """Remove all others, and whatever else lies there."""
        with suppress(FileNotFoundError, NotADirectoryError):
            with os.scandir(self.folder) as entries:
                strangers = [
                    entry.path
                    for entry in entries
                    if entry.name not in packs or not entry.is_file(follow_symlinks=False)
                ]
            for path in strangers:
                remove(path)


def _write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
