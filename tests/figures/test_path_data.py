"""Paths written shorter: the same points, read by another library's parser of paths."""

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from hypothesis import given
from hypothesis import strategies as st

from diglot.figures.drawing.path_data import shortened

_COUNTS = {"M": 2, "L": 2, "Q": 4, "C": 6, "z": 0}
_number = st.integers(-99_999, 99_999).map(
    lambda hundredths: f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")
)


@st.composite
def _paths(draw: st.DrawFn) -> str:
    commands: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        commands += [
            "M",
            *draw(st.lists(st.sampled_from("LLLLQC"), max_size=6)),
            *draw(st.sampled_from(["", "z"])),
        ]
    return "".join(one + " ".join(draw(_number) for _ in range(_COUNTS[one])) for one in commands)


def _drawn(data: str) -> list[tuple[str, list[float]]]:
    pen = RecordingPen()
    parse_path(data, pen)
    return [(name, [round(one, 2) + 0.0 for point in points for one in point]) for name, points in pen.value]


@given(_paths())
def test_the_points_stay(path: str) -> None:
    drawn, expected = _drawn(shortened(path)), _drawn(path)
    assert [name for name, _ in drawn] == [name for name, _ in expected]
    for (_, found), (_, given_points) in zip(drawn, expected, strict=True):
        assert found == pytest.approx(given_points, abs=0.001)


@pytest.mark.parametrize(
    ("path", "short"),
    [
        ("M187.5 269.6L218.6 269.6L218.6 247.2L187.5 247.2z", "M187.5 269.6h31.1v-22.4h-31.1z"),
        ("M0 0L1 1L2 2L3 2.5", "M0 0l1 1 1 1 1 .5"),
        ("M1 1L2 1zL0 0", "M1 1h1zl-1-1"),  # after z, the place is where the shape began
        ("M5 5L5 5", "M5 5h0"),  # a dot, where line ends are round
    ],
)
def test_examples(path: str, short: str) -> None:
    assert shortened(path) == short


@pytest.mark.parametrize("path", ["M0 0A5 5 0 0 1 10 10", "M0 0l5 5", "M0 0L1", "0 0L1 1", "M0 0L1e-05 2"])
def test_what_it_does_not_know_stays(path: str) -> None:
    assert shortened(path) == path
