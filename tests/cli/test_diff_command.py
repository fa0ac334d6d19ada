"""`diglot diff` that is interrupted or killed leaves nothing behind."""

import signal
import sys
from pathlib import Path

import pytest

from diglot.engine.lock import locked
from tests.cli.sites import LOOPING, pair, processes_below, start, write, write_site
from tests.space import Space
from tests.waiting import HANG_S, wait_until


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_an_interrupted_comparison_leaves_neither_files_nor_processes(tmp_path: Path) -> None:
    now, before = (write_site(tmp_path / name) for name in ("now", "before"))
    embed = "Text.\n\n```{figure} looping\nA caption.\n```"
    write(before, {"figures/looping.py": LOOPING, **pair("slow", embed)})
    process = start("diff", "--against", str(before), root=now)
    wait_until((before / "looping").exists)
    assert (now / ".diglot/diff").is_dir()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HANG_S)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("interrupted; finished work is kept\n")
    assert not (now / ".diglot/diff").exists()
    assert processes_below(tmp_path) == []
    assert not (before / ".diglot").exists(), "the other folder is only read"


def test_the_next_build_removes_what_a_killed_comparison_left_and_spares_one_at_work(tmp_path: Path) -> None:
    space = Space(tmp_path)
    space.post("one", zh="一。", en="One.")
    left = space.root / ".diglot/diff/project/zh.md"
    left.parent.mkdir(parents=True)
    left.write_text("then", encoding="utf-8")
    with locked(space.root / ".diglot/diff.lock", waiting=pytest.fail):
        space.build()
        assert left.exists()
    space.build()
    assert not (space.root / ".diglot/diff").exists()
