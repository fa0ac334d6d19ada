"""What values rest on: `diglot explain value` and `values.json` lead to figures, chips and sources."""

import json
from typing import Any

import pytest

from diglot.cli.main import main
from tests.hardware.test_catalogue import SMALL
from tests.space import Space, ran

ROOFS = '''\
"""Ridges of two chips, one of them the project's own."""

from typing import Literal

from diglot.hardware import load_catalogue

TITLE = {"zh": "脊点", "en": "Ridges"}
CHIPS = 2


def compute(dtype: Literal["bf16", "fp16"] = "bf16"):
    catalogue = load_catalogue()
    ids = {"own": "one", "other": "h200-sxm"}
    ridges = {
        key: {
            "chip": id_,
            "ridge": catalogue[id_].ridge_flops_per_byte("bf16"),
            "bandwidth": catalogue[id_].memory_bandwidth_bytes_per_s,
            "bandwidth_gb_per_s": catalogue[id_].memory_bandwidth_bytes_per_s / 1e9,
        }
        for key, id_ in ids.items()
    }
    ratio = ridges["own"]["ridge"] / ridges["other"]["ridge"]
    return {
        **ridges,
        "ratio": ratio,
        "dtype": dtype,
        "chips": CHIPS,
        "more": ridges["own"]["bandwidth"] / ridges["other"]["bandwidth"] - 1,
    }
'''


WHOLE = """\
from diglot.figures import env
from diglot.hardware import load_catalogue

TITLE = {"zh": "目录", "en": "Catalogue"}


def compute():
    env("LEAST_PRICE", "0")
    env("CURRENCY", "USD")
    chips = load_catalogue().chips
    return {"figures": sum(len(one.quantities) for one in chips), "price": chips[-1].prices[0].usd_per_chip_s}
"""
PRICE = "  prices: [{usd_per_chip_hour: 2.5, source: other, region: us, sku: one-8, date: 2026-01}]\n"


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("provenance"))
    made.write("figures/roofs.py", ROOFS)
    made.write("figures/whole.py", WHOLE)
    made.write("site/hardware/mine.yaml", SMALL + PRICE)
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
        '  figures/roofs.py:17: "ridge": catalogue[id_].ridge_flops_per_byte("bf16")',
        "  with dtype = bf16",
        "  which read diglot/hardware/data/accelerators.yaml, site/hardware/mine.yaml",
        "  its path names the chip, of which the figure read:",
        "  One (one)",
        "    peak_dense.bf16: 989.4 TFLOP/s (sheet, 2024-05)",
        "    memory.bandwidth: approximately 4.8 TB/s (sheet, 2024-05)",
        "      sources disagree: 4.8 TB/s (sheet), 4.9 TB/s (other)",
        "    sources",
        "      sheet: Data sheet, https://example.org/",
        "      other: Another, https://example.org/2",
        "  the figure read numbers of H200, too",
    ]


def test_the_environment_variables_that_its_figure_reads_are_named(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(space, "whole.price") == 0
    assert (
        "  which read the environment variables CURRENCY, LEAST_PRICE" in capsys.readouterr().out.splitlines()
    )


@pytest.mark.parametrize("value", ["bandwidth", "bandwidth_gb_per_s", "bandwidth | si('B/s')"])
def test_a_value_that_is_a_number_of_the_catalogue_rests_on_that_alone(
    space: Space, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    assert explain(space, f"roofs.own.{value}", "--json") == 0
    ((chip,),) = [one["chips"] for one in json.loads(capsys.readouterr().out)["figures"]]
    assert [one["field"] for one in chip["facts"]] == ["memory.bandwidth"]
    assert [one["id"] for one in chip["sources"]] == ["sheet", "other"]


@pytest.mark.parametrize(
    ("expression", "reach", "chips"),
    [
        ("roofs.dtype", "script", []),
        ("roofs.own.bandwidth / 2", "fact", ["one"]),
        ("roofs.own.bandwidth / roofs.other.ridge", "chip", ["h200-sxm", "one"]),
        ("roofs.own.ridge / roofs.ratio", "figure", ["h200-sxm", "one"]),
        ("roofs.own.bandwidth / roofs.chips", "fact", ["one"]),
        ("roofs.more", "fact", ["h200-sxm", "one"]),
    ],
)
def test_a_value_rests_on_what_each_of_its_paths_rests_on(
    space: Space, capsys: pytest.CaptureFixture[str], expression: str, reach: str, chips: list[str]
) -> None:
    assert explain(space, expression, "--json") == 0
    (figure,) = json.loads(capsys.readouterr().out)["figures"]
    assert (figure["reach"], sorted(one["id"] for one in figure["chips"])) == (reach, chips)


def test_chips_that_a_figure_has_read_as_a_whole_are_told_in_one_line(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(space, "whole.figures") == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith("  all numbers of V100, A100 40GB, ")
    assert explain(space, "whole.figures", "--json") == 0
    one = json.loads(capsys.readouterr().out)["figures"][0]["chips"][-1]
    assert (one["id"], one["has_all"], [each["usd_per_hour"] for each in one["prices"]]) == (
        "one",
        True,
        [2.5],
    )


def test_a_value_that_names_no_chip_rests_on_all_that_the_figure_has_read(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(space, "roofs.ratio", "--json") == 0
    (figure,) = json.loads(capsys.readouterr().out)["figures"]
    assert {one["id"] for one in figure["chips"]} == {"one", "h200-sxm"}
    assert figure["other_chips"] == []


def test_a_place_leads_to_the_values_that_stand_there(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(space, "content/posts/a/en.md:6") == 0
    first, second = capsys.readouterr().out.split("\n\n")
    assert first.startswith("roofs.own.ridge is 206.125\n  quoted in content/posts/a/en.md:6, ")
    assert second.startswith("roofs.ratio is ")
    assert explain(space, "content/posts/a/zh.md", "--json") == 0
    (chain,) = json.loads(capsys.readouterr().out)
    assert chain["expression"] == "roofs.own.ridge | number(0)"


def test_a_place_may_be_named_from_the_current_folder(
    space: Space, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(space.root / "content/posts/a")
    assert explain(space, "en.md:6") == 0
    assert capsys.readouterr().out.startswith("roofs.own.ridge is 206.125\n")


def test_a_title_is_a_place_too(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    space.post("titled", zh="", en="", title="'{eval}`roofs.own.ridge | number(0)`'")
    space.build()
    assert explain(space, "roofs.own.ridge") == 0
    assert "content/posts/titled/zh.md (front matter)" in capsys.readouterr().out
    found = values_of(space, "zh/posts/titled")["values"]
    assert [(one["text"], one["blocks"]) for one in found] == [("206", ["_top"])]
    space.remove("content/posts/titled")
    space.build()


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("content/posts/a/zh.md:7", "its values are on these lines: 6."),
        ("content/posts/a/hz.md:6", 'did you mean "content/posts/a/zh.md"?'),
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


def values_of(space: Space, half: str) -> dict[str, Any]:
    """The file beside the page of a half."""
    found: dict[str, Any] = json.loads((space.root / "public" / half / "values.json").read_text("utf-8"))
    return found


def test_a_file_says_what_the_values_of_a_page_rest_on(space: Space) -> None:
    found = values_of(space, "zh/posts/a")
    assert (found["article"], found["language"]) == ("a", "zh")
    assert found["values"] == [
        {
            "expression": "roofs.own.ridge | number(0)",
            "text": "206",
            "value": 206.125,
            "unit": "",
            "blocks": ["top-1"],
            "figures": ["roofs"],
            "lines": [
                {
                    "figure": "roofs",
                    "line": 17,
                    "code": '"ridge": catalogue[id_].ridge_flops_per_byte("bf16")',
                }
            ],
            "reach": "chip",
            "chips": {"one": ["peak_dense.bf16", "memory.bandwidth"]},
            "arithmetic": {
                "factors": [
                    {"name": "One bf16 峰值", "text": "989.4", "unit": "TFLOP/s", "power": 1},
                    {"name": "One 带宽", "text": "≈ 4,800", "unit": "GB/s", "power": -1},
                ],
                "less": 0,
            },
        }
    ]
    assert found["figures"]["roofs"] == {
        "script": "figures/roofs.py",
        "parameters": {"dtype": "bf16"},
        "digest": found["figures"]["roofs"]["digest"],
        "files": ["diglot/hardware/data/accelerators.yaml", "site/hardware/mine.yaml"],
        "chips": {id_: ["peak_dense.bf16", "memory.bandwidth"] for id_ in ("h200-sxm", "one")},
    }
    (chip,) = found["chips"].values()
    assert [(one["name"], one["text"], one["source"]) for one in chip["facts"]] == [
        ("bf16 峰值", "989.4", "sheet"),
        ("带宽", "≈ 4,800", "sheet"),
    ]
    claims = [{"text": "4.8 TB/s", "source": "sheet"}, {"text": "4.9 TB/s", "source": "other"}]
    assert chip["conflicts"] == [
        {"field": "memory.bandwidth", "name": "带宽", "claims": claims, "used": "4.8 TB/s"}
    ]
    assert chip["sources"]["sheet"] == {
        "title": "Data sheet",
        "url": "https://example.org/",
        "date": "2024-05",
    }
    unnamed = values_of(space, "en/posts/a")["values"][1]
    assert (unnamed["expression"], [*unnamed["chips"]]) == ("roofs.ratio", ["h200-sxm", "one"])


def test_the_file_is_written_again_for_a_value_and_not_for_words(space: Space) -> None:
    path, chips = "content/posts/a/en.md", "site/hardware/mine.yaml"
    files = {"value-file a:zh", "value-file a:en"}
    with space.site() as site:
        site.build()
        space.change(path, ", {eval}", " and {eval}")
        assert "quotes a:en" in (seen := ran(site.build()))
        assert not files & {*seen}
        space.change(chips, "{value: 4.9, source", "{value: 4.7, source")
        assert files <= {*ran(site.build())}
        space.change("figures/roofs.py", "CHIPS = 2\n", "CHIPS = 2  # and no more\n\n")
        seen = {*ran(site.build())}
        assert files <= seen
        assert not {"quotes a:zh", "quoted-values a:zh"} & seen
        assert values_of(space, "zh/posts/a")["values"][0]["lines"][0]["line"] == 18
        space.change("figures/roofs.py", "CHIPS = 2  # and no more\n\n", "CHIPS = 2\n")
        assert (
            values_of(space, "en/posts/a")["chips"]["one"]["conflicts"][0]["claims"][1]["text"] == "4.7 TB/s"
        )
        space.change(chips, "{value: 4.7, source", "{value: 4.9, source")
        space.change(path, " and {eval}", ", {eval}")
        site.build()


def test_an_article_that_quotes_nothing_has_no_such_file(space: Space) -> None:
    space.post("plain", zh="字。", en="Words.")
    with space.site() as site:
        seen = ran(site.build())
        assert not [one for one in seen if one.split()[0] in ("quotes", "quoted-values", "value-file")]
        assert not (space.root / "public/zh/posts/plain/values.json").exists()
        space.remove("content/posts/plain")
        site.build()
