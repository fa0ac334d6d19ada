"""Large stored values: files named after the digest of their content."""

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from diglot.digests import digest_of


class ObjectMissing(Exception):
    """A stored value is gone or damaged; the task that made it has to run again."""


class Placed(NamedTuple):
    """A value that lies in the folder already: who made it put it there, perhaps another process."""

    digest: str
    content: bytes | None = None
    """What it is, where somebody is about to need it."""


class ObjectFolder(NamedTuple):
    """`objects/ab/cdef…`: written beside and renamed, so that a name that is there has its whole content.

    It can be sent to another process, which reads and writes there as this one does.
    """

    folder: str

    @classmethod
    def of(cls, store: Path) -> "ObjectFolder":
        """That of a store."""
        return cls(os.path.join(store, "objects"))

    def path(self, digest: str) -> Path:
        """Where an object is, if it is."""
        return Path(self._file(digest))

    def has(self, digest: str) -> bool:
        """Whether an object is there; not, whether it is whole."""
        return os.path.exists(self._file(digest))

    def read(self, digest: str) -> bytes:
        """The content of an object. Raises ObjectMissing where it is gone or damaged."""
        try:
            with open(self._file(digest), "rb", buffering=0) as file:
                content = file.read()
        except OSError as error:
            raise ObjectMissing(digest) from error
        if digest_of(content) != digest:
            raise ObjectMissing(digest)
        return content

    def place(self, content: bytes, *, needed: bool = False) -> Placed:
        """Store a value, which is handed on with its digest where it is `needed` at once."""
        digest = digest_of(content)
        self.write(digest, content)
        return Placed(digest, content if needed else None)

    def copy_out(self, files: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Write objects into files, by digest and path; what is not here or is damaged comes back."""
        missing = []
        for digest, path in files:
            try:
                content = self.read(digest)
            except ObjectMissing:
                missing.append((digest, path))
            else:
                _write_deep(path, content)
        return missing

    def write(self, digest: str, content: bytes) -> None:
        """Store an object."""
        path = self._file(digest)
        beside = f"{path}.{os.getpid()}.tmp"
        try:
            _write_deep(beside, content)
            os.replace(beside, path)
        except OSError:
            with suppress(FileNotFoundError):
                os.unlink(beside)  # half a file must not keep a full disk full
            raise

    def digests(self) -> Iterator[str]:
        """The digests of all objects."""
        for folder, names in self._folders():
            yield from (folder.name + name for name in names if not name.endswith(".tmp"))

    def keep_only(self, digests: Collection[str]) -> None:
        """Remove all other objects, and what killed builds left half written."""
        for folder, names in self._folders():
            for name in names:
                if folder.name + name not in digests:
                    (folder / name).unlink(missing_ok=True)

    def _file(self, digest: str) -> str:
        return f"{self.folder}/{digest[:2]}/{digest[2:]}"

    def _folders(self) -> Iterator[tuple[Path, list[str]]]:
        try:
            folders = os.listdir(self.folder)
        except FileNotFoundError:
            return
        for name in folders:
            folder = Path(self.folder, name)
            if len(name) == 2 and folder.is_dir():
                yield folder, os.listdir(folder)


def _write_deep(path: str, content: bytes) -> None:
    """Write a file, and the folders on the way to it where they are missing."""
    try:
        _write(path, content)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _write(path, content)


def _write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
