"""What is written where: nothing over what is there, an article whole or not at all."""

from pathlib import Path

import pytest

from diglot.importing.site_import import import_site
from diglot.importing.writing.files import Batch, state_of, write_batches
from tests.importing.sources import HEXO, write_source


def batch(folder: str, **files: str) -> Batch:
    return Batch(
        name=folder, files={f"{folder}/{name}.md": text for name, text in files.items()}, folder=folder
    )


def test_a_file_that_is_there_keeps_its_whole_article_from_being_written(tmp_path: Path) -> None:
    one = batch("content/posts/a", zh="一", en="one")
    assert state_of(one, tmp_path, force=False) == "new"
    write_batches([one], tmp_path)
    assert state_of(one, tmp_path, force=False) == "same"
    (tmp_path / "content/posts/a/en.md").write_text("mine", "utf-8")
    assert state_of(one, tmp_path, force=False) == "exists"
    assert state_of(one, tmp_path, force=True) == "replaced"
    (tmp_path / "content/posts/a/zh.md").unlink()
    (tmp_path / "content/posts/a/en.md").write_text("one", "utf-8")
    assert state_of(one, tmp_path, force=False) == "new"


def test_forcing_replaces_files_and_leaves_others_in_the_folder(tmp_path: Path) -> None:
    write_source(tmp_path, {"content/posts/a/en.md": "mine", "content/posts/a/notes.md": "notes"})
    write_batches([batch("content/posts/a", en="one")], tmp_path)
    assert (tmp_path / "content/posts/a/en.md").read_text("utf-8") == "one"
    assert (tmp_path / "content/posts/a/notes.md").read_text("utf-8") == "notes"


def test_an_interruption_while_files_are_copied_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = [batch("content/posts/a", zh="一", en="one"), batch("content/posts/b", zh="二", en="two")]
    write = Path.write_text

    def interrupted(self: Path, data: str, *more: str, **settings: str) -> int:
        if data == "two":
            raise KeyboardInterrupt
        return write(self, data, *more, **settings)

    monkeypatch.setattr(Path, "write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_batches(batches, tmp_path / "blog")
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_while_files_are_moved_leaves_whole_articles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = [batch("content/posts/a", zh="一", en="one"), batch("content/posts/b", zh="二", en="two")]
    move = Path.rename

    def interrupted(self: Path, target: Path) -> Path:
        if target.name == "b":
            raise KeyboardInterrupt
        return move(self, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_batches(batches, tmp_path)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert files == ["content/posts/a/en.md", "content/posts/a/zh.md"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["content"]


def test_importing_reads_the_source_only_and_gives_the_same_twice(tmp_path: Path) -> None:
    source = write_source(
        tmp_path / "source",
        {
            **HEXO,
            "source/_posts/a.md": "---\ntitle: 甲\ndate: 2020-02-03\ntags: [b, a]\n---\n正文在这里。\n",
            "source/_posts/b.md": "---\ntitle: B\ndate: 2020-02-03\ntags: [a]\n---\nText in English.\n",
        },
    )
    before = {path: path.read_bytes() for path in source.rglob("*") if path.is_file()}
    assert import_site("hexo", source) == import_site("hexo", source)
    assert {path: path.read_bytes() for path in source.rglob("*") if path.is_file()} == before
