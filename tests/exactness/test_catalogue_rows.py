"""A figure depends on the rows of the hardware catalogue that it reads, not on the files that hold them."""

import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import msgspec
import pytest

from diglot.engine import Key
from diglot.figures.records import ComputedFigure
from diglot.rules.building import Site
from tests.exactness.chips import chip
from tests.space import Space, errors, ran, told

SCRIPT = '''\
"""Numbers of chips."""

import pickle

from diglot.hardware import load_catalogue

TITLE = {{"zh": "数", "en": "Numbers"}}


def compute():
    catalogue = load_catalogue()
    return {{"x": {expression}}}
'''

FIGURES = {
    "peak_of_one": 'catalogue["one"].peak_flops_per_s("bf16")',
    "peak_of_two": 'catalogue.find("TWO").peak_flops_per_s("bf16")',
    "bandwidth_of_two": 'catalogue["two"].memory_bandwidth_bytes_per_s',
    "formats_of_two": 'len(catalogue["two"].dtypes)',
    "no_fp8_of_two": 'catalogue["two"].has("peak_dense.fp8")',
    "all_of_two": 'len(repr(catalogue["two"]))',
    "two_elsewhere": 'pickle.loads(pickle.dumps(catalogue["two"])).ridge_flops_per_byte("bf16")',
    "a_dictionary": '{catalogue["one"]: 1, catalogue["two"]: 2}[load_catalogue()["two"]]',
    "prices_of_two": 'len(catalogue["two"].prices)',
    "source_of_two": 'catalogue.source_of(catalogue["two"].quantity("memory.bandwidth")).title',
    "count": "len(catalogue)",
    "three": '"three" in catalogue',
    "gpu_years": 'sum(each.year for each in catalogue.of_kind("gpu"))',
    "all_memory": "sum(each.memory_bytes for each in catalogue.chips)",
    "a_place": 'catalogue.places["one"]',
    "nothing": "0",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Space:
    space = write(Space(tmp_path_factory.mktemp("built")), FIGURES)
    result = space.build()
    assert not errors(result), told(result)
    return space


def write(space: Space, figures: Collection[str]) -> Space:
    for name in figures:
        space.write(f"figures/{name}.py", SCRIPT.format(expression=FIGURES[name]))
    space.write("site/hardware/one.yaml", chip("one"))
    space.write("site/hardware/two.yaml", chip("two"))
    words = " ".join(f"{{eval}}`{name}.x`" for name in figures)
    space.post("numbers", zh=words, en=words)
    return space


@pytest.fixture
def site(space: Space, built: Space) -> Iterator[tuple[Space, Site]]:
    """A project with all these figures, built."""
    space.copied_from(built)
    with space.site(jobs=2) as site:
        assert ran(site.build()) == []
        yield space, site


def recomputed(site: Site) -> set[str]:
    result = site.build()
    assert not errors(result), told(result)
    return {one.removeprefix("data ") for one in ran(result) if one.startswith("data ")}


def test_the_build_after_a_build_runs_nothing(site: tuple[Space, Site]) -> None:
    assert ran(site[1].build()) == []


def test_a_changed_figure_of_a_chip_computes_who_read_it(site: tuple[Space, Site]) -> None:
    space, project = site
    before = space.page("en/posts/numbers")
    space.write("site/hardware/two.yaml", chip("two", peak=1000))
    assert recomputed(project) == {"peak_of_two", "all_of_two", "two_elsewhere"}
    assert space.page("en/posts/numbers") != before
    space.write("site/hardware/two.yaml", chip("two", peak=1000, rate=5000))
    assert recomputed(project) == {"bandwidth_of_two", "source_of_two", "all_of_two", "two_elsewhere"}


def test_a_figure_that_comes_computes_who_looked_for_it(site: tuple[Space, Site]) -> None:
    space, project = site
    more = "peak_dense: {fp8: {value: 2, unit: PFLOP/s, source: two-sheet, as_of: '2026'}, "
    space.write("site/hardware/two.yaml", chip("two").replace("peak_dense: {", more))
    assert recomputed(project) == {"formats_of_two", "no_fp8_of_two", "all_of_two", "two_elsewhere"}


def test_a_price_computes_who_asks_for_prices(site: tuple[Space, Site]) -> None:
    space, project = site
    price = "{usd_per_chip_hour: 2, source: two-sheet, region: us, sku: one, date: '2026'}"
    space.write("site/hardware/two.yaml", f"{chip('two')}  prices: [{price}]\n")
    assert recomputed(project) == {"prices_of_two", "all_of_two", "two_elsewhere"}


def test_a_chip_s_name_computes_all_who_read_anything_of_it(site: tuple[Space, Site]) -> None:
    space, project = site
    space.write("site/hardware/two.yaml", chip("two").replace("name: Chip Two", "name: Chip II"))
    assert recomputed(project) == {*FIGURES} - {"peak_of_one", "count", "three", "a_place", "nothing"}


def test_a_source_s_title_is_read_by_who_asks_for_the_source(site: tuple[Space, Site]) -> None:
    space, project = site
    space.write("site/hardware/two.yaml", chip("two", title="paper"))
    assert recomputed(project) == {"source_of_two"}


def test_a_comment_computes_who_asks_for_places(site: tuple[Space, Site]) -> None:
    space, project = site
    space.write("site/hardware/one.yaml", "# mine\n" + chip("one"))
    assert recomputed(project) == {"a_place"}


def test_a_new_chip_computes_who_asks_which_there_are(site: tuple[Space, Site]) -> None:
    space, project = site
    space.write("site/hardware/three.yaml", chip("three"))
    assert recomputed(project) == {"peak_of_two", "count", "three", "gpu_years", "all_memory", "a_place"}


def test_a_catalogue_that_breaks_fails_everyone_who_loads_it_and_mended_runs_nothing_else(
    site: tuple[Space, Site],
) -> None:
    space, project = site
    space.write("site/hardware/two.yaml", "schema: [\n")
    mistakes = errors(project.build())
    assert [one.rule for one in mistakes] == ["chip-file"], "once, and not for each figure"
    assert {one.location.path for one in mistakes if one.location} == {"site/hardware/two.yaml"}
    assert not any("catalogue" in str(one.location) for one in mistakes)
    space.write("site/hardware/two.yaml", chip("two", rate=5000))
    assert recomputed(project) == set(FIGURES)


def test_an_explanation_names_the_rows(site: tuple[Space, Site]) -> None:
    explanation = site[1].last_build.explain("peak_of_one")
    used = [str(one.key) for one in explanation.dependencies]
    row = "dataset-row diglot.hardware.chips.loading:digest_rows#"
    assert {f"{row}chip:one", f"{row}quantity:one:peak_dense.bf16"} <= {*used}
    assert not any("one.yaml" in one for one in used)


ALL_FILES = ("diglot/hardware/data/accelerators.yaml", "site/hardware/one.yaml", "site/hardware/two.yaml")


def test_the_files_of_the_rows_are_named_as_provenance(site: tuple[Space, Site]) -> None:
    expected: dict[str, tuple[str, ...]] = {
        "peak_of_one": ("site/hardware/one.yaml",),
        "source_of_two": ("site/hardware/two.yaml",),
        **{"count": ALL_FILES, "gpu_years": ALL_FILES},
        "nothing": (),
    }
    assert {name: provenance(site[1], name) for name in expected} == expected


def provenance(site: Site, name: str) -> tuple[str, ...]:
    _, (data,) = site.bring_up([Key("data", name)])
    assert data is not None
    return msgspec.msgpack.decode(data, type=ComputedFigure).provenance


EDITS: tuple[tuple[str, Callable[[Space], object]], ...] = (
    ("comes", lambda space: space.write("site/hardware/three.yaml", chip("three"))),
    ("comes first", lambda space: space.write("site/hardware/a.yaml", chip("one").replace("one", "uno"))),
    ("goes", lambda space: space.remove("site/hardware/two.yaml")),
    ("comes empty", lambda space: space.write("site/hardware/empty.yaml", "schema: 1\nchips: []\n")),
    (
        "is renamed",
        lambda space: (
            space.remove("site/hardware/two.yaml"),
            space.write("site/hardware/renamed.yaml", chip("two")),
        ),
    ),
    ("all go", lambda space: shutil.rmtree(space.root / "site/hardware")),
)
OF_EACH_KIND = ("peak_of_one", "source_of_two", "count", "three", "a_place", "nothing")
"""Figures that read a row, a source, which there are, that one is missing, a place, and nothing."""


def test_files_of_chips_that_come_and_go_leave_no_source_stale(space: Space, tmp_path: Path) -> None:
    write(space, OF_EACH_KIND)
    with space.site(jobs=2) as project:
        project.build()
        for what, edit in EDITS:
            shutil.rmtree(space.root / "site/hardware", ignore_errors=True)  # what the edit before left
            edit(write(space, OF_EACH_KIND))
            again = project.build()
            other = Space(tmp_path / what)
            shutil.copytree(
                space.root, other.root, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".diglot", "public")
            )
            with other.site(jobs=2) as clean_site:
                clean = clean_site.build()
                assert sorted(map(str, again.diagnostics)) == sorted(map(str, clean.diagnostics)), what
                if not errors(clean):
                    assert {name: provenance(project, name) for name in OF_EACH_KIND} == {
                        name: provenance(clean_site, name) for name in OF_EACH_KIND
                    }, what
                    assert space.outputs() == other.outputs(), what


def test_a_variable_that_changes_computes_who_asked_for_it(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGLOT_TEST_NUMBER", "3")
    script = SCRIPT.format(expression='env("DIGLOT_TEST_NUMBER", "none")')
    space.write("figures/asks.py", "from diglot.figures import env\n" + script.partition("\n\n")[2])
    space.write("figures/asks_not.py", SCRIPT.format(expression="1"))
    words = "It is {eval}`asks.x`; {eval}`asks_not.x`"
    space.post("numbers", zh=words, en=words)
    result = space.build()
    assert not errors(result), told(result)
    monkeypatch.setenv("DIGLOT_ANOTHER", "3")
    assert ran(space.build()) == []
    for value in ("4", None):
        if value is None:
            monkeypatch.delenv("DIGLOT_TEST_NUMBER")
        else:
            monkeypatch.setenv("DIGLOT_TEST_NUMBER", value)
        assert [one for one in ran(space.build()) if one.startswith("data ")] == ["data asks"]
        assert f"It is {value or 'none'}; 1" in space.page("en/posts/numbers")


def test_a_script_gets_the_author_s_value_of_what_is_fixed_for_its_process(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("TZ", "LC_ALL", "PYTHONHASHSEED", "OMP_NUM_THREADS", "MPLBACKEND")
    asked = " + ' ' + ".join(f'env("{name}", "none")' for name in names)
    space.write(
        "figures/asks.py",
        "from diglot.figures import env\n" + SCRIPT.format(expression=asked).partition("\n\n")[2],
    )
    space.post("numbers", zh="{eval}`asks.x`", en="It is {eval}`asks.x`.")
    for value in ("C", None):
        for name in names:
            monkeypatch.delenv(name, raising=False)
            if value is not None:
                monkeypatch.setenv(name, value)
        result = space.build()
        assert not errors(result), told(result)
        assert f"It is {' '.join([value or 'none'] * len(names))}." in space.page("en/posts/numbers")
        assert ran(space.build()) == []
