"""An output folder that is published into, again and again.

A mark in the folder says that it is diglot's, and which files in it: what was published and no longer belongs
to the site is removed, even after the cache was thrown away. Other files are foreign: they stay, and a
warning names them (docs/decisions/004-the-output-folder-is-marked.md).
"""

import os
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from diglot.cache_files import make_folder, make_way_for_file
from diglot.output_paths import MARK, folders_of
from diglot.publishing.changes import Changes
from diglot.publishing.checks import check_places, check_unused, unwritable_reported
from diglot.publishing.folder_state import FolderState
from diglot.publishing.output_index import (
    Entries,
    OutputIndex,
    read_output_index,
    scan,
    times_of,
    write_output_index,
)
from diglot.publishing.output_mark import is_marked, mark_of
from diglot.publishing.placing import Placing
from diglot.publishing.plan import Plan, make_plan
from diglot.publishing.putting import Write, exchange_folder, put_files, recover

_MANY_READ = 64
"""If more folders than this had to be read, the index is written again with their times."""

_UPPER_DEPTH = 2
"""`has_lost_folders` looks for folders down to this depth, such as `zh/posts/`."""


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What a publication did to the output folder."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    kept: tuple[str, ...] = ()
    """Files of an earlier publication that stay, although the manifest lacks them."""
    foreign_files: tuple[str, ...] = ()
    """Files in the folder that diglot did not make; not looked for in a remembered folder."""


class Publisher:
    """Publishes into an output folder, and keeps the output index of what it left there.

    The index is a file that remembers the times and sizes of published files, so that the next publication
    does not have to read them. Without it, and after a restart of the machine, contents are compared.
    """

    def __init__(self, output: Path, *, output_index: Path, owned: bool = False) -> None:
        """With `owned`, everything in the folder is diglot's, even if the folder is not marked."""
        self._output = output
        self._owned = owned
        self._output_index = output_index
        self._left: Entries | None = None
        """What this process left in the folder, None if that is not known."""
        self._upper_folders: list[str] | None = None
        """The upper folders among that, None until somebody asks."""
        self._has_lost = False
        """Whether `check_folder` found that some of it was removed or changed."""
        self._mark: tuple[int, int] | None = None
        """Time and size of the mark, if it names just these files."""
        self._index_is_old = False
        """Whether the output index has yet to be written."""

    def recover(self) -> None:
        """Take back what a killed publication had done, so that the former site is whole."""
        with unwritable_reported(self._output):
            recover(self._output)

    def publish(
        self,
        manifest: Mapping[str, str],
        *,
        write: Write,
        pruning: bool = True,
        trust_last_state: bool = False,
        pause: Callable[[], None] = lambda: None,
        is_list: Callable[[str], bool] = lambda _: False,
        atomic: bool = False,
    ) -> Published:
        """Make the folder hold the files of a manifest; without `pruning`, those published before stay too.

        `manifest` maps each path to the digest of its content. `write` writes files and makes their folders,
        as `write_files` does. Files that pages use come first, then pages at new addresses, then the pages
        that may lead to them, then the lists, which `is_list` knows. Removals come last. With `atomic`, the
        whole folder is exchanged instead. Raises DiagnosticError if diglot did not make the folder, if a
        foreign file is in the way, or if the folder cannot be written; it then holds the former site.

        With `trust_last_state`, the folder is taken to be as this process left it, because somebody is
        waiting: unless that fails, it is not scanned, and nothing is made durable. Call `check_folder`
        afterwards. `pause` is then called between files. It may raise, and so may `write`, to end the
        publication there; the next one goes on from that point.
        """
        left, self._left = self._left, None  # not known if this ends in the middle
        self._has_lost = False
        publish = partial(self._publish, manifest, write=write, pruning=pruning, is_list=is_list)
        with unwritable_reported(self._output):
            if trust_last_state and left is not None and is_marked(self._output):
                with suppress(FileNotFoundError):  # somebody took folders away
                    return publish(FolderState.from_memory(left, manifest), pause=pause)
            self._claim()
            index = read_output_index(self._output_index)
            state = FolderState.from_scan(self._output, manifest, index, owned=self._owned)
            return publish(state, atomic=atomic)

    def differences(self, manifest: Mapping[str, str]) -> Changes:
        """What `publish` would do. Raises DiagnosticError if diglot did not make the folder."""
        with unwritable_reported(self._output):
            if not is_marked(self._output):
                check_unused(self._output)
                return Changes(added=tuple(sorted(manifest)))
            index = read_output_index(self._output_index)
            state = FolderState.from_scan(self._output, manifest, index, owned=self._owned)
        there = set(state.changed).intersection(state.files)
        return Changes(
            added=tuple(sorted(set(state.changed) - there)),
            changed=tuple(sorted(there)),
            removed=tuple(sorted(state.obsolete)),
        )

    def publish_some(self, files: Mapping[str, str], *, write: Write) -> tuple[str, ...]:
        """Publish some files of the next manifest early, and return those that changed.

        Trusts the last state; if that is not known, nothing is published.
        """
        left, self._left = self._left, None
        with unwritable_reported(self._output), suppress(FileNotFoundError):  # somebody took folders away
            if left is not None and is_marked(self._output):
                state = FolderState.from_memory(left, files)
                return self._publish(files, state, write=write, pruning=False).written
        return ()

    def check_folder(self) -> bool:
        """Whether the folder still is as this process left it. Writes the output index if that is due."""
        if self._left is None:
            return True
        as_left = False
        with unwritable_reported(self._output), suppress(FileNotFoundError):  # folders or the cache are gone
            present = scan(self._output)
            same = all(present.files.get(path) == entry[1:] for path, entry in self._left.items())
            if self._index_is_old:
                foreign = present.files.keys() - self._left.keys()
                unneeded = set(present.folders[1:]) - folders_of(self._left)
                self._write_index(self._left, _own_folders(present.times, foreign, unneeded) if same else {})
            as_left = same
        if not as_left:
            self._left, self._has_lost = None, True
        return as_left

    def has_lost_folders(self) -> bool:
        """Whether somebody removed the output folder or an upper folder in it. All folders would take too
        long."""
        if self._left is None:
            lost, self._has_lost = self._has_lost, False  # said once: it may be impossible to bring it back
            return lost
        if self._upper_folders is None:
            self._upper_folders = [one for one in folders_of(self._left) if one.count("/") <= _UPPER_DEPTH]
        there = all(os.path.isdir(f"{self._output}/{folder}") for folder in self._upper_folders)
        if there and is_marked(self._output):
            return False
        self._left = None  # so that the next publication scans the folder
        return True

    def _publish(
        self,
        manifest: Mapping[str, str],
        state: FolderState,
        *,
        write: Write,
        pruning: bool,
        pause: Callable[[], None] = lambda: None,
        is_list: Callable[[str], bool] = lambda _: False,
        atomic: bool = False,
    ) -> Published:
        """Plan, check, put and record: the one way of every publication."""
        plan = make_plan(manifest, state, pruning=pruning, is_list=is_list)
        check_places(self._output, state, plan.written)
        done: Entries = {}
        times: dict[str, int] | None = None
        if atomic and not plan.is_empty():
            done = exchange_folder(self._output, plan, state, write=write)
        else:
            try:
                times = put_files(self._output, plan, state, done, write=write, pause=pause)
            except BaseException as error:
                if state.scanned is None and not isinstance(error, OSError):  # what is done stays
                    self._left, self._upper_folders = state.entries | done, None
                    self._mark, self._index_is_old = None, True
                raise
        if pruning and plan.unneeded_folders:
            Placing(self._output).remove_folders(plan.unneeded_folders - folders_of(state.foreign))
        self._record(plan, state, done, times)
        return Published(
            written=tuple(plan.written),
            removed=tuple(plan.removed),
            unchanged=len(manifest) - len(plan.written),
            kept=tuple(sorted(plan.kept)),
            foreign_files=tuple(sorted(state.foreign - plan.replaced_links)),
        )

    def _record(self, plan: Plan, state: FolderState, done: Entries, times: dict[str, int] | None) -> None:
        """Remember what is in the folder now; after a scan also in the output index, if it says otherwise."""
        entries = state.entries | done
        for path in plan.removed:
            entries.pop(path, None)
        self._left, self._upper_folders = entries, None
        if state.scanned is not None or plan.mark is not None:
            self._mark = times_of(os.lstat(self._output / MARK)) if plan.kept <= entries.keys() else None
        if state.scanned is None:
            self._index_is_old = self._index_is_old or not plan.is_empty()
            return
        folders: dict[str, int] = {}
        if times is not None and not plan.kept:
            folders = _own_folders(state.scanned.times | times, state.foreign, plan.unneeded_folders)
        if (
            entries != state.index.files
            or self._mark != state.index.mark
            or len(folders.keys() - state.index.folders.keys()) > _MANY_READ
        ):
            self._write_index(entries, folders)

    def _write_index(self, files: Entries, folders: dict[str, int]) -> None:
        write_output_index(self._output_index, OutputIndex(files=files, folders=folders, mark=self._mark))
        self._index_is_old = False

    def _claim(self) -> None:
        """Mark the folder as diglot's, and take back what a killed publication had done."""
        output = self._output
        if self._owned:
            make_folder(output)
            make_way_for_file(output / MARK)
            if not (output / MARK).exists():
                (output / MARK).write_bytes(mark_of(()))
        if not recover(output):
            check_unused(output)
            output.mkdir(parents=True, exist_ok=True)
            (output / MARK).write_bytes(mark_of(()))


def _own_folders(times: Mapping[str, int], foreign: Iterable[str], unneeded: Set[str]) -> dict[str, int]:
    """The times of folders that hold nothing but what diglot put there."""
    mixed = {path[: path.rfind("/", 0, -1) + 1] for path in (*foreign, *unneeded)} | unneeded
    return {folder: time for folder, time in times.items() if folder not in mixed}
