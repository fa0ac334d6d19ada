"""`diglot check numbers`: what is typed is found and, with `--fix`, bound in both halves."""

import re

import pytest

from diglot.cli import main
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
        "warning[number-unbound]: “25%” is typed, and nothing says what it rests on"
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
