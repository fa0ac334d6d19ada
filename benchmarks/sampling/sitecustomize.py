"""Samples any Python process that has this folder on its path: processor time by stage.

Every millisecond of processor time, the innermost function of a known module is looked up, and the time since
the last sample is added to its stage. Each process, forked ones included, writes its sums to its own file in
the folder BENCHMARK_SAMPLES. The file is opened at the start, because figure scripts are observed, and a file
opened while one runs would count as its input.
"""

import atexit
import json
import os
import signal
import time
from types import FrameType

from benchmark_stages import IMPORTS, OTHER, START, stage_of

_EVERY_S = 0.001
_WRITTEN_EVERY_S = 0.05


class Sampler:
    """The sums of one process."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._stage_of_module: dict[str, str | None] = {}
        signal.signal(signal.SIGPROF, self._sample)
        self._begin(START)
        os.register_at_fork(after_in_child=self._begin)
        atexit.register(self._end)

    def _begin(self, first: str = OTHER) -> None:
        self._open()
        self._seconds = {first: time.process_time()}
        self._last_s = self._written_s = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, _EVERY_S, _EVERY_S)

    def _open(self) -> None:
        path = os.path.join(self._folder, f"{os.getpid()}.json")
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)

    def _sample(self, _signal: int, frame: FrameType | None) -> None:
        stage = self._stage(frame)
        now_s = time.process_time()
        self._seconds[stage] = self._seconds.get(stage, 0.0) + now_s - self._last_s
        self._last_s = now_s
        if now_s - self._written_s > _WRITTEN_EVERY_S:
            self._write()

    def _stage(self, frame: FrameType | None) -> str:
        while frame is not None:
            module = frame.f_globals.get("__name__") or ""
            if frame.f_code.co_name == "<module>" and module != "__main__":
                return IMPORTS
            if module not in self._stage_of_module:
                self._stage_of_module[module] = stage_of(module)
            if stage := self._stage_of_module[module]:
                return stage
            frame = frame.f_back
        return OTHER

    def _end(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)  # a later signal would find no handler and kill the process
        self._write()

    def _write(self) -> None:
        self._written_s = time.process_time()
        # Padded, so that nothing of a longer, earlier text remains.
        content = json.dumps(self._seconds).encode().ljust(1024)
        try:
            os.pwrite(self._file, content, 0)
        except OSError:  # a forked worker closes all descriptors it inherits
            self._open()
            os.pwrite(self._file, content, 0)


if "BENCHMARK_SAMPLES" in os.environ:
    Sampler(os.environ["BENCHMARK_SAMPLES"])
