"""What a script looks at, heard through Python's audit events: these are a figure's dependencies.

Files are noted when they are opened, with the digest of what was in them just before; files that were looked
for and are not there are noted as absent, so that creating one is a change. Left out is what the versions in
a rule's digest cover already: Python, installed packages, this package's own drawing code.
"""

import importlib.util
import os
import stat
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from diglot.digests import ABSENT, digest_of, digest_of_names
from diglot.figures.environment import ENV_EVENT
from diglot.figures.installed import installed_as
from diglot.figures.records import Observed, ObservedKind

_CATALOGUE_READ = "diglot.hardware.catalogue.read"
_CATALOGUE_ROW = "diglot.hardware.catalogue.row"
"""As the hardware library names them, which this package does not import."""

PACKAGE = Path(__file__).resolve().parent.parent
_WRITING = os.O_WRONLY | os.O_RDWR
_REFUSED = {
    "socket.connect": "reach for the network",
    "socket.getaddrinfo": "reach for the network",
    "subprocess.Popen": "start a program",
    "os.system": "start a program",
    "os.exec": "start a program",
    "os.posix_spawn": "start a program",
    "os.fork": "start a process",
}
_SYSTEM = ("/proc", "/sys", "/dev", "/etc", "/usr", "/run")
_IMPORTS = "<frozen importlib._bootstrap_external>"


@cache
def installed_places() -> tuple[tuple[str, ...], frozenset[str]]:
    """Where Python's libraries and installed packages lie; the latter alone, without links."""
    paths = sysconfig.get_paths()
    everything = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    packages = frozenset(os.path.realpath(paths[name]) for name in ("purelib", "platlib"))
    return tuple(sorted(everything)), packages


class Refused(PermissionError):
    """A script did what no digest can follow."""


class Observer:
    """Notes what this process looks at, from `listen` on. One a process: audit hooks cannot be taken off."""

    def __init__(self, root: Path, cache: Path, *, ignored: Path | None = None) -> None:
        self._root = os.path.realpath(root)
        self._included = (str(PACKAGE / "hardware"),)
        libraries, self._site = installed_places()
        self._excluded = (str(PACKAGE / "figures"), os.path.realpath(cache), *libraries)
        self._loaded_before = set(sys.modules)
        self._ignored = os.path.realpath(ignored) if ignored is not None else None
        self._elsewhere = (*_SYSTEM, os.path.realpath(tempfile.gettempdir()))
        self._seen: dict[tuple[ObservedKind, str], str] = {}
        self._catalogue: dict[tuple[ObservedKind, str], str] = {}
        """What the hardware catalogue is read from: stands for nothing where its rows are noted."""
        self._reading_catalogue = False
        self._local = threading.local()
        self._listening = False

    def listen(self) -> None:
        """Begin. Changes the process: adds an audit hook, and wraps `os.stat`, which is not audited."""
        self._listening = True
        sys.addaudithook(self._hear)
        os.stat = self._noting(os.stat)
        os.lstat = self._noting(os.lstat)

    def stop(self) -> None:
        """What happens from here on is not the script's doing."""
        self._listening = False

    def installed_packages(self) -> None:
        """Note the packages that were imported and that the versions do not cover, each by its metadata."""
        for name in sorted({name.partition(".")[0] for name in set(sys.modules) - self._loaded_before}):
            spec = getattr(sys.modules.get(name), "__spec__", None)
            if name in self._loaded_before or spec is None or spec.origin is None:
                continue
            origin = Path(os.path.realpath(spec.origin))
            beside = origin.parent.parent if spec.submodule_search_locations else origin.parent
            if str(beside) in self._site and (folder := installed_as(name, beside)) is not None:
                metadata = str(folder / "METADATA")
                self._seen["file", metadata] = _digest_of_file(metadata)

    def observed(self) -> tuple[Observed, ...]:
        """Everything noted, in the order it was first seen."""
        # A catalogue that could not be read has no rows.
        seen = {**self._catalogue, **self._seen} if self._reading_catalogue else self._seen
        return tuple(Observed(kind=kind, name=name, digest=digest) for (kind, name), digest in seen.items())

    def data_files(self) -> tuple[str, ...]:
        """The files read that are no Python code, as provenance names them, sorted."""
        hardware = str(PACKAGE.parent) + os.sep
        names = (
            name.removeprefix(hardware) if name.startswith(hardware) else self._inside_package(name) or name
            for (kind, name), digest in {**self._catalogue, **self._seen}.items()
            if kind == "file" and digest != ABSENT and not name.endswith((".py", ".dist-info/METADATA"))
        )
        return tuple(sorted(set(names)))

    def _inside_package(self, name: str) -> str | None:
        path = os.path.join(self._root, name)
        return os.path.relpath(path, PACKAGE.parent) if _is_under(path, str(PACKAGE)) else None

    def file(self, path: str) -> None:
        """Note a file as it is now."""
        name = self._name(path)
        if name is not None and ("file", name) not in self._noted:
            self._noted["file", name] = _digest_of_file(os.path.join(self._root, name))

    def is_file(self, path: str) -> bool:
        """Whether a file is there, and note that this was asked."""
        with self._unheard():
            self.file(path)
            return os.path.isfile(path)

    def folder(self, path: str) -> None:
        """Note the names in a folder as they are now."""
        name = self._name(path)
        if name is not None and ("listing", name) not in self._noted:
            self._noted["listing", name] = _digest_of_folder(os.path.join(self._root, name))

    @property
    def _noted(self) -> dict[tuple[ObservedKind, str], str]:
        return self._catalogue if self._reading_catalogue else self._seen

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._listening or getattr(self._local, "busy", False):
            return
        if event == "open":
            path, _, flags = args
            if isinstance(path, str | bytes) and not (isinstance(flags, int) and flags & _WRITING):
                with self._unheard():
                    self.file(_source_of(os.fsdecode(path)))
        elif event in ("os.listdir", "os.scandir"):
            # The import system lists whole folders to look for one module; our finders note which.
            if sys._getframe(1).f_code.co_filename != _IMPORTS and not isinstance(args[0], int):
                with self._unheard():
                    self.folder(os.fsdecode(args[0] or "."))
        elif event == ENV_EVENT:
            name, value = args
            digest = ABSENT if value is None else digest_of(value.encode("utf-8", "surrogateescape"))
            self._seen.setdefault(("env", name), digest)
        elif event == _CATALOGUE_READ:
            self._reading_catalogue = args[0] == "begin"
        elif event == _CATALOGUE_ROW:
            row, text = args
            self._seen.setdefault(("row", row), row_digest(text))
        elif event in _REFUSED:
            raise Refused(f"a figure script may not {_REFUSED[event]}")

    @contextmanager
    def _unheard(self) -> Iterator[None]:
        self._local.busy = True
        try:
            yield
        finally:
            self._local.busy = False

    def _noting(self, looks: Callable[..., os.stat_result]) -> Any:
        """`os.stat` or `os.lstat` that notes what it was asked about: that is how `exists` is answered."""

        def look(path: Any, *args: Any, **options: Any) -> os.stat_result:
            if not self._listening or isinstance(path, int) or getattr(self._local, "busy", False):
                return looks(path, *args, **options)
            with self._unheard():
                try:
                    status = looks(path, *args, **options)
                except (FileNotFoundError, NotADirectoryError):
                    self.file(os.fsdecode(path))
                    self.folder(os.fsdecode(path))
                    raise
                if stat.S_ISREG(status.st_mode):
                    self.file(os.fsdecode(path))
                return status

        # The standard library asks of these functions themselves what they can do.
        for able in (os.supports_fd, os.supports_dir_fd, os.supports_follow_symlinks):
            if looks in able:
                able.add(look)
        return look

    def _name(self, path: str) -> str | None:
        """The path as the engine names it, or None where it is not to be noted."""
        path = os.path.abspath(path)
        if not _is_under(path, self._root):
            path = os.path.realpath(path)
        if f"{os.sep}__pycache__" in path or path in (self._root, self._ignored):
            return None
        inside = _is_under(path, self._root)
        if not any(_is_under(path, folder) for folder in self._included):
            if any(_is_under(path, folder) for folder in self._excluded):
                return None
            if not inside and any(_is_under(path, folder) for folder in self._elsewhere):
                return None
        return os.path.relpath(path, self._root).replace(os.sep, "/") if inside else path


def row_value(text: str) -> bytes:
    """What stands for a row of the catalogue, as the value of a task."""
    return digest_of(text.encode()).encode() if text else b""


def row_digest(text: str) -> str:
    """The digest of a row, as the engine takes it of that value."""
    return digest_of(row_value(text))


def _is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


def _source_of(path: str) -> str:
    """The source behind compiled code: that is what an author changes."""
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
    """The digest that an observer would take now of something another one noted."""
    match kind:
        case "env":
            value = os.environ.get(name)
            return ABSENT if value is None else digest_of(value.encode("utf-8", "surrogateescape"))
        case "listing":
            return _digest_of_folder(os.path.join(root, name))
        case _:
            return _digest_of_file(os.path.join(root, name))


def _digest_of_folder(path: str) -> str:
    try:
        return digest_of_names(os.listdir(path))
    except OSError:
        return ABSENT
