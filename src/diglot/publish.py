"""From a manifest to a folder of files: write aside, rename, prune; nothing that is right is touched.

Everything new is written aside first, in a folder of its own in the output, and then renamed into place,
whole folders at once where there is none yet: where the disk is full, nothing of the site has changed. Where
a step fails, all are taken back (`placing`). What takes the place of another file is made durable before that
(docs/decisions/012-what-outlives-a-power-cut.md).

A mark in the folder says that it is diglot's, and which files in it: what was published and is so no more is
removed, also after the cache was thrown away. What others put there stays, and is named in a warning
(docs/decisions/004-the-output-folder-is-marked.md).
"""

import errno
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path

import msgspec

from diglot.cache_files import make_folder, make_way_for_file
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.digests import digest_of
from diglot.exchange import NewFolder
from diglot.output_index import (
    Entry,
    OutputIndex,
    Present,
    read_output_index,
    scan,
    settled,
    times_of,
    write_output_index,
)
from diglot.output_mark import Mark, is_marked, mark_of, read_mark
from diglot.output_paths import ASIDE, KEPT, MARK, PathFault, check_path
from diglot.placing import Placing, Step

_MANY_READ = 64
"""So many folders are read because their time is not known, before it is noted for itself."""

_UPPER = 2
"""So deep are the folders that are missed at once, such as `zh/posts/`."""

_SYNC_ONE_BY_ONE = 16
"""Up to so many files are made durable each by itself; beyond, everything on the machine's disks at once."""

_MOST_NAMED = 5
"""So many files of others are named in the warning."""

Files = Sequence[tuple[str, str]]
"""Files to be written: the digest of the content, and the path."""


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What a publication did to the output folder."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    strangers: tuple[str, ...] = ()
    """What lies in the folder and was not put there by diglot; not looked for where somebody waits."""


class _Removed(msgspec.Struct, frozen=True, kw_only=True):
    """What is to go, and what stays though no page claims it."""

    files: Set[str]
    strangers: Set[str]


class _NotAsLeft(FileNotFoundError):
    """The folder is not as it was left: look at all of it."""


class Publisher:
    """An output folder, and the output index of what was published there.

    `output_index` is a file that remembers what was written when, so that a second publication compares
    only times and sizes; without it, and after a restart of the machine, contents are compared.
    """

    def __init__(self, output: Path, *, output_index: Path, owned: bool = False) -> None:
        """`owned` is a folder in which nobody else has anything, whether it is marked or not."""
        self._output = output
        self._owned = owned
        self._output_index = output_index
        self._left: dict[str, Entry] | None = None
        """What this process left in the folder."""
        self._folders_left: tuple[dict[str, Entry] | None, list[str]] = None, []
        """Of what it left, the folders."""
        self._has_lost = False
        """Whether that was found not to be there any more."""
        self._mark: tuple[int, int] | None = None
        """Time and size of the mark, where it names just these."""
        self._owed = False
        """Whether the output index does not say so yet."""

    def recover(self) -> None:
        """Put back what a publication that was killed had done by then, so that the former site is whole."""
        try:
            NewFolder(self._output).recover()
            if is_marked(self._output):
                Placing(self._output).recover()
        except OSError as error:
            raise _unwritable(self._output, error) from error

    def publish(
        self,
        manifest: Mapping[str, str],
        *,
        write: Callable[[Files], None],
        pruning: bool = True,
        trust_last_state: bool = False,
        pause: Callable[[], None] = lambda: None,
        is_list: Callable[[str], bool] = lambda _: False,
        atomic: bool = False,
    ) -> Published:
        """Make the folder hold the files of a manifest; without `pruning`, beside those published before.

        `manifest` maps a path to the digest of its content. `write` writes files, and makes their folders:
        `write_files` does for who can read contents. Pages come after the files they use, those at new
        addresses before those that lead to them (last those that `is_list` knows), and removals last.
        `atomic` exchanges the whole folder instead.
        Raises DiagnosticError where the folder holds files and was not made by diglot, where a file of
        somebody else is in the way, and where it cannot be written: it then holds the former site.

        `believing` that the folder is as this process left it, nothing is looked at or made durable, unless
        that goes wrong: somebody waits. Ask `settle` afterwards. `pause` is called between files then: it may
        raise, as may `write`, to end the publication where it is; the next one goes on from there.
        """
        left, self._left = self._left, None  # nobody knows, should this end in the middle
        self._has_lost = False
        order = _Order(is_list)
        try:
            if trust_last_state and left is not None and is_marked(self._output):
                with suppress(FileNotFoundError):  # somebody took folders away
                    return self._publish_changes(
                        manifest, left, write=write, pruning=pruning, pause=pause, order=order
                    )
            if self._owned:
                _own(self._output)
            self._claim()
            return self._publish(manifest, write=write, pruning=pruning, order=order, atomic=atomic)
        except OSError as error:
            raise _unwritable(self._output, error) from error

    def publish_some(self, files: Mapping[str, str], *, write: Callable[[Files], None]) -> tuple[str, ...]:
        """Publish some files of a manifest to come, believing; those that were not there already.

        None are published where nobody knows what the folder holds.
        """
        left, self._left = self._left, None
        if left is None or not is_marked(self._output):
            return ()
        try:
            everything = {path: digest for path, (digest, _, _) in left.items()} | dict(files)
            return self._publish_changes(everything, left, write=write, pruning=False).written
        except FileNotFoundError:
            return ()  # somebody took folders away
        except OSError as error:
            raise _unwritable(self._output, error) from error

    def settle(self) -> bool:
        """Bring the output index up to date after a quick publication; whether all is as it was left."""
        if self._left is None:
            return True
        try:
            present = scan(self._output)
            as_left = all(present.files.get(path) == entry[1:] for path, entry in self._left.items())
            if self._owed:
                strangers = present.files.keys() - self._left.keys()
                folders = _without(present.times, present, strangers, self._left) if as_left else {}
                write_output_index(
                    self._output_index, OutputIndex(files=self._left, folders=folders, mark=self._mark)
                )
                self._owed = False
        except FileNotFoundError:  # somebody took folders away, or the cache that the output index lies in
            as_left = False
        except OSError as error:
            raise _unwritable(self._output, error) from error
        if not as_left:
            self._left, self._has_lost = None, True
        return as_left

    def has_lost_folders(self) -> bool:
        """Whether somebody took the output away, or one of its upper folders: thousands would take long."""
        if self._left is None:
            lost, self._has_lost = self._has_lost, False  # told once: it may be impossible to bring it back
            return lost
        if self._folders_left[0] is not self._left:
            upper = [one for one in _folders_of(self._left) if one.count("/") <= _UPPER]
            self._folders_left = self._left, upper
        there = all(os.path.isdir(f"{self._output}/{folder}") for folder in self._folders_left[1])
        if there and is_marked(self._output):
            return False
        self._left = None  # the next publication looks at everything
        return True

    def _publish(
        self,
        manifest: Mapping[str, str],
        *,
        write: Callable[[Files], None],
        pruning: bool,
        order: "_Order",
        atomic: bool,
    ) -> Published:
        output = self._output
        known = read_output_index(self._output_index)
        present = scan(output, known)
        others = present.files.keys() - manifest.keys()
        entries: dict[str, Entry] = {}
        written: list[str] = []
        for path, digest in manifest.items():
            times = present.files.get(path)
            if times is not None and (
                known.files.get(path) == (digest, *times) or _holds(output / path, digest)
            ):
                entries[path] = (digest, *times)
            else:
                written.append(path)
        written.sort(key=_rank)
        mark_times = times_of(os.lstat(f"{output}/{MARK}"))
        mark = None
        if others or written or known.mark != mark_times or known.files.keys() != manifest.keys():
            mark = self._read_mark()
        going = _going(others, mark, known)
        kept = set() if pruning else going.files
        if written:
            _check_ways(output, written, present, going, mark=mark, known=known)
        removed = sorted(going.files - kept)
        new_mark = None if mark is None else mark_of([*manifest, *kept])
        if mark is not None and mark.content == new_mark:
            new_mark = None
        durable = not present.files.keys().isdisjoint(written)
        if atomic and (written or removed or new_mark is not None):
            self._exchange(manifest, written, entries, going, write=write, durable=durable)
            folders: dict[str, int] = {}
        else:
            new_times = self._put(
                written,
                removed,
                manifest,
                entries,
                folders=present.folders,
                files=present.files,
                write=write,
                durable=durable,
                order=order,
                mark=new_mark,
            )
            empty = set(present.folders[1:]) - _folders_of(manifest) - _folders_of(going.strangers)
            if empty and pruning:
                Placing(output).remove_folders(empty)
            folders = _without(present.times | new_times, present, going.strangers, manifest)
        if not pruning:
            entries |= {path: known.files[path] for path in kept & known.files.keys()}
            folders = {}
        self._left = entries
        self._mark = times_of(os.lstat(f"{output}/{MARK}")) if entries.keys() == manifest.keys() else None
        if (
            entries != known.files
            or self._mark != known.mark
            or len(folders.keys() - known.folders.keys()) > _MANY_READ
        ):
            write_output_index(
                self._output_index, OutputIndex(files=entries, folders=folders, mark=self._mark)
            )
            self._owed = False
        return Published(
            written=tuple(written),
            removed=tuple(removed),
            unchanged=len(manifest) - len(written),
            strangers=tuple(sorted(going.strangers - _replaced(going, written))),
        )

    def _publish_changes(
        self,
        manifest: Mapping[str, str],
        left: dict[str, Entry],
        *,
        write: Callable[[Files], None],
        pruning: bool,
        order: "_Order | None" = None,
        pause: Callable[[], None] = lambda: None,
    ) -> Published:
        written = [path for path, digest in manifest.items() if path not in left or left[path][0] != digest]
        written.sort(key=_rank)
        removed = sorted(left.keys() - manifest.keys()) if pruning else []
        # Folders matter for files that are new, and for those that go.
        is_other = removed or any(path not in left for path in written)
        folders = sorted(_folders_of(left) | {""}) if is_other else _folders_of(written)
        entries: dict[str, Entry] = {}
        mark = mark_of(manifest if pruning else left.keys() | manifest.keys()) if is_other else None
        for path in written:
            _guard(path)
        try:
            self._put(
                written,
                removed,
                manifest,
                entries,
                folders=folders,
                files=left,
                write=write,
                order=order or _Order(lambda _: False),
                pause=pause,
                mark=mark,
                left=left,
            )
        except OSError:
            raise
        except BaseException:
            self._left, self._owed = left | entries, True
            raise
        for path in removed:
            del left[path]
        self._left = left | entries
        if mark is not None:
            self._mark = times_of(os.lstat(f"{self._output}/{MARK}"))
        self._owed = self._owed or bool(written or removed)
        return Published(
            written=tuple(written), removed=tuple(removed), unchanged=len(manifest) - len(written)
        )

    def _put(
        self,
        paths: Sequence[str],
        removed: Sequence[str],
        manifest: Mapping[str, str],
        entries: dict[str, Entry],
        *,
        folders: Iterable[str],
        files: Collection[str],
        write: Callable[[Files], None],
        order: "_Order",
        durable: bool = False,
        pause: Callable[[], None] = lambda: None,
        mark: bytes | None = None,
        left: Collection[str] | None = None,
    ) -> dict[str, int]:
        """Write files aside, and rename them into place; remove others; `entries` take in what is there.

        `folders` and `files` are there already.
        `left` is what one who believes left there. When the folders last changed that are new, as far as that
        is settled.
        """
        if not paths and not removed and mark is None:
            return {}
        output, aside, placing = self._output, self._output / ASIDE, Placing(self._output)
        moves = _moves(paths, folders, files, order)
        # Numbers instead of their own folders, each of which takes as long to make as a file.
        asides = {
            path: f"{aside}/{number}{path.removeprefix(move)}"
            for number, (move, below) in enumerate(moves.items())
            for path in below
        }
        placing.recover()  # where one who believes finds what another process left
        os.mkdir(aside)
        try:
            write([(manifest[path], asides[path]) for path in paths])
            last = len(moves) + len(removed)
            if mark is not None:
                (aside / str(last)).write_bytes(mark)
            if durable:
                news = [Path(asides[path]) for path in paths]
                _make_durable(news if mark is None else [*news, aside / str(last)])
            times = settled(_folders_aside(moves, aside))  # while nobody else can have put anything there
            steps = placing.plan(
                ((number, move, move not in manifest) for number, move in enumerate(moves)), removed
            )
            if left is not None and any(_is_surprising(step, left) for step in steps):
                raise _NotAsLeft(errno.ENOENT, "this is not as it was left", str(output))
            if mark is not None:
                steps.append(Step("replace", last, MARK))
            placing.begin(steps)
            for step in steps:
                placing.do(step)
                if step.kind != "remove" and step.path != MARK:
                    for path in moves[step.path]:
                        entries[path] = (manifest[path], *times_of(os.lstat(f"{output}/{path}")))
                    pause()
            placing.finish()
        except BaseException as error:
            if left is not None and not isinstance(error, OSError):
                self._keep_what_is_done(placing, [*left, *entries])
            else:
                entries.clear()
                placing.undo()
            raise
        if removed:
            placing.remove_folders(_folders_of(removed) - _folders_of(manifest))
        return times

    def _keep_what_is_done(self, placing: Placing, paths: Iterable[str]) -> None:
        """End a publication where it is, for something else was saved: what is there is diglot's."""
        beside = f"{self._output}/{ASIDE}/mark"
        with suppress(OSError):  # the next publication looks at all of it
            Path(beside).write_bytes(mark_of(dict.fromkeys(paths)))
            os.replace(beside, f"{self._output}/{MARK}")
        self._mark = None
        placing.finish()

    def _exchange(
        self,
        manifest: Mapping[str, str],
        written: Sequence[str],
        entries: dict[str, Entry],
        going: _Removed,
        *,
        write: Callable[[Files], None],
        durable: bool,
    ) -> None:
        """Make the whole folder beside the old one, and let it take its place."""
        replaced = _replaced(going, written)
        ours = manifest.keys() | going.files | replaced
        new = NewFolder(self._output, is_ours=ours.__contains__)
        new.begin()
        try:
            new.take_over([*entries, *sorted(going.strangers - replaced)])
            write([(manifest[path], str(new / path)) for path in written])
            (new / MARK).write_bytes(mark_of(manifest))
            if durable:
                _make_durable([new / path for path in (*written, MARK)])
            new.exchange()
        except BaseException:
            with suppress(OSError):  # the next build does it
                new.discard()
            raise
        entries |= {
            path: (manifest[path], *times_of(os.lstat(f"{self._output}/{path}"))) for path in manifest
        }

    def _read_mark(self) -> Mark | None:
        """The folder's mark; where nobody else has anything, it names whatever lies there."""
        mark = read_mark(self._output)
        return msgspec.structs.replace(mark, names_all=True) if mark and self._owned else mark

    def _claim(self) -> None:
        """Make the folder diglot's, and put in order what a killed publication left."""
        output = self._output
        NewFolder(output).recover()
        if is_marked(output):
            Placing(output).recover()
            return
        if os.path.lexists(output) and (
            not output.is_dir() or any(child.name != KEPT for child in output.iterdir())
        ):
            raise DiagnosticError(
                Diagnostic(
                    rule="output-foreign",
                    message=f'the output folder "{output}" contains files that diglot did not make'
                    if output.is_dir()
                    else f'the output folder "{output}" is a file',
                    fix="choose another folder with --output, or empty this one.",
                )
            )
        output.mkdir(parents=True, exist_ok=True)
        (output / MARK).write_bytes(mark_of(()))


class _Order:
    """In which order files come into their places."""

    def __init__(self, is_list: Callable[[str], bool]) -> None:
        self._is_list = is_list

    def __call__(self, move: str, below: Sequence[str], files: Collection[str]) -> int:
        """What pages use; pages at new addresses; pages that may lead there; lists of all of them."""
        if not any(map(_is_page, below)):
            return 0
        if move not in files:
            return 1
        return 3 if move.endswith(".xml") or self._is_list(move) else 2


def _going(others: Set[str], mark: Mark | None, known: OutputIndex) -> _Removed:
    """Of files that no page claims, those that were published, and those of somebody else."""
    if mark is None:
        return _Removed(files=others & known.files.keys(), strangers=others - known.files.keys())
    ours = {path for path in others if (path in known.files or mark.names(path)) and _is_sound(path)}
    return _Removed(files=ours, strangers=others - ours)


def _replaced(going: _Removed, written: Iterable[str]) -> set[str]:
    """The links of somebody else's that stand where folders of pages have to be; what they lead to stays."""
    claimed = _folders_of(written)
    return {path for path in going.strangers if f"{path}/" in claimed}


def _check_ways(
    output: Path,
    written: Sequence[str],
    present: Present,
    going: _Removed,
    *,
    mark: Mark | None,
    known: OutputIndex,
) -> None:
    """Before anything is touched: that all can be put into its place, and nobody's file is in the way.

    Raises DiagnosticError, or OSError.
    """
    found = []
    claimed = _folders_of(written)
    # An older diglot said only that the whole folder was its own: then what stands at a page's address was.
    is_listing = mark is None or mark.is_listing
    for path in written:
        _guard(path)
        if (
            is_listing
            and path in present.files
            and path not in known.files
            and not (mark and mark.names(path))
            and not os.path.islink(f"{output}/{path}")
        ):
            found.append(path)
    needed = set(written)
    for path in going.strangers:
        if (f"{path}/" in claimed and not os.path.islink(f"{output}/{path}")) or not needed.isdisjoint(
            _above(path)
        ):
            found.append(path)
    if found:
        raise DiagnosticError(*(_in_the_way(output, path) for path in sorted(found)[:_MOST_NAMED]))
    there = frozenset(present.folders)
    for folder in sorted({"", *claimed, *_folders_of(going.files)} & there):
        if not os.access(f"{output}/{folder}", os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), f"{output}/{folder}")
    _check_lengths(output, written)


def _check_lengths(output: Path, written: Sequence[str]) -> None:
    longest_part, longest = os.pathconf(output, "PC_NAME_MAX"), os.pathconf(output, "PC_PATH_MAX")
    room = longest - len(os.fsencode(output)) - len(ASIDE) - 20  # a slash, a number
    for path in written:
        if len(path) > min(longest_part, room) // 4:  # a character takes up to four bytes
            encoded = os.fsencode(path)
            if len(encoded) > room or max(map(len, encoded.split(b"/"))) > longest_part:
                raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), path)


def _above(path: str) -> Iterator[str]:
    """The folders that a path lies in."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _in_the_way(output: Path, path: str) -> Diagnostic:
    return Diagnostic(
        rule="output-in-the-way",
        message=f'the output folder "{output}" contains "{path}", which diglot did not make, '
        "where a page belongs",
        fix="move it away; put files of your own into site/static/.",
    )


def strangers_warning(output: Path, published: Published) -> Diagnostic | None:
    """What there is to say of files in the folder that are not diglot's, None where there are none."""
    if not published.strangers:
        return None
    few, count = published.strangers[:_MOST_NAMED], len(published.strangers)
    more = f", and {count - len(few):,} more" if count > len(few) else ""
    return Diagnostic(
        rule="output-strangers",
        severity="warning",
        message=f'the output folder "{output}" contains files that diglot did not make: '
        f"{', '.join(few)}{more}",
        fix="they stay there; move them to site/static/ if they belong to the site, otherwise delete them.",
    )


def _guard(path: str) -> None:
    """Raise DiagnosticError for what is no path of the output: whoever read it should have said so."""
    try:
        check_path(path)
    except PathFault as fault:
        raise DiagnosticError(
            Diagnostic(
                rule="output-path",
                message=f'"/{path}" cannot be published: it {fault}',
                fix="rename what is published there.",
            )
        ) from None


def _is_sound(path: str) -> bool:
    try:
        check_path(path)
    except PathFault:
        return False
    return True


def _is_surprising(step: Step, left: Collection[str]) -> bool:
    return step.kind == "swap" or (step.kind == "replace" and step.path not in left)


def _without(
    times: Mapping[str, int], present: Present, strangers: Iterable[str], ours: Iterable[str]
) -> dict[str, int]:
    """The times of folders, but for those in which something lies that is not diglot's."""
    other_folders = set(present.folders[1:]) - _folders_of(ours)
    mixed = {path[: path.rfind("/", 0, -1) + 1] for path in (*strangers, *other_folders)} | other_folders
    return {folder: time for folder, time in times.items() if folder not in mixed}


def _unwritable(output: Path, error: OSError) -> DiagnosticError:
    left = "; the next build restores the previous site" if os.path.lexists(f"{output}/{ASIDE}") else ""
    return DiagnosticError(
        Diagnostic(
            rule="output-unwritable",
            message=f'the output folder "{output}" cannot be written: {_reason(error)}{left}',
            fix="check its permissions and the free space on its disk, then build again.",
        )
    )


class Unpublished(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an output folder."""

    whole: bool
    """Whether the folder itself is gone."""
    strangers: tuple[str, ...]
    """What stays in it, for diglot did not make it."""


def unpublish(output: Path, *, output_index: Path | None = None) -> Unpublished | None:
    """Remove what was published, if diglot made the folder; else None. A `.git` in it stays, as do strangers.

    `output_index` knows what an older diglot published, which did not say so in its mark.
    """
    NewFolder(output).recover()
    if not is_marked(output):
        return None
    placing = Placing(output)
    placing.recover()
    known = read_output_index(output_index) if output_index is not None else OutputIndex()
    present = scan(output)
    going = _going(present.files.keys(), read_mark(output), known)
    for path in sorted(going.files):
        placing.remove(path)
    placing.remove_folders(_folders_of(going.files))
    if not going.strangers:
        (output / MARK).unlink()  # last: a removal that was interrupted can be begun again
    with suppress(OSError):  # a repository, or what is not diglot's
        output.rmdir()
    return Unpublished(whole=not output.exists(), strangers=tuple(sorted(going.strangers)))


def published_files(output: Path) -> frozenset[str]:
    """The paths of everything in an output folder that is published."""
    return frozenset(_going(scan(output).files.keys(), read_mark(output), OutputIndex()).files)


def write_files(files: Files, *, read: Callable[[str], bytes]) -> None:
    """Write files; `read` gives the content of a digest."""
    for digest, path in files:
        content = read(digest)
        try:
            Path(path).write_bytes(content)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(path).write_bytes(content)


def _moves(
    written: Iterable[str], folders: Iterable[str], files: Collection[str], order: _Order
) -> dict[str, list[str]]:
    """What is renamed for these files: each itself, or the uppermost folder on its way that is not there yet.

    With the files that come along, in the order of publication. `folders` and `files` are there already.
    """
    there = frozenset(folders)
    found: dict[str, list[str]] = {}
    for path in written:
        end = path.find("/")
        while end >= 0 and path[: end + 1] in there:
            end = path.find("/", end + 1)
        found.setdefault(path if end < 0 else path[:end], []).append(path)
    return dict(sorted(found.items(), key=lambda move: (order(move[0], move[1], files), move[0])))


def _folders_aside(moves: Mapping[str, Sequence[str]], aside: Path) -> dict[str, str]:
    """Where folders are written that are new, but for the uppermost, which is changed by renaming it."""
    found = {}
    for number, (move, below) in enumerate(moves.items()):
        for folder in _folders_of(below):
            if len(folder) > len(move) + 1:
                found[folder] = f"{aside}/{number}{folder[len(move) :]}"
    return found


def _make_durable(news: list[Path]) -> None:
    """Have the disk hold what these files hold, before one takes the place of another."""
    if len(news) > _SYNC_ONE_BY_ONE and hasattr(os, "sync"):
        os.sync()
        return
    for new in news:
        with new.open("rb+") as file:
            os.fsync(file.fileno())


def _rank(path: str) -> tuple[bool, str]:
    """The order of files: by their paths, pages last."""
    return _is_page(path), path


def _is_page(path: str) -> bool:
    return path.endswith((".html", ".xml"))


def _own(output: Path) -> None:
    """See to it that there is a marked folder, whatever was made of it."""
    make_folder(output)
    make_way_for_file(output / MARK)
    if not (output / MARK).exists():
        (output / MARK).write_bytes(mark_of(()))


def _holds(target: Path, digest: str) -> bool:
    """Whether a file has the content of a digest, though the output index does not know it."""
    return not target.is_symlink() and target.is_file() and digest_of(target.read_bytes()) == digest


def _folders_of(paths: Iterable[str]) -> set[str]:
    """The folders that some files need, each with a slash at its end."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and f"{folder}/" not in found:
            found.add(f"{folder}/")
            folder = folder.rpartition("/")[0]
    return found


def _reason(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{where}"
