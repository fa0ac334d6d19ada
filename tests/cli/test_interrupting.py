"""Ctrl-C in the middle of a build: finished work is kept, and no process is left."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.sites import LOOPING, pair, processes_below, start, write, write_site
from tests.waiting import HANG_S, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.fixture
def looping_site(tmp_path: Path) -> Path:
    root = write_site(tmp_path / "site")
    embed = "Text.\n\n```{figure} looping\nA caption.\n```"
    write(root, {"figures/looping.py": LOOPING, **pair("slow", embed)})
    return root


def test_an_interrupted_build_keeps_what_is_finished_and_leaves_no_process(looping_site: Path) -> None:
    process = start("build", root=looping_site)
    wait_until((looping_site / "looping").exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=HANG_S)
    assert process.returncode == 130
    assert (out, err) == ("", "interrupted; finished work is kept\n")
    assert processes_below(looping_site) == []

    (looping_site / "figures/looping.py").unlink()
    write(looping_site, pair("slow"))
    process = start("build", "--json", root=looping_site)
    out, _ = process.communicate(timeout=HANG_S)
    assert process.returncode == 0
    assert '"document hello:zh"' not in out, "it was finished before the interrupt"


def test_an_interrupt_while_the_figure_workers_start_is_heard_at_once(looping_site: Path) -> None:
    process = start("build", root=looping_site)
    wait_until(lambda: any("fork_server" in line for line in processes_below(looping_site)))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=HANG_S)
    assert process.returncode == 130
    assert processes_below(looping_site) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_build_leaves_no_process(looping_site: Path, number: signal.Signals) -> None:
    process = start("build", root=looping_site)
    wait_until((looping_site / "looping").exists)
    process.send_signal(number)
    process.communicate(timeout=HANG_S)
    wait_until(lambda: not processes_below(looping_site))


_INTERRUPTS = """
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == interrupted:
            raise KeyboardInterrupt
interrupted = sys.argv.pop(1)
sys.meta_path.insert(0, Interrupting())
from diglot.cli import run
run()
"""
MODULES = (
    "argparse",
    "diglot.cli.main",
    "diglot.diagnostics",
    "diglot.cli.building.running",
    "yaml",
    "sqlite3",
    "markdown_it",
)


@pytest.mark.parametrize("module", MODULES)
def test_an_interrupt_while_a_module_is_loaded_leaves_no_traceback(tmp_path: Path, module: str) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/site.yaml").write_text("title: {zh: 站, en: Site}\nbase_url: https://a.org/\n")
    command = [sys.executable, "-c", _INTERRUPTS, module, "build", "-C", tmp_path]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 130
    assert "Traceback" not in ran.stderr
