"""Charts lay themselves out: what holds for any data, in both languages, at every size."""

import io
import random
from typing import Any

import pytest

from diglot.figures import charts
from diglot.figures.charts.placing import spread
from diglot.figures.drawing.canvas import SLIDE_SCALE, Canvas
from diglot.figures.drawing.collisions import collisions
from diglot.figures.records import Size
from diglot.languages import LANGUAGES, Language
from tests.figures.charts.drawing import drawn, frames, texts, ticks

SIZES: tuple[Size, ...] = ("narrow", "column", "wide", "slide")
NAMES = (
    ("批量为32的解码", "decoding with a batch of 32"), ("预填充", "prefill"), ("注意力", "attention"),
    ("全归约", "all-reduce"), ("H200", "H200"), ("前馈层", "the feed-forward layer"), ("路由", "routing"),
)  # fmt: skip


def random_lines(seed: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    rows = []
    for zh, en in rng.sample(NAMES, rng.randint(2, 6)):
        level, growth = rng.uniform(1e11, 9e14), rng.uniform(0.2, 3)
        rows += [
            {"batch": 2**n, "rate": level * min(1, growth * 2**n / 64), "series": {"zh": zh, "en": en}}
            for n in range(9)
        ]
    return rows


def draw_lines(rows: list[dict[str, Any]]) -> Any:
    def draw(figure: Canvas, _t: Any) -> None:
        chart = charts.lines(figure, rows, x="batch", y="rate", series="series", x_scale="log2")
        point = rows[len(rows) // 2]
        chart.annotate((point["batch"], point["rate"]), _t(zh="拐点在这里", en="the knee is here"))

    return draw


@pytest.mark.parametrize("seed", range(4))
def test_any_lines_have_names_that_do_not_collide_and_the_same_frame_in_both_languages(seed: int) -> None:
    draw = draw_lines(random_lines(seed))
    for size in SIZES:
        both = [drawn(draw, size=size, language=language) for language in LANGUAGES]
        assert [list(map(str, collisions(canvas))) for canvas in both] == [[], []], size
        assert frames(both[0]) == frames(both[1])
        assert both[0].height_px == both[1].height_px


def test_bars_have_the_same_frame_in_both_languages_and_room_for_their_values() -> None:
    def draw(figure: Canvas, t: Any) -> None:
        rows = [
            {"model": {"zh": "短", "en": "a rather long name"}, "price": 3.5, "share": 0.1},
            {"model": {"zh": "一个特别特别长的名字", "en": "short"}, "price": 1200.25, "share": -0.9},
        ]
        charts.bars(figure, rows, y="model", x=("price", "share"))

    for size in SIZES:
        both = [drawn(draw, size=size, language=language) for language in LANGUAGES]
        assert [list(map(str, collisions(canvas))) for canvas in both] == [[], []], size
        assert frames(both[0]) == frames(both[1])


def test_an_axis_of_bars_with_a_domain_is_the_same_whatever_the_bars() -> None:
    def limits(time: float, language: Language) -> list[tuple[float, float]]:
        rows = [{"chip": chip, "ms": time, "share": time / 90} for chip in ("h200-sxm", "tpu-v6e")]
        canvas = drawn(
            lambda figure, _t: charts.bars(
                figure, rows, y="chip", x=("ms", "share"), x_domain={"ms": (0, 80)}
            ),
            language=language,
        )
        return [axes.get_xlim() for axes in canvas.axes]

    (few, few_share), (many, many_share) = limits(4.5, "zh"), limits(80, "en")
    assert few == many
    assert few_share != many_share


def test_the_same_chart_is_drawn_with_the_same_bytes() -> None:
    draw, files = draw_lines(random_lines(1)), []
    for _ in range(2):
        file = io.BytesIO()
        drawn(draw).savefig(file, format="svg", metadata={"Date": None})
        files.append(file.getvalue())
    assert files[0] == files[1]


def test_a_script_that_makes_other_charts_in_one_language_is_told_so() -> None:
    def draw(figure: Canvas, t: Any) -> None:
        charts.frame(figure, x="batch", y="rate").points({"batch": [1, 2], "rate": [1, 2]})
        if t.language == "zh":
            charts.bars(figure, [{"model": "a", "ms": 1}], y="model", x="ms")

    with pytest.raises(ValueError, match="makes other charts in one language"):
        drawn(draw)


def test_names_are_spread_by_as_little_as_they_need() -> None:
    assert spread([10, 50, 90], [17] * 3, 0, 100) == [10, 50, 90]
    assert spread([50, 50, 90], [20] * 3, 0, 100) == [40, 60, 90]
    assert spread([95, 96, 97], [20] * 3, 0, 100) == [60, 80, 100]


def test_texts_placed_by_hand_keep_their_distance_from_the_top_when_charts_set_the_height() -> None:
    def draw(figure: Canvas, t: Any) -> None:
        figure.text_px(0, 300, "by hand")
        charts.bars(figure, [{"model": "a", "ms": 1}], y="model", x="ms")

    canvas = drawn(draw)
    by_hand = next(text for text in canvas.texts if text.get_text() == "by hand")
    assert canvas.height_px < 120
    assert (1 - by_hand.get_position()[1]) * canvas.height_px == pytest.approx(300)


def test_text_of_charts_is_at_least_24_px_on_a_slide() -> None:
    for language in LANGUAGES:
        canvas = drawn(draw_lines(random_lines(2)), size="slide", language=language)
        sizes = [text.get_fontsize() for text in canvas.texts]
        sizes += [text.get_fontsize() for text in canvas.axes[0].get_xticklabels()]
        assert min(sizes) * SLIDE_SCALE >= 24
        assert canvas.width_px * SLIDE_SCALE == 1120
        assert canvas.height_px * SLIDE_SCALE <= 560


def test_on_a_slide_the_title_of_x_stands_behind_the_ticks_where_there_is_room() -> None:
    below = {}
    for size, end in (("slide", 18), ("slide", 15), ("column", 18)):
        rows = [{"batch": n, "share": n / end} for n in range(end + 1)]
        canvas = drawn(lambda f, t, rows=rows: charts.lines(f, rows, x="batch", y="share"), size=size)
        assert ticks(canvas.axes[0], "x")[-1] == "15"
        title = next(text for text in canvas.texts if text.get_text() == "Batch")
        position = canvas.axes[0].get_position()
        below[size, end] = (position.y0 - title.get_position()[1]) * canvas.height_px
        assert not collisions(canvas)
    assert below["slide", 18] < 25 < below["slide", 15]
    assert below["column", 18] > 25


def test_on_a_slide_a_quantity_and_its_unit_share_a_line() -> None:
    rows = {"batch": [1, 8], "rate": [1e14, 8e14]}
    said = {
        size: texts(drawn(lambda f, t: charts.lines(f, rows, x="batch", y="rate"), size=size))
        for size in ("column", "slide")
    }
    assert said == {
        "column": ["Attainable rate", "TFLOP/s", "Batch"],
        "slide": ["Attainable rate, TFLOP/s", "Batch"],
    }


def test_a_chart_gives_up_height_on_a_slide_before_the_text_of_all_shrinks() -> None:
    grid = [
        {"x": x, "y": y, "state": state, "batch": 1}
        for y in range(6)
        for x, state in enumerate(("mem", "cmp"))
    ]

    def draw(figure: Canvas, t: Any) -> None:
        charts.cells(figure, grid, x="x", y="y", state="state", by="batch")
        charts.lines(figure, {"batch": [0, 18], "share": [0, 1]}, x="batch", y="share", height=90)

    canvas = drawn(draw, size="slide", room=(686, 305))
    cells, chart = (axes.get_position().height * canvas.height_px for axes in canvas.axes)
    assert canvas.height_px == 305
    assert 54 <= chart < 90 < cells
