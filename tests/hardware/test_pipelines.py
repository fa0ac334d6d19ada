"""Pipeline schedules: bubbles as formulas and as timelines."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import Passes, Pipeline, schedule_pipeline
from diglot.hardware.training.pipelines import SCHEDULES

TIMES = st.floats(0.1, 10)


@given(
    schedule=st.sampled_from(SCHEDULES),
    chunks=st.integers(1, 3),
    stages=st.integers(1, 6),
    more=st.integers(0, 2),
    passes=st.builds(Passes, forward_s=TIMES, backward_s=TIMES, weights_s=TIMES),
)
def test_the_formula_is_the_idle_time_of_the_timeline(schedule, chunks, stages, more, passes):
    pipeline = Pipeline(schedule=schedule, interleave_count=chunks if schedule == "1f1b" else 1)
    count = stages * (2 + more)
    timeline = schedule_pipeline(pipeline, stages_count=stages, microbatches_count=count, passes=passes)
    expected = pipeline.find_bubble_s(stages, passes)
    assert timeline.bubble_s == pytest.approx(expected, abs=1e-9)
    assert timeline.time_s >= count * passes.total_s - 1e-9


@pytest.mark.parametrize(
    ("pipeline", "bubble"),
    [
        (Pipeline(schedule="gpipe"), 3 * 3),
        (Pipeline(), 3 * 3),
        (Pipeline(interleave_count=3), 3),
        (Pipeline(schedule="zb-h1"), 3),
        (Pipeline(schedule="zb-h2"), 0),
    ],
)
def test_bubbles_of_four_stages_with_passes_of_equal_length(pipeline, bubble):
    """(p - 1) / m of the step, over the chunks; a third of it in ZB-H1, none in ZB-H2. arXiv:2401.10241."""
    assert pipeline.find_bubble_s(4, Passes()) == bubble


@given(stages=st.integers(1, 5), more=st.integers(1, 3), schedule=st.sampled_from(SCHEDULES))
def test_passes_wait_for_what_they_need(stages, more, schedule):
    count = stages * (1 + more)
    timeline = schedule_pipeline(Pipeline(schedule=schedule), stages_count=stages, microbatches_count=count)
    starts = {(c.stage_index, c.kind, c.microbatch_index): c for c in timeline.cells}
    assert len(starts) == len(timeline.cells)
    for (stage, kind, microbatch), cell in starts.items():
        if kind == "forward" and stage:
            assert cell.start_s >= starts[stage - 1, kind, microbatch].end_s
        if kind == "backward":
            before = starts.get((stage + 1, kind, microbatch)) or starts[stage, "forward", microbatch]
            assert cell.start_s >= before.end_s
        if kind == "weights":
            assert cell.start_s >= starts[stage, "backward", microbatch].end_s
    for stage in range(stages):
        own = sorted((c for c in timeline.cells if c.stage_index == stage), key=lambda c: c.start_s)
        assert all(one.end_s <= two.start_s for one, two in pairwise(own))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_no_more_microbatches_are_kept_than_the_formula_says(schedule):
    """From a microbatch's forward pass to its last backward one, on any stage."""
    pipeline, stages, count = Pipeline(schedule=schedule), 4, 12
    cells = schedule_pipeline(pipeline, stages_count=stages, microbatches_count=count).cells
    last = "weights" if schedule.startswith("zb") else "backward"
    most = 0
    for stage in range(stages):
        events = [(c.start_s, 1) for c in cells if (c.stage_index, c.kind) == (stage, "forward")]
        events += [(c.end_s, -1) for c in cells if (c.stage_index, c.kind) == (stage, last)]
        kept = 0
        for _, change in sorted(events):
            kept += change
            most = max(most, kept)
    assert most == pipeline.count_in_flight(stages, count)


def test_one_stage_has_no_bubble():
    for schedule in SCHEDULES:
        assert Pipeline(schedule=schedule).find_bubble_s(1, Passes()) == 0


@pytest.mark.parametrize(
    ("pipeline", "count", "message"),
    [
        (Pipeline(schedule="zb-h1"), 3, "zb-h1 needs at least 4 microbatches on 4 stages, not 3"),
        (Pipeline(schedule="zb-h2"), 6, "at least 7 microbatches"),
        (Pipeline(interleave_count=2), 6, "microbatches_count must be a multiple of 4"),
    ],
)
def test_too_few_microbatches_are_refused(pipeline, count, message):
    with pytest.raises(ValueError, match=message):
        schedule_pipeline(pipeline, stages_count=4, microbatches_count=count)


def test_only_1f1b_is_interleaved():
    with pytest.raises(ValueError, match="interleave_count must be 1 with gpipe"):
        Pipeline(schedule="gpipe", interleave_count=2)
