"""`diglot import` on the command line: what it prints, its exit codes, and that it overwrites nothing."""

import json
from pathlib import Path

import pytest

from diglot.cli.main import main
from tests.importing.sources import write_source

POST = "---\ntitle: A\ndate: 2020-02-03\ntags: [x]\n---\nText in English, {% widget a %}.\n"
FILES = {
    "_config.yml": "title: 站\nurl: https://old.example\npermalink: :year/:title/\n",
    "source/_posts/a.md": POST,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a Hexo blog in `old`."""
    write_source(tmp_path / "old", FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_import_says_what_it_wrote_and_what_is_left_to_do(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", "hexo", "old", "-o", "blog"]) == 0
    assert capsys.readouterr().err == (
        "source/_posts/a.md:6: {% widget a %} is a tag without a counterpart; it stays in the text\n"
        "  to do: write what it would have given, or delete it.\n\n"
        "0 posts in both languages, 1 in one, 0 pages, 0 other files; wrote 2 files\n"
        "2 files of the blog: 1 converted, 1 read as configuration\n"
        "what to review is listed in blog/IMPORT.md\n"
        "next: cd blog && diglot serve --open\n"
    )
    assert (folder / "blog/IMPORT.md").read_text("utf-8") == (
        "# Import\n\n"
        "Written by `diglot import hexo old -o blog`. Delete this file when you are done with it.\n\n"
        "- 0 posts in both languages, 1 in one, 0 pages, 0 other files; wrote 2 files\n"
        "- 2 files of the blog: 1 converted, 1 read as configuration\n\n"
        "## To look at\n\nLines are those of the source files.\n\n### source/_posts/a.md\n\n"
        "- line 6: {% widget a %} is a tag without a counterpart; it stays in the text. "
        "To do: write what it would have given, or delete it.\n\n"
        "## Every file\n\n2 files of the blog: 1 converted, 1 read as configuration.\n\n"
        "### Converted (1)\n\n"
        "The numbers are letters and digits of the text, without tags and addresses: read, and written.\n\n"
        "- `source/_posts/a.md` → `content/posts/a/en.md`: 13, 13\n\n"
        "### Read as configuration (1)\n\n- `_config.yml`\n"
    )


def test_a_dry_run_lists_the_files_and_writes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", "hexo", "old", "-o", "blog", "--dry-run"]) == 0
    said = capsys.readouterr()
    assert said.out == "content/posts/a/en.md\nsite/site.yaml\n"
    assert said.err.endswith(
        "would write 2 files\n"
        "2 files of the blog: 1 converted, 1 read as configuration\nnothing was written\n"
    )
    assert not (folder / "blog").exists()


def test_an_article_that_is_there_stays_unless_forced(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_source(folder, {"blog/content/posts/a/en.md": "mine", "blog/IMPORT.md": "my notes"})
    assert main(["import", "hexo", "old", "-o", "blog"]) == 1
    said = capsys.readouterr().err
    assert "left alone, because other files are there: content/posts/a\n" in said
    assert "--force replaces them; to keep both, import into another folder\n" in said
    assert (folder / "blog/content/posts/a/en.md").read_text("utf-8") == "mine"
    assert (folder / "blog/IMPORT.md").read_text("utf-8") == "my notes"
    assert (folder / "blog/IMPORT-2.md").is_file()
    assert main(["import", "hexo", "old", "-o", "blog", "--force"]) == 0
    assert "Text in English" in (folder / "blog/content/posts/a/en.md").read_text("utf-8")


def test_a_project_keeps_its_configuration_and_is_told_what_it_lacks(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configuration = "title: 站\nbase_url: https://example.org/\n"
    write_source(folder, {"blog/site/site.yaml": configuration})
    assert main(["import", "hexo", "old/source/_posts/a.md", "-o", "blog"]) == 0
    assert "site/site.yaml already exists; what it lacks:\n  tags:\n    x: x\n" in capsys.readouterr().err
    assert (folder / "blog/site/site.yaml").read_text("utf-8") == configuration
    assert "```yaml\ntags:\n  x: x\n```" in (folder / "blog/IMPORT.md").read_text("utf-8")


def test_json_has_the_files_and_the_findings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "hexo", "old", "-o", "blog", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["written"] == ["content/posts/a/en.md", "site/site.yaml"]
    assert [one["line"] for one in report["findings"]] == [6]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["hexo", "old"],
            "diglot: the folder to write to is missing\n"
            "  fix: name it with -o: `-o .` for this one, `-o blog` for a new one.\n",
        ),
        (
            ["hexo", "nowhere", "-o", "blog"],
            'diglot: there is no "nowhere"\n  fix: name a folder or a file that exists.\n',
        ),
        (
            ["jekyll", "empty", "-o", "blog"],
            'diglot: there are no Jekyll posts in "empty"\n  fix: name the folder of the site, the one with '
            "_config.yml and _posts, a folder of posts, or one post.\n",
        ),
        (
            ["hexo", "old", "-o", "old/new"],
            "diglot: old/new is in the source\n  fix: name a folder outside of the old site.\n",
        ),
        (
            ["hexo", "old/_config.yml", "-o", "blog"],
            'diglot: "_config.yml" is not a Markdown file\n'
            "  fix: name a post, a folder of posts, or a site.\n",
        ),
    ],
)
def test_what_cannot_be_imported_says_what_to_do(
    words: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "empty").mkdir()
    assert main(["import", *words]) == 2
    assert capsys.readouterr().err == message
    assert not (folder / "blog").exists()


def test_an_unknown_system_is_suggested(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["import", "jekyl", "old", "-o", "blog"])
    assert 'did you mean "jekyll"?' in capsys.readouterr().err
