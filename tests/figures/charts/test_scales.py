"""Axes: every range of numbers has ticks that can be read, in every kind of chart."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from diglot.figures import charts
from diglot.figures.charts.scales import KINDS, AxisValues, Scale, scale_of
from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.lint import look_over
from diglot.figures.scripts.columns import DeclaredColumn
from diglot.figures.scripts.misuse import Misuse
from diglot.languages import Bilingual
from tests.figures.charts.drawing import drawn, ticks

RANGES: list[tuple[float, float]] = [
    *((1, 4), (2, 8), (10, 40), (2021, 2024), (3, 5), (5, 7), (0.41, 0.53), (7, 9.5), (95, 101)),
    *((-1, 4), (-8, -2), (-1e-9, 1e-9), (0, 0), (5, 5), (-5, -5), (0.3, 0.1 + 0.2), (0.41, 0.41)),
    *((0, 1e30), (1e30, 1e30), (1e-30, 2e-30), (1e-30, 1), (2**60, 2**60 + 3), (1, 2**60)),
    *((1_732_700_000_000, 1_732_700_000_100), (99.999, 100.001), (1e-7, 1e12), (1, 1e99)),
]
_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹\N{MINUS SIGN}", "-0123456789-")


def value_of(label: str) -> float:
    """The number that a tick label says."""
    text = label.translate(_DIGITS).replace(",", "").replace("\N{NO-BREAK SPACE}", "")
    if "⁻" in label or any(one in label for one in "⁰¹²³⁴⁵⁶⁷⁸⁹"):
        mantissa, _, power = text.rpartition("×10") if "×" in text else ("1", "", text)
        return float(mantissa) * 10.0 ** int(power) if "×" in text else 2.0 ** int(text[1:])
    return float(text)


def faults_of(scale: Scale, values: Sequence[float]) -> list[str]:
    """What readers of an axis would stumble over."""
    found = []
    if len(scale.ticks) < 2:
        found.append(f"ticks {scale.ticks}")
    if any(a >= b for a, b in pairwise(map(value_of, scale.labels))):
        found.append(f"labels {scale.labels}")
    if any(not -1e-6 <= scale.share(at) <= 1 + 1e-6 for at in (*scale.ticks, *values)):
        found.append(f"{values} and ticks {scale.ticks} leave the axis {scale.low} to {scale.high}")
    for tick, label in zip(scale.ticks, scale.labels, strict=True):
        gap = min((abs(tick - other) for other in scale.ticks if other != tick), default=1)
        if abs(value_of(label) * scale.factor - tick) > 1e-5 * gap:
            found.append(f"{label} stands at {tick}")
    return found


def axis(values: Sequence[float], kind: str, *, unit: str = "", most: int, **options: Any) -> Scale:
    column = DeclaredColumn(label=Bilingual("量", "Quantity"), unit=Bilingual(unit, unit))
    return scale_of(AxisValues.of(values, kind), column, "en", kind=kind, most_ticks=most, **options)


def test_every_range_has_two_ticks_on_every_scale() -> None:
    wrong = []
    for ends in RANGES:
        for kind in KINDS:
            values = ends if kind == "linear" else [abs(end) or 1.0 for end in ends]
            for most in range(2, 9):
                for options in ({}, {"tight": True}, {"padded": True}, {"tight": True, "padded": True}):
                    found = faults_of(axis(values, kind, most=most, **options), values)
                    wrong += [f"{values} {kind} {most} {options}: {fault}" for fault in found]
    assert wrong == []


NUMBERS = st.one_of(
    st.integers(-(2**60), 2**60),
    st.integers(-50, 3000),
    st.floats(-1e6, 1e6, allow_subnormal=False),
    st.floats(-1e30, 1e30, allow_subnormal=False),
)


def shown_by(values: Sequence[float], kind: str) -> list[float]:
    """Values that an axis of this kind can show."""
    shown = [abs(value) if kind != "linear" else value for value in values]
    assume(all((value != 0 or kind == "linear") and not 0 < abs(value) < 1e-90 for value in shown))
    return shown


@given(
    values=st.lists(NUMBERS, min_size=1, max_size=4),
    kind=st.sampled_from(KINDS),
    most=st.integers(2, 8),
    unit=st.sampled_from(["", "share", "s", "FLOP/s", "B"]),
    tight=st.booleans(),
    padded=st.booleans(),
)
def test_any_numbers_have_an_axis_that_can_be_read(
    values: list[float], kind: str, most: int, unit: str, tight: bool, padded: bool
) -> None:
    shown = shown_by(values, kind)
    scale = axis(shown, kind, unit=unit, most=most, tight=tight, padded=padded)
    assert faults_of(scale, shown) == []


def test_a_small_range_far_from_zero_has_ticks_of_its_own() -> None:
    for kind in ("log10", "log2"):
        assert axis([2.0, 2.001, 2.004], kind, most=6).labels == ("2", "2.001", "2.002", "2.003", "2.004")
    for end in (1e6 + 0.004, 4096.0004, 0.30004):
        low = float(round(end, 1))
        assert axis([end], "linear", most=6, domain=(low, end)).ticks[-1] == pytest.approx(end, rel=1e-12)


def test_whole_numbers_have_whole_ticks() -> None:
    for values in ((1, 3), (2021, 2024), (0, 1), (1, 2)):
        scale = axis(values, "linear", most=8, tight=True)
        assert all(tick.is_integer() for tick in scale.ticks), values


def test_ends_that_no_axis_can_have_are_errors_with_a_way_out() -> None:
    for values, kind, domain, message in (
        ([1, 2], "linear", (4, 1), "give the domain as (lower, higher)"),
        ([1, 2], "linear", (5, 5), "give the domain as (lower, higher)"),
        ([1, 2], "linear", (5, None), "give both ends of its domain"),
        ([], "linear", (None, None), "give it rows, or both ends of the axis"),
        ([1, 2], "log10", (0, None), "use a linear one"),
        ([1, 1e200], "linear", (None, None), "divide all of them"),
        ([1, 1e-200], "linear", (None, None), "round it to 0"),
    ):
        with pytest.raises(Misuse) as caught:
            axis(values, kind, most=6, domain=domain)
        assert message in caught.value.fix
    with pytest.raises(ValueError, match="no place for a tick at 50"):
        axis([1, 10], "linear", most=6).with_ticks((1, 50))


Draw = Callable[[Canvas, list[float], str], Any]


def _rows(values: Sequence[float]) -> list[dict[str, Any]]:
    return [{"batch": n + 1, "model": f"m{n}", "ms": value} for n, value in enumerate(values)]


def _pairs(values: Sequence[float]) -> list[dict[str, Any]]:
    return [{"batch": value, "ms": value} for value in sorted(values)]


WITH_AXES: dict[str, Draw] = {
    "lines": lambda f, v, k: charts.lines(f, _pairs(v), x="batch", y="ms", x_scale=k, y_scale=k),
    "areas": lambda f, v, k: charts.areas(f, _pairs(v), x="batch", y="ms", x_scale=k),
    "points": lambda f, v, k: charts.points(f, _pairs(v), x="batch", y="ms", x_scale=k, y_scale=k),
    "pareto": lambda f, v, k: charts.pareto(f, _pairs(v), x="batch", y="ms", x_scale=k, y_scale=k),
    "panels": lambda f, v, k: [
        chart.lines(rows)
        for chart, rows in charts.panels(
            f,
            [row | {"model": name} for name in "ab" for row in _pairs(v)],
            by="model",
            x="batch",
            y="ms",
            x_scale=k,
            y_scale=k,
        )
    ],
    "timeline": lambda f, v, k: charts.timeline(
        f, [row | {"ms": abs(row["ms"])} for row in _rows(v)], y="model", duration="ms"
    ),
}
WITHOUT_AXES: dict[str, Draw] = {
    "bars": lambda f, v, k: charts.bars(f, _rows(v), y="model", x="ms"),
    "dumbbell": lambda f, v, k: charts.dumbbell(
        f, [row | {"batch": abs(row["ms"])} for row in _rows(v)], y="model", x=("ms", "batch")
    ),
    "slope": lambda f, v, k: charts.slope(
        f,
        [row | {"batch": n} for row in _rows(v) for n in (1, 2)],
        x="batch",
        y="ms",
        series="model",
        y_scale=k,
    ),
    "waterfall": lambda f, v, k: charts.waterfall(
        f, [row | {"ms": abs(row["ms"])} for row in _rows(v)], y="model", x="ms", series="model", total="all"
    ),
    "heat_map": lambda f, v, k: charts.heat_map(f, _rows(v), x="batch", y="model", value="ms"),
    "roofline": lambda f, v, k: charts.roofline(
        f,
        [{"chip": "h200", "peak": 989e12, "bandwidth": 4.8e12}],
        [{"kernel": "k", "intensity": abs(value) or 1} for value in v],
    ),
}


@pytest.mark.parametrize("name", [*WITH_AXES, *WITHOUT_AXES])
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=[Phase.generate]
)
@given(
    values=st.lists(
        st.one_of(st.integers(-50, 3000), st.integers(-(2**60), 2**60), st.floats(-1e9, 1e9)),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    kind=st.sampled_from(KINDS),
    size=st.sampled_from(["narrow", "column", "slide"]),
)
def test_every_chart_draws_every_range(name: str, values: list[float], kind: str, size: Any) -> None:
    shown = shown_by(values, kind)
    draw = (WITH_AXES | WITHOUT_AXES)[name]
    canvas = drawn(lambda figure, t: draw(figure, shown, kind), size=size)
    found = [one for one in look_over(canvas, laid_out=True) if one.rule == "figure-labels"]
    labels = {text.get_text() for axes in canvas.axes for which in "xy" for text in _tick_texts(axes, which)}
    overlapping = [one for one in found if any(label in (one.detail or "") for label in labels)]
    assert overlapping == []
    if name in WITH_AXES:
        for axes in canvas.axes:
            for which in "x" if name == "timeline" else "xy":
                written = [label for label in ticks(axes, which) if label]
                places = [value_of(label) for label in written]
                assert len(written) >= 2 or axes is not canvas.axes[0], (which, written)
                assert places == sorted(set(places)), (which, written)


def _tick_texts(axes: Any, which: str) -> list[Any]:
    return [text for text in getattr(axes, f"{which}axis").get_ticklabels() if text.get_text()]


def test_axes_of_a_single_point_keep_it_inside() -> None:
    for value in (0, 5, -5, 2024, 0.41, 1e30, 2**60):
        canvas = drawn(
            lambda f, t, value=value: charts.lines(f, {"batch": [value], "ms": [value]}, x="batch", y="ms")
        )
        (axes,) = canvas.axes
        for low, high in (axes.get_xlim(), axes.get_ylim()):
            room = 1e-9 * abs(value)
            assert low - room <= value <= high + room, value
            assert math.isfinite(high - low)


def test_labels_with_exponents_stand_on_the_line_of_the_others() -> None:
    for highest, level in ((1e21, "baseline"), (1e6, "top")):
        rows = {"batch": [1, highest], "ms": [1, 2]}
        canvas = drawn(lambda f, t, r=rows: charts.lines(f, r, x="batch", y="ms", x_scale="log10"))
        labels = canvas.axes[0].get_xticklabels()
        assert {label.get_verticalalignment() for label in labels} == {level}
        assert [one for one in look_over(canvas, laid_out=True) if one.rule == "figure-labels"] == []


@pytest.mark.parametrize("size", ["narrow", "column", "slide"])
@pytest.mark.parametrize("value", [-1_000_000, -107_846_076, 123_456_789])
def test_labels_of_neighbouring_panels_stay_apart(value: int, size: Any) -> None:
    canvas = drawn(lambda figure, t: WITH_AXES["panels"](figure, [value], "linear"), size=size)
    assert [one.message for one in look_over(canvas, laid_out=True) if one.rule == "figure-labels"] == []


@pytest.mark.parametrize(
    "unit", [800, 10**3, 10**6, 2 * 10**6, 10**9, 3 * 10**11, 10**12, 15 * 10**12, 10**15]
)
def test_round_numbers_have_round_ticks(unit: int) -> None:
    scale = axis([n * unit for n in (1, 2, 3, 4)], "linear", most=6)
    steps = {round((b - a) / unit, 6) for a, b in pairwise(scale.ticks)}
    assert steps <= {0.5, 1.0, 2.0, 0.25, 2.5} or unit in (800, 3 * 10**11, 15 * 10**12)
    assert all(float(f"{tick:.3g}") == tick for tick in scale.ticks), scale.labels


@pytest.mark.parametrize(
    "sizes", [[512, 768, 1024], [128, 256, 512, 4096], [96, 192, 960], [2**20, 2**21, 3 * 2**20]]
)
def test_sizes_of_tiles_have_powers_of_two_as_ticks(sizes: list[int]) -> None:
    ticks = [tick for tick in axis(sizes, "linear", most=6).ticks if tick]
    assert all(math.gcd(int(tick), 2**40) >= 32 for tick in ticks), ticks
