"""Custom chips of a project: files of the catalogue's schema in `site/hardware`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from diglot.hardware import CatalogueError, deploy, load_catalogue
from diglot.hardware.__main__ import main
from diglot.hardware.chips.loading import CATALOGUE_PATH
from tests.hardware.test_catalogue import SMALL

SOURCES = Path(CATALOGUE_PATH).parents[3]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """An empty project as the current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add(project, text=SMALL, name="mine.yaml"):
    file = project / "site" / "hardware" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def problems_of(*paths):
    with pytest.raises(CatalogueError) as caught:
        load_catalogue(*paths)
    return str(caught.value).splitlines()


def line_of(needle, text):
    return next(number for number, line in enumerate(text.splitlines(), 1) if needle in line)


def test_a_project_without_the_folder_has_the_catalogue_alone(project):
    assert len(load_catalogue()) == 34
    (project / "site").write_text("a file")
    assert len(load_catalogue()) == 34


def test_own_chips_come_after_the_catalogue_s_in_the_order_of_their_files(project):
    add(
        project,
        SMALL.replace("one", "two")
        .replace("One", "Two")
        .replace("sheet", "third")
        .replace("other", "fourth"),
    )
    add(project, name="first.yaml")
    catalogue = load_catalogue()
    assert list(catalogue)[-2:] == ["one", "two"]
    assert catalogue.find("ONE").peak_flops_per_s("bf16") == 989.4e12
    assert catalogue.source_of(catalogue["two"].quantity("memory.bandwidth")).title == "Data third"


def test_only_yaml_files_are_read(project):
    add(project)
    add(project, "not a catalogue", "notes.txt")
    assert len(load_catalogue()) == 35


def test_a_file_anywhere_may_be_given_and_the_folder_left_out(project):
    add(project)
    (project / "other.yaml").write_text(SMALL, encoding="utf-8")
    assert list(load_catalogue("other.yaml", folder=None))[-1] == "one"
    assert list(load_catalogue(folder=None))[-1] != "one"


def test_own_figures_may_name_a_source_of_the_catalogue_and_need_none_of_their_own(project):
    start, end = SMALL.index("sources:"), SMALL.index("chips:")
    text = (SMALL[:start] + SMALL[end:]).replace("sheet", "sb-gpus").replace("other", "sb-tpus")
    add(project, text)
    catalogue = load_catalogue()
    assert catalogue.source_of(catalogue["one"].quantity("memory.bandwidth")) == catalogue.sources["sb-gpus"]


def test_a_mistake_is_told_with_its_own_file_and_line(project):
    text = SMALL.replace("unit: TB/s", "unit: TBs")
    add(project, text)
    assert problems_of() == [
        f"site/hardware/mine.yaml:{line_of('TBs', text)}: one.memory.bandwidth.unit: "
        '"TBs" is not known; did you mean "TB/s"?'
    ]


def test_all_that_is_wrong_with_a_chip_and_with_a_figure_is_told_at_once(project):
    text = (
        SMALL.replace("year: 2024", "yaer: 2024")
        .replace("short_name: One", "shrt_name: One")
        .replace("value: 989.4, unit: TFLOP/s, source: sheet", "value: -3, unit: GB, source: shed")
    )
    add(project, text)
    chip, figure = line_of("- id: one", text), line_of("value: -3", text)
    assert sorted(problem.removeprefix("site/hardware/mine.yaml:") for problem in problems_of()) == sorted(
        [
            f'{line_of("yaer", text)}: one.yaer: unknown key; did you mean "year"?',
            f"{chip}: one.year: is missing",
            f'{line_of("shrt", text)}: one.shrt_name: unknown key; did you mean "short_name"?',
            f"{chip}: one.short_name: is missing",
            f"{figure}: one.peak_dense.bf16.value: must be above zero and finite, not -3",
            f'{figure}: one.peak_dense.bf16.unit: "GB" cannot be the unit of bf16',
            f'{figure}: one.peak_dense.bf16.source: "shed" is not known; did you mean "sheet"?',
        ]
    )


def test_a_chip_may_be_of_any_kind_and_is_far_from_all_that_was_measured(project):
    add(project, SMALL.replace("kind: gpu", "kind: lpu"))
    chip = load_catalogue()["one"]
    assert chip.kind == "npu"
    assert deploy("llama-3-8b", chip, timing="calibrated").spread.basis == "far"


def test_mistakes_in_several_files_are_told_at_once(project):
    add(project, SMALL.replace("kind: gpu", "kind: gppu"))
    add(project, "", "empty.yaml")
    assert [line.split(":")[0] for line in problems_of()] == [
        "site/hardware/empty.yaml",
        "site/hardware/mine.yaml",
    ]


def test_a_chip_that_stands_elsewhere_is_refused_with_both_places(project):
    add(project, SMALL.replace("id: one", "id: h200-sxm"))
    place = load_catalogue(folder=None).places["h200-sxm"]
    assert problems_of() == [
        f'site/hardware/mine.yaml:6: h200-sxm.id: "h200-sxm" is already h200-sxm, {place}'
    ]
    lines = CATALOGUE_PATH.read_text(encoding="utf-8").splitlines()
    assert lines[int(place.split(":")[1]) - 1] == "- id: h200-sxm"


def test_a_short_name_that_means_another_chip_is_refused(project):
    add(project, SMALL.replace("short_name: One", "short_name: h-200"))
    (problem,) = problems_of()
    assert 'one.short_name: "h-200" is already h200-sxm, accelerators.yaml:' in problem


def test_two_chips_of_one_file_may_not_share_a_short_name(project):
    chip = SMALL[SMALL.index("- id: one") :].replace("id: one", "id: two")
    add(project, SMALL + chip)
    assert problems_of() == [
        f"site/hardware/mine.yaml:{line_of('id: two', SMALL + chip)}: two.short_name: "
        '"One" is already one, site/hardware/mine.yaml:6'
    ]


def test_own_files_may_not_clash_with_each_other_either(project):
    add(project, name="a.yaml")
    add(project, name="b.yaml")
    problems = problems_of()
    assert {problem.split(" ", 1)[0] for problem in problems} == {
        f"site/hardware/b.yaml:{line}:" for line in (3, 4, 6)
    }
    assert all("site/hardware/a.yaml:" in problem for problem in problems)


def test_a_figure_depends_on_the_files_and_on_what_the_folder_lists(project):
    """Runs in a separate process, like a figure's worker, because audit hooks cannot be removed."""
    script = (
        "import sys; from pathlib import Path; from diglot.figures.observation.observer import Observer\n"
        "observer = Observer(Path.cwd(), Path('cache')); observer.listen()\n"
        "from diglot.hardware.chips.loading import read_catalogue\n"
        "read_catalogue(); observer.stop()\n"
        "print([(seen.kind, seen.name) for seen in observer.observed()])"
    )

    def observe():
        command = [sys.executable, "-c", script]
        done = subprocess.run(
            command, env={"PYTHONPATH": str(SOURCES)}, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert "('listing', 'site/hardware')" in observe()
    add(project)
    seen = observe()
    assert "('listing', 'site/hardware')" in seen
    assert "('file', 'site/hardware/mine.yaml')" in seen


def run_command(*arguments):
    command = [sys.executable, "-m", "diglot.hardware", *arguments]
    return subprocess.run(
        command, env={"PYTHONPATH": str(SOURCES)}, capture_output=True, text=True, check=False
    )


def test_the_command_lists_and_shows_them(project):
    add(project)
    assert "\none " in run_command("list").stdout
    shown = run_command("show", "one").stdout
    assert "site/hardware/mine.yaml:6" in shown
    assert "https://example.org/" in shown


def test_the_command_prints_json(project, capsys):
    add(project)
    assert main(["show", "one", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    peak = next(each for each in shown["figures"] if each["field"] == "peak_dense.bf16")
    assert (peak["value"], peak["unit"], peak["printed"]) == (989.4e12, "FLOP/s", "989.4 TFLOP/s")
    assert main(["list", "--json"]) == 0
    assert shown in json.loads(capsys.readouterr().out)


def test_the_command_tells_what_is_wrong(project):
    add(project, SMALL.replace("kind: gpu", "kind: gppu"))
    done = run_command("list")
    assert (done.returncode, done.stdout) == (2, "")
    assert 'one.kind: "gppu" is not known; known: gpu, tpu' in done.stderr
