"""Runs the scripts of `benchmarks/` as its README says."""

import os
import subprocess
import sys
from pathlib import Path

from tests.waiting import HANG_S

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"


def run_script(name: str, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script of `benchmarks/` to its end, with this checkout's diglot."""
    return subprocess.run(
        [sys.executable, str(BENCHMARKS / name), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_S,
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """The contents of all files in a folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
