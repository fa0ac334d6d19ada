"""Labels do not overlap, and stay inside the picture."""

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.collisions import collisions
from diglot.figures.drawing.style import use_style

from .conftest import Workshop


def test_text_over_text_is_found():
    use_style("zh", "variables")
    canvas = Canvas("column", "zh")
    canvas.text_px(10, 50, "算术强度")
    canvas.text_px(40, 52, "H200")
    canvas.text_px(10, 90, "apart")
    (found,) = collisions(canvas)
    assert (found.text, found.other) == ("H200", "算术强度")


def test_text_that_leaves_the_picture_is_found():
    use_style("en", "variables")
    canvas = Canvas("narrow", "en")
    canvas.text_px(300, 50, "Arithmetic intensity")
    (found,) = collisions(canvas)
    assert found.other is None
    assert str(found).startswith("'Arithmetic intensity' is partly outside the drawing by ")


def test_a_title_and_its_unit_below_do_not_collide():
    for language in ("zh", "en"):
        use_style(language, "variables")
        canvas = Canvas("column", language)
        canvas.text_px(0, 14, "可达算力 Agjp")
        canvas.text_px(0, 31, "TFLOP/s gjp", small=True)
        assert collisions(canvas) == ()


def test_ticks_outside_the_limits_do_not_count():
    use_style("en", "variables")
    canvas = Canvas("column", "en")
    axes = canvas.axes_px(40, 40, 600, 300)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_xticks([0, 1, 50], ["0", "1", "50"])
    axes.set_xlim(0, 1)
    axes.set_yticks([0, 1], ["", ""])
    assert collisions(canvas) == ()


def test_labels_placed_in_the_data_are_measured_where_they_stand():
    use_style("en", "variables")
    canvas = Canvas("column", "en")
    axes = canvas.axes_px(40, 40, 400, 300)
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    axes.annotate("one", (1, 0.5), (10, 0), textcoords="offset points", annotation_clip=False)
    axes.annotate("two", (1, 0.5), (12, 2), textcoords="offset points", annotation_clip=False)
    assert len(collisions(canvas)) == 1


def test_a_label_that_is_not_drawn_does_not_count():
    use_style("en", "variables")
    canvas = Canvas("column", "en")
    axes = canvas.axes_px(40, 40, 400, 300)
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    axes.annotate("one", (2, 2))
    assert collisions(canvas) == ()


def test_text_too_small_to_read_is_a_warning(workshop: Workshop):
    script = workshop.drawing("tiny", "figure.text_px(5, 20, 'tiny', size=9)")
    (warning,) = workshop.draw_report(script).warnings
    assert warning.message == "figure \"tiny\", narrow and column: 'tiny' is smaller than 12 px"
    assert warning.location.line == 4


def test_an_author_is_warned_with_size_and_language(workshop: Workshop):
    script = workshop.drawing(
        "collides", "figure.text_px(330, 20, 'far away')\nfigure.text_px(5, 20, 'x' * 9)"
    )
    warning, in_english = workshop.draw_report(script).warnings
    assert warning.rule == in_english.rule == "figure-labels"
    assert warning.message == 'figure "collides", narrow, zh: labels overlap'
    assert "'far away' is partly outside the drawing" in warning.detail
    assert warning.location.line == 4
