"""A deck with other pictures is otherwise the same, byte for byte, and the old one is never lost."""

import io
import os
import zipfile
from pathlib import Path
from typing import BinaryIO

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.slides.archives import Archive
from diglot.slides.replacing import check_writable, replace_file, stamp
from diglot.slides.xml import with_attributes
from tests.slides.making import deck, png


def changed(path: Path, changes: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with path.open("rb") as file:
        Archive(path, file).copy_to(target, changes)
    return target.getvalue()


def raw_members(content: bytes) -> dict[str, bytes]:
    """Each member with its local header, as it is in the file; and the comment."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = sorted(archive.infolist(), key=lambda one: one.header_offset)
        ends = [*(one.header_offset for one in members[1:]), archive.start_dir]
        found = {
            one.filename: content[one.header_offset : end] for one, end in zip(members, ends, strict=True)
        }
        assert archive.testzip() is None
        return {**found, "": archive.comment}


class _Pipe(io.BytesIO):
    """A file that cannot seek, so that `zipfile` writes sizes after the data, as many programs do."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise io.UnsupportedOperation

    def tell(self) -> int:
        raise io.UnsupportedOperation


def test_everything_else_is_copied_byte_for_byte(tmp_path: Path) -> None:
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype", (1980, 1, 1, 0, 0, 0)), b"stored")
        archive.writestr("ppt/media/图.png", b"old" * 1000)
        archive.writestr("ppt/vbaProject.bin", os.urandom(2000))
        archive.writestr("ppt/slide.xml", b"<x/>" * 100)
        archive.comment = b"of a program"
    path = tmp_path / "talk.pptx"
    path.write_bytes(pipe.getvalue())
    before = raw_members(path.read_bytes())
    after_bytes = changed(path, {"ppt/media/图.png": b"new" * 5000})
    after = raw_members(after_bytes)
    assert [*after] == [*before]
    assert {name for name in before if before[name] != after[name]} == {"ppt/media/图.png"}
    assert zipfile.ZipFile(io.BytesIO(after_bytes)).read("ppt/media/图.png") == b"new" * 5000
    assert changed(path, {}) == path.read_bytes()


def test_a_file_that_cannot_be_copied_exactly_is_refused(tmp_path: Path) -> None:
    path = deck(tmp_path / "talk.pptx", [png()])
    path.write_bytes(b"PK" + bytes(10) + path.read_bytes())
    with pytest.raises(DiagnosticError) as caught:
        changed(path, {})
    assert caught.value.diagnostics[0].message.endswith("(ZIP64, or bytes before its first part)")


def test_the_old_file_is_kept_beside(tmp_path: Path) -> None:
    path = tmp_path / "talk.pptx"
    for number, name in ((1, "talk.pptx.bak"), (2, "talk.pptx.bak2"), (3, "talk.pptx.bak3")):
        path.write_text(f"old {number}")
        path.chmod(0o640)
        saved = replace_file(path, lambda file: file.write(b"new"), read_at=stamp(path), backup=True)
        assert saved is not None
        assert (saved.name, saved.read_text(), path.read_bytes()) == (name, f"old {number}", b"new")
        assert path.stat().st_mode & 0o777 == 0o640
    assert len([*tmp_path.iterdir()]) == 4


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real/talk.pptx"
    real.write_text("old")
    link = tmp_path / "talk.pptx"
    link.symlink_to(real)
    replace_file(link, lambda file: file.write(b"new"), read_at=stamp(link), backup=True)
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_an_interrupted_update_leaves_the_old_file(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "talk.pptx"
    path.write_text("old")

    def write(file: BinaryIO) -> None:
        file.write(b"half")
        raise error

    with pytest.raises(type(error)):
        replace_file(path, write, read_at=stamp(path), backup=True)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("talk.pptx", "old")]


def test_a_file_that_another_program_writes_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "talk.pptx"
    path.write_text("old")
    with pytest.raises(DiagnosticError, match="was changed by another program while it was updated"):
        replace_file(path, lambda _: path.write_text("theirs"), read_at=stamp(path), backup=True)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("talk.pptx", "theirs")]


@pytest.mark.parametrize(
    ("lock", "said"),
    [
        ("~$talk.pptx", "is open in another program: there is a file ~$talk.pptx next to it"),
        (".~lock.talk.pptx#", "is open in another program: there is a file .~lock.talk.pptx# next to it"),
        ("", "is read-only"),
    ],
)
def test_files_that_are_open_elsewhere_or_read_only_are_refused(tmp_path: Path, lock: str, said: str) -> None:
    path = tmp_path / "talk.pptx"
    path.write_text("old")
    if lock:
        (tmp_path / lock).touch()
    else:
        path.chmod(0o444)
    with pytest.raises(DiagnosticError) as caught:
        check_writable(path)
    assert caught.value.diagnostics[0].message == f'"{path}" {said}'


def test_attributes_are_replaced_in_place() -> None:
    part = '<?xml version="1.0"?>\n<a b = \'1 > 0\'  name="x"><!-- name="x" --><c name=\'é"\' /></a>'.encode()

    def change(name: str, attributes: dict[str, str]) -> dict[str, str]:
        return {"name": f'{attributes["name"]} & "{name}"\n2', "absent": "no"}

    assert (
        with_attributes(part, change)
        == (
            '<?xml version="1.0"?>\n<a b = \'1 > 0\'  name=\'x &amp; "a"&#10;2\'><!-- name="x" -->'
            '<c name=\'é" &amp; "c"&#10;2\' /></a>'
        ).encode()
    )
