"""`diglot diff`: one bandwidth changes, and exactly what rests on it is named, before and after."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import diglot
from diglot.cli.main import main
from tests.hardware.test_catalogue import SMALL
from tests.space import SITE_YAML, Space, outputs

CHIPS = "site/hardware/mine.yaml"
ROOFS = '''\
"""Bandwidths of a chip of the project's own, and of one of the catalogue."""

from diglot.figures import make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "带宽", "en": "Bandwidths"}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "bandwidth": {"zh": "带宽", "en": "Bandwidth", "unit": "B/s"},
}


def compute():
    catalogue = load_catalogue()
    chips = {"own": catalogue["one"], "other": catalogue["h200-sxm"]}
    found = {
        key: {"chip": chip.id, "bandwidth": chip.memory_bandwidth_bytes_per_s} for key, chip in chips.items()
    }
    return {**found, "share": found["own"]["bandwidth"] / 10e12}


def draw(figure, data, t):
    figure.set_height_px(120)
    figure.text(0.1, 0.5, t.number(data["own"]["bandwidth"] / 1e12, 1))


def describe(data, t):
    own = t.number(data["own"]["bandwidth"] / 1e12, 1)
    return t(zh=f"One 有 {own} TB/s。", en=f"One has {own} TB/s.")


def table(data, t):
    return make_table(("chip", "bandwidth"), [data["own"], data["other"]], t)
'''
OTHER = '''\
"""A figure that rests on no chip of the project."""

TITLE = {"zh": "别的", "en": "Other"}


def compute():
    return {"x": 3}
'''
OWN, CATALOGUE = '`roofs.own.bandwidth | si("B/s")`', '`roofs.other.bandwidth | si("B/s")`'
FASTER = "{assert}`roofs.own.bandwidth > roofs.other.bandwidth`"
ZH = f"""\
One 的带宽是{{eval}}{OWN}，比 H200 的{{eval}}{CATALOGUE}快{FASTER}。
它用了{{eval}}`roofs.share | percent`，过半。

这一段不变：{{eval}}`other.x`。

```{{figure}} roofs
One 有{{eval}}{OWN}。
```

```{{table}} roofs
两颗芯片。
```
"""
EN = f"""\
One moves {{eval}}{OWN}, faster than H200 with {{eval}}{CATALOGUE} {FASTER}.
That is {{eval}}`roofs.share | percent`, over half.

This paragraph stays: {{eval}}`other.x`.

```{{figure}} roofs
One has {{eval}}{OWN}.
```

```{{table}} roofs
Two chips.
```
"""
TALK = f"---\ntitle: T\ndate: 2026-11-01\n---\n\n## Still\n\nNothing.\n\n## Moves\n\n- {{eval}}{OWN}\n"


def with_bandwidth(terabytes: float) -> str:
    """The file of chips with another bandwidth."""
    return SMALL.replace("4.8", str(terabytes))


def git(root: Path, *words: str) -> None:
    """Run git with an author."""
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *author, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Space:
    """A committed project, in a folder of its repository, whose chip then gets another bandwidth."""
    repository = tmp_path_factory.mktemp("story")
    space = Space(repository / "blog")
    space.write("figures/roofs.py", ROOFS)
    space.write("figures/other.py", OTHER)
    space.write(CHIPS, with_bandwidth(5.6))
    space.post("roofs", zh=ZH, en=EN)
    space.post("still", zh="{eval}`other.x`", en="{eval}`other.x`")
    for language in ("zh", "en"):
        space.write(f"content/talks/t/{language}.md", TALK)
    (repository / ".gitignore").write_text(".diglot/\n", "utf-8")
    git(repository, "init", "--quiet")
    git(repository, "add", "-A")
    git(repository, "commit", "--quiet", "-m", "one")
    space.write(CHIPS, with_bandwidth(4.5))
    return space


def diff(space: Space, *words: str) -> int:
    """The exit code of a comparison."""
    return main(["diff", "--root", str(space.root), *words])


@pytest.fixture(scope="module")
def report(story: Space) -> tuple[int, dict[str, Any], str]:
    """The exit code, the report, and the page of what the other bandwidth did."""
    capture = pytest.MonkeyPatch()
    printed: list[str] = []
    capture.setattr("diglot.cli.terminal.Terminal.result", lambda _self, text: printed.append(text))
    before = outputs(story.root / "content"), (story.root.parent / ".git/index").read_bytes()
    page = story.root.parent / "changes.html"
    try:
        code = diff(story, "--json", "--html", str(page))
    finally:
        capture.undo()
    assert (outputs(story.root / "content"), (story.root.parent / ".git/index").read_bytes()) == before
    return code, json.loads("\n".join(printed)), page.read_text("utf-8")


def test_exactly_the_values_that_rest_on_it_are_named(report: tuple[int, dict[str, Any], str]) -> None:
    told = {one["expression"]: (one["texts"]["zh"], one["texts"]["en"]) for one in report[1]["values"]}
    bandwidth, share = ["5.6\N{NO-BREAK SPACE}TB/s", "4.5\N{NO-BREAK SPACE}TB/s"], ["56%", "45%"]
    assert told == {
        'roofs.own.bandwidth | si("B/s")': (bandwidth, bandwidth),
        "roofs.share | percent": (share, share),
    }
    assert {one["places"][0] for one in report[1]["values"]} == {
        *("content/posts/roofs/zh.md:6", "content/posts/roofs/zh.md:7")
    }


def test_exactly_the_sentences_of_both_languages_are_named(
    report: tuple[int, dict[str, Any], str],
) -> None:
    said = {
        language: [
            (one["path"].removesuffix(f"/{language}.md"), one["before"], one["after"])
            for block in report[1]["blocks"]
            for one in block["sentences"][language]
        ]
        for language in ("zh", "en")
    }
    post, talk = "content/posts/roofs", "content/talks/t"

    def moved(path: str, text: str, old: str = "5.6", new: str = "4.5") -> tuple[str, str, str]:
        text = text.replace(" TB/s", "\N{NO-BREAK SPACE}TB/s")
        return path, text.format(old), text.format(new)

    assert said["en"] == [
        moved(post, "One moves {} TB/s, faster than H200 with 4.8 TB/s."),
        moved(post, "That is {}, over half.", "56%", "45%"),
        moved(post, "One has {} TB/s."),
        (post, "One has 5.6 TB/s.", "One has 4.5 TB/s."),
        moved(post, "one | {}", "5,600", "4,500"),
        moved(talk, "{} TB/s"),
    ]
    assert said["zh"] == [
        moved(post, "One 的带宽是{} TB/s，比 H200 的4.8 TB/s快。"),
        moved(post, "它用了{}，过半。", "56%", "45%"),
        moved(post, "One 有{} TB/s。"),
        (post, "One 有 5.6 TB/s。", "One 有 4.5 TB/s。"),
        moved(post, "one | {}", "5,600", "4,500"),
        moved(talk, "{} TB/s"),
    ]


def test_exactly_the_figure_the_slide_and_the_input_are_named(
    report: tuple[int, dict[str, Any], str],
) -> None:
    (figure,) = report[1]["figures"]
    assert (figure["request"], figure["pictures"]) == ("roofs", ["zh", "en"])
    assert [one[0] for one in figure["data"]] == ["own.bandwidth", "share"]
    assert figure["rests_on"] == [f"{CHIPS}#one"]
    assert figure["shown_in"] == [
        *("content/posts/roofs/zh.md", "content/posts/roofs/en.md"),
        *("content/talks/t/zh.md", "content/talks/t/en.md"),
    ]
    (slide,) = report[1]["slides"]
    assert (slide["talk"], slide["number"], slide["title"]) == ("talks/t", 3, "Moves")
    (chip,) = report[1]["inputs"]
    assert chip["path"] == f"{CHIPS}#one"
    assert ["memory.bandwidth.value", "5.6", "4.5"] in chip["fields"]


def test_words_that_no_longer_hold_come_first_and_a_false_assertion_is_an_error(
    report: tuple[int, dict[str, Any], str],
) -> None:
    code, found, _ = report
    assert (code, found["ok"], found["changed"]) == (1, False, True)
    told = [(one["rule"], one["path"].rpartition("/")[2], one["line"]) for one in found["doubts"]]
    halves = ("en.md", "zh.md")
    lines = {"assertion": 6, "half": 7, "ranking": 6}
    assert told == [(rule, half, line) for rule, line in lines.items() for half in halves]
    assert "`roofs.own.bandwidth` is 4,500,000,000,000" in found["doubts"][0]["message"]


def test_the_page_shows_both(report: tuple[int, dict[str, Any], str]) -> None:
    page = report[2]
    assert page.count("<svg") == 4
    assert "One 的带宽是<del>5.6</del>" in page
    assert "One 的带宽是<ins>4.5</ins>" in page


def test_nothing_is_left_behind(report: tuple[int, dict[str, Any], str], story: Space) -> None:
    assert report[1]["changed"]
    assert not (story.root / ".diglot/diff").exists()
    assert not (story.root / "public").exists()
    worktrees = story.root.parent / ".git/worktrees"
    assert not worktrees.exists()


def test_the_same_project_in_another_folder_has_not_changed(
    story: Space, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Space(tmp_path / "before").copied_from(story)
    before.write(CHIPS, with_bandwidth(5.6))
    same = Space(tmp_path / "same").copied_from(before)
    assert diff(same, "--against", str(before.root)) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "nothing has changed" in printed.err


def test_an_edited_sentence_is_a_change_and_no_error(
    story: Space, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edited = Space(tmp_path / "edited").copied_from(story)
    edited.write(CHIPS, with_bandwidth(5.6))
    before = Space(tmp_path / "before").copied_from(edited)
    edited.change("content/posts/roofs/en.md", "This paragraph stays", "This paragraph is edited")
    assert diff(edited, "--against", str(before.root), "--markdown") == 3
    printed = capsys.readouterr().out
    assert "<br>− This paragraph stays: 3." in printed
    assert "<br>+ This paragraph is edited: 3." in printed
    assert "### Values" not in printed


def test_a_figure_that_no_text_shows_counts_where_it_has_a_page(
    story: Space, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now = Space(tmp_path / "now").copied_from(story)
    now.write(CHIPS, with_bandwidth(5.6))
    now.write("figures/alone.py", OTHER)
    before = Space(tmp_path / "before").copied_from(now)
    now.change("figures/alone.py", '"x": 3', '"x": 4')
    assert diff(now, "--against", str(before.root)) == 0
    for one in (now, before):
        one.write("site/site.yaml", f"{SITE_YAML}gallery: true\n")
    now.change("figures/roofs.py", "10e12", "11e12")
    assert diff(now, "--against", str(before.root)) == 3
    said = capsys.readouterr().out.rstrip().splitlines()
    figures = said[said.index("Figures") : said.index("Sentences")]
    assert figures == [
        "Figures",
        "  roofs: 1 value; depends on figures/roofs.py",
        "    share: 0.56 → 0.509091",
        "  alone: 1 value; depends on figures/alone.py; in no text, only on its own page",
        "    x: 3 → 4",
        "",
    ]


@pytest.mark.parametrize(
    ("against", "message"),
    [
        ("nowhere", '"nowhere" is neither a commit or branch, nor a folder with site/site.yaml'),
        ("--output=x", '"--output=x" is neither a commit or branch, nor a folder with site/site.yaml'),
    ],
)
def test_what_cannot_be_compared_with(
    story: Space, capsys: pytest.CaptureFixture[str], against: str, message: str
) -> None:
    assert diff(story, f"--against={against}") == 2
    assert message in capsys.readouterr().err


def test_a_project_in_no_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = Space(tmp_path)
    assert diff(alone) == 2
    assert "is in no Git repository that can be read" in capsys.readouterr().err


def test_an_earlier_project_with_errors_is_not_compared(
    story: Space, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Space(tmp_path / "broken").copied_from(story)
    broken.change("figures/other.py", '{"x": 3}', '{"y": 3}')
    assert diff(story, "--against", str(broken.root)) == 1
    printed = capsys.readouterr().err
    assert 'no value named "x" in other' in printed
    assert f"not compared: the project as it was, {broken.root}, has errors" in printed


def test_what_follows_from_an_error_is_not_told(
    story: Space, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Space(tmp_path / "broken").copied_from(story)
    broken.change(CHIPS, "unit: GiB", "unit: GIB")
    assert diff(story, "--against", str(broken.root)) == 1
    printed = capsys.readouterr().err
    assert printed.count("error[") == printed.count("error[chip-file]") == 1, (
        "values of its chip are no mistakes"
    )


def test_a_project_that_diglot_is_made_in_is_compared_with_its_earlier_catalogue(tmp_path: Path) -> None:
    """Each version is read by the diglot that it contains, because a catalogue is a part of it."""
    before = Space(tmp_path / "before")
    checkout = Path(diglot.__file__).parent
    shutil.copytree(checkout, before.root / "src/diglot")  # with what is compiled, which is still valid
    (before.root / "src/diglot/theme").symlink_to(checkout.parents[1] / "templates")
    script = ROOFS.partition("def draw")[0].replace('catalogue["one"]', 'catalogue["h100-sxm"]')
    before.write("figures/roofs.py", script)
    before.post("roofs", zh=f"带宽{{eval}}{CATALOGUE}。", en=f"It moves {{eval}}{CATALOGUE}.")
    now = Space(tmp_path / "now")
    shutil.copytree(before.root, now.root, dirs_exist_ok=True, symlinks=True)
    catalogue = "src/diglot/hardware/data/accelerators.yaml"
    text = (now.root / catalogue).read_text("utf-8")
    h200 = text.index("- id: h200-sxm")
    now.write(
        catalogue, text[:h200] + text[h200:].replace("bandwidth: {value: 4800", "bandwidth: {value: 4400", 1)
    )
    done = subprocess.run(
        [sys.executable, "-m", "diglot", "diff", "--against", str(before.root), "--json"],
        cwd=now.root,
        env={**os.environ, "PYTHONPATH": str(now.root / "src")},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (3, False), done.stderr.decode()
    found = json.loads(done.stdout)
    (value,) = found["values"]
    assert value["texts"]["en"] == ["4.8\N{NO-BREAK SPACE}TB/s", "4.4\N{NO-BREAK SPACE}TB/s"]
    (chip,) = found["inputs"]
    assert (chip["path"], chip["fields"]) == (
        "diglot/hardware/data/accelerators.yaml#h200-sxm",
        [["memory.bandwidth.value", "4,800", "4,400"]],
    )
    assert [one["rests_on"] for one in found["figures"]] == [[chip["path"]]]
