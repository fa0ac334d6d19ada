"""Native code in a worker: which libraries may read files by themselves, and watching what they read.

Most scripts load no such library, and are not watched: every call about a file costs a watched process
about 0.1 ms. `NativeCode.may_read` is asked about each compiled module before it is loaded.
"""

import os
import sysconfig
import threading
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from typing import Literal

from diglot.figures.observation.call_log import CallLog, LoggedCall, create_memory
from diglot.figures.observation.system_calls import filter_calls

READ_THROUGH_PYTHON = frozenset(
    {
        *("numpy", "matplotlib", "mpl_toolkits", "PIL", "fontTools", "kiwisolver", "contourpy", "msgspec"),
        *("yaml", "markupsafe", "pandas", "scipy", "diglot"),
    }
)
"""Packages whose compiled modules open files through Python alone, but for those in `READ_BY_THEMSELVES`."""

READ_BY_THEMSELVES = frozenset(
    {
        *("_ssl", "readline", "_tkinter", "_curses"),
        *("PIL._imagingft", "scipy.io._fast_matrix_market._fmm_core"),
    }
)
"""Compiled modules of Python and of these packages that open files on their own."""

READERS = frozenset(
    {
        *("polars", "_polars_runtime_32", "_polars_runtime_64", "_polars_runtime_compat"),
        *("duckdb", "_duckdb", "pyarrow", "h5py", "tables", "netCDF4", "lance", "deltalake"),
        *("datafusion", "fastavro", "chdb", "pyreadstat", "datatable", "connectorx", "lxml", "cv2"),
        *("rasterio", "fiona", "pyogrio", "osgeo", "soundfile", "_soundfile", "av", "pysam"),
        *("torch", "tensorflow", "safetensors", "xgboost", "lightgbm", "catboost"),
        *("pymupdf", "fitz", "pypdfium2", "vtkmodules", "igraph", "tiledb"),
    }
)
"""Packages that are known to read files on their own, for systems where this cannot be watched."""

State = Literal["unwatched", "watched", "hidden"]


class NativeCode:
    """The native code of this process, unwatched until a library is loaded that may read files."""

    def __init__(self, ask_to_watch: Callable[[int, int], None] | None) -> None:
        """`ask_to_watch` is called with a listener and the memory of a log; None if nobody watches."""
        self._ask_to_watch = ask_to_watch
        self._lock = threading.Lock()
        self._state: State = "unwatched"
        self._log: CallLog | None = None
        self._slots = count(1)
        self._local = threading.local()

    def watch(self) -> bool:
        """Have all calls about files watched from now on. Returns whether they are."""
        with self._lock:
            if self._state == "unwatched":
                is_begun = self._ask_to_watch is not None and self._begin(self._ask_to_watch)
                self._state = "watched" if is_begun else "hidden"
        return self._state == "watched"

    def _begin(self, ask_to_watch: Callable[[int, int], None]) -> bool:
        try:
            memory = create_memory()
        except (OSError, AttributeError):  # not on Linux
            return False
        try:
            listener = filter_calls()
        except OSError:  # an old kernel, or a container that forbids it
            os.close(memory)
            return False
        ask_to_watch(listener, memory)
        os.close(listener)
        log = CallLog(memory)
        # Nobody needs the answer. The call must be in the log now, with its path.
        os.access(_PROBE, os.F_OK)
        seen = [call.path for call in log.new_calls()]
        if os.fsencode(_PROBE) not in seen or None in seen:
            return False
        self._log = log
        return True

    def pass_over(self, thread_is_unheard: bool) -> None:
        """Let calls of this thread pass, or not any more: diglot makes them, or Python code that is heard."""
        if self._log is None:
            return
        if not hasattr(self._local, "slot"):
            self._local.slot = next(self._slots)
        self._log.pass_over(self._local.slot, threading.get_native_id() if thread_is_unheard else 0)

    def new_calls(self) -> Iterator[LoggedCall]:
        """The calls since the last time."""
        if self._log is not None:
            yield from self._log.new_calls()
            self._log.begin_section()


_PROBE = "/diglot watches"
"""A path at which there is nothing."""


def may_read(module: str, file: str | None) -> bool:
    """Whether a compiled module may open files on its own. `file` is None for one that is built in."""
    if module in READ_BY_THEMSELVES:
        return True
    if file is None or (file.startswith(_of_python()) and "site-packages" not in file):
        return False
    return module.partition(".")[0] not in READ_THROUGH_PYTHON


def is_reader(module: str) -> bool:
    """Whether a module is known to open files on its own."""
    return module in READ_BY_THEMSELVES or module.partition(".")[0] in READERS


@cache
def _of_python() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple({paths[name] + os.sep for name in ("stdlib", "platstdlib")})
