"""`diglot status` and `diglot sync`: what they say, write and return."""

import json
from pathlib import Path

import pytest

from diglot.cli import main
from tests.cli.sites import write, write_site

_ZH, _EN = "甲是一。\n\n乙是二。\n", "A is one.\n\nB is two.\n"
_HALF = "content/posts/one/"
_SYNC = Path(f"{_HALF}sync.txt")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795392000")  # 2026-11-23
    root = write_site(tmp_path / "site")
    _write(root, _ZH, _EN)
    monkeypatch.chdir(root)
    return root


def _write(root: Path, zh: str, en: str) -> None:
    for language, body in (("zh", zh), ("en", en)):
        _write_half(root, f"one/{language}.md", "", body)


def _write_half(root: Path, name: str, more: str, body: str) -> None:
    write(root, {f"content/posts/{name}": f"---\ntitle: T\ndate: 2026-11-01\n{more}---\n\n{body}"})


def test_status_says_how_to_begin(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "untracked: hello, one." in err
    assert "`diglot sync hello` starts" in err


def test_either_half_is_told_with_place_change_and_day(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sync", "one"]) == 0
    assert capsys.readouterr().out == "content/posts/one/sync.txt: begun, 3 blocks in step\n"
    assert main(["status", "one"]) == 0
    _write(site, _ZH.replace("甲是一", "甲是三"), _EN.replace("B is two", "B is four"))
    capsys.readouterr()
    assert main(["status", "one", "--explain"]) == 3
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{_HALF}en.md:6: behind: {_HALF}zh.md:6 has changed top-1 (paragraph) since 2026-11-23",
        "    zh  甲是[-一-]{+三+}。",
        f"{_HALF}zh.md:8: behind: {_HALF}en.md:8 has changed top-2 (paragraph) since 2026-11-23",
        "    en  B is [-two-]{+four+}.",
    ]
    assert err == "compared 1 article: Chinese is behind in 1 place; English is behind in 1 place\n"


def test_one_block_is_declared_and_then_all(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sync", "one"])
    _write(site, _ZH.replace("是", "为"), _EN)
    capsys.readouterr()
    assert main(["sync", "one", "--block", "top-2"]) == 0
    assert capsys.readouterr().out == f"{_SYNC}: top-2 in step now; 1 block still out of step\n"
    assert main(["status"]) == 3
    assert main(["sync", "one"]) == 0
    assert main(["status"]) == 0
    capsys.readouterr()
    before = _SYNC.stat().st_mtime_ns
    assert main(["sync", "one"]) == 0
    assert capsys.readouterr().out == f"{_SYNC}: nothing to do: everything is in step\n"
    assert _SYNC.stat().st_mtime_ns == before


def test_json_has_both_texts_then_and_now(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sync", "one"])
    _write(site, _ZH.replace("甲是一。\n\n", ""), _EN)
    capsys.readouterr()
    assert main(["status", "--json"]) == 3
    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["untracked"]) == (False, ["hello"])
    ((block,),) = [one["blocks"] for one in report["articles"]]
    assert (block["change"], block["behind"], block["since"]) == ("removed", "en", "2026-11-23")
    assert block["halves"]["zh"] == {
        "path": "content/posts/one/zh.md",
        "line": None,
        "before": "甲是一。",
        "now": None,
    }
    assert block["halves"]["en"]["line"] == 6


def test_a_half_with_errors_ends_with_1(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sync", "one"])
    _write(site, "# 一级标题\n", _EN)
    capsys.readouterr()
    for command in (["status"], ["sync", "one"]):
        assert main(command) == 1
        assert "content/posts/one/zh.md:6: error[heading-level-1]" in capsys.readouterr().err
    assert main(["status", "hello"]) == 0


def test_a_broken_file_is_refused_and_not_written_over(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["sync", "one"])
    broken = _SYNC.read_text("utf-8").replace("paragraph", "=======\nparagraph", 1)
    _SYNC.write_text(broken, "utf-8")
    capsys.readouterr()
    for command in (["status"], ["sync", "one"]):
        assert main(command) == 1
        assert "a merge was left unfinished here" in capsys.readouterr().err
    assert _SYNC.read_text("utf-8") == broken


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["status", "oen"], 'there is no article "oen"\n  fix: did you mean "one"?'),
        (["status", "lone"], '"lone" has only one half\n  fix: write content/posts/lone/en.md first.'),
        (["sync"], "no article is named"),
        (["sync", "one", "--all"], "--all does not go together"),
        (["sync", "one", "hello", "--block", "top-1"], "--block needs a single article"),
        (["sync", "one", "--block", "top-9"], 'no block of one is called "top-9"\n  fix: did you mean "top-'),
    ],
)
def test_wrong_usage_ends_with_2(
    site: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _write_half(site, "lone/zh.md", "only: zh\n", "甲。\n")
    assert main(arguments) == 2
    assert told in capsys.readouterr().err


def test_an_interruption_leaves_the_file_as_it_was(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["sync", "one"])
    before = _SYNC.read_bytes()
    _write(site, _ZH.replace("是", "为"), _EN)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("diglot.scaffold.files.os.replace", interrupted)
    assert main(["sync", "one"]) == 130
    assert _SYNC.read_bytes() == before
    assert sorted(path.name for path in _SYNC.parent.iterdir()) == ["en.md", "sync.txt", "zh.md"]
    assert "interrupted" in capsys.readouterr().err


@pytest.mark.parametrize(("form", "ending"), [("xliff", "xlf"), ("md", "md")])
def test_what_is_behind_goes_to_a_translator_and_comes_back(
    form: str, ending: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["sync", "one"])
    _write(site, f"{_ZH.replace('甲是一', '甲是三')}\n丙是新的。\n", _EN)
    capsys.readouterr()
    assert main(["status", "--export", form, "-o", "out"]) == 0
    out, err = capsys.readouterr()
    file = site / f"out/one.en.{ending}"
    assert (out, err) == (f"{file}\n", "2 blocks to translate\n")
    text = file.read_text("utf-8")
    assert "甲是[-一-]{+三+}" in text
    file.write_text(text.replace("A is one.", "A is three."), "utf-8")
    assert main(["status", "--import", str(file)]) == 0
    assert (
        capsys.readouterr().out == f"{_HALF}en.md: top-1 taken back and in step; not translated yet: top-3\n"
    )
    assert Path(f"{_HALF}en.md").read_text("utf-8").endswith("---\n\nA is three.\n\nB is two.\n")
    assert main(["status"]) == 3
    assert "top-3" in capsys.readouterr().out
    assert main(["status", "--import", str(file)]) == 1  # the text that was handed out is not there any more
    assert 'error[translation-refused]: "top-1" was not taken back' in capsys.readouterr().err


def test_a_block_that_a_half_lacks_is_put_where_it_belongs(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["sync", "one"])
    _write(site, _ZH.replace("\n\n", "\n\n新的。\n\n"), _EN)
    main(["status", "--export", "md", "-o", "out"])
    file = site / "out/one.en.md"
    mark = "<!-- diglot: translation -->\n"
    file.write_text(file.read_text("utf-8").replace(mark, f"{mark}\nA new one.\n"), "utf-8")
    assert main(["status", "--import", str(file)]) == 0
    assert Path(f"{_HALF}en.md").read_text("utf-8").endswith("A is one.\n\nA new one.\n\nB is two.\n")
    assert main(["status"]) == 0
    assert "everything is in step" in capsys.readouterr().err


def test_what_no_translator_can_do_is_left_out(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sync", "one"])
    _write(site, _ZH.replace("甲是一。\n\n", ""), _EN)
    capsys.readouterr()
    assert main(["status", "--export", "xliff", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["files"], report["left"]) == ([], 1)
    assert main(["status", "one", "--import", "x.xlf"]) == 2
    assert main(["status", "--import", "x.xlf"]) == 2
    assert "there is no file x.xlf\n  fix: correct its name" in capsys.readouterr().err
    assert main(["status", "--import", "content"]) == 2
    assert "content is a folder" in capsys.readouterr().err
