"""Communication behind arithmetic, and feed-forward networks split along two dimensions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    Layout,
    decode,
    deploy,
    estimate_decode,
    estimate_prefill,
    estimate_step,
    load_catalogue,
    load_model,
    overlap_chunks_s,
    overlap_step,
    overlap_two_batches_s,
    prefill,
    split_feed_forward,
)

LARGE = load_model("llama-3-70b")
EIGHT = deploy(LARGE, load_catalogue()["h100-sxm"], layout=Layout(tensor_count=8))


def test_chunks_by_hand():
    assert overlap_chunks_s(4.0, 3.0, chunks_count=1) == 7
    assert overlap_chunks_s(4.0, 3.0, chunks_count=4) == 4.75
    assert overlap_chunks_s(np.array([1.0, 0.0]), 3.0, chunks_count=10).tolist() == pytest.approx([3.1, 3])


@given(st.floats(0, 1e3), st.floats(0, 1e3), st.integers(1, 1000))
def test_more_chunks_are_never_slower_and_never_beat_the_longer_part(compute, sent, chunks):
    time_s = overlap_chunks_s(compute, sent, chunks_count=chunks)
    assert max(compute, sent) <= time_s <= compute + sent + 1e-9
    assert overlap_chunks_s(compute, sent, chunks_count=chunks + 1) <= time_s


def test_chunks_gain_less_than_perfect_overlap_and_never_twice():
    """Hiding the shorter of two parts at most halves the time."""
    deployment = deploy(LARGE, load_catalogue()["tpu-v4"], layout=Layout(tensor_count=8))
    step = estimate_prefill(deployment, 4096)
    gains = [step.time_s / overlap_step(step, chunks_count=chunks).time_s for chunks in (1, 2, 8, None)]
    assert gains[0] == pytest.approx(1)
    assert gains[0] < gains[1] < gains[2] < gains[3] < 2


def test_an_overlapped_step_keeps_its_sum():
    step = overlap_step(estimate_decode(EIGHT, 2000, batch_count=np.array([1, 64])), chunks_count=4)
    operators = sum(entry.time_s for entry in step.operators)
    np.testing.assert_allclose(step.time_s, operators + step.communication_s)
    np.testing.assert_allclose(step.interval_s, step.time_s)


def test_an_overlapped_step_with_stages_keeps_its_interval():
    deployment = deploy(LARGE, load_catalogue()["h100-sxm"], layout=Layout(tensor_count=4, pipeline_count=2))
    step = overlap_step(estimate_prefill(deployment, 2000))
    assert step.interval_s == pytest.approx(step.time_s / 2)


def test_without_tensor_ways_there_is_nothing_to_hide():
    step = estimate_prefill(deploy(load_model("llama-3-8b"), load_catalogue()["h100-sxm"]), 1000)
    assert overlap_step(step).time_s == step.time_s
    assert overlap_step(step).tensor_communication_s == 0


def test_two_batches_hide_the_transfers_of_a_prefill_and_slow_a_small_decode():
    whole = prefill(4096, sequences_count=2)
    assert overlap_two_batches_s(EIGHT, whole) < estimate_step(EIGHT, whole).time_s
    small = decode(2000, sequences_count=2)
    assert overlap_two_batches_s(EIGHT, small) > estimate_step(EIGHT, small).time_s
    with pytest.raises(ValueError, match="sequences_count must be at least 2"):
        overlap_two_batches_s(EIGHT, prefill(4096))


def split(chips, **changes):
    sizes = {"width_elements": 16_384, "inner_elements": 65_536, "bandwidth_bytes_per_s": 2.7e11, **changes}
    return split_feed_forward(512, chips_count=chips, **sizes)


def test_two_dimensions_are_better_from_sixteen_chips_as_published():
    """Pope et al., section 3.2.2: 2 BLE over one dimension, 8 BLE / sqrt(chips) over two, where F = 4 E."""
    one = split(64, width_ways_count=1)
    assert one.sent_bytes == 2 * 512 * 16_384 * 2
    assert split(4, width_ways_count=1).sent_bytes == one.sent_bytes
    for chips in (64, 256):
        best = split(chips)
        assert best.sent_bytes == pytest.approx(8 * 512 * 16_384 / chips**0.5 * 2)
        assert best.width_ways_count == 0.5 * chips**0.5
    assert split(8).width_ways_count == 1
    assert split(16).sent_bytes == one.sent_bytes


def test_more_chips_never_send_more():
    sent = [split(2**power).sent_bytes for power in range(1, 13)]
    assert np.all(np.diff(sent) <= 0)
    assert split(1).sent_bytes == 0


def test_ways_that_do_not_divide_are_refused():
    with pytest.raises(ValueError, match="width_ways_count must divide 64 chips, not 3"):
        split(64, width_ways_count=3)
