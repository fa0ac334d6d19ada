"""Measures a command: wall-clock time, processor time, memory. POSIX only; memory of a tree: Linux only."""

import csv
import datetime
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The cost of a finished command."""

    wall_s: float
    cpu_s: float
    """User and system time of the command and of every process it waited for."""
    largest_mib: float
    """Peak resident memory of its largest process. It is never below that of the calling process, which is
    why the scripts here do not generate corpora in their own process."""
    output: str


class CommandFailed(Exception):
    """A measured command failed."""


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Usage:
    """Run a command to its end. Raises CommandFailed with the end of its output."""
    began_s = time.monotonic()
    process = _start(command, folder, environment)
    assert process.stdout is not None
    output = process.stdout.read().decode("utf-8", "replace")
    usage = _wait(process, command, output)
    return Usage(
        wall_s=time.monotonic() - began_s,
        cpu_s=usage.ru_utime + usage.ru_stime,
        largest_mib=usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10),
        output=output,
    )


def peak_memory_mib(command: Sequence[str], folder: Path, *, every_s: float = 0.02) -> float:
    """Peak memory of a command and all its descendants together, in MiB.

    Pages that processes share count once (PSS). Measuring slows the command, so time it in another run.
    Raises CommandFailed if the command fails.
    """
    process = _start(command, folder, None, output=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(_proportional_kib(pid) for pid in _tree(process.pid)))
        time.sleep(every_s)
    if process.returncode:
        raise CommandFailed(f"{' '.join(command)} ended with {process.returncode}")
    return peak / 2**10


def can_see_trees() -> bool:
    """Whether `peak_memory_mib` works on this system."""
    return Path("/proc/self/smaps_rollup").exists()


def absolute_path() -> str:
    """PYTHONPATH with absolute paths, because the command runs in another folder."""
    return os.pathsep.join(
        os.path.abspath(one) for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one
    )


def _start(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str] | None,
    output: int = subprocess.PIPE,
) -> subprocess.Popen[bytes]:
    # Users' Python keeps what it has compiled; without that, a third of a short build is compiling.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**inherited, "PYTHONPATH": absolute_path(), **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
    )


def _wait(process: subprocess.Popen[bytes], command: Sequence[str], output: str) -> resource.struct_rusage:
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise CommandFailed(f"{' '.join(command)} ended with {process.returncode}:\n{output[-2000:]}")
    return usage


def _tree(pid: int) -> list[int]:
    """A process and all its descendants, without those that end meanwhile."""
    found, open_ = [], [pid]
    while open_:
        parent = open_.pop()
        found.append(parent)
        try:
            for thread in os.listdir(f"/proc/{parent}/task"):
                children = Path(f"/proc/{parent}/task/{thread}/children").read_text()
                open_ += map(int, children.split())
        except OSError:
            continue
    return found


def _proportional_kib(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("Pss:")), 0)
    except OSError:
        return 0


class Results:
    """Measured values by (number of pairs, tool, case and metric), in the order of measuring."""

    def __init__(self) -> None:
        self._values: dict[tuple[int, str, str], list[float]] = {}

    def add(self, pairs: int, name: str, metric: str, value: float) -> None:
        """Add one value."""
        self._values.setdefault((pairs, name, metric), []).append(value)

    def add_usage(self, pairs: int, name: str, case: str, usage: Usage) -> None:
        """Add the numbers of one run of a case."""
        self.add(pairs, name, f"{case} wall_s", usage.wall_s)
        self.add(pairs, name, f"{case} cpu_s", usage.cpu_s)
        self.add(pairs, name, f"{case} largest_mib", usage.largest_mib)

    def median(self, pairs: int, name: str, metric: str) -> float | None:
        """The median of all rounds; None if there is no value."""
        values = self._values.get((pairs, name, metric))
        return statistics.median(values) if values else None

    def metrics(self, pairs: int, name: str) -> tuple[str, ...]:
        """The metrics of a size and a tool, in the order of measuring."""
        return tuple(key[2] for key in self._values if key[:2] == (pairs, name))

    def ratio(self, pairs: int, name: str, metric: str, base: str) -> float | None:
        """The median, over the rounds, of the ratio to the same metric of `base`."""
        values, others = (self._values.get((pairs, one, metric), []) for one in (name, base))
        ratios = [a / b for a, b in zip(values, others, strict=False) if b]
        return statistics.median(ratios) if ratios else None

    def write_csv(self, path: Path, *, base: str | None = None) -> None:
        """Append every metric to a CSV file, with its ratio to that of `base` if there is one."""
        is_new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if is_new:
                writer.writerow(_HEADER)
            for (pairs, name, metric), values in self._values.items():
                ratio = self.ratio(pairs, name, metric, base) if base else None
                numbers = (statistics.median(values), min(values), max(values))
                writer.writerow(
                    (
                        *(datetime.date.today().isoformat(), pairs, name, metric),
                        *(f"{number:.4g}" for number in numbers),
                        *(len(values), "" if ratio is None else f"{ratio:.3g}"),
                    )
                )


_HEADER = ("date", "pairs", "name", "metric", "median", "min", "max", "rounds", "ratio")


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print aligned columns: a dash for None, three significant figures for a float."""
    cells = [tuple(header), *(tuple(_cell(one) for one in row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for row in cells:
        first, *others = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join((first, *others)).rstrip())


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
