"""Running the scripts of `benchmarks/` as a reader of them would."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"


def run_script(name: str, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A script of `benchmarks/`, run to its end with this checkout's diglot."""
    return subprocess.run(
        [sys.executable, str(BENCHMARKS / name), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
