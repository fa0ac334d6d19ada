"""Communication behind arithmetic, and feed-forward networks split along two dimensions."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    RUNTIMES,
    Experts,
    Layout,
    Ring,
    StepOptions,
    TransformerModel,
    Workload,
    decode,
    deploy,
    estimate_decode,
    estimate_prefill,
    estimate_step,
    load_catalogue,
    load_model,
    overlap_chunks_s,
    overlap_two_batches_s,
    prefill,
    serve_continuously,
    serve_in_chunks,
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


def deploy_overlapped(chunks, chip="h100-sxm", **layout):
    return deploy(LARGE, chip, layout=Layout(**layout), options=StepOptions(overlapped_chunks_count=chunks))


def test_chunks_gain_less_than_perfect_overlap_and_never_twice():
    """Hiding the shorter of two parts at most halves the time."""
    times = [
        estimate_prefill(deploy_overlapped(chunks, "tpu-v4", tensor_count=8), 4096).time_s
        for chunks in (1, 2, 8, 10**6)
    ]
    plain = estimate_prefill(deploy(LARGE, "tpu-v4", layout=Layout(tensor_count=8)), 4096)
    assert times[0] == plain.time_s
    assert times[0] > times[1] > times[2] > times[3] > plain.time_s / 2


def test_an_overlapped_step_keeps_its_sum():
    step = estimate_decode(deploy_overlapped(4, tensor_count=8), 2000, batch_count=np.array([1, 64]))
    operators = sum(entry.time_s for entry in step.operators)
    np.testing.assert_allclose(step.time_s, operators + step.communication_s)
    np.testing.assert_allclose(step.interval_s, step.time_s)


def test_every_way_of_serving_gains_what_its_steps_gain():
    workload = Workload(prompt_tokens=4096, output_tokens=100)
    plain, hidden = (deploy_overlapped(chunks, "tpu-v4", tensor_count=8) for chunks in (1, 16))
    for serve in (serve_continuously, partial(serve_in_chunks, chunk_tokens=512)):
        assert serve(hidden, workload, 16).tpot_s < serve(plain, workload, 16).tpot_s


def test_without_tensor_ways_there_is_nothing_to_hide():
    step = estimate_prefill(deploy_overlapped(8, pipeline_count=8), 1000)
    assert step.tensor_communication_s == 0


def test_the_host_is_not_hidden():
    """A step that the host holds up takes as long with transfers hidden."""
    waiting = {"layout": Layout(tensor_count=8), "timing": "calibrated", "runtime": RUNTIMES["static"]}
    plain, hidden = (
        estimate_decode(deploy(LARGE, "h100", options=options, **waiting), 100)
        for options in (StepOptions(), StepOptions(overlapped_chunks_count=8))
    )
    assert hidden.communication_s < plain.communication_s
    assert hidden.time_s == plain.time_s == plain.host_time_s


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


def test_two_dimensions_inside_a_deployment():
    """64 chips as 4 x 16 ways send half of the bytes for the feed-forward half of a layer."""
    model = TransformerModel(
        layers_count=4, width_elements=16_384, heads_count=64, feed_forward_elements=65_536,
        vocabulary_count=256_000,
    )  # fmt: skip
    ring = Ring(bandwidth_bytes_per_s=2.7e11)
    one, two = (
        estimate_prefill(
            deploy(
                model,
                "tpu-v4",
                layout=Layout(tensor_count=64),
                interconnect=ring,
                options=StepOptions(width_ways_count=ways),
            ),
            512,
        )
        for ways in (1, 4)
    )
    halves = split(64).sent_bytes / split(64, width_ways_count=1).sent_bytes
    assert halves == 0.5
    assert two.tensor_communication_s == pytest.approx((1 + halves) / 2 * one.tensor_communication_s)
    assert two.time_s - one.time_s == pytest.approx(two.tensor_communication_s - one.tensor_communication_s)


def find_feed_forward_share(model, ways, width_ways):
    """Transfers of feed-forward halves over those of the usual split, where bytes alone cost."""
    ring = Ring(bandwidth_bytes_per_s=2.7e11)
    usual_s, split_s = (
        estimate_prefill(
            deploy(
                model,
                "tpu-v5p",
                layout=Layout(tensor_count=ways),
                interconnect=ring,
                options=StepOptions(width_ways_count=each),
            ),
            512,
        ).tensor_communication_s
        for each in (1, width_ways)
    )
    return 2 * split_s / usual_s - 1


def test_experts_split_along_two_dimensions_by_hand():
    """Mixtral, 8 ways as 4 x 2: 4,096 / 4 of the width, and 14,336 / 2 of each of two experts.

    15,360 elements of a token instead of 4,096: few ways are better along the inner width alone. DeepSeek-V3,
    64 ways as 8 x 8: 7,168 / 8 of the width; of 58 layers 2,048 / 8 of each of nine experts, eight routed and
    one shared, of 3 layers 18,432 / 8.
    """
    assert find_feed_forward_share("mixtral-8x7b", 8, 4) == pytest.approx(15_360 / 4096)
    experts, dense = 896 + 9 * 256, 896 + 2304
    assert find_feed_forward_share("deepseek-v3", 64, 8) == pytest.approx(
        (58 * experts + 3 * dense) / 61 / 7168
    )


def test_a_mixture_of_one_expert_is_split_like_its_dense_twin():
    sizes = {
        "layers_count": 4, "width_elements": 4096, "heads_count": 64, "feed_forward_elements": 16_384,
        "vocabulary_count": 32_000,
    }  # fmt: skip
    dense = TransformerModel(**sizes)
    mixture = TransformerModel(
        **sizes, experts=Experts(routed_count=8, active_count=1, hidden_elements=16_384)
    )
    assert find_feed_forward_share(mixture, 64, 4) == find_feed_forward_share(dense, 64, 4) == 0.5


@pytest.mark.parametrize(
    ("model", "layout", "options", "message"),
    [
        ("llama-3-8b", Layout(tensor_count=8), {"width_ways_count": 3}, "must divide 8 tensor ways, not 3"),
        ("llama-3-8b", Layout(), {"routing_skew": 0.5}, "routing_skew needs experts"),
        ("mixtral-8x7b", Layout(), {"redundant_experts_count": 2}, "needs a routing_skew"),
        ("mixtral-8x7b", Layout(), {"overlapped_chunks_count": 0}, "overlapped_chunks_count must be"),
    ],
)
def test_options_without_their_layers_or_ways_are_refused(model, layout, options, message):
    with pytest.raises(ValueError, match=message):
        deploy(model, "h100", layout=layout, options=StepOptions(**options))
