"""Measured commands: what counts, and how rounds become one number."""

import sys
from pathlib import Path

import pytest
from measuring import CommandFailed, Results, can_see_trees, peak_memory_mib, run

BURN = "import time\nwhile time.process_time() < 0.3: pass"
HOLD = "b = bytearray(120 * 2**20); b[::4096] = b'x' * len(b[::4096]); import time; time.sleep(0.4)"


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def below(code: str) -> list[str]:
    """A process that runs the code in another one below it."""
    return python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}])")


def test_processor_time_of_children_counts(tmp_path: Path) -> None:
    usage = run(below(BURN), tmp_path)
    assert usage.cpu_s >= 0.3


def test_waiting_takes_time_but_no_processor(tmp_path: Path) -> None:
    usage = run(python("import time; time.sleep(0.5)"), tmp_path)
    assert usage.wall_s >= 0.5
    assert usage.cpu_s < usage.wall_s / 2


def test_the_largest_process_is_found_below_the_command(tmp_path: Path) -> None:
    assert run(below(HOLD), tmp_path).largest_mib > 120


@pytest.mark.skipif(not can_see_trees(), reason="memory of other processes is seen in /proc alone")
def test_memory_of_the_whole_tree_is_added_up(tmp_path: Path) -> None:
    two = (
        "import subprocess, sys\n"
        f"both = [subprocess.Popen([sys.executable, '-c', {HOLD!r}]) for _ in 'ab']\n"
        "for one in both: one.wait()"
    )
    assert 240 < peak_memory_mib(python(two), tmp_path) < 360


def test_what_the_command_says_is_kept(tmp_path: Path) -> None:
    assert run(python("print('hello')"), tmp_path).output == "hello\n"


def test_a_command_that_fails_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match="ended with 3:\nbroken"):
        run(python("print('broken'); raise SystemExit(3)"), tmp_path)


def test_a_relative_path_to_modules_is_taken_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "here/found.py").write_text("print('found')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "here")
    assert run(python("import found"), tmp_path / "there").output == "found\n"


def test_ratios_are_taken_within_a_round() -> None:
    results = Results()
    for ours, theirs in ((1.0, 2.0), (30.0, 20.0), (3.0, 1.0)):
        results.add(10, "ours", "cold", ours)
        results.add(10, "theirs", "cold", theirs)
    assert results.ratio(10, "ours", "cold", "theirs") == 1.5
    assert results.median(10, "ours", "cold") == 3.0


def test_what_was_not_measured_is_none() -> None:
    assert Results().median(10, "ours", "cold") is None
    assert Results().ratio(10, "ours", "cold", "theirs") is None


def test_a_csv_file_grows_below_one_head(tmp_path: Path) -> None:
    results = Results()
    results.add(10, "diglot", "cold wall_s", 2.0)
    results.add(10, "hugo", "cold wall_s", 4.0)
    for _ in range(2):
        results.write_csv(tmp_path / "out.csv", base="hugo")
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0].startswith("date,pairs,name,metric,median")
    assert [line.split(",", 1)[1] for line in lines[1:3]] == [
        "10,diglot,cold wall_s,2,2,2,1,0.5",
        "10,hugo,cold wall_s,4,4,4,1,1",
    ]
    assert lines[3:] == lines[1:3]
