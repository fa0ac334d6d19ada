"""`diglot explain value`: from an expression to the figure, and to the catalogue with its sources."""

import json

import pytest

from diglot.cli.main import main
from tests.hardware.test_catalogue import SMALL
from tests.space import Space

ROOFS = '''\
"""Ridges of two chips, one of them the project's own."""

from typing import Literal

from diglot.hardware import load_catalogue

TITLE = {"zh": "脊点", "en": "Ridges"}


def compute(dtype: Literal["bf16", "fp16"] = "bf16"):
    catalogue = load_catalogue()
    ids = {"own": "one", "other": "h200-sxm"}
    ridges = {
        key: {"chip": id_, "ridge": catalogue[id_].ridge_flops_per_byte("bf16")} for key, id_ in ids.items()
    }
    return {**ridges, "ratio": ridges["own"]["ridge"] / ridges["other"]["ridge"]}
'''


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("provenance"))
    made.write("figures/roofs.py", ROOFS)
    made.write("site/hardware/mine.yaml", SMALL)
    made.post(
        "a", zh="{eval}`roofs.own.ridge | number(0)`", en="{eval}`roofs.own.ridge`, {eval}`roofs.ratio`"
    )
    made.build()
    return made


def explain(space: Space, *words: str) -> int:
    """The exit code of the command."""
    return main(["explain", "--root", str(space.root), "value", *words])


def test_a_value_leads_to_its_figure_and_to_the_sources_of_its_chip(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(space, "roofs.own.ridge | number(1)") == 0
    assert capsys.readouterr().out.splitlines() == [
        "roofs.own.ridge | number(1) is 206.1",
        "  unformatted: 206.125",
        "  quoted in content/posts/a/en.md:6, content/posts/a/zh.md:6",
        "from the figure roofs, computed by figures/roofs.py",
        "  with dtype = bf16",
        "  which read diglot/hardware/data/accelerators.yaml, site/hardware/mine.yaml",
        "  One (one)",
        "    peak_dense.bf16: 989.4 TFLOP/s (sheet, 2024-05)",
        "    memory.capacity: 192 GiB (sheet, 2024-05)",
        "    memory.bandwidth: approximately 4.8 TB/s (sheet, 2024-05)",
        "      sources disagree: 4.8 TB/s (sheet), 4.9 TB/s (other)",
        "    sources",
        "      sheet: Data sheet, https://example.org/",
        "      other: Another, https://example.org/2",
        "  and of H200, which the path to the value does not lead through",
    ]


def test_a_value_that_names_no_chip_rests_on_all_that_the_figure_has_read(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(space, "roofs.ratio", "--json") == 0
    (figure,) = json.loads(capsys.readouterr().out)["figures"]
    assert {one["id"] for one in figure["chips"]} == {"one", "h200-sxm"}
    assert figure["other_chips"] == []


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("roofs.own.rigde", 'no value named "rigde" in roofs.own'),
        ("rofs.own", 'there is no figure named "rofs"'),
        ("roofs.own |", "it ends too early"),
        ('roofs(dtype="int4").own.ridge', "int4"),
    ],
)
def test_what_is_no_value(
    space: Space, capsys: pytest.CaptureFixture[str], expression: str, message: str
) -> None:
    assert explain(space, expression) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert "fix:" in printed
