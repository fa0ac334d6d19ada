"""Folders, object stores and rsync: the same files, however they are reached."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from diglot.shared_cache.addresses import address_fault
from diglot.shared_cache.opening import open_place
from diglot.shared_cache.places import PlaceUnreachable
from tests.engine.workshop import ran
from tests.shared_cache.sharing import Machine

needs_rsync = pytest.mark.skipif(shutil.which("rsync") is None, reason="rsync is not installed")


@pytest.fixture
def rsync_through_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What rsync takes for ssh runs the command here, so that both ends are rsync itself."""
    shell = tmp_path / "shell"
    shell.write_text('#!/bin/sh\nwhile [ "$1" != "$HOST_OF_TEST" ]; do shift; done\nshift\nexec sh -c "$*"\n')
    shell.chmod(0o755)
    monkeypatch.setenv("HOST_OF_TEST", "machine")
    monkeypatch.setenv("RSYNC_RSH", str(shell))


ADDRESSES: dict[str, Callable[[Path], str]] = {
    "folder": lambda folder: f"{folder}/cache",
    "relative folder": lambda _: "shared/cache",
    "object store": lambda folder: f"file://{folder}/objects",
    "memory": lambda folder: f"memory://{folder.name}",
    "rsync": lambda folder: f"machine:{folder}/by/rsync",
}


@pytest.mark.parametrize(
    "kind", [pytest.param(one, marks=needs_rsync if one == "rsync" else ()) for one in ADDRESSES]
)
def test_a_place_has_what_was_put_there(kind: str, tmp_path: Path, rsync_through_a_shell: None) -> None:
    address = ADDRESSES[kind](tmp_path)
    assert address_fault(address) is None
    place = open_place(address, tmp_path)
    assert place.sizes_bytes() == {}
    place.put({"b.values": b"12345", "a.traces": b"\0\xff"})
    place = open_place(address, tmp_path)
    assert place.sizes_bytes() == {"a.traces": 2, "b.values": 5}
    here = tmp_path / "here"
    here.mkdir()
    place.fetch(["a.traces", "gone.traces", "b.values"], here)
    assert {path.name: path.read_bytes() for path in here.iterdir()} == {
        "a.traces": b"\0\xff",
        "b.values": b"12345",
    }
    place.remove(["a.traces", "gone.traces"])
    assert place.sizes_bytes() == {"b.values": 5}


@pytest.mark.parametrize(
    "kind", [pytest.param(one, marks=needs_rsync if one == "rsync" else ()) for one in ADDRESSES]
)
def test_machines_share_through_it(kind: str, tmp_path: Path, rsync_through_a_shell: None) -> None:
    address = ADDRESSES[kind](tmp_path)
    ci, clone = (Machine(tmp_path / name, lambda: open_place(address, tmp_path)) for name in ("ci", "clone"))
    ci.make()
    assert ci.share() == 6
    report, values = clone.make()
    assert ran(report) == []
    assert values == ci.make()[1]


@needs_rsync
def test_a_host_that_is_not_there_is_unreachable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RSYNC_RSH", "false")
    with pytest.raises(PlaceUnreachable):
        open_place("nobody@machine:cache", tmp_path).sizes_bytes()


def test_a_file_in_the_place_of_a_folder_is_unreachable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(PlaceUnreachable):
        open_place("file", tmp_path).sizes_bytes()


def test_files_that_are_no_part_of_a_cache_are_not_listed(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache/folder").mkdir()
    (tmp_path / "cache/.hidden").write_text("x")
    (tmp_path / "cache/link").symlink_to("/etc/passwd")
    assert open_place("cache", tmp_path).sizes_bytes() == {}


@pytest.mark.parametrize(
    ("address", "is_place"),
    [
        ("../cache", True),
        ("/mnt/team/cache", True),
        ("~/cache", True),
        ("s3://bucket/site", True),
        ("gs://bucket", True),
        ("az://container/site", True),
        ("rsync://host/module/site", True),
        ("me@host:cache", True),
        ("host:/srv/cache", True),
        ("https://example.org/cache", False),
        ("ftp://host/cache", False),
        ("rsync://-e/x", False),
        ("me@-oProxyCommand=x:cache", False),
        ("-cache", False),
        ("", False),
        ("a\nb", False),
    ],
)
def test_an_address_names_a_place_or_says_what_would(address: str, is_place: bool) -> None:
    assert (address_fault(address) is None) is is_place
