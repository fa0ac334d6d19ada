"""`diglot deploy --to user@host:path`; rsync copies between folders of this machine here."""

import shutil
from pathlib import Path

import pytest

from diglot.cli import main
from diglot.deploying.rsync import is_remote, read_changes, rsync
from diglot.diagnostics import Refusal
from diglot.publishing.changes import Changes
from tests.cli.sites import write, write_site
from tests.space import outputs

needs_rsync = pytest.mark.skipif(shutil.which("rsync") is None, reason="rsync is not installed")


@pytest.mark.parametrize(
    ("target", "remote"),
    [
        ("ada@example.org:/var/www", True),
        ("example.org:www", True),
        ("rsync://example.org/www", True),
        ("../www", False),
        ("/srv/www:8080", False),
        ("C:/www", False),
    ],
)
def test_a_machine_is_told_from_a_folder(target: str, remote: bool) -> None:
    assert is_remote(target) is remote


def test_what_rsync_did_is_read_from_its_list() -> None:
    lines = [
        "<f+++++++++ zh/index.html",
        ">fcst...... en/index.html",
        "cd+++++++++ zh/",
        "*deleting   old/",
        "*deleting   old/a b.html",
    ]
    assert read_changes(lines) == Changes(
        added=("zh/index.html",), changed=("en/index.html",), removed=("old/a b.html",)
    )


@needs_rsync
def test_files_are_copied_by_content_and_removed_only_on_request(tmp_path: Path) -> None:
    write(tmp_path, {"public/index.html": "one", "public/a/b.html": "b", "public/.diglot-site": "mark"})
    write(tmp_path, {"www/index.html": "two", "www/own.txt": "mine"})
    public, www = tmp_path / "public", f"{tmp_path}/www"
    expected = Changes(added=("a/b.html",), changed=("index.html",))
    assert rsync(public, www, dry_run=True, delete=False) == expected
    assert outputs(tmp_path / "www") == {"index.html": b"two", "own.txt": b"mine"}
    assert rsync(public, www, dry_run=False, delete=False) == expected
    assert outputs(tmp_path / "www") == {"a/b.html": b"b", "index.html": b"one", "own.txt": b"mine"}
    assert rsync(public, www, dry_run=False, delete=False) == Changes()
    assert rsync(public, www, dry_run=True, delete=True) == Changes(removed=("own.txt",))
    assert rsync(public, www, dry_run=False, delete=True) == Changes(removed=("own.txt",))
    assert outputs(tmp_path / "www") == {"a/b.html": b"b", "index.html": b"one"}


@needs_rsync
def test_a_target_out_of_reach_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"public/index.html": "one"})
    with pytest.raises(Refusal, match="rsync could not copy the site to"):
        rsync(tmp_path / "public", f"{tmp_path}/public/index.html/x", dry_run=False, delete=False)


def test_without_rsync_the_way_to_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(write_site(tmp_path / "site"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["deploy", "--to", "ada@example.org:www", "--base-url", "https://ada.dev/"]) == 2
    assert capsys.readouterr().err == (
        "diglot: not deployed: rsync is not installed, or not on the path\n"
        "  fix: install it (for example with `apt install rsync` or `brew install rsync`).\n"
    )
