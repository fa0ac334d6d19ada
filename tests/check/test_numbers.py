"""`diglot check numbers`: what is typed is found and, with `--fix`, bound in both halves."""

import json
import re
import shutil
import subprocess

import pytest

from diglot.cli import main
from diglot.content.bound_units import units_of_formats
from diglot.content.computed_numbers import KnownNumbers
from diglot.expressions.numbers_of import numbers_within
from diglot.languages import Language
from diglot.slides.typed_numbers import find_typed
from tests.space import Space

SCRIPT = """
TITLE = {"zh": "甲", "en": "A"}


def compute() -> dict:
    return {"h200": {"ridge": 206.2, "peak_fraction": 0.974, "memory_bytes_per_s": 4.8e12, "step_s": 0.0125}}
"""


@pytest.fixture
def typed(space: Space) -> Space:
    space.write("figures/roofline.py", SCRIPT)
    bound = "{eval}`roofline.h200.ridge | number(1)`"
    space.post(
        "a",
        zh=f"H200的脊点在{bound}，约206 FLOP/B，`206`不算。\n\n"
        "带宽4.8&nbsp;TB/s，用到97％，要12.5毫秒。另有25%。",
        en=f"H200's ridge is {bound}, about 206 FLOP/B, and `206` is none.\n\n"
        "H200 has a memory of 4.8 TB/s and reaches 97 percent in 12.5 ms. Another 25%.",
    )
    return space


def text_of(space: Space, path: str) -> str:
    return (space.root / path).read_text("utf-8")


def check(space: Space, capsys: pytest.CaptureFixture[str], *flags: str) -> list[str]:
    capsys.readouterr()
    assert main(["-C", str(space.root), "check", "numbers", *flags]) == 0
    lines = capsys.readouterr().err.splitlines()
    return [line for line in lines if "[number-" in line or line.startswith("bound")]


def test_typed_numbers_are_found_and_bound(typed: Space, capsys: pytest.CaptureFixture[str]) -> None:
    found = check(typed, capsys)
    assert len([one for one in found if "number-typed" in one and "en.md" in one]) == 4
    assert len([one for one in found if "number-unbound" in one]) == 2

    told, *left = check(typed, capsys, "--fix")
    assert told == "bound: 8 numbers in 2 files"
    assert [one.partition(": ")[2] for one in left] == [
        "warning[number-unbound]: “25%” is typed, and nothing says where it comes from"
    ] * 2
    english = text_of(typed, "content/posts/a/en.md")
    assert "about {eval}`roofline.h200.ridge | number(0)` FLOP/B, and `206` is none." in english
    assert 'a memory of {eval}`roofline.h200.memory_bytes_per_s | unit("TB/s", 1)` and' in english
    assert "{eval}`(roofline.h200.peak_fraction * 100) | number(0)` percent in" in english
    assert '{eval}`roofline.h200.step_s | unit("ms", 1)`. Another 25%.' in english
    chinese = text_of(typed, "content/posts/a/zh.md")
    assert "约{eval}`roofline.h200.ridge | number(0)` FLOP/B，`206`不算。" in chinese
    assert '带宽{eval}`roofline.h200.memory_bytes_per_s | unit("TB/s", 1)`，用到' in chinese
    assert "{eval}`roofline.h200.peak_fraction | percent`，要{eval}`(roofline.h200.step_s * 1000)" in chinese
    assert main(["-C", str(typed.root), "build", "--strict"]) == 0
    words = re.sub("<[^<>]*>", "", typed.page("en/posts/a")).replace("\u00a0", " ")
    assert "a memory of 4.8 TB/s and reaches 97 percent in 12.5 ms. Another 25%." in words

    assert check(typed, capsys, "--fix")[0] == "bound: 0 numbers in 0 files"
    assert main(["-C", str(typed.root), "check", "pairs", "--strict"]) == 0


def test_without_the_part_nothing_is_asked(typed: Space, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(typed.root), "check", "pairs", "--strict"]) == 0
    typed.write("site/site.yaml", text_of(typed, "site/site.yaml") + "ignore: [{rule: number-unbound}]\n")
    capsys.readouterr()
    assert main(["-C", str(typed.root), "check", "--twice", "0"]) == 0
    assert "ignore-unused" not in capsys.readouterr().err
    assert not [one for one in check(typed, capsys) if "unbound" in one]


EARLIER = "“206 FLOP/B” is typed, and was roofline.h200.ridge, which is 247 FLOP/B now"
INSTEAD = "{eval}`roofline.h200.ridge | number(0)`"


@pytest.fixture
def corrected(space: Space) -> Space:
    """A project that was built, and whose model was corrected since."""
    space.write("figures/roofline.py", SCRIPT)
    space.write("figures/other.py", SCRIPT.replace("206.2", "911.0"))
    bound = "{eval}`roofline.h200.peak_fraction | percent`"
    space.post(
        "a",
        zh=f"到{bound}。\n\n> H200的脊点在206 FLOP/B，另有911。",
        en=f"At {bound}.\n\n> H200's ridge is at 206 FLOP/B, and 911.",
    )
    for name in ("first", "second"):  # the model changes twice: what was typed is not what was last
        assert main(["-C", str(space.root), "-q", "build"]) == 0, name
        space.change(
            "figures/roofline.py", *{"first": ("206.2", "230.1"), "second": ("230.1", "247.4")}[name]
        )
    return space


def test_every_command_names_what_a_typed_number_was(
    corrected: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    for _ in range(2):  # also when nothing is left to compute
        assert main(["-C", str(corrected.root), "check", "numbers", "--json"]) == 1
        found = json.loads(capsys.readouterr().out)["diagnostics"]
        outdated = [one for one in found if one["rule"] == "number-outdated"]
        assert [(one["path"], one["line"]) for one in outdated] == [
            ("content/posts/a/en.md", 8),
            ("content/posts/a/zh.md", 8),
        ]
        assert {one["message"] for one in outdated} == {EARLIER}
        assert all(INSTEAD in one["fix"] for one in outdated)
        unbound = [one["message"] for one in found if one["rule"] == "number-unbound"]
        assert len(unbound) == 2, "what a figure computes that the article does not show is not meant"

    assert main(["-C", str(corrected.root), "status"]) == 3
    told = capsys.readouterr().out
    assert f"content/posts/a/en.md:8: {EARLIER}; write {INSTEAD}" in told
    assert main(["-C", str(corrected.root), "status", "--json"]) == 3
    assert len(json.loads(capsys.readouterr().out)["diagnostics"]) == 2


def test_numbers_that_are_right_again_are_not_told(
    corrected: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(corrected.root), "check", "numbers"]) == 1
    corrected.change("figures/roofline.py", "247.4", "206.2")
    assert main(["-C", str(corrected.root), "status"]) == 0
    capsys.readouterr()
    assert len([one for one in check(corrected, capsys) if "number-typed" in one]) == 2


def test_a_build_in_between_does_not_hide_it(corrected: Space, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(corrected.root), "build"]) == 0
    assert main(["-C", str(corrected.root), "build"]) == 0
    capsys.readouterr()
    assert main(["-C", str(corrected.root), "check", "numbers"]) == 1
    assert capsys.readouterr().err.count(EARLIER) == 2


def test_a_comparison_with_a_folder_names_it_too(
    corrected: Space, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tmp_path_factory.mktemp("before") / "project"
    shutil.copytree(corrected.root, before, ignore=shutil.ignore_patterns(".diglot", "public"))
    script = before / "figures/roofline.py"
    script.write_text(script.read_text("utf-8").replace("247.4", "206.2"), "utf-8")
    capsys.readouterr()
    assert main(["-C", str(corrected.root), "diff", "--against", str(before)]) == 3
    told = capsys.readouterr().out
    assert f"content/posts/a/en.md:8: {EARLIER}; write {INSTEAD}" in told
    assert f"content/posts/a/zh.md:8: {EARLIER}; write {INSTEAD}" in told


UNITS = """
TITLE = {"zh": "甲", "en": "A"}
SCALE = 1


def compute() -> dict:
    return {"memory": 4.8e12 / SCALE, "wait": 0.0042 / SCALE, "speed": 2.9 / SCALE, "part": 0.371 / SCALE}
"""
SHOWING = (
    '{eval}`hw.memory | si("B/s")`、{eval}`hw.wait | si("s")`、{eval}`hw.part | percent(1)`、'
    "{eval}`hw.speed | number(1)`%s\n\n"
)
WAS = {"4.8 TB/s": "2.4 TB/s", "4.2 ms": "2.1 ms", "37.1%": "18.6%"}
WAS_IN: dict[Language, dict[str, str]] = {
    "en": WAS | {"2.9 times": "1.4 times"},
    "zh": WAS | {"48000亿字节/秒": "24,000亿字节/秒", "2.9倍": "1.4倍"},
}


def test_every_command_knows_the_units_in_which_values_are_shown(
    space: Space, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    space.write("figures/hw.py", UNITS)
    space.post(
        "a",
        zh=SHOWING % "倍。" + "\n".join(f"- 是{number}。" for number in WAS_IN["zh"]),
        en=SHOWING % " times." + "\n".join(f"- So {number}." for number in WAS_IN["en"]),
    )
    assert main(["-C", str(space.root), "-q", "build"]) == 0
    assert len([one for one in check(space, capsys) if "number-typed" in one]) == 9
    before = tmp_path_factory.mktemp("before") / "project"
    shutil.copytree(space.root, before, ignore=shutil.ignore_patterns(".diglot", "public"))
    space.change("figures/hw.py", "SCALE = 1", "SCALE = 2")
    told = [
        f"“{number}” is typed, and was hw.{path}, which is {now} now"
        for numbers in WAS_IN.values()
        for (number, now), path in zip(
            numbers.items(),
            ("memory", "wait", "part", *(["memory"] if len(numbers) == 5 else []), "speed"),
            strict=True,
        )
    ]
    for command in ("check numbers", "status", f"diff --against {before}"):
        capsys.readouterr()
        main(["-C", str(space.root), *command.split()])
        output = "".join(capsys.readouterr())
        assert [one for one in told if one not in output] == [], command
    now = numbers_within("hw", {"memory": 2.4e12, "wait": 0.0021, "speed": 1.45, "part": 0.1855})
    earlier = tuple((path, value * 2) for path, value in now)
    units = units_of_formats(["hw.memory | si('B/s')", "hw.wait | si('s')", "hw.part | percent(1)"])
    for numbers in WAS_IN.values():  # on a slide next to the figure
        found = [*find_typed("；".join(numbers), KnownNumbers(now, earlier, units))]
        assert {one.text: one.now for one in found} == numbers


def git(space: Space, *words: str) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *names, *words], cwd=space.root, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_knows_what_no_build_has_seen(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    space.write(".gitignore", ".diglot/\npublic/\n")
    space.write("figures/roofline.py", SCRIPT)
    bound = "{eval}`roofline.h200.peak_fraction | percent`"
    space.post("a", zh=f"到{bound}。\n\nH200的脊点在206 FLOP/B。", en=f"At {bound}.\n\nH200's at 206 FLOP/B.")
    git(space, "init", "-q")
    git(space, "add", "-A")
    git(space, "commit", "-qm", "before")
    space.change("figures/roofline.py", "206.2", "247.4")

    def told(command: str) -> int:
        capsys.readouterr()
        main(["-C", str(space.root), *command.split()])
        return "".join(capsys.readouterr()).count(EARLIER)

    assert told("check numbers") == 2
    assert told("status") == 2
    assert told("diff") == 2
    shutil.rmtree(space.root / ".diglot")
    git(space, "commit", "-qam", "after")
    space.write("content/posts/a/en.md", text_of(space, "content/posts/a/en.md") + "\nMore.\n")
    git(space, "commit", "-qam", "a text, which changes no figure")
    assert told("status") == 2
    assert told("check numbers") == 2
