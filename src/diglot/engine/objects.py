"""Large stored values: files named after the digest of their content."""

import os
from collections.abc import Collection, Iterator
from pathlib import Path


class ObjectFolder:
    """`objects/ab/cdef…`: written beside and renamed, so that a name that is there has its whole content."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def path(self, digest: str) -> Path:
        """Where an object is, if it is."""
        return self._path / digest[:2] / digest[2:]

    def write(self, digest: str, content: bytes) -> None:
        """Store an object."""
        path = self.path(digest)
        beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            try:
                beside.write_bytes(content)
            except FileNotFoundError:
                path.parent.mkdir(parents=True, exist_ok=True)
                beside.write_bytes(content)
            os.replace(beside, path)
        except OSError:
            beside.unlink(missing_ok=True)  # half a file must not keep a full disk full
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

    def _folders(self) -> Iterator[tuple[Path, list[str]]]:
        try:
            folders = os.listdir(self._path)
        except FileNotFoundError:
            return
        for name in folders:
            folder = self._path / name
            if len(name) == 2 and folder.is_dir():
                yield folder, os.listdir(folder)
