"""What a publication is going to do, and in which order."""

from collections.abc import Callable, Collection, Mapping, Sequence, Set

import msgspec

from diglot.output_paths import folders_of
from diglot.publishing.checks import check_paths
from diglot.publishing.folder_state import FolderState
from diglot.publishing.output_mark import mark_of


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a publication does to the output folder."""

    manifest: Mapping[str, str]
    written: list[str]
    """The files to write, pages last."""
    moves: dict[str, list[str]]
    """What is renamed into place, in this order (files and whole new folders), with the files that come."""
    removed: list[str]
    kept: Set[str]
    """Published files that stay although they are not in the manifest."""
    replaced_links: Set[str]
    """Foreign links where folders of pages have to be. What they lead to stays."""
    unneeded_folders: Set[str]
    """Folders in which the manifest has no file; in a remembered folder, only those of removed files."""
    mark: bytes | None
    """The new content of the mark, None if it stays."""
    durable: bool
    """Whether the disk must hold new files before they replace old ones."""

    def is_empty(self) -> bool:
        """Whether there is nothing to do but remove empty folders."""
        return not self.written and not self.removed and self.mark is None


def make_plan(
    manifest: Mapping[str, str], state: FolderState, *, pruning: bool, is_list: Callable[[str], bool]
) -> Plan:
    """Plan how the folder comes to hold the manifest. Raises DiagnosticError for an invalid path.

    With `pruning`, published files that are not in the manifest are removed. `is_list` says which pages are
    lists of other pages.
    """
    written = sorted(state.changed, key=lambda path: (_is_page(path), path))
    check_paths(written)
    folders = folders_of(written)
    new = [path for path in written if path not in state.files]
    kept = frozenset[str]() if pruning else state.obsolete
    removed = sorted(state.obsolete - kept)
    mark = mark_of([*manifest, *kept]) if state.mark is not None or removed or new else None
    if state.mark is not None and state.mark.content == mark:
        mark = None
    old_folders = folders_of(removed) if state.scanned is None else set(state.scanned.folders[1:])
    return Plan(
        manifest=manifest,
        written=written,
        moves=_moves(written, state.folders() if new else folders, state.files, is_list),
        removed=removed,
        kept=kept,
        replaced_links={path for path in state.foreign if f"{path}/" in folders},
        unneeded_folders=old_folders - folders_of(manifest) if old_folders else old_folders,
        mark=mark,
        durable=state.scanned is not None and len(new) < len(written),
    )


def _moves(
    written: Sequence[str], folders: Set[str], files: Collection[str], is_list: Callable[[str], bool]
) -> dict[str, list[str]]:
    """What is renamed to publish some files: each by itself, or the uppermost folder above it that is new.

    `folders` and `files` are there already.
    """
    found: dict[str, list[str]] = {}
    for path in written:
        end = path.find("/")
        while end >= 0 and path[: end + 1] in folders:
            end = path.find("/", end + 1)
        found.setdefault(path if end < 0 else path[:end], []).append(path)

    def rank(move: tuple[str, list[str]]) -> tuple[int, str]:
        """Files that pages use; pages at new addresses; pages that may lead there; lists of all of them."""
        path, below = move
        if not any(map(_is_page, below)):
            return 0, path
        if path not in files:
            return 1, path
        return 3 if path.endswith(".xml") or is_list(path) else 2, path

    return dict(sorted(found.items(), key=rank))


def _is_page(path: str) -> bool:
    return path.endswith((".html", ".xml"))
