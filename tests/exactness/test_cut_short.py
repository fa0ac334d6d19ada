"""The site stays whole when two builds run at once, or the disk is full. For kills, see `tests/hostile`."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.sites import CHECKOUT, environment, pair, start, write, write_site
from tests.space import outputs

Files = dict[str, bytes]


def published(root: Path) -> Files:
    """The published files, without those that are still being written aside."""
    return {
        path: text for path, text in outputs(root / "public").items() if not path.startswith(".diglot-new/")
    }


def run(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    process = start(*words, root=root)
    stdout, stderr = process.communicate()
    return subprocess.CompletedProcess(words, process.wait(), stdout, stderr)


def test_two_builds_at_once_make_one_site(tmp_path: Path) -> None:
    root = write_site(tmp_path / "site", figure=True)
    processes = [start(root=root) for _ in range(2)]
    told = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], told
    made = published(root)
    shutil.rmtree(root / "public")
    shutil.rmtree(root / ".diglot")
    assert run(root).returncode == 0
    assert published(root) == made


def test_a_second_build_waits_and_says_for_which_process(tmp_path: Path) -> None:
    from diglot.rules.building import Site
    from diglot.rules.options import SiteOptions

    root = write_site(tmp_path / "site")
    with Site(SiteOptions(root=root, output=root / "public")) as site:
        with site.cache.alone(None):
            process = start(root=root)
            assert process.stderr is not None
            said = process.stderr.readline()
            assert f"another build of this project is running (process {os.getpid()}); waiting for it" in said
            assert not (root / "public").exists()
        process.communicate()
    assert process.returncode == 0
    assert (root / "public/index.html").exists()


def test_the_lock_of_a_process_that_died_holds_nobody_up(tmp_path: Path) -> None:
    root = write_site(tmp_path / "site")
    code = "import os, sys; from pathlib import Path; from diglot.engine.lock import locked\n"
    code += "with locked(Path('.diglot/site.lock'), waiting=print): os.kill(os.getpid(), 9)"
    died = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment(), check=False)
    assert died.returncode == -signal.SIGKILL
    assert (root / ".diglot/site.lock").read_text().strip().isdigit()
    done = run(root)
    assert done.returncode == 0
    assert "waiting" not in done.stderr


def test_a_cache_cleaned_while_a_build_waits_is_made_anew(tmp_path: Path) -> None:
    """The waiting build has opened a lock file that is removed. It must not take it for the new one."""
    from diglot.engine.lock import locked

    lock = tmp_path / "cache/site.lock"
    code = "import sys; from pathlib import Path; from diglot.engine.lock import locked\n"
    code += f"lock = Path({str(lock)!r})\n"
    code += (
        "with locked(lock, waiting=lambda _: print('waiting', flush=True)): print(lock.exists(), flush=True)"
    )
    with locked(lock, waiting=lambda _: pytest.fail("nobody is there")):
        process = subprocess.Popen(
            [sys.executable, "-c", code], env=environment(), stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        shutil.rmtree(lock.parent)
    assert process.communicate()[0] == "True\n"


@pytest.mark.parametrize("limit_bytes", [1 << 12, 1 << 18])
def test_a_disk_that_fills_up_leaves_the_last_good_site_and_says_so(tmp_path: Path, limit_bytes: int) -> None:
    """A limit on file sizes stands in for a full disk: writing the store, or an object, fails."""
    root = write_site(tmp_path / "site")
    assert run(root, "-q").returncode == 0
    before = published(root)
    write(root, {**pair("hello", "Changed."), "site/static/large.txt": "large" * 100_000})
    if limit_bytes == 1 << 18:
        shutil.rmtree(root / ".diglot")
    full = subprocess.run(
        [sys.executable, "-m", "diglot"],
        cwd=root,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes)),
    )
    assert full.returncode == 2, full.stderr
    assert "Traceback" not in full.stderr
    assert "check permissions and disk space" in full.stderr
    assert published(root) == before
    assert not list((root / ".diglot").rglob("objects/**/*.tmp"))
    verified = run(root, "build", "--verify")
    assert verified.returncode == 0, verified.stderr
    assert "large.txt" in published(root)


def test_a_damaged_value_that_is_only_published_is_made_again(tmp_path: Path) -> None:
    root = write_site(tmp_path / "site")
    write(root, {"site/static/large.txt": "large" * 10_000})
    assert run(root, "-q").returncode == 0
    before = published(root)
    for path in (root / ".diglot/objects").rglob("*"):
        if path.is_file():
            path.write_bytes(b"")
    shutil.rmtree(root / "public")
    done = run(root, "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert published(root) == before


def test_a_damaged_half_that_a_page_is_made_from_is_parsed_again(tmp_path: Path) -> None:
    root = write_site(tmp_path / "site")
    assert run(root, "-q").returncode == 0
    for path in (root / ".diglot/objects").rglob("*"):
        if path.is_file():
            path.write_bytes(b"")
    template = (CHECKOUT / "templates/article.html").read_text("utf-8")
    before, end, behind = template.rpartition("{% endblock %}")
    write(root, {"templates/article.html": f"{before}<!-- mine -->{end}{behind}"})
    done = run(root, "-q")
    assert (done.returncode, done.stderr) == (0, "")
    incremental = published(root)
    assert b"<!-- mine -->" in incremental["en/posts/hello/index.html"]
    shutil.rmtree(root / ".diglot")
    shutil.rmtree(root / "public")
    assert run(root, "-q").returncode == 0
    assert published(root) == incremental
