"""The drawing functions for axes: what each draws."""

import pytest
from matplotlib.colors import to_hex

from diglot.figures.chips import chip
from diglot.figures.drawing.axes import (
    axis_titles,
    bar,
    bar_rows,
    decades,
    direct_labels,
    heat_map,
    linear_axis,
    log_axis,
    plain_number,
    roof,
    stacked_bar,
)
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.collisions import collisions
from diglot.figures.drawing.style import CAPITALS_EM, use_style
from diglot.figures.palette import SENTINELS


@pytest.fixture
def canvas() -> Canvas:
    use_style("en", "variables")
    return Canvas("column", "en")


def labels_of(axis) -> list[str]:
    return [text.get_text() for text in axis.get_ticklabels()]


def test_axes_lie_where_they_were_put_in_pixels(canvas: Canvas):
    axes = canvas.axes_px(42, 46, 500, 300)
    canvas.draw_without_rendering()
    box = axes.get_window_extent()
    assert (box.x0, canvas.height_px - box.y1, box.width, box.height) == pytest.approx((42, 46, 500, 300))


def test_what_is_placed_keeps_its_distance_from_the_top_when_the_height_changes(canvas: Canvas):
    axes = canvas.axes_px(42, 46, 500, 200)
    canvas.set_height_px(300)
    canvas.draw_without_rendering()
    box = axes.get_window_extent()
    assert (box.x0, 300 - box.y1, box.width, box.height) == pytest.approx((42, 46, 500, 200))


def test_a_log_axis_has_decades_in_human_numbers(canvas: Canvas):
    axes = canvas.axes_px(42, 46, 500, 300)
    log_axis(axes, "y", 1e12, 2e15, unit=1e12)
    log_axis(axes, "x", 0.1, 4000)
    assert labels_of(axes.yaxis) == ["1", "10", "100", "1,000"]
    assert labels_of(axes.xaxis) == ["0.1", "1", "10", "100", "1,000"]
    assert not axes.xaxis.get_minor_ticks()
    assert decades(2, 900) == [10, 100]


def test_a_linear_axis_labels_its_ticks_in_a_unit(canvas: Canvas):
    axes = canvas.axes_px(42, 46, 500, 300)
    linear_axis(axes, "y", 0, 1, ticks=(0, 0.5, 1), unit=0.01, suffix="%")
    assert labels_of(axes.yaxis) == ["0", "50", "100%"]


@pytest.mark.parametrize(
    ("value", "text"), [(0.1, "0.1"), (1000.0, "1,000"), (0.25, "0.25"), (1e-6, "0.000001")]
)
def test_a_tick_has_only_the_digits_it_needs(value: float, text: str):
    assert plain_number(value) == text


def test_a_roof_bends_where_peak_and_bandwidth_meet(canvas: Canvas):
    axes = canvas.axes_px(42, 46, 500, 300)
    log_axis(axes, "x", 1, 4000)
    log_axis(axes, "y", 1e12, 2e15, unit=1e12)
    ridge = roof(axes, peak=989e12, bandwidth=4.8e12, chip=chip("h200"), foot="206")
    assert ridge == pytest.approx(206.04, abs=0.01)
    slope = next(line for line in axes.lines if len(line.get_xdata()) == 3)
    assert list(slope.get_xdata()) == pytest.approx([1, ridge, 4000])
    assert list(slope.get_ydata()) == pytest.approx([4.8e12, 989e12, 989e12])


def test_bars_start_at_zero_and_carry_their_value(canvas: Canvas):
    axes = canvas.axes_px(84, 38, 500, 90)
    bar_rows(axes, 3, 900)
    for row, value in enumerate((100, 900, 400)):
        bar(axes, row, value, color="gpu3", text=str(value))
    assert [patch.get_x() for patch in axes.patches] == [0, 0, 0]
    canvas.draw_without_rendering()
    assert {round(patch.get_window_extent().height) for patch in axes.patches} == {18}
    assert collisions(canvas) == ()


def test_parts_of_a_bar_come_in_one_order(canvas: Canvas):
    axes = canvas.axes_px(84, 38, 500, 90)
    bar_rows(axes, 1, 10)
    stacked_bar(
        axes, 0, [("cmp", 3), ("mem", 4), ("idle", 3)], words=("compute", "memory", "idle"), text="10.0"
    )
    assert [patch.get_x() for patch in axes.patches] == [0, 3, 7]
    with pytest.raises(ValueError, match="in this order"):
        stacked_bar(axes, 0, [("mem", 3), ("cmp", 4)])


def test_numbers_in_cells_are_written_where_the_script_says(canvas: Canvas):
    axes = canvas.axes_px(42, 62, 400, 200)
    heat_map(
        axes, [[0.1, 0.9], [0.5, 1.0]], text_of=lambda value, row, column: f"{value:.1f}" if row else None
    )
    assert [text.get_text() for text in axes.texts] == ["0.5", "1.0"]


def test_cells_of_one_step_are_one_shape(canvas: Canvas):
    axes = canvas.axes_px(42, 62, 400, 200)
    heat_map(axes, [[0.05, 0.95, 0.01], [0.5, 0.04, 0.91]])
    shapes = {patch.get_facecolor(): len(patch.get_path().vertices) // 5 for patch in axes.patches}
    assert {to_hex(colour): count for colour, count in shapes.items()} == {
        SENTINELS["seq0"]: 3,
        SENTINELS["seq5"]: 1,
        SENTINELS["seq9"]: 2,
    }


def name_lines(canvas: Canvas, values: tuple[float, ...]) -> list[float]:
    """Label a line at each value. Returns the distance of each label from its line, in pixels."""
    axes = canvas.axes_px(42, 46, 500, 300)
    linear_axis(axes, "y", 0, 1000, ticks=())
    linear_axis(axes, "x", 0, 1, ticks=())
    direct_labels(axes, 1, [(value, f"chip {value}", "ink") for value in values])
    half_a_capital = 14 * CAPITALS_EM["en"] / 2
    return [text.xyann[1] + half_a_capital for text in axes.texts]


@pytest.mark.parametrize("values", [(989, 918, 459), (989, 988, 987, 986), (10, 900), (5,), ()])
def test_names_of_lines_do_not_collide(canvas: Canvas, values: tuple[float, ...]):
    name_lines(canvas, values)
    assert collisions(canvas) == ()


def test_names_with_room_stand_on_their_lines(canvas: Canvas):
    assert name_lines(canvas, (10, 500, 900)) == pytest.approx([0, 0, 0])


def test_names_without_room_share_the_shift(canvas: Canvas):
    shifts = name_lines(canvas, (500, 500, 500, 10))
    assert shifts == pytest.approx([0, -17, 0, 17])


def test_titles_and_units_stand_level_at_the_corners(canvas: Canvas):
    axis_titles(canvas, y="Attainable rate", unit="TFLOP/s", x="Arithmetic intensity, FLOP/B")
    assert collisions(canvas) == ()
    assert [text.get_rotation() for text in canvas.texts] == [0, 0, 0]
