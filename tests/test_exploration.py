"""What an author writes after `:explore:`, and which states of a figure it gives."""

import pytest

from diglot.exploration import ExploreError, read_exploration, written
from diglot.figure_request import FigureRequest
from diglot.figures.frames.plan import PlanError, plan_frames
from diglot.figures.records import Domain

DOMAINS = (
    Domain(name="dtype", kind="choice", values=("bf16", "fp8"), default="bf16"),
    Domain(name="batch", kind="range", range=(1, 512, 1), default="32"),
    Domain(name="fused", kind="switch", values=("false", "true"), default="false"),
)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("dtype", "dtype"),
        ("dtype, batch=1..64 step 8", "dtype, batch = 1..64 step 8"),
        ("x = -0.5 .. 2", "x = -0.5..2"),
        (" tile = [64x128,128x128] , fused ", "tile = [64x128, 128x128], fused"),
    ],
)
def test_parameters_and_their_values_are_read(text: str, read: str):
    assert written(read_exploration(text)) == read
    assert written(read_exploration(read)) == read


@pytest.mark.parametrize(
    ("text", "message", "fix", "at"),
    [
        ("dtype, batch 1..64", 'there is no "=" after "batch"', "write `batch = 1..64`.", 7),
        ("batch [1, 8]", 'there is no "=" after "batch"', "write `batch = [1, 8]`.", 0),
        ("dtype, dtype", '"dtype" is named twice', "name each parameter once.", 7),
        (
            "n = many",
            '"many" says no values of "n"',
            "write `n = 1..64`, `n = 1..64 step 8` or `n = [1, 8, 64]`.",
            0,
        ),
        (
            "Batch",
            '"Batch" cannot be the name of a parameter',
            "name parameters of the script, as in `dtype, batch = 1..64 step 8, tile = [64x128, 128x128]`.",
            0,
        ),
        (
            "dtype,, batch",
            '",, batch" cannot be read',
            "write it as in `dtype, batch = 1..64 step 8, tile = [64x128, 128x128]`.",
            5,
        ),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, message: str, fix: str, at: int):
    with pytest.raises(ExploreError) as caught:
        read_exploration(text)
    assert (caught.value.message, caught.value.fix, caught.value.at) == (message, fix, at)


def planned(text: str, request: str = "roofline", most: int | None = None):
    asked = FigureRequest.parse(request)
    current = {domain.name: domain.default for domain in DOMAINS} | dict(asked.parameters)
    return plan_frames(asked, read_exploration(text), DOMAINS, tuple(current.items()), most=most)


def test_frames_are_the_product_and_the_shown_one_keeps_its_request():
    plan = planned("dtype, batch = [8, 32]", "roofline?dtype=bf16&fused=true")
    assert [*map(str, plan.requests())] == [
        "roofline?batch=8&fused=true",
        "roofline?dtype=bf16&fused=true",
        "roofline?batch=8&dtype=fp8&fused=true",
        "roofline?dtype=fp8&fused=true",
    ]
    assert plan.default == 1


def test_a_part_of_a_range_is_taken_in_steps_from_its_start():
    (axis,) = planned("batch = 16..64 step 8").axes
    assert axis.values == ("16", "24", "32", "40", "48", "56", "64")
    assert axis.default == 2


@pytest.mark.parametrize(
    ("text", "rule", "message", "fix", "at"),
    [
        (
            "dtype, btach",
            "explore-parameter",
            '"btach" is not a parameter of the figure "roofline"',
            'did you mean "batch"?',
            7,
        ),
        (
            "dtype = [bf16, fp16]",
            "explore-value",
            '"fp16" is not a value of "dtype"',
            "the script allows bf16, fp8.",
            0,
        ),
        (
            "batch = 600..700",
            "explore-value",
            "`batch = 600..700` has no value to choose from",
            "the script allows 1, 2 … 512.",
            0,
        ),
        (
            "batch = 1..64 step 8",
            "explore-default",
            "the figure is shown with batch = 32, which is not among the values of `batch = 1..64 step 8`",
            "add it, or begin with another value: write `:batch: 1` on a line of its own.",
            0,
        ),
        (
            "dtype, batch",
            "explore-frames",
            'dtype × batch gives 2 × 512 = 1,024 states of the figure "roofline"; at most 200 are allowed',
            'give "batch" at most 100 values, as in `batch = 2..512 step 6`, '
            "or raise `frames` in site/site.yaml.",
            7,
        ),
    ],
)
def test_what_the_script_does_not_allow_is_told(text: str, rule: str, message: str, fix: str, at: int):
    with pytest.raises(PlanError) as caught:
        planned(text, most=200)
    error = caught.value
    assert (error.rule, error.message, error.fix, error.at) == (rule, message, fix, at)
