"""Cache files are read whole or not at all; pipes block no reader, and links are not followed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from diglot.cache_files import make_folder, make_way_for_file, read_file, sealed, unsealed, write_file
from diglot.engine.lock import locked


def put_a_folder(path: Path, _outside: Path) -> None:
    (path / "in it").mkdir(parents=True)


def put_a_pipe(path: Path, _outside: Path) -> None:
    os.mkfifo(path)


def put_a_link(path: Path, outside: Path) -> None:
    path.symlink_to(outside)


def put_a_link_to_nothing(path: Path, outside: Path) -> None:
    path.symlink_to(outside.with_name("nothing"))


def put_a_link_to_itself(path: Path, _outside: Path) -> None:
    path.symlink_to(path)


IN_THE_WAY = (put_a_folder, put_a_pipe, put_a_link, put_a_link_to_nothing, put_a_link_to_itself)
Put = Callable[[Path, Path], None]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file outside of the cache."""
    path = tmp_path / "article.md"
    path.write_text("An article.")
    return path


@pytest.mark.parametrize("put", IN_THE_WAY)
def test_what_is_no_file_is_neither_read_nor_waited_for(tmp_path: Path, outside: Path, put: Put) -> None:
    put(tmp_path / "file", outside)
    assert read_file(tmp_path / "file") is None


@pytest.mark.parametrize("put", IN_THE_WAY)
def test_a_file_takes_the_place_of_whatever_is_there(tmp_path: Path, outside: Path, put: Put) -> None:
    put(tmp_path / "file", outside)
    write_file(tmp_path / "file", b"new")
    assert read_file(tmp_path / "file") == b"new"
    assert outside.read_text() == "An article."
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("put", IN_THE_WAY)
def test_what_is_no_file_makes_way_for_one(tmp_path: Path, outside: Path, put: Put) -> None:
    put(tmp_path / "file", outside)
    make_way_for_file(tmp_path / "file")
    assert not os.path.lexists(tmp_path / "file")
    assert outside.exists()


@pytest.mark.parametrize("put", [put_a_pipe, put_a_link, put_a_link_to_nothing, put_a_link_to_itself])
def test_a_folder_takes_the_place_of_whatever_is_there(tmp_path: Path, outside: Path, put: Put) -> None:
    put(tmp_path / "folder", outside)
    make_folder(tmp_path / "folder")
    assert (tmp_path / "folder").is_dir()
    assert outside.exists()


def test_a_file_with_another_name_is_not_written_into(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "file").hardlink_to(outside)
    write_file(tmp_path / "file", b"new")
    assert outside.read_text() == "An article."


@pytest.mark.parametrize("put", [*IN_THE_WAY, lambda path, outside: path.hardlink_to(outside)])
def test_a_lock_is_never_kept_in_somebody_else_s_file(tmp_path: Path, outside: Path, put: Put) -> None:
    (tmp_path / "cache").mkdir()
    put(tmp_path / "cache/lock", outside)
    with locked(tmp_path / "cache/lock", waiting=lambda _: pytest.fail("nobody has it")):
        assert (tmp_path / "cache/lock").read_text() == f"{os.getpid()}\n"
    assert outside.read_text() == "An article."


@pytest.mark.parametrize("place", [0, 5, 32, 33, 40, -1])
def test_one_changed_bit_breaks_a_seal(place: int) -> None:
    content = bytearray(sealed(b"Something to be believed.", "a test"))
    assert unsealed(bytes(content), "a test") == b"Something to be believed."
    content[place] ^= 1
    assert unsealed(bytes(content), "a test") is None


def test_a_seal_is_good_for_one_purpose_and_for_all_of_the_content() -> None:
    content = sealed(b"Something.", "a test")
    assert unsealed(content, "another test") is None
    assert unsealed(content[:-1], "a test") is None
    assert unsealed(content + b"!", "a test") is None
    assert unsealed(b"", "a test") is None
    assert unsealed(None, "a test") is None
