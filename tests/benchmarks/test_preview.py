"""`benchmarks/preview.py` times every kind of edit until it is served."""

import csv
from pathlib import Path

import preview

from tests.benchmarks.conftest import at_full_length
from tests.benchmarks.scripts import run_script


@at_full_length
def test_every_kind_of_edit_is_timed_and_undone(tmp_path: Path) -> None:
    table = tmp_path / "preview.csv"
    flags = ["-n", "2", "--edits", "1", "--no-browser", "--work", str(tmp_path), "--csv", str(table)]
    done = run_script("preview.py", *flags)
    assert done.returncode == 0, done.stdout + done.stderr
    with table.open(encoding="utf-8") as file:
        taken = {row["metric"]: float(row["median"]) for row in csv.DictReader(file)}
    assert taken.keys() == {f"{case} served_ms" for case in preview.CASES}
    assert all(milliseconds > 0 for milliseconds in taken.values())
    written = [*tmp_path.rglob("*.md"), *tmp_path.rglob("templates/**/*"), *tmp_path.rglob("*.py")]
    assert not [path for path in written if path.is_file() and b"-served-" in path.read_bytes()]
