"""Where axes lie on the canvas, and the texts that scripts place by themselves."""

import pytest

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.labels import label, plain_number
from diglot.figures.drawing.style import CAPITALS_EM, use_style


@pytest.fixture
def canvas() -> Canvas:
    use_style("en", "variables")
    return Canvas("column", "en")


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


@pytest.mark.parametrize(
    ("value", "text"), [(0.1, "0.1"), (1000.0, "1,000"), (0.25, "0.25"), (1e-6, "0.000001")]
)
def test_a_tick_has_only_the_digits_it_needs(value: float, text: str):
    assert plain_number(value) == text


def test_a_label_is_centred_by_its_capitals(canvas: Canvas):
    axes = canvas.axes_px(42, 46, 500, 300)
    text = label(axes, 0.5, 0.5, "chip", dx=10)
    assert (text.xy, text.xyann[0]) == ((0.5, 0.5), 10)
    assert text.xyann[1] == pytest.approx(-14 * CAPITALS_EM["en"] / 2)
