"""Observes what a script reads, through Python's audit events: these are a figure's dependencies.

Files are recorded when they are opened, with the digest of their content just before. Files that are looked
for and missing are recorded as absent, so that creating one is a change. Functions that raise no audit event
are wrapped (`file_access`), and those that cannot be tracked are refused (`refusals`). What native code opens
is seen by watching its system calls (`native_code`), from when such a library is loaded. Not recorded is what
the versions in a rule's digest cover: Python, installed packages, this package's drawing code.
"""

import importlib.util
import os
import stat
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from diglot.digests import ABSENT, digest_of, digest_of_entry, digest_of_names
from diglot.figures.observation import file_access
from diglot.figures.observation.call_log import LoggedCall, Stamp, stamp_of
from diglot.figures.observation.databases import files_of_sqlite
from diglot.figures.observation.hidden_readers import HiddenReaders
from diglot.figures.observation.native_code import NativeCode, may_read
from diglot.figures.observation.packages import Packages, Place
from diglot.figures.observation.refusals import asked_by_a_library, why_not_opened, why_refused
from diglot.figures.records import Observed, ObservedKind
from diglot.figures.scripts.datasets import BEGIN, END, ROW, row_digest, row_name
from diglot.figures.scripts.declared_reads import READS_EVENT
from diglot.figures.scripts.environment import ENV_EVENT
from diglot.figures.scripts.refused import Refused
from diglot.figures.scripts.worker_state import state
from diglot.installed import package_folders

PACKAGE = Path(__file__).resolve().parents[2]
_VIRTUAL = ("/proc/", "/sys/", "/dev/")
"""Folders whose files have no lasting content that a later build could compare."""
_OF_THE_SYSTEM = ("/proc", "/sys", "/dev", "/etc", "/usr", "/run")
"""Folders whose files are not shown to readers as source data."""
Notes: TypeAlias = dict[tuple[ObservedKind, str], str]
"""Kind and name to digest."""
CHANGED = "changed while it was read"
"""In place of a digest, so that the next build reads the file again."""
_PATH = "PYTHONPATH"
_MAKES = ("os.mkdir", "os.link", "os.symlink", "os.rename", "os.remove", "os.rmdir", "os.truncate")


@cache
def installed_places() -> tuple[str, ...]:
    """The folders of Python's libraries and installed packages."""
    paths = sysconfig.get_paths()
    return tuple(sorted({paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}))


class Observer:
    """Records what this process reads, from `listen` on.

    A process can have only one observer, because audit hooks cannot be removed.
    """

    def __init__(
        self,
        root: Path,
        cache: Path,
        *,
        ignored: Path | None = None,
        rows_count: bool = True,
        native: NativeCode | None = None,
    ) -> None:
        """`rows_count` is false for calls that read a dataset's rows: their result depends on its files.

        `native` watches native code; by default nobody does.
        """
        self._root = os.path.realpath(root)
        self._included = (str(PACKAGE / "hardware"),)
        libraries = installed_places()
        self._packages = Packages()
        self._libraries = tuple(folder + os.sep for folder in libraries)
        self._excluded = (str(PACKAGE / "figures"), os.path.realpath(cache), *libraries)
        self._ignored = os.path.realpath(ignored) if ignored is not None else None
        self._scratch = os.path.realpath(tempfile.gettempdir())
        self._own_cache = os.path.realpath(cache)
        self._seen: Notes = {}
        self._rows_count = rows_count
        self._of_datasets: dict[str, Notes] = {}
        """Files of the datasets that were read, with the digests of the first time."""
        self._unfinished: list[Notes] = []
        """Files of datasets that are being read. Once one is read, its rows replace its files."""
        self._local = threading.local()
        self._listening = False
        self._made: dict[str, None] = {}
        """Absolute paths, with links resolved, at which the script wrote something."""
        self._perhaps_made: dict[str, str] = {}
        """Files that it may have written, with their digests before."""
        self._row_files: set[str] = set()
        """Files that contain the rows used."""
        self._native = native or NativeCode(None)
        self._databases: set[str] = set()
        """Files of databases, which Python code reports although native code opens them."""
        self.hidden = HiddenReaders(self._root)
        """Libraries whose reading could not be watched."""

    def listen(self) -> None:
        """Start recording. Changes the process: adds an audit hook, and replaces functions without events."""
        file_access.tell(self)
        self._listening = True
        sys.addaudithook(self._hear)

    @property
    def listens(self) -> bool:
        """Whether the script is the cause of what happens now on this thread."""
        return self._listening and not getattr(self._local, "busy", False)

    def stop(self) -> None:
        """Stop recording, because the script has ended.

        Files that the script wrote are recorded as they are now. Otherwise each build would find them changed
        by the one before.
        """
        self._note_native_calls()
        self._listening = False
        for path, before in self._perhaps_made.items():
            if _digest_of_file(path) != before:
                self._made[path] = None
        for kind, name in list(self._seen):
            if kind in ("file", "listing", "entry") and self._is_made(kind, os.path.join(self._root, name)):
                self._seen[kind, name] = digest_now(kind, name, Path(self._root))

    def _is_made(self, kind: ObservedKind, path: str) -> bool:
        """Whether the record of a path depends on what the script wrote."""
        path = os.path.realpath(path)
        if kind == "listing":
            return any(os.path.dirname(made) == path for made in self._made)
        return path in self._made

    def written(self) -> tuple[str, ...]:
        """Paths where the script wrote something that may outlive it, as the engine names them, sorted."""
        found = [path for path in self._made if not self._is_passing(path)]
        return tuple(sorted({self._relative(path) for path in found}))

    def _is_passing(self, path: str) -> bool:
        """Whether files at a path do not affect builds: temporary files, devices, matplotlib's cache."""
        if _is_under(path, self._own_cache) or _is_virtual(path):
            return True
        return _is_under(path, self._scratch) and not _is_under(path, self._root)

    def package(self, name: str) -> None:
        """Record a look for a top-level module that is not one of the project.

        Packages that were loaded before are covered by the versions.
        """
        with self.unheard():
            if name not in sys.stdlib_module_names:
                for place in self._packages.places_of(name, asked_by_a_library=asked_by_a_library()):
                    self._note_package(place)
                if not state.requests_variables:  # on another machine, whose variables are its own
                    self._seen.setdefault(("env", _PATH), _digest_of_text((state.variables or {}).get(_PATH)))

    def _note_package(self, place: Place) -> None:
        self._seen.setdefault(("packages", ""), digest_of_packages(self._packages.folders))
        if place not in self._seen:
            self._seen[place] = digest_now(place.kind, place.path, Path(self._root))

    def _note_asked_packages(self, path: str, *, lists: bool) -> None:
        """Record that the script asks for metadata of installed packages, as importlib.metadata does."""
        if lists and path in self._packages.folders:
            place: Place | None = Place("listing", path)
        else:
            place = self._packages.metadata_at(path)
        if place is not None and not asked_by_a_library():
            self._note_package(place)

    def observed(self) -> tuple[Observed, ...]:
        """All records, in the order of first observation."""
        seen = self._all_seen().items()
        return tuple(Observed(kind=kind, name=name, digest=digest) for (kind, name), digest in seen)

    def _all_seen(self) -> Notes:
        """All records, including the files of datasets whose reading failed, because those have no rows."""
        failed = {key: digest for notes in self._unfinished for key, digest in notes.items()}
        return {**failed, **self._seen}

    def data_files(self) -> tuple[str, ...]:
        """The files that were read, except Python code, as provenance names them, sorted."""
        self._note_native_calls()
        with self.unheard():
            return self._data_files()

    def _data_files(self) -> tuple[str, ...]:
        hardware = str(PACKAGE.parent) + os.sep
        files = {
            name
            for (kind, name), digest in self._all_seen().items()
            if kind == "file" and digest != ABSENT and not name.endswith((".py", ".dist-info/METADATA"))
        }
        named = (
            name.removeprefix(hardware) if name.startswith(hardware) else self._inside_package(name) or name
            for name in files | {self._as_in_project(path) for path in self._row_files}
            if not any(_is_under(name, folder) for folder in _OF_THE_SYSTEM)
        )
        return tuple(sorted(set(named)))

    def variables(self) -> tuple[str, ...]:
        """The environment variables that the script asked for by `env`, sorted."""
        return tuple(sorted(name for kind, name in self._all_seen() if kind == "env" and name != _PATH))

    def _inside_package(self, name: str) -> str | None:
        path = os.path.join(self._root, name)
        return os.path.relpath(path, PACKAGE.parent) if _is_under(path, str(PACKAGE)) else None

    def file(self, path: str) -> str:
        """Record the current content of a file, or that there is none. Returns its digest.

        That is the one recorded first, and empty for files that are not recorded.
        """
        name = self._name(path)
        if name is None:
            return ""
        notes = self._notes_of(name)
        if ("file", name) not in notes:
            notes["file", name] = _digest_of_file(os.path.join(self._root, name))
        return notes["file", name]

    def is_file(self, path: str) -> bool:
        """Whether there is a file. Records the file or its absence."""
        with self.unheard():
            self.file(path)
            return os.path.isfile(path)

    def folder(self, path: str) -> None:
        """Record the current names in a folder."""
        name = self._name(path)
        if name is not None and ("listing", name) not in (notes := self._notes_of(name)):
            notes["listing", name] = _digest_of_folder(os.path.join(self._root, name))

    def entry(self, path: str) -> None:
        """Record the kind of entry at a path, with its permissions and link target."""
        name = self._name(path)
        if name is None or ("entry", name) in (notes := self._notes_of(name)):
            return
        path = os.path.join(self._root, name)
        outside = os.path.isabs(name) and not os.path.islink(path)
        if _is_under(self._root, path) or (outside and os.path.isdir(path)):
            return  # folders above or outside the project are only passed through
        notes["entry", name] = digest_of_entry(path)

    def matters(self, path: str) -> bool:
        """Whether queries about a path are recorded."""
        with self.unheard():
            return self._name(path) is not None

    def missing(self, path: str) -> None:
        """Record that there is nothing at a path."""
        with self.unheard():
            self.file(path)
            self.entry(path)

    def looked(self, path: str, *, content: bool) -> None:
        """Record a query about a path; `content` if it reveals something of the content, such as the size."""
        with self.unheard():
            if content and os.path.isfile(path):
                self.file(path)
            self.entry(path)

    def opened(self, path: str, flags: int) -> None:
        """Record that a file is about to be opened. Raises Refused."""
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        if not writes and path.startswith(self._libraries):
            self._note_asked_packages(path, lists=False)
            return
        there = os.path.realpath(path)
        if (why := why_not_opened(there)) is not None:
            raise Refused(why)
        if not writes or not (flags & os.O_TRUNC or _only_appends(flags)):
            # Creating a file, or writing into an existing one, also reveals what was there.
            self.file(_source_of(path))
            if _is_something_else(there):
                raise Refused(
                    f'read "{path}", because changes to what is no ordinary file cannot be detected: '
                    "copy its content into a file"
                )
            if not os.path.isfile(there):
                self.entry(path)
        if writes:
            self._refuse_code(there)
        if writes & (os.O_TRUNC | os.O_WRONLY):
            self._made[there] = None
        elif writes and there not in self._perhaps_made:
            self._perhaps_made[there] = _digest_of_file(there)

    def _refuse_code(self, path: str) -> None:
        """Raise Refused for a Python file of the project.

        Figures depend on these, so every build would run them again, and a preview would never finish.
        """
        if path.endswith(".py") and _is_under(path, self._root) and not self._is_passing(path):
            raise Refused(
                f'change "{self._relative(path)}", because figures depend on Python files and every '
                "build would run them again: write a file with another ending"
            )

    def _notes_of(self, name: str) -> Notes:
        """Where to record a path: separately while this thread reads a dataset, except for Python files.

        The rows of a dataset replace its files, but not the code that reads them.
        """
        datasets = self._datasets()
        return datasets[-1][1] if datasets and not name.endswith(".py") else self._seen

    def _datasets(self) -> list[tuple[str, Notes]]:
        """The datasets that this thread is reading, with their records, innermost last."""
        if not hasattr(self._local, "datasets"):
            self._local.datasets = []
        datasets: list[tuple[str, Notes]] = self._local.datasets
        return datasets

    def _read_dataset(self, event: str, args: tuple[Any, ...]) -> None:
        if event == ROW:
            dataset, row, digest, files = args
            self._seen.setdefault(("row", row_name(dataset, row)), row_digest(digest))
            self._row_files.update(files)
            return
        self._note_native_calls()  # until now they belong to what was read before
        if event == BEGIN:
            (dataset,) = args
            notes = dict(self._of_datasets.get(dataset, {}))
            self._unfinished.append(notes)
            self._datasets().append((dataset, notes))
        else:
            self._end(*args)

    def _end(self, dataset: str) -> None:
        """End a dataset. Those that began after it and have not ended failed, and stay in `_unfinished`."""
        while datasets := self._datasets():
            name, notes = datasets.pop()
            if name == dataset:
                self._of_datasets[dataset] = notes
                self._unfinished = [others for others in self._unfinished if others is not notes]
                return

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.listens:
            return
        if event == "open":
            path, _, flags = args
            if isinstance(path, str | bytes | os.PathLike):
                with self.unheard():
                    self.opened(os.fsdecode(path), flags if isinstance(flags, int) else 0)
        elif event in ("os.listdir", "os.scandir"):
            with self.unheard():
                folder = _folder_of(args[0])
                self._note_asked_packages(folder, lists=True)
                self.folder(folder)
        elif event == "import":
            name, file = args[:2]
            if isinstance(file, str) and not file.startswith(self._libraries):
                # a compiled module, which the system's loader opens
                with self.unheard():
                    self.file(file)
            if may_read(name, file):
                self._watch_native_code(name)
        elif event == READS_EVENT:
            self.hidden.declare()
        elif event == ENV_EVENT:
            name, value = args
            self._seen.setdefault(("env", name), _digest_of_text(value))
        elif event in (BEGIN, END, ROW):
            if self._rows_count:
                self._read_dataset(event, args)
        elif event in _MAKES:
            with self.unheard():
                self._make(event, args)
        elif event == "sqlite3.connect":
            for path in files_of_sqlite(args[0]):
                self.database(path, os.O_RDWR)
        elif event == "ctypes.dlopen" and args[0] is not None:
            library = os.fsdecode(args[0])
            with self.unheard():
                if os.sep in library:
                    self.file(library)
            self._refuse(event, args)
            self._watch_native_code(os.path.basename(library))
        else:
            self._refuse(event, args)

    def _watch_native_code(self, name: str) -> None:
        """Have native code watched, because a library of this name is about to be loaded."""
        with self.unheard():
            if not self._native.watch():
                self.hidden.add(name)

    def _note_native_calls(self) -> None:
        """Record the system calls since the last time."""
        with self.unheard():
            for call in self._native.new_calls():
                self._note_native(call)

    def _note_native(self, call: LoggedCall) -> None:
        if call.path is None:
            return
        path = os.fsdecode(call.path)
        if self._name(path) is None or (self._databases and os.path.realpath(path) in self._databases):
            return
        match call.action:
            case "open":
                self._note_opened(path, call)
            case "list":
                self.folder(path)
            case "make":
                self._made[os.path.realpath(path)] = None
            case "look":
                self._note_content(path, call.stamp)
                self.entry(path)
            case "entry":
                if call.stamp is None:
                    self.file(path)
                self.entry(path)

    def _note_opened(self, path: str, call: LoggedCall) -> None:
        writes = call.flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        if not writes or not (call.flags & os.O_TRUNC or _only_appends(call.flags)):
            self._note_content(_source_of(path), call.stamp)
            if call.stamp is None or not stat.S_ISREG(call.stamp[0]):
                self.entry(path)
        if writes and stamp_of(os.fsencode(path)) != call.stamp:
            self._made[os.path.realpath(path)] = None

    def _note_content(self, path: str, stamp: Stamp | None) -> None:
        """Record the content of a file as it was when it had this stamp."""
        name = self._name(path)
        if name is None or (stamp is not None and not stat.S_ISREG(stamp[0])):
            return
        notes = self._notes_of(name)
        if ("file", name) not in notes:
            digest = _digest_of_file(os.path.join(self._root, name)) if stamp is not None else ABSENT
            same = stamp is None or stamp_of(os.fsencode(os.path.join(self._root, name))) == stamp
            notes["file", name] = digest if same else CHANGED

    @staticmethod
    def _refuse(event: str, args: tuple[Any, ...]) -> None:
        if (why := why_refused(event, args)) is not None:
            raise Refused(why)

    def _make(self, event: str, args: tuple[Any, ...]) -> None:
        """Record paths that are created, removed or renamed. The last arguments are their `dir_fd`s."""
        paths = args[:2] if event in ("os.link", "os.symlink", "os.rename") else args[:1]
        folders = args[len(paths) :] if event in ("os.link", "os.rename") else args[-1:]
        for number, path in enumerate(paths):
            if event == "os.link" and number == 0:
                self.file(os.fsdecode(path))  # it may be read under its new name
            if event in ("os.symlink", "os.link") and number == 0:
                continue  # the target of a link does not change
            folder = folders[min(number, len(folders) - 1)] if folders else -1
            if isinstance(path, int):
                text = file_access.path_of_fd(path) or ""
            else:
                text = os.fsdecode(path)
                if isinstance(folder, int) and folder >= 0 and event not in ("os.truncate",):
                    text = os.path.join(file_access.path_of_fd(folder) or "", text)
            if event == "os.rename" and number == 0:
                self.file(text)  # it may be read under its new name
            parent, name = os.path.split(os.path.abspath(text))
            made = os.path.join(os.path.realpath(parent), name)
            self._refuse_code(made)
            self._made[made] = None

    def database(self, path: str, flags: int) -> None:
        """Record that a database is about to be opened, with its files of pending changes."""
        with self.unheard():
            there = os.path.realpath(path)
            for suffix in ("", "-wal", "-journal", "-shm"):
                self._databases.add(there + suffix)
                if suffix != "-shm":
                    self.file(path + suffix)
                if flags != os.O_RDONLY:
                    self._perhaps_made.setdefault(there + suffix, _digest_of_file(there + suffix))

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Record nothing on this thread for the length of a block."""
        before = getattr(self._local, "busy", False)
        self._local.busy = True
        if not before:
            self._native.pass_over(True)
        try:
            yield
        finally:
            self._local.busy = before
            if not before:
                self._native.pass_over(False)

    def _name(self, path: str) -> str | None:
        """The path as the engine names it, or None if it is not to be recorded."""
        path = os.path.abspath(path)
        there = path if _is_under(path, self._root) else os.path.realpath(path)
        if _is_under(there, self._root):
            path = there
        if f"{os.sep}__pycache__" in path or path in (self._root, self._ignored, str(PACKAGE)):
            return None
        if not any(_is_under(there, folder) for folder in self._included):
            if any(_is_under(there, folder) for folder in self._excluded):
                return None
            if not _is_under(there, self._root) and (_is_virtual(there) or self._is_own_scratch(there)):
                return None
        return self._relative(path)

    def _as_in_project(self, path: str) -> str:
        """A file's path in the project, also of a link that leads out of it; else the real path."""
        path = os.path.abspath(path)
        return self._relative(path if _is_under(path, self._root) else os.path.realpath(path))

    def _relative(self, path: str) -> str:
        inside = _is_under(path, self._root)
        return os.path.relpath(path, self._root).replace(os.sep, "/") if inside else path

    def _is_own_scratch(self, path: str) -> bool:
        """Whether a path is the folder of temporary files, or was created in it by the script."""
        if not _is_under(path, self._scratch):
            return False
        return path == self._scratch or any(_is_under(path, made) for made in self._made)


def _only_appends(flags: int) -> bool:
    """Whether flags allow only appending, as for a log: they reveal neither content nor existence."""
    appends = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    return flags & (os.O_ACCMODE | appends | os.O_EXCL) == appends


def _is_virtual(path: str) -> bool:
    return path.startswith(_VIRTUAL) and not path.startswith("/dev/shm/")


def _folder_of(listed: Any) -> str:
    """The path of a listed folder: an empty argument means the current folder, a number an open one."""
    return (file_access.path_of_fd(listed) or "") if isinstance(listed, int) else os.fsdecode(listed or ".")


def _is_something_else(path: str) -> bool:
    """Whether a path is neither a file nor a folder, such as a pipe or a socket. Devices do not count."""
    if path.startswith("/dev/"):
        return False
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


def _source_of(path: str) -> str:
    """The source file of compiled code, because that is the file that an author changes."""
    if path.endswith(".pyc"):
        try:
            return importlib.util.source_from_cache(path)
        except (ValueError, NotImplementedError):
            return path
    return path


def _digest_of_file(path: str) -> str:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return ABSENT
        with open(path, "rb") as file:
            return digest_of(file.read())
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except OSError:
        return "unreadable"


def digest_now(kind: ObservedKind, name: str, root: Path) -> str:
    """The current digest of something that an observer recorded, of any kind except `row`."""
    match kind:
        case "env":
            return _digest_of_text(os.environ.get(name))
        case "listing":
            return _digest_of_folder(os.path.join(root, name))
        case "entry":
            return digest_of_entry(os.path.join(root, name))
        case "packages":
            return digest_of_packages(package_folders())
        case _:
            return _digest_of_file(os.path.join(root, name))


def _digest_of_text(text: str | None) -> str:
    return ABSENT if text is None else digest_of(text.encode("utf-8", "surrogateescape"))


def digest_of_packages(folders: tuple[str, ...]) -> str:
    """The digest of the folders of installed packages, as the engine computes that of a given value."""
    return digest_of(repr(folders).encode("utf-8", "surrogateescape"))


def _digest_of_folder(path: str) -> str:
    try:
        return digest_of_names(os.listdir(path))
    except OSError:
        return ABSENT
