"""Figures as charts that can be edited in PowerPoint: written, and kept up to date."""

import io
import shutil
import zipfile
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor

from diglot.cli import main
from tests.slides.making import mistakes_in, rewritten
from tests.slides.test_building import CHART_OF_BARS
from tests.space import Space

GALLERY = Path(__file__).parents[2] / "figures"
POINTS = '''\
"""Three chips."""

from diglot.figures import charts, make_table

TITLE = {"zh": "三块芯片", "en": "Three chips"}
COLUMNS = {
    "power": {"zh": "功耗", "en": "Power", "unit": "W"},
    "rate": {"zh": "算力", "en": "Rate", "unit": "FLOP/s"},
    "who": {"zh": "厂商", "en": "Vendor"},
}


def compute():
    rows = [(300, 2e14, "a"), (700, 9e14, "a"), (400, 5e14, "b")]
    return {"rows": [dict(zip(("power", "rate", "who"), row, strict=True)) for row in rows]}


def draw(figure, data, t):
    charts.points(figure, data["rows"], x="power", y="rate", series="who", y_scale="log10")


def describe(data, t):
    return t(zh="三块芯片的算力与功耗。", en="Rate and power of three chips.")


def table(data, t):
    return make_table(("power", "rate", "who"), data["rows"], t)
'''
TALK = """\
---
title: 图表
description: 四张图。
date: 2026-11-01
only: zh
---

## 柱

```{figure} rates
```

## 点

```{figure} three_chips
```

## 线

```{figure} wave_quantisation
```

## 本站的柱

```{figure} tpu_generations
```
"""


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    space = Space(tmp_path_factory.mktemp("charts"))
    space.write("figures/rates.py", CHART_OF_BARS)
    space.write("figures/three_chips.py", POINTS)
    for name in ("wave_quantisation", "tpu_generations"):
        space.write(f"figures/{name}.py", (GALLERY / f"{name}.py").read_text("utf-8"))
    space.write("content/talks/charts/zh.md", TALK)
    assert (
        main(["-q", "-C", str(space.root), "slides", "build", "charts", "--lang", "zh", "--charts", "native"])
        == 0
    )
    return space.root / "exports/charts.zh.pptx"


def charts_in(content: bytes) -> list:
    slides = Presentation(io.BytesIO(content)).slides
    return [shape.chart for slide in slides for shape in slide.shapes if shape.has_chart]


def test_bars_points_and_lines_are_charts(deck: Path) -> None:
    bars, points, lines, generations = charts_in(deck.read_bytes())
    assert [one.name for one in points.series] == ["a", "b"]
    assert [tuple(one.iter_values()) for one in points.series] == [(200.0, 900.0), (500.0,)]
    assert (
        points.category_axis.axis_title.text_frame.text,
        points.value_axis.axis_title.text_frame.text,
    ) == (
        "功耗, W",
        "算力, TFLOP/s",
    )
    assert 'c:logBase val="10"' in points.element.xml
    ids = [one.get("val") for one in points.element.iterfind(".//{*}valAx/{*}axId")]
    assert ids == ["1", "2"], "LibreOffice takes large ones for the same"
    assert lines.category_axis.tick_labels.number_format == "#,##0"
    assert [one.name for one in lines.series] == ["占H200 bf16峰值的比例, %", "按N选最好的分块, %"]
    assert [len([*one.iter_values()]) for one in lines.series] == [64, 64]
    assert [*bars.plots[0].categories] == ["a", "b"]
    assert [*generations.plots[0].categories][:2] == ["TPU v2", "TPU v3"]
    assert mistakes_in(deck) == []


def test_a_stale_chart_gets_new_numbers_and_keeps_its_look(
    deck: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Space(tmp_path).copied_from(Space(deck.parents[1]))
    monkeypatch.chdir(tmp_path)
    talk = Path("exports/charts.zh.pptx")
    edited = Presentation(str(talk))
    chart = next(shape.chart for shape in edited.slides[1].shapes if shape.has_chart)
    chart.plots[0].gap_width = 42
    chart.plots[0].series[0].format.fill.solid()
    chart.plots[0].series[0].format.fill.fore_color.rgb = RGBColor(1, 2, 3)
    edited.save(str(talk))
    assert main(["slides", "check", str(talk)]) == 0
    own.change(
        "figures/rates.py", '{"who": "b", "rate": 5}', '{"who": "b", "rate": 6}, {"who": "c", "rate": 7}'
    )
    capsys.readouterr()
    assert main(["slides", "check", str(talk)]) == 1
    assert "  slide 2: stale rates\n    rows: 2 values → 3 values\n" in capsys.readouterr().out
    before = talk.read_bytes()
    assert main(["slides", "update", str(talk)]) == 0
    assert "1 picture updated" in capsys.readouterr().out
    assert main(["slides", "check", str(talk)]) == 0
    bars, *others = charts_in(talk.read_bytes())
    assert ([*bars.plots[0].categories], [*bars.series[0].values]) == (["a", "b", "c"], [3.0, 6.0, 7.0])
    assert (bars.plots[0].gap_width, bars.series[0].format.fill.fore_color.rgb) == (42, RGBColor(1, 2, 3))
    assert [len(one.series) for one in others] == [2, 2, 1]
    old, new = (zipfile.ZipFile(io.BytesIO(one)) for one in (before, talk.read_bytes()))
    assert old.namelist() == new.namelist()
    differing = {name for name in old.namelist() if old.read(name) != new.read(name)}
    kinds = sorted(name.rstrip("0123456789.xmls") for name in differing)
    assert kinds == ["ppt/charts/chart", "ppt/embeddings/Microsoft_Excel_Sheet", "ppt/slides/slide"]
    (book,) = (name for name in differing if name.endswith(".xlsx"))
    sheet = zipfile.ZipFile(io.BytesIO(new.read(book))).read("xl/worksheets/sheet1.xml")
    assert b"<v>7</v>" in sheet
    own.change("figures/rates.py", '"rate": 7', '"rate": 8')
    without = rewritten(Path(shutil.copy(talk, "without.pptx")), {book: None})
    kept = without.read_bytes()
    capsys.readouterr()
    assert main(["slides", "update", str(without)]) == 1
    assert "not updated: its workbook is not in the deck; build the deck again\n" in capsys.readouterr().out
    assert without.read_bytes() == kept
    own.change(
        "figures/rates.py", 'charts.bars(figure, data["rows"], y="who", x="rate")', "figure.set_height_px(9)"
    )
    assert main(["slides", "update", str(talk)]) == 1
    left = "not updated: the figure does not fit this chart of PowerPoint any more; build the deck again\n"
    assert left in capsys.readouterr().out
    assert mistakes_in(talk) == []
