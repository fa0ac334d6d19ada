"""Figures computed and drawn outside of this process: each call in a fresh one that ends with it.

Loads neither numpy nor matplotlib, and starts nothing before the first call.
See docs/decisions/020-own-zygote.md for why this is no pool of the standard library.
"""

import contextlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import IO
from weakref import WeakKeyDictionary

from diglot.diagnostics import Diagnostic, Location
from diglot.digests import digest_of
from diglot.figure_request import FigureRequest
from diglot.figures.failures import FigureFailed
from diglot.figures.jobs import Answer, Ending, Format, Job, Sheet
from diglot.figures.palette import Theme
from diglot.figures.records import ComputedFigure, Observed, Script, WorkerReport
from diglot.figures.wire import receive, send
from diglot.languages import Language

_PACKAGES = Path(__file__).resolve().parent.parent.parent
_FAULT_LINE = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d+) in ')


class FigureWorkers:
    """At most `jobs` calls at a time, each killed after `timeout_s`; to be used in a `with`.

    `cache` is a folder that matplotlib keeps its list of faces in.
    """

    def __init__(self, *, root: Path, cache: Path, jobs: int, timeout_s: float = 60.0) -> None:
        self._root = root.resolve()
        self._cache = cache.resolve()
        self.timeout_s = timeout_s
        """How long a call may take."""
        self._threads = ThreadPoolExecutor(max_workers=max(1, jobs), thread_name_prefix="figure")
        self._lock = threading.Lock()
        self._zygote: _Zygote | None = None
        self._closed = False
        self._leashes: WeakKeyDictionary[Future[WorkerReport], _Leash] = WeakKeyDictionary()

    def __enter__(self) -> "FigureWorkers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill what still runs, and leave no process behind."""
        with self._lock:
            self._closed = True
            zygote, self._zygote = self._zygote, None
        if zygote is not None:
            zygote.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def compute(self, script: Script, request: FigureRequest) -> "Future[WorkerReport]":
        """Run `compute`; the report's result decodes to a ComputedFigure.

        The future raises FigureFailed where the script fails.
        """
        return self._submit(_job(script, request))

    def draw(
        self, script: Script, request: FigureRequest, computed: ComputedFigure, language: Language
    ) -> "Future[WorkerReport]":
        """Run `draw`, `describe` and `table`; the report's result decodes to a DrawnFigure.

        A script that only computes has no drawings, but may have a table.
        """
        return self._submit(_job(script, request, computed, language))

    def export(  # noqa: PLR0917  (a file is chosen in many ways)
        self,
        script: Script,
        request: FigureRequest,
        computed: ComputedFigure,
        language: Language,
        theme: Theme,
        format: Format,
        size: str = "slide",
        dpi: int = 192,
    ) -> "Future[WorkerReport]":
        """Draw the figure into a file of its own; the report's result is the file.

        `size` is narrow, column, wide, slide (1280 × 720), a ratio (16:9), or WIDTHxHEIGHT in CSS pixels; PNG
        has dpi / 96 pixels for each.
        """
        sheet = Sheet(theme=theme, format=format, size=size, dpi=dpi)
        return self._submit(_job(script, request, computed, language, sheet))

    def stop(self, call: "Future[WorkerReport]") -> None:
        """Give up a call: its process is killed, and what comes of it means nothing."""
        if not call.cancel() and (leash := self._leashes.get(call)) is not None:
            leash.pull()

    def _submit(self, job: Job) -> "Future[WorkerReport]":
        leash = _Leash()
        future = self._threads.submit(self._call, job, leash)
        self._leashes[future] = leash
        return future

    def _call(self, job: Job, leash: "_Leash") -> WorkerReport:
        with self._lock:
            if self._closed:
                raise RuntimeError("the figure workers are closed")
            if self._zygote is None or not self._zygote.alive:
                self._zygote = _Zygote(self._root, self._cache, self.timeout_s)
            zygote = self._zygote
        answer, ending = zygote.call(job, leash)
        if answer is None or ending.status != 0:
            raise self._crashed(job, ending)
        printed = _printed_warning(job, ending.printed)
        if answer.failed:
            raise FigureFailed((*answer.diagnostics, *printed), answer.observed)
        return WorkerReport(
            result=answer.result, observed=answer.observed, warnings=(*answer.diagnostics, *printed)
        )

    def _crashed(self, job: Job, ending: Ending) -> FigureFailed:
        """The failure of a worker that could not speak for itself any more."""
        name = job.figure_id
        doing = "compute" if job.data is None else "draw"
        if ending.timed_out:
            rule, fix = "figure-timeout", "look for a loop that does not end; else allow figures more time."
            message = f'figure "{name}": {doing} did not finish within {self.timeout_s:g} s and was stopped'
        elif ending.status < 0:
            rule, fix = "figure-crash", "compiled code crashed, or memory ran out."
            message = f'figure "{name}": the process was killed by signal {-ending.status} during {doing}'
        else:
            rule, fix = "figure-crash", "end `compute` and `draw` with return, not by leaving the process."
            message = f'figure "{name}": the process ended during {doing} with status {ending.status}'
        line, source = self._running_line(job, ending.printed)
        found = Diagnostic(
            rule=rule,
            message=message,
            location=Location(path=job.script.path, line=line),
            source_line=source,
            detail=_shortened(ending.printed) or None,
            fix=fix,
        )
        by_machine = ending.timed_out or ending.status < 0
        return FigureFailed([found], self._script_itself(job.script), retry=by_machine)

    def _running_line(self, job: Job, printed: str) -> tuple[int | None, str | None]:
        """The innermost line of the script in what faulthandler printed, with its text."""
        own = self._root / job.script.path
        for place in _FAULT_LINE.finditer(printed):
            if Path(place["path"]) == own:
                line = int(place["line"])
                try:
                    return line, own.read_text("utf-8").splitlines()[line - 1]
                except (OSError, UnicodeDecodeError, IndexError):
                    return line, None
        return None, None

    def _script_itself(self, script: Script) -> tuple[Observed, ...]:
        """The least that a crashed worker must have read."""
        try:
            content = (self._root / script.path).read_bytes()
        except OSError:
            return ()
        own = Observed(kind="file", name=script.path, digest=digest_of(content))
        return (own,) if script.source is None else ()


class _Leash:
    """What a call is stopped by, from another thread than waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ending: socket.socket | None = None
        self._pulled = False

    @contextlib.contextmanager
    def on(self, ending: socket.socket) -> Iterator[None]:
        """While the call is under way; `ending` is where its end is told."""
        with self._lock:
            self._ending = ending
            if self._pulled:
                ending.shutdown(socket.SHUT_WR)
        try:
            yield
        finally:
            with self._lock:
                self._ending = None

    def pull(self) -> None:
        """Have the process killed: the other side sees that nobody will speak to it any more."""
        with self._lock:
            self._pulled = True
            if self._ending is not None:
                self._ending.shutdown(socket.SHUT_WR)


class _Zygote:
    """The process that forks workers, from its parent's side."""

    def __init__(self, root: Path, cache: Path, timeout_s: float) -> None:
        self._control, theirs = socket.socketpair()
        self._lock = threading.Lock()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the process)
        if not hasattr(os, "fork"):
            raise RuntimeError("figures are drawn in forked processes, which this system has not; use WSL")
        cache.mkdir(parents=True, exist_ok=True)
        with theirs:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-P", "-m", "diglot.figures.zygote"),
                    *(str(theirs.fileno()), str(root), str(cache), str(timeout_s)),
                ],
                cwd=root,
                env=_environment(cache),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                start_new_session=True,  # Ctrl-C is for the parent, which then closes the control socket
            )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def call(self, job: Job, leash: _Leash) -> tuple[Answer | None, Ending]:
        """One job, waited for."""
        channel, theirs = socket.socketpair()
        ending, their_ending = socket.socketpair()
        with channel, ending:
            with theirs, their_ending, self._lock:
                try:
                    socket.send_fds(self._control, [b"!"], [theirs.fileno(), their_ending.fileno()])
                except OSError as error:
                    raise RuntimeError(self._last_words()) from error
            with leash.on(ending):
                with contextlib.suppress(OSError):  # it ended before it listened: its ending says why
                    send(channel, job)
                answer = receive(channel, Answer)
                ended = receive(ending, Ending)
        if ended is None:
            raise RuntimeError(self._last_words())
        return answer, ended

    def close(self) -> None:
        """End it and all it started."""
        self._control.close()
        self._process.terminate()  # heard only while it still loads, and has started nothing yet
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def _last_words(self) -> str:
        if self._errors.closed:
            return "the figure workers were closed"
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip()
        return f"the process that starts figure workers ended{': ' + said if said else ''}"


def _environment(cache: Path) -> dict[str, str]:
    """What makes a worker the same on every machine; the variables that scripts ask for are passed along."""
    paths = [os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(_PACKAGES), *paths]),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "MPLCONFIGDIR": str(cache),
        "MPLBACKEND": "agg",
        # One thread: sums in one order, and nothing running while workers are forked.
        **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    }


def _job(
    script: Script,
    request: FigureRequest,
    computed: ComputedFigure | None = None,
    language: Language | None = None,
    sheet: Sheet | None = None,
) -> Job:
    return Job(
        script=script,
        figure_id=request.figure_id,
        parameters=request.parameters,
        data=computed.data if computed is not None else None,
        data_digest=computed.digest if computed is not None else "",
        provenance=computed.provenance if computed is not None else (),
        language=language,
        sheet=sheet,
    )


def _printed_warning(job: Job, printed: str) -> tuple[Diagnostic, ...]:
    if not printed.strip():
        return ()
    return (
        Diagnostic(
            rule="figure-printed",
            message=f'figure "{job.figure_id}": the script printed something, which no page shows',
            severity="warning",
            location=Location(path=job.script.path),
            detail=_shortened(printed),
        ),
    )


def _shortened(printed: str) -> str:
    lines = printed.strip().splitlines()
    return "\n".join(lines if len(lines) <= 20 else [*lines[:10], "…", *lines[-9:]])
