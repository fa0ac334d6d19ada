"""Measured commands: what counts, and how rounds become one number."""

import sys
from pathlib import Path

import pytest
from measuring import CommandFailed, Results, can_see_trees, peak_memory_mib, run

HOLD = "b = bytearray(120 * 2**20); b[::4096] = b'x' * len(b[::4096]); print(flush=True); input()"


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.mark.skipif(not can_see_trees(), reason="memory of other processes is seen in /proc alone")
def test_memory_of_the_whole_tree_is_added_up(tmp_path: Path) -> None:
    two = (
        "import subprocess, sys, time\n"
        "pipes = {'stdin': subprocess.PIPE, 'stdout': subprocess.PIPE}\n"
        f"both = [subprocess.Popen([sys.executable, '-c', {HOLD!r}], **pipes) for _ in 'ab']\n"
        "for one in both: one.stdout.readline()\n"
        "time.sleep(0.5)\n"  # memory is sampled every 0.02 s, so while both hold theirs
        "for one in both: one.communicate(b'\\n')"
    )
    assert 240 < peak_memory_mib(python(two), tmp_path) < 360


def test_a_command_that_fails_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match="ended with 3:\nbroken"):
        run(python("print('broken'); raise SystemExit(3)"), tmp_path)


def test_ratios_are_taken_within_a_round() -> None:
    results = Results()
    for ours, theirs in ((1.0, 2.0), (30.0, 20.0), (3.0, 1.0)):
        results.add(10, "ours", "cold", ours)
        results.add(10, "theirs", "cold", theirs)
    assert results.ratio(10, "ours", "cold", "theirs") == 1.5
    assert results.median(10, "ours", "cold") == 3.0


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
