"""What is known of an output folder before a publication, from a scan or from memory."""

import os
from collections.abc import Collection, Mapping, Set
from pathlib import Path
from typing import Self

import msgspec

from diglot.digests import digest_of
from diglot.output_paths import MARK, PathFault, check_path, folders_of
from diglot.publishing.output_index import Entries, OutputIndex, Present, scan, times_of
from diglot.publishing.output_mark import Mark, read_mark


class FolderState(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an output folder, compared with a manifest that is to be published there."""

    changed: list[str]
    """The paths of the manifest that have no file yet, or one with another content."""
    files: Collection[str]
    """Every file in the folder, foreign ones included."""
    entries: Entries
    """Digest, time and size of published files. For those in `changed`, it is out of date."""
    obsolete: Set[str]
    """Published files that are not in the manifest."""
    foreign: Set[str] = frozenset()
    """Files that diglot did not make. A remembered folder is taken to have none."""
    mark: Mark | None = None
    """The mark, if it had to be read."""
    scanned: Present | None = None
    """What the scan found, None for a remembered folder."""
    index: OutputIndex = OutputIndex()
    """The output index that the scan was compared with."""

    @classmethod
    def from_memory(cls, entries: Entries, manifest: Mapping[str, str]) -> Self:
        """The folder as this process left it: nothing on the disk is looked at."""
        changed = [one for one, digest in manifest.items() if one not in entries or entries[one][0] != digest]
        obsolete = entries.keys() - manifest.keys()
        return cls(changed=changed, files=entries, entries=entries, obsolete=obsolete)

    @classmethod
    def from_scan(cls, output: Path, manifest: Mapping[str, str], index: OutputIndex, *, owned: bool) -> Self:
        """The folder as it is; a file whose time and size are not those in the index is read and compared."""
        present = scan(output, index)
        others = present.files.keys() - manifest.keys()
        changed: list[str] = []
        entries: Entries = {}
        for path, digest in manifest.items():
            times = present.files.get(path)
            if times is not None and (
                index.files.get(path) == (digest, *times) or _holds(output / path, digest)
            ):
                entries[path] = (digest, *times)
            else:
                changed.append(path)
        is_same = index.mark == times_of(os.lstat(output / MARK)) and index.files.keys() == manifest.keys()
        mark = None if is_same and not others else read_mark(output)
        if mark is not None and owned:
            mark = msgspec.structs.replace(mark, names_all=True)
        obsolete = published_among(others, mark, index)
        entries.update((path, index.files[path]) for path in obsolete & index.files.keys())
        return cls(
            changed=changed,
            files=present.files.keys(),
            entries=entries,
            obsolete=obsolete,
            foreign=others - obsolete,
            mark=mark,
            scanned=present,
            index=index,
        )

    def folders(self) -> Set[str]:
        """The folders in the output folder, each with a slash at its end."""
        return folders_of(self.files) if self.scanned is None else frozenset(self.scanned.folders)


def published_among(paths: Set[str], mark: Mark | None, index: OutputIndex) -> Set[str]:
    """Those of the given files that diglot published: they are in the index, or the mark names them."""
    named = {path for path in paths if path in index.files or (mark is not None and mark.names(path))}
    return set(filter(_is_valid, named))


def _is_valid(path: str) -> bool:
    try:
        check_path(path)
    except PathFault:
        return False
    return True


def _holds(file: Path, digest: str) -> bool:
    """Whether a file has the content of a digest. It is read: the index does not know it."""
    return not file.is_symlink() and file.is_file() and digest_of(file.read_bytes()) == digest
