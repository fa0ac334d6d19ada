"""A chip that a project adds, in a figure and a table of the project's own."""

from pathlib import Path

import pytest

from tests.hardware.test_catalogue import SMALL
from tests.space import Space, errors, ran, told

ROOFS = '''\
"""Roofs of a chip of the project's own beside one of the catalogue."""

from diglot.figures import charts, make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "屋顶", "en": "Roofs"}
COLUMNS = {
    "chip": {"zh": "芯片", "en": "Chip"},
    "peak": {"zh": "峰值", "en": "Peak", "unit": "FLOP/s"},
    "intensity": {"zh": "强度", "en": "Intensity", "unit": "FLOP/B"},
    "rate": {"zh": "算力", "en": "Rate", "unit": "FLOP/s"},
}


def compute():
    catalogue = load_catalogue()
    return {
        key: {
            "chip": key,
            "peak": catalogue[key].peak_flops_per_s("bf16"),
            "bandwidth": catalogue[key].memory_bandwidth_bytes_per_s,
        }
        for key in ("h200-sxm", "one")
    }


def draw(figure, data, t):
    charts.roofline(figure, data.values())


def describe(data, t):
    peak = t.number(data["one"]["peak"] / 1e12)
    return t(zh=f"峰值{peak}。", en=f"Peak {peak}.")


def table(data, t):
    return make_table(("chip", "peak"), data.values(), t)
'''


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.write("figures/roofs.py", ROOFS)
    # In a step that the catalogue's chip beside it does not have.
    space.write("site/hardware/mine.yaml", SMALL.replace("year: 2024", "year: 2026"))
    body = "```{figure} roofs\n```\n\n```{table} roofs\n```\n"
    space.post("one", zh=body, en=body)
    return space


def test_a_chip_of_the_project_s_own_is_drawn_and_marked_in_tables(space: Space) -> None:
    result = space.build()
    assert errors(result) == [], told(result)
    page = space.page("en/posts/one")
    assert "var(--fig-gpu4" in page
    assert 'class="chip triangle up gpu4"' in page
    assert 'class="chip circle gpu3"' in page


def test_another_kind_is_another_colour_and_draws_the_figure_again(space: Space) -> None:
    """Though none of the numbers changes."""
    with space.site() as site:
        site.build()
        assert "chip triangle up gpu" in space.page("zh/posts/one")
        space.change("site/hardware/mine.yaml", "kind: gpu", "kind: tpu")
        result = site.build()
        assert errors(result) == [], told(result)
        assert "chip triangle up tpu" in space.page("zh/posts/one")
        assert any("roofs" in task for task in ran(result))


BROKEN = SMALL.replace("unit: TB/s", "unit: TBs").replace("year: 2024", "yaer: 2024")
TOLD = """\
site/hardware/mine.yaml:6: error[chip-file]: one.year: is missing
    - id: one
  fix: add it; the guide for figures has a complete example.

site/hardware/mine.yaml:10: error[chip-file]: one.yaer: unknown key
    yaer: 2024
  fix: did you mean "year"?

site/hardware/mine.yaml:17:35: error[chip-file]: one.memory.bandwidth.unit: "TBs" is not known
    bandwidth: {value: 4.8, unit: TBs, source: sheet, as_of: 2024-05, approximate: true, n…
                                  ^^^
  fix: did you mean "TB/s"?"""


def test_a_broken_file_is_told_once_though_figures_use_it(space: Space) -> None:
    space.write("site/hardware/mine.yaml", BROKEN)
    assert told(space.build()) == TOLD


def test_a_broken_file_is_told_though_no_figure_uses_it(tmp_path: Path) -> None:
    space = Space(tmp_path)
    space.post("one", zh="一", en="One")
    with space.site() as site:
        assert told(site.build()) == ""
        space.write("site/hardware/mine.yaml", BROKEN)
        assert told(site.build()) == TOLD
        space.write("site/hardware/mine.yaml", SMALL)
        assert told(site.build()) == ""
        space.remove("site/hardware/mine.yaml")
        assert told(site.build()) == ""


def test_a_file_with_another_ending_is_not_passed_over(space: Space) -> None:
    space.write("site/hardware/more.yml", SMALL)
    (warning,) = [one for one in space.build().diagnostics if one.rule.startswith("chip")]
    assert str(warning) == (
        "site/hardware/more.yml: warning[chip-file-name]: "
        'nothing reads "more.yml": diglot reads "more.yaml"\n'
        "  fix: rename it to site/hardware/more.yaml."
    )


def test_a_chip_without_links_needs_no_interconnect(space: Space) -> None:
    space.write(
        "site/hardware/mine.yaml", SMALL.replace("  interconnect: {kind: none, topology: none}\n", "")
    )
    result = space.build()
    assert errors(result) == [], told(result)
