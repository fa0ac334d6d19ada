"""From a manifest to a folder of files: write aside, rename, prune; nothing that is right is touched.

Everything new is written aside first, in a folder of its own in the output, and then renamed into place,
whole folders at once where there is none yet: where the disk is full, nothing of the site has changed. What
takes the place of another file is made durable before that (docs/decisions/012-what-outlives-a-power-cut.md).

The folder is diglot's own: a mark in it says so, and whatever no page claims is removed, so that the
folder equals a clean build even after the cache was thrown away. Only a `.git` at its top is let be, for
those who push the output.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from diglot.cache_files import make_folder, make_way_for_file
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.digests import digest_of
from diglot.ledger import KEPT, MARK, Entry, Ledger, read_ledger, scan, settled, times_of, write_ledger

_MARK_TEXT = b"Made by diglot. Files that it did not make are removed by the next build.\n"
_ASIDE = ".diglot-new"
"""Where files are written before they are renamed into place."""

_MANY_READ = 64
"""So many folders are read because their time is not known, before it is noted for itself."""

_UPPER = 2
"""So deep are the folders that are missed at once, such as `zh/posts/`."""

_SYNC_ONE_BY_ONE = 16
"""Up to so many files are made durable each by itself; beyond, everything on the machine's disks at once."""

Files = Sequence[tuple[str, str]]
"""Files to be written: the digest of the content, and the path."""


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """What a publication did to the output folder."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


class Publisher:
    """An output folder, and the ledger of what was published there.

    `ledger` is a file that remembers what was written when, so that a second publication only compares times
    and sizes; without it, and after a restart of the machine, contents are compared.
    """

    def __init__(self, output: Path, *, ledger: Path, owned: bool = False) -> None:
        """`owned` is a folder in which nobody else has anything, whether it is marked or not."""
        self._output = output
        self._owned = owned
        self._ledger = ledger
        self._left: dict[str, Entry] | None = None
        """What this process left in the folder."""
        self._folders_left: tuple[dict[str, Entry] | None, list[str]] = None, []
        """Of what it left, the folders."""
        self._has_lost = False
        """Whether that was found not to be there any more."""
        self._owed = False
        """Whether the ledger does not say so yet."""

    def publish(
        self,
        manifest: Mapping[str, str],
        *,
        write: Callable[[Files], None],
        pruning: bool = True,
        believing: bool = False,
        pause: Callable[[], None] = lambda: None,
    ) -> Published:
        """Make the folder hold exactly the files of a manifest; without `pruning`, beside those it holds.

        `manifest` maps a path to the digest of its content. `write` writes files, and makes their folders:
        `write_files` does for who can read contents. Pages come after the files they use, and removals last.
        Raises DiagnosticError where the folder holds files and was not made by diglot, and where it cannot be
        written: each file is then whole, either the new or the old one.

        `believing` that the folder is as this process left it, nothing is looked at or made durable, unless
        that goes wrong: somebody waits. Ask `settle` afterwards. `pause` is called between files then: it may
        raise, as may `write`, to end the publication where it is; the next one goes on from there.
        """
        assert all(map(_is_plain, manifest)), "a published path stays inside of the output"
        left, self._left = self._left, None  # nobody knows, should this end in the middle
        self._has_lost = False
        try:
            if believing and left is not None and (self._output / MARK).exists():
                with suppress(FileNotFoundError):  # somebody took folders away
                    return self._publish_changes(manifest, left, write=write, pruning=pruning, pause=pause)
            if self._owned:
                _own(self._output)
            _claim(self._output)
            return self._publish(manifest, write=write, pruning=pruning)
        except OSError as error:
            raise _unwritable(self._output, error) from error

    def publish_some(self, files: Mapping[str, str], *, write: Callable[[Files], None]) -> tuple[str, ...]:
        """Publish some files of a manifest to come, believing; those that were not there already.

        None are published where nobody knows what the folder holds.
        """
        left, self._left = self._left, None
        if left is None or not (self._output / MARK).exists():
            return ()
        try:
            everything = {path: digest for path, (digest, _, _) in left.items()} | dict(files)
            return self._publish_changes(everything, left, write=write, pruning=False).written
        except FileNotFoundError:
            return ()  # somebody took folders away
        except OSError as error:
            raise _unwritable(self._output, error) from error

    def settle(self) -> bool:
        """After a publication in a hurry: bring the ledger up to date; whether all is as it was left."""
        if self._left is None:
            return True
        try:
            present = scan(self._output)
            as_left = present.files == {path: entry[1:] for path, entry in self._left.items()}
            if self._owed:
                folders = present.times if as_left else {}
                write_ledger(self._ledger, Ledger(files=self._left, folders=folders))
                self._owed = False
        except FileNotFoundError:  # somebody took folders away, or the cache that the ledger lies in
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
        if there and (self._output / MARK).exists():
            return False
        self._left = None  # the next publication looks at everything
        return True

    def _publish(
        self, manifest: Mapping[str, str], *, write: Callable[[Files], None], pruning: bool
    ) -> Published:
        output = self._output
        aside = output / _ASIDE
        if aside.exists():  # a killed build left it
            shutil.rmtree(aside)
        known = read_ledger(self._ledger)
        present = scan(output, known)
        strangers = present.files.keys() - manifest.keys()
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
        durable = not present.files.keys().isdisjoint(written)
        new_times = self._put(written, manifest, present.folders, entries, write=write, durable=durable)
        if pruning:
            _prune(output, strangers, present.folders, manifest)
            folders = present.times | new_times
        else:
            entries |= {path: known.files[path] for path in strangers & known.files.keys()}
            strangers, folders = set(), {}
        self._left = entries
        if entries != known.files or len(folders.keys() - known.folders.keys()) > _MANY_READ:
            write_ledger(self._ledger, Ledger(files=entries, folders=folders))
            self._owed = False
        return _published(manifest, written, strangers)

    def _publish_changes(
        self,
        manifest: Mapping[str, str],
        left: dict[str, Entry],
        *,
        write: Callable[[Files], None],
        pruning: bool,
        pause: Callable[[], None] = lambda: None,
    ) -> Published:
        written = [path for path, digest in manifest.items() if path not in left or left[path][0] != digest]
        written.sort(key=_rank)
        strangers = left.keys() - manifest.keys() if pruning else set()
        # Folders matter for files that are new, and for those that go.
        as_they_were = strangers or any(path not in left for path in written)
        folders = sorted(_folders_of(left) | {""}) if as_they_were else []
        entries: dict[str, Entry] = {}
        try:
            folders_there = folders or _folders_of(written)
            self._put(written, manifest, folders_there, entries, write=write, pause=pause)
        except OSError:
            raise
        except BaseException:
            self._left, self._owed = left | entries, True
            raise
        if strangers:
            _prune(self._output, strangers, folders, manifest)
            for path in strangers:
                del left[path]
        self._left = left | entries
        self._owed = self._owed or bool(written or strangers)
        return _published(manifest, written, strangers)

    def _put(
        self,
        paths: Sequence[str],
        manifest: Mapping[str, str],
        folders: Iterable[str],
        entries: dict[str, Entry],
        *,
        write: Callable[[Files], None],
        durable: bool = False,
        pause: Callable[[], None] = lambda: None,
    ) -> dict[str, int]:
        """Write files aside, and rename them into place; `entries` take in what is there.

        When the folders last changed that are new, as far as that is settled.
        """
        if not paths:
            return {}
        output, aside = self._output, self._output / _ASIDE
        moves = _moves(paths, folders)
        # Numbers instead of their own folders, each of which takes as long to make as a file.
        asides = {
            path: f"{aside}/{number}{path.removeprefix(move)}"
            for number, (move, below) in enumerate(moves.items())
            for path in below
        }
        try:
            os.makedirs(aside, exist_ok=True)
            write([(manifest[path], asides[path]) for path in paths])
            if durable:
                _make_durable([Path(asides[path]) for path in paths])
            times = settled(_folders_aside(moves, aside))  # while nobody else can have put anything there
            for number, (move, below) in enumerate(moves.items()):
                _make_way(output / move, is_folder=move not in manifest)
                os.replace(f"{aside}/{number}", f"{output}/{move}")
                entries |= {path: (manifest[path], *times_of(os.lstat(f"{output}/{path}"))) for path in below}
                pause()
            return times
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _published(manifest: Mapping[str, str], written: Sequence[str], strangers: Iterable[str]) -> Published:
    return Published(
        written=tuple(written), removed=tuple(sorted(strangers)), unchanged=len(manifest) - len(written)
    )


def _unwritable(output: Path, error: OSError) -> DiagnosticError:
    return DiagnosticError(
        Diagnostic(
            rule="output-unwritable",
            message=f'the output folder "{output}" cannot be written: {_reason(error)}',
            fix="look at its permissions and at the space on its disk, then build again.",
        )
    )


def unpublish(output: Path) -> bool:
    """Remove what was published, if diglot made the folder; whether it did. A `.git` in it stays."""
    if not (output / MARK).exists():
        return False
    for child in output.iterdir():
        if child.name not in (KEPT, MARK):
            _remove(child)
    (output / MARK).unlink()  # last: a removal that was interrupted can be begun again
    if not any(output.iterdir()):
        output.rmdir()
    return True


def published_files(output: Path) -> frozenset[str]:
    """The paths of everything in an output folder that is published."""
    return frozenset(scan(output).files)


def write_files(files: Files, *, read: Callable[[str], bytes]) -> None:
    """Write files; `read` gives the content of a digest."""
    for digest, path in files:
        content = read(digest)
        try:
            Path(path).write_bytes(content)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(path).write_bytes(content)


def _moves(written: Iterable[str], folders: Iterable[str]) -> dict[str, list[str]]:
    """What is renamed for these files: each itself, or the uppermost folder on its way that is not there yet.

    With the files that come along. Folders with pages, and pages, come last.
    """
    there = frozenset(folders)
    found: dict[str, list[str]] = {}
    for path in written:
        end = path.find("/")
        while end >= 0 and path[: end + 1] in there:
            end = path.find("/", end + 1)
        found.setdefault(path if end < 0 else path[:end], []).append(path)
    return dict(sorted(found.items(), key=lambda move: (any(map(_is_page, move[1])), move[0])))


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


def _is_plain(path: str) -> bool:
    parts = path.split("/")
    return not {"", ".", ".."}.intersection(parts) and parts[0] not in (KEPT, MARK, _ASIDE)


def _claim(output: Path) -> None:
    mark = output / MARK
    if mark.exists():
        return
    if output.is_file() or (output.is_dir() and any(child.name != KEPT for child in output.iterdir())):
        raise DiagnosticError(
            Diagnostic(
                rule="output-foreign",
                message=f'the output folder "{output}" holds files that diglot did not make'
                if output.is_dir()
                else f'the output folder "{output}" is a file',
                fix="choose another folder with --output, or empty this one.",
            )
        )
    output.mkdir(parents=True, exist_ok=True)
    mark.write_bytes(_MARK_TEXT)


def _own(output: Path) -> None:
    """See to it that there is a marked folder, whatever was made of it."""
    make_folder(output)
    make_way_for_file(output / MARK)
    if not (output / MARK).exists():
        (output / MARK).write_bytes(_MARK_TEXT)


def _holds(target: Path, digest: str) -> bool:
    """Whether a file has the content of a digest, though the ledger does not know it."""
    return not target.is_symlink() and target.is_file() and digest_of(target.read_bytes()) == digest


def _make_way(target: Path, *, is_folder: bool) -> None:
    """No folder where a file is to be, and no file or link where a folder is to be."""
    if _is_folder(target):
        shutil.rmtree(target)
    elif is_folder:
        target.unlink(missing_ok=True)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _prune(output: Path, strangers: Iterable[str], folders: list[str], manifest: Iterable[str]) -> None:
    """Remove files that the manifest does not name, and folders that it needs no more."""
    for path in strangers:
        if not _is_folder(output / path):  # some had to make way already
            with suppress(FileNotFoundError, NotADirectoryError):
                (output / path).unlink()
    needed = _folders_of(manifest)
    for folder in reversed(folders[1:]):
        if folder not in needed and _is_folder(output / folder):
            (output / folder).rmdir()


def _folders_of(paths: Iterable[str]) -> set[str]:
    """The folders that some files need, each with a slash at its end."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and f"{folder}/" not in found:
            found.add(f"{folder}/")
            folder = folder.rpartition("/")[0]
    return found


def _remove(path: Path) -> None:
    if _is_folder(path):
        shutil.rmtree(path)
    else:
        path.unlink()


def _reason(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{where}"
