"""`docs/figures.md` is true: its scripts run and draw, and it names everything there is, and nothing else."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import diglot.figures
import diglot.hardware
from diglot.cli.parsing import parse_arguments
from diglot.figure_request import FigureRequest
from diglot.figures.chips import chip
from diglot.figures.drawing.canvas import WIDTH_PX
from diglot.figures.observation.file_access import SEEN_BY_WRAPPING
from diglot.figures.observation.refusals import REFUSED_EVENTS, REFUSED_FUNCTIONS
from diglot.figures.observation.sameness import FROZEN
from diglot.figures.palette import TOKENS
from diglot.figures.scripts.contract import PARTS
from diglot.figures.scripts.words import Words
from diglot.use.exporting import file_name
from tests.docs.pages import FIGURES, ROOT, code, examples, rows, section
from tests.space import Space, ran, told

WORKED, PARAMETERS, LABELS, SAID, ASKED, CHARTED, *SHORT, ALTAIR, DECLARED, PRICES, SWEPT = (
    example.text for example in examples(FIGURES, "python")
)
ARTICLE = """\
From {eval}`batch_size.chips.h200.critical | number(0)` on: {ref}`fig-batch-size`, {ref}`fig-int8`.

```{figure} batch_size
One.
```

```{figure} batch_size
:name: fig-int8
:dtype: int8
Two.
```

```{table} batch_size
Three.
```
"""


def test_the_worked_script_draws_without_a_word(space: Space) -> None:
    space.write("figures/batch_size.py", WORKED)
    space.write("figures/charted.py", CHARTED)
    space.post("batch", zh=ARTICLE + "\n```{figure} charted\nFour.\n```\n", en=None, only="zh")
    assert told(space.build()) == ""
    page = space.page("zh/posts/batch")
    assert page.count("<svg") >= 2
    assert "batch_size-column-zh" in page
    assert "charted-column-zh" in page
    assert '">217</span>' in page


SHORT_NAMES = ("roofs", "grid", "front")
IMPORTS = """\
from diglot.figures import charts
from diglot.hardware import count_gemm, load_catalogue, run_mxu

"""
DESCRIBED = """

def describe(data, t) -> str:
    return t(zh="一张图。", en="A chart.")
"""


@pytest.mark.parametrize("script", SHORT, ids=SHORT_NAMES)
def test_a_roofline_a_heat_map_and_a_pareto_plot_take_fifteen_lines(script: str) -> None:
    bodies = [
        node for node in ast.parse(script).body if isinstance(node, ast.FunctionDef) and node.end_lineno
    ]
    assert [node.name for node in bodies] == ["compute", "draw"]
    assert sum((node.end_lineno or 0) - node.lineno for node in bodies) <= 15


def test_they_draw_without_a_word(space: Space) -> None:
    for name, script in zip(SHORT_NAMES, SHORT, strict=True):
        space.write(f"figures/{name}.py", IMPORTS + script + DESCRIBED)
    fences = "\n\n".join(f"```{{figure}} {name}\n{name}.\n```" for name in SHORT_NAMES)
    space.post("short", zh=fences, en=None, only="zh")
    assert told(space.build()) == ""
    page = space.page("zh/posts/short")
    assert all(f"{name}-narrow-zh" in page for name in SHORT_NAMES)


def test_a_chart_of_altair_draws_without_a_word(space: Space) -> None:
    pytest.importorskip("vl_convert")
    space.write("figures/peaks.py", ALTAIR)
    space.post("peaks", zh="```{figure} peaks\n峰值。\n```", en="```{figure} peaks\nPeaks.\n```")
    assert told(space.build()) == ""
    assert "芯片" in space.page("zh/posts/peaks")
    assert "peaks-column-en" in space.page("en/posts/peaks")


def test_the_sweep_computes(space: Space) -> None:
    space.write("figures/swept.py", SWEPT)
    space.post("sizes", zh='{eval}`swept.best_flops_per_s[3] | si("FLOP/s", 2)`', en=None, only="zh")
    assert told(space.build()) == ""
    assert "FLOP/s" in space.page("zh/posts/sizes")


def test_a_figure_depends_on_the_rows_that_a_library_tells_of(space: Space) -> None:
    space.write("figures/_prices.py", PRICES)
    for name, day in {"first": "2026-01-01", "second": "2026-01-02"}.items():
        titles = 'TITLE = {"zh": "价", "en": "Price"}'
        read = f'def compute():\n    return {{"usd": price_on("{day}")}}'
        space.write(f"figures/{name}.py", f"from _prices import price_on\n\n{titles}\n\n\n{read}\n")
    space.write("content/prices.csv", "2026-01-01,3\n2026-01-02,4\n")
    space.post("prices", zh="{eval}`first.usd`与{eval}`second.usd`", en=None, only="zh")
    assert told(space.build()) == ""
    assert ran(space.build()) == []
    space.write("content/prices.csv", "2026-01-01,3\n2026-01-02,5\n2026-01-03,6\n")
    result = space.build()
    assert told(result) == ""
    assert [one for one in ran(result) if one.startswith("data ")] == ["data second"]
    space.write("content/prices.csv", "2026-01-01,\n2026-01-02,5\n")
    assert 'figure "first"' in told(space.build())


def test_the_declared_files_are_dependencies(space: Space) -> None:
    pytest.importorskip("polars")
    space.write("content/data/rates.csv", "rate\n1\n")
    space.write("content/data/parts/a.parquet", "")
    space.write("figures/declared.py", 'TITLE = {"zh": "率", "en": "Rate"}\n' + DECLARED)
    space.post("rates", zh="{eval}`declared.rate`", en=None, only="zh")
    assert told(space.build()) == ""
    space.write("content/data/parts/a.parquet", "other")
    assert "data declared" in ran(space.build())


@pytest.mark.parametrize("script", [WORKED, SAID, ASKED, ALTAIR, PRICES, SWEPT])
def test_the_scripts_are_set_as_our_own_code_is(script: str) -> None:
    ruff = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--line-length=110", "--diff", "-"],
        input=script,
        text=True,
        capture_output=True,
        check=False,
    )
    assert ruff.returncode == 0, ruff.stdout


def test_the_examples_of_parameters_and_of_a_message_compute(space: Space) -> None:
    space.write("figures/choices.py", f"{PARAMETERS}\n\n{LABELS}")
    space.write("figures/waves.py", SAID)
    space.write("figures/asked.py", ASKED)
    body = (
        'It is {eval}`choices(dtype="fp8", batch=512).dtype`, {eval}`choices.batch`, '
        "{eval}`waves.full.share`\n\n```{figure} asked\n```"
    )
    space.post("choice", zh=body, en=body)
    assert told(space.build()) == ""
    page = space.page("en/posts/choice")
    assert '">fp8</span>, <span class="num" data-value="choices.batch">32</span>' in page


def test_the_preview_draws_the_worked_script(tmp_path: Path) -> None:
    (command,) = (one.text for one in examples(section(FIGURES, "## Looking at a figure"), "sh")[:1])
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/batch_size.py").write_text(WORKED, "utf-8")
    words = command.split()
    assert words[0] == "python"
    chosen = ["--size", "narrow", "--lang", "zh", "--theme", "dark", "--set", "dtype=int8", "--dpi", "96"]
    subprocess.run(
        [sys.executable, *words[1:], *chosen], cwd=tmp_path, env={"PYTHONPATH": str(ROOT / "src")}, check=True
    )
    assert [file.name for file in (tmp_path / words[-1]).iterdir()] == ["batch_size.narrow.zh.dark.png"]


def test_the_export_commands_are_understood() -> None:
    (example,) = examples(section(FIGURES, "### Files for slides"), "sh")
    for line in example.text.splitlines():
        words = line.replace("'", "").split()
        assert words[0] == "diglot"
        (asked,) = parse_arguments(words[1:]).ids
    name = file_name(FigureRequest.parse(asked), "en", "light", "png")
    assert asked == "batch_size?dtype=int8"
    assert f"`{name}`" in section(FIGURES, "### Files for slides")


def test_every_part_of_the_contract_is_explained() -> None:
    described = [code(row[0])[0] for row in rows(section(FIGURES, "## The contract").partition("### ")[0])]
    calls = [f"{name}({', '.join(taken or ('…',))})" for name, taken in PARTS.items()]
    assert sorted(described) == sorted([*calls, "TITLE", "MESSAGE", "FORM", "COLUMNS", "SIZES", "LABELS"])


def test_every_public_helper_is_named() -> None:
    helpers = section(FIGURES, "## Helpers").partition("### ")[0]
    described = [name for row in rows(helpers) for name in code(row[0])]
    assert sorted(described) == sorted(diglot.figures.__all__)


def test_every_colour_is_named() -> None:
    described: list[str] = []
    for row in rows(section(FIGURES, "### Colours and chips")):
        names = code(row[0])
        if "…" in row[0]:  # `gpu1` … `gpu4`
            stem, (first, last) = names[0][:3], (int(name[3:]) for name in names)
            names = [f"{stem}{n}" for n in range(first, last + 1)]
        described += names
    assert sorted(described) == sorted(TOKENS)
    assert chip("h200").chip_id == chip("h200-sxm").chip_id
    assert chip("v6e").chip_id == "tpu-v6e"


def test_the_sizes_are_the_code_s() -> None:
    described = {code(row[0])[0]: row[1] for row in rows(section(FIGURES, "### Sizes"))}
    assert {
        size: int(re.sub(r"\D.*", "", text.replace(",", "", 1))) for size, text in described.items()
    } == WIDTH_PX


@pytest.mark.parametrize(
    "member",
    [name for row in rows(section(FIGURES, "### Drawing")) for name in re.findall(r"figure\.(\w+)", row[0])],
)
def test_the_canvas_has_every_member_named(member: str) -> None:
    from diglot.figures.drawing.canvas import Canvas

    assert hasattr(Canvas("column", "en"), member)


def test_what_is_seen_refused_and_frozen_is_what_the_tables_say() -> None:
    looks_at = section(FIGURES, "## What a script may look at")
    named = {name for row in rows(looks_at) for name in code(row[0])}
    assert {*SEEN_BY_WRAPPING, *REFUSED_EVENTS, *REFUSED_FUNCTIONS} <= named
    events = {"open", "import", "sqlite3.connect", "ctypes.dlopen", "ctypes.dlsym", "sys.path", "__path__"}
    others = {"dir_fd", "-wal", "-journal", "/proc", "/sys", "ATTACH", "_io", "posix"}
    assert named == {*SEEN_BY_WRAPPING, *REFUSED_EVENTS, *REFUSED_FUNCTIONS, *events, *others}
    same = section(FIGURES, "## The same every time")
    values = {row[0].strip("`"): row[1].strip("`") for row in rows(same)}
    assert {name: values[name] for name in FROZEN} == {name: told.strip("`") for name, told in FROZEN.items()}


def test_words_join_as_the_table_says() -> None:
    (shown,) = (row[1] for row in rows(section(FIGURES, "### Words")) if "t.join" in row[0])
    assert code(shown) == [Words("zh").join(["a", "b", "c"]), Words("en").join(["a", "b", "c"])]
