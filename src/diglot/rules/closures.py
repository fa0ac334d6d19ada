"""The code of a task: all that the module that declares it imports, directly or not, with data next to it.

The walk along the imports stops at

- tasks that other modules declare, because their values are dependencies already;
- what the engine exports, the worker pool and the task context, on which no value depends: the version of the
  store stands for the format of values and traces;
- the hardware library in figure workers, which observe its files.

Importing a module also runs the top level of the packages around it, but none of their functions.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from time import time_ns
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from diglot.digests import digest_of
from diglot.engine.database import VERSION
from diglot.engine.inputs import CHANGE_TICK_NS, RACY_NS
from diglot.invariants import certain
from diglot.rules.imports import Import, ModuleImports, read_imports

if TYPE_CHECKING:
    from diglot.rules.libraries import Libraries

_ROOT, _ENGINE = "diglot", "diglot.engine"
_DECLARING = ("diglot.rules.", "diglot.features.", "diglot.assembly.")
"""What the names of modules begin with that may declare tasks."""
_NO_VALUE = ("diglot.processes", "diglot.rules.context", "diglot.rules.site")
_STARTS_WORKERS = "diglot.rules.observing"
_IN_WORKERS = "diglot.figures."
"""What the names of modules begin with that scripts may import in figure workers."""
_OBSERVED = "diglot.hardware"
_NO_INPUT = frozenset({"distributed", "opencc", "vl_convert"})
"""Libraries of extras, which do not make all figures anew when they are installed: no value depends on
`distributed`, which brings calls to a cluster, the version of OpenCC is a value of its own, and vl-convert is
observed in the workers of the scripts that it draws for."""


class _File(msgspec.Struct, frozen=True, array_like=True):
    """A file of the package as it was last read."""

    stamp: str
    digest: str
    imports: ModuleImports | None
    """None for data."""


def _module_name(path: str) -> str:
    return f"{_ROOT}/{path}".removesuffix(".py").removesuffix("/__init__").replace("/", ".")


class Closures:
    """diglot's files, and what each module imports. Files are read when the walk comes to them."""

    def __init__(
        self,
        folder: str,
        stamps: Mapping[str, str],
        installed: tuple[str, ...],
        *,
        known: msgspec.Raw | None,
    ) -> None:
        """`stamps` are those of all files, by path; `known` is what an earlier one knew."""
        self._folder, self._stamps, self._installed = folder, stamps, installed
        before = {} if known is None else msgspec.msgpack.decode(known, type=dict[str, _File])
        self._files = {path: file for path, file in before.items() if stamps.get(path) == file.stamp}
        self._paths = {_module_name(path): path for path in stamps if path.endswith(".py")}
        self._data: dict[str, list[str]] = {}
        with_code = {os.path.dirname(path) for path in self._paths.values()}
        for path in stamps:
            owner = os.path.dirname(path)
            while owner and owner not in with_code:
                owner = os.path.dirname(owner)
            if owner and not path.endswith(".py"):
                self._data.setdefault(owner, []).append(path)
        self._libraries: Libraries | None = None
        self._run_by: dict[Import, tuple[tuple[str, bool], ...]] = {}

    def known(self) -> tuple[msgspec.Raw, bool]:
        """What to pass as `known` next time, and whether no file may change again with the same stamp."""
        settled = {path: file for path, file in self._files.items() if file.stamp}
        return msgspec.Raw(msgspec.msgpack.encode(settled)), len(settled) == len(self._files)

    def _file(self, path: str) -> _File:
        if (file := self._files.get(path)) is not None:
            return file
        now_ns = time_ns()
        with open(f"{self._folder}/{path}", "rb", buffering=0) as opened:
            content = opened.read()
        mtime_ns, ctime_ns, *_ = map(int, self._stamps[path].split())
        is_settled = mtime_ns < now_ns - RACY_NS and ctime_ns < now_ns - CHANGE_TICK_NS
        is_package = path.endswith("__init__.py")
        file = self._files[path] = _File(
            self._stamps[path] if is_settled else "",
            digest_of(content),
            read_imports(content, _module_name(path), is_package=is_package)
            if path.endswith(".py")
            else None,
        )
        return file

    def _imports(self, module: str) -> ModuleImports:
        return certain(self._file(self._paths[module]).imports, f"{module} is a module")

    def codes(self, others: tuple[str, ...]) -> dict[str, str]:
        """Digests of the code of all modules that declare tasks, and of `others`."""
        rooms = [name for name in self._paths if name.startswith(_DECLARING)]
        declaring = [name for name in rooms if self._imports(name).tasks]
        in_workers = self.reached({name for name in self._paths if name.startswith(_IN_WORKERS)}, _OBSERVED)
        found = {}
        for name in sorted((*declaring, *others)):
            reached = self.reached({name})
            if _STARTS_WORKERS in reached.modules:
                reached = reached | in_workers
            found[name] = self._digest(reached)
        return found

    def reached(self, starts: set[str], *stops: str) -> "_Reached":
        """What some modules are or use."""
        met: dict[str, bool] = {}
        libraries: set[str] = set()
        todo = [(name, True) for name in starts]
        while todo:
            name, whole = todo.pop()
            if met.get(name, not whole) >= whole and name in met:
                continue
            met[name] = whole
            imports = self._imports(name)
            for one in imports.imports:
                if one.module.partition(".")[0] != _ROOT:
                    if whole or not one.is_inner:
                        libraries.add(one.module.partition(".")[0])
                elif whole or not one.is_inner:
                    if one not in self._run_by:  # most modules import what others import
                        self._run_by[one] = tuple(
                            run for run in self._imported(one) if not _is_below(run[0], _NO_VALUE)
                        )
                    todo += (run for run in self._run_by[one] if not _is_below(run[0], stops))
            if whole and imports.prefixes:
                todo += ((other, True) for other in self._paths if other.startswith(imports.prefixes))
        libraries -= {*sys.stdlib_module_names, *_NO_INPUT}
        return _Reached({name for name in met if met[name]}, {*met}, libraries)

    def _imported(self, one: Import) -> Iterator[tuple[str, bool]]:
        """The modules that an import runs, each with whether their functions may be called."""
        modules = [name for name in (f"{one.module}.{inner}" for inner in one.names) if name in self._paths]
        yield from ((name, True) for name in modules if name != _ENGINE)
        if one.module not in self._paths or one.module == _ENGINE or (one.module == _ROOT and not one.names):
            return
        others = [name for name in one.names if f"{one.module}.{name}" not in self._paths]
        tasks = self._imports(one.module).tasks if one.module.startswith(_DECLARING) else ()
        if one.names and not modules and all(name in tasks for name in others):
            return
        yield one.module, not one.names or any(name not in tasks for name in others)
        parent = one.module.rpartition(".")[0]
        while parent not in ("", _ROOT, _ENGINE):
            yield parent, False
            parent = parent.rpartition(".")[0]

    def _digest(self, reached: "_Reached") -> str:
        paths = {self._paths[name] for name in reached.all_modules}
        paths |= {
            path
            for name in reached.modules
            for path in self._data.get(os.path.dirname(self._paths[name]), ())
        }
        lines = [self._folder, sys.version, str(VERSION), *self._versions(reached.libraries)]
        lines += (f"{path} {self._file(path).digest}" for path in sorted(paths))
        return digest_of("\n".join(lines).encode())

    def _versions(self, libraries: set[str]) -> list[str]:
        """The installed distributions that some top-level modules are from, and those that these require."""
        if self._libraries is None:
            from diglot.rules.libraries import Libraries  # noqa: PLC0415  (it takes 100 ms, and most edits change none)

            self._libraries = Libraries(self._installed)
        return self._libraries.needed_by(libraries)


class _Reached(NamedTuple):
    modules: set[str]
    all_modules: set[str]
    """With those of which only the top level runs."""
    libraries: set[str]

    def __or__(self, other: "_Reached") -> "_Reached":
        return _Reached(*(one | another for one, another in zip(self, other, strict=True)))


def _is_below(module: str, names: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)
