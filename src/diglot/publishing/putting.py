"""Carrying out a plan: files move into place one by one, or the whole folder is exchanged.

New files are first written aside, into a folder of their own in the output, and then renamed into place. A
new folder is renamed as a whole. So a full disk leaves the site as it was. If a step fails, all steps are
taken back (`diglot.publishing.placing`). Files that replace others are made durable first
(docs/decisions/012-what-outlives-a-power-cut.md).
"""

import errno
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from diglot.output_paths import ASIDE, MARK, folders_of
from diglot.publishing.exchange import NewFolder
from diglot.publishing.folder_state import FolderState
from diglot.publishing.output_index import Entries, Entry, settled, times_of
from diglot.publishing.output_mark import is_marked, mark_of
from diglot.publishing.placing import Placing, Step
from diglot.publishing.plan import Plan

_SYNC_ONE_BY_ONE = 16
"""Up to this many files are synced one by one; for more, all disks of the machine are synced at once."""

Files = Sequence[tuple[str, str]]
"""Files to write: the digest of the content, and the path."""
Write = Callable[[Files], None]
"""Writes files, and makes the folders that they need."""


def write_files(files: Files, *, read: Callable[[str], bytes]) -> None:
    """Write files, and make the folders that they need; `read` gives the content of a digest."""
    for digest, path in files:
        content = read(digest)
        try:
            Path(path).write_bytes(content)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(path).write_bytes(content)


def recover(output: Path) -> bool:
    """Take back what a killed publication had done, and return whether the folder is marked."""
    NewFolder(output).recover()
    if not is_marked(output):
        return False
    Placing(output).recover()
    return True


def put_files(
    output: Path, plan: Plan, state: FolderState, done: Entries, *, write: Write, pause: Callable[[], None]
) -> dict[str, int]:
    """Write files aside and rename them into place, then remove others. `done` notes what is in place.

    Returns when new folders last changed, if that is long enough ago. An OSError takes everything back, and
    so does any exception after a scan. In a remembered folder, any other exception ends the publication where
    it is: what is in place stays, and the mark names it. Raises FileNotFoundError if a remembered folder is
    not as it was left.
    """
    if plan.is_empty():
        return {}
    aside, placing = output / ASIDE, Placing(output)
    # Numbers instead of folders like those of the output: to make one takes as long as to write a file.
    asides = {
        path: f"{aside}/{number}{path.removeprefix(move)}"
        for number, (move, below) in enumerate(plan.moves.items())
        for path in below
    }
    # New folders below those that are renamed: to rename a folder changes its time.
    new_folders = {
        folder: f"{aside}/{number}{folder.removeprefix(move)}"
        for number, (move, below) in enumerate(plan.moves.items())
        for folder in folders_of(below)
        if len(folder) > len(move) + 1
    }
    mark_number = len(plan.moves) + len(plan.removed)
    mark_aside = aside / str(mark_number)
    placing.recover()  # a remembered folder may hold what another process left
    os.mkdir(aside)
    try:
        write([(plan.manifest[path], asides[path]) for path in plan.written])
        if plan.mark is not None:
            mark_aside.write_bytes(plan.mark)
        if plan.durable:
            files = [Path(asides[path]) for path in plan.written]
            _make_durable(files if plan.mark is None else [*files, mark_aside])
        times = settled(new_folders)  # while nobody else can have put anything there
        moves = [(number, move, move not in plan.manifest) for number, move in enumerate(plan.moves)]
        steps = placing.plan(moves, plan.removed)
        as_left = all(
            one.kind != "swap" and (one.kind != "replace" or one.path in state.files) for one in steps
        )
        if state.scanned is None and not as_left:
            raise FileNotFoundError(errno.ENOENT, "this is not as it was left", str(output))
        if plan.mark is not None:
            steps.append(Step("replace", mark_number, MARK))
        placing.begin(steps)
        for step in steps:
            placing.do(step)
            if step.kind != "remove" and step.path != MARK:
                for path in plan.moves[step.path]:
                    done[path] = _entry(output, path, plan.manifest[path])
                pause()
        placing.finish()
    except BaseException as error:
        if state.scanned is not None or isinstance(error, OSError):
            placing.undo()
        else:
            with suppress(OSError):  # then the next publication scans the folder
                (aside / "mark").write_bytes(mark_of(state.entries | done))
                os.replace(aside / "mark", output / MARK)
            placing.finish()
        raise
    return times


def exchange_folder(output: Path, plan: Plan, state: FolderState, *, write: Write) -> Entries:
    """Make a new folder next to the old one and exchange the two. Returns the entries of its files."""
    ours = plan.manifest.keys() | state.obsolete | plan.replaced_links
    new = NewFolder(output, is_ours=ours.__contains__)
    new.begin()
    try:
        changed = set(plan.written)
        new.take_over(path for path in plan.manifest if path not in changed)
        new.take_over(sorted(plan.kept | (state.foreign - plan.replaced_links)))
        write([(plan.manifest[path], str(new / path)) for path in plan.written])
        (new / MARK).write_bytes(mark_of([*plan.manifest, *plan.kept]))
        if plan.durable:
            _make_durable([new / path for path in (*plan.written, MARK)])
        new.exchange()
    except BaseException:
        with suppress(OSError):  # the next build does it
            new.discard()
        raise
    kept = {path: state.entries[path][0] for path in plan.kept & state.entries.keys()}
    return {path: _entry(output, path, digest) for path, digest in {**plan.manifest, **kept}.items()}


def _entry(output: Path, path: str, digest: str) -> Entry:
    return digest, *times_of(os.lstat(f"{output}/{path}"))


def _make_durable(files: Sequence[Path]) -> None:
    """Wait until the disk holds the content of some files."""
    if len(files) > _SYNC_ONE_BY_ONE and hasattr(os, "sync"):
        os.sync()
        return
    for path in files:
        with path.open("rb+") as file:
            os.fsync(file.fileno())
