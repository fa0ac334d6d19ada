"""An output folder is listed again only if it changed; the files in it are checked every time."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from diglot.digests import digest_of
from diglot.publishing import output_index as output_indexes
from diglot.publishing import publisher as publishing
from diglot.publishing.publisher import Published, Publisher
from diglot.publishing.putting import write_files

PAGES = {f"posts/{n}/index.html": f"page {n}".encode() for n in range(100)} | {
    "a.css": b"a",
    "b/c/d.png": b"d",
}


def publish(folder: Path, files: dict[str, bytes] | None = None) -> Published:
    """Make the output hold some files, as a new process would; later than the clock's last tick."""
    contents = {digest_of(content): content for content in (files or PAGES).values()}
    # The clock of file times has to tick before a folder counts as unchanged.
    time.sleep(2 * output_indexes._TICK_NS / 1e9)
    return Publisher(folder / "public", output_index=folder / "cache/index.json").publish(
        {path: digest_of(content) for path, content in (files or PAGES).items()},
        write=lambda wanted: write_files(wanted, read=contents.__getitem__),
    )


def held(folder: Path) -> dict[str, bytes]:
    """All files of the output by path, and links with their targets."""
    found = {}
    for place, _, names in os.walk(folder / "public"):
        for name in names:
            path = Path(place, name)
            content = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
            found[path.relative_to(folder / "public").as_posix()] = content
    del found[output_indexes.MARK]
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # If writing takes longer than a tick, the second publication has only the last folders left to note.
    monkeypatch.setattr(publishing, "_MANY_READ", 0)
    publish(tmp_path)
    publish(tmp_path)  # so that all folders are old enough to be known by their times
    return tmp_path


def test_a_publication_of_what_is_there_reads_no_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    scandir = os.scandir
    monkeypatch.setattr(output_indexes.os, "scandir", lambda path: read.append(path) or scandir(path))
    assert publish(folder).written == ()
    assert read == []
    (folder / "public/posts/7/stranger").touch()
    assert publish(folder).foreign_files == ("posts/7/stranger",)
    assert [Path(path).name for path in read] == ["7"]


def _loses_a_file(public: Path) -> None:
    (public / "posts/50/index.html").unlink()


def _loses_a_folder(public: Path) -> None:
    (public / "posts/50/index.html").unlink()
    (public / "posts/50").rmdir()


def _changes_a_file(public: Path) -> None:
    (public / "posts/50/index.html").write_text("other")


def _has_another_file(public: Path) -> None:
    (public / "posts/other").write_text("page 50")
    (public / "posts/other").replace(public / "posts/50/index.html")


def _has_a_link_for_a_file(public: Path) -> None:
    (public / "posts/50/index.html").unlink()
    (public / "posts/50/index.html").symlink_to("../51/index.html")


def _has_a_link_for_a_folder(public: Path) -> None:
    shutil.rmtree(public / "b/c")
    (public / "b/c").symlink_to("../posts")


def _has_another_folder(public: Path) -> None:
    (public / "posts/50").rename(public / "posts/away")
    (public / "posts/51").rename(public / "posts/50")
    (public / "posts/away").rename(public / "posts/51")


def _has_an_empty_folder(public: Path) -> None:
    (public / "posts/50/empty/er").mkdir(parents=True)


@pytest.mark.parametrize(
    "harm",
    [
        _loses_a_file,
        _loses_a_folder,
        _changes_a_file,
        _has_another_file,
        _has_a_link_for_a_file,
        _has_a_link_for_a_folder,
        _has_another_folder,
        _has_an_empty_folder,
    ],
)
def test_what_others_did_is_put_right(folder: Path, harm: Callable[[Path], None]) -> None:
    harm(folder / "public")
    publish(folder)
    assert held(folder) == PAGES
    assert not (folder / "public/posts/50/empty").exists()
    assert publish(folder).written == ()


def test_what_goes_and_comes_back_leaves_nothing_behind(folder: Path) -> None:
    fewer = {path: content for path, content in PAGES.items() if "/5" not in path}
    publish(folder, fewer)
    assert held(folder) == fewer
    assert not (folder / "public/posts/50").exists()
    publish(folder)
    assert held(folder) == PAGES


def test_a_folder_that_just_changed_is_not_known_by_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.setattr(output_indexes, "_TICK_NS", 3600 * 10**9)
    assert output_indexes.scan(tmp_path).times == {}
    monkeypatch.setattr(output_indexes, "_TICK_NS", -3600 * 10**9)
    assert output_indexes.scan(tmp_path).times.keys() == {"", "a/"}


def test_a_file_that_was_changed_and_given_back_its_time_and_size_is_written_again(folder: Path) -> None:
    page = folder / "public/posts/7/index.html"
    before = page.stat()
    page.write_bytes(b"pagE 7")
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (page.stat().st_mtime_ns, page.stat().st_size) == (before.st_mtime_ns, before.st_size)
    assert publish(folder).written == ("posts/7/index.html",)
    assert page.read_bytes() == b"page 7"


def test_the_output_index_of_another_output_is_not_used(folder: Path) -> None:
    (folder / "cache/other").write_bytes((folder / "cache/index.json").read_bytes())
    assert output_indexes.read_output_index(folder / "cache/index.json").files
    assert not output_indexes.read_output_index(folder / "cache/other").files


def test_a_folder_too_fresh_to_be_noted_is_found_below_one_that_is(folder: Path) -> None:
    output_index = output_indexes.read_output_index(folder / "cache/index.json")
    assert {"posts/", "posts/7/"} <= output_index.folders.keys()
    del output_index.folders[
        "posts/7/"
    ]  # as where it was written just before the tick, and its neighbours earlier
    before = output_indexes.scan(folder / "public")
    known = output_indexes.scan(folder / "public", output_index)
    assert known.files == before.files
    assert sorted(known.folders) == sorted(before.folders)
