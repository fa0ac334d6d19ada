"""Factors of replayed kernels: how they are found, what they make of ideal times, and what is refused."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    AttentionShape,
    ExpertLayer,
    count_elementwise,
    estimate_attention,
    load_catalogue,
    load_replay,
    time_attention,
    time_collective,
    time_experts,
    time_gemm,
    time_grouped_gemm,
    time_kernel,
)
from diglot.hardware.chips.calibration import CalibrationError
from diglot.hardware.chips.replay import (
    REPLAY_PATH,
    AttentionFactors,
    CollectiveFactors,
    ExpertFactors,
    OneShotFactors,
    parse_replay,
)
from diglot.hardware.networks.libraries import Library, find_library
from diglot.hardware.networks.topologies import Island
from diglot.hardware.operators.layer_time import balanced_rows, time_expert_products

CHIPS = load_catalogue()
A100, H100, H200, B200 = (CHIPS[id_] for id_ in ("a100-80", "h100-sxm", "h200-sxm", "b200-sxm"))
REPLAY = load_replay()
TEXT = REPLAY_PATH.read_text("utf-8")
MIXTURE = ExpertLayer(width_elements=4096, inner_elements=1536, experts_count=128, active_count=8)


@pytest.mark.parametrize(
    ("chip", "dtype", "found"),
    [
        ("h200-sxm", "fp8", ("h200-sxm", "fp8")),
        ("h200-sxm", "int8", ("h200-sxm", "fp8")),
        ("h200-sxm", "fp16", ("h200-sxm", "bf16")),
        ("h200-sxm", "fp32", ("h200-sxm", "bf16")),
        ("a100-40", "bf16", ("a100-80", "bf16")),
        ("gb200", "fp8", ("b200-sxm", "fp8")),
        ("b300-sxm", "fp4", ("b200-sxm", "fp4")),
        ("h100-sxm", "fp4", ("h100-sxm", "bf16")),
    ],
)
def test_a_chip_takes_its_own_factors_else_those_of_its_family(chip, dtype, found):
    fit = REPLAY.find_fit(CHIPS[chip], "gemm", dtype)
    assert (fit.chip, fit.dtype) == found


def test_other_gpus_take_what_was_measured_first_only_where_asked_to():
    assert REPLAY.find(CHIPS["mi300x"], "elementwise") is None
    assert REPLAY.find(CHIPS["mi300x"], "elementwise", any_gpu=True) is not None
    assert REPLAY.find(CHIPS["tpu-v5p"], "elementwise", any_gpu=True) is None


@pytest.mark.parametrize("chip", ["a100-80", "h100-sxm", "b200-sxm", "mi300x"])
def test_one_element_takes_microseconds(chip):
    time_s = time_kernel(CHIPS[chip], count_elementwise(1), "elementwise", mode="calibrated").time_s
    assert 1e-6 < time_s < 5e-6


def test_the_host_adds_its_launch_to_every_kernel():
    def measure(launches):
        how = {"mode": "calibrated", "launches": launches}
        shape = AttentionShape.of_sequence(512, 8, 128)
        return np.array(
            [
                time_gemm(H100, 64, 64, 64, **how).time_s,
                time_attention(H100, shape, **how).time_s,
                time_experts(H100, MIXTURE, 8, **how).time_s,
                time_collective(H100, "all-reduce", 1024, 8, **how),
            ]
        )

    added = [*[REPLAY.host_launch_s] * 3, REPLAY.host_collective_s]
    np.testing.assert_allclose(measure("host") - measure("graph"), added)


def test_attention_is_launch_arithmetic_and_traffic():
    factors = AttentionFactors(
        compute_fraction=0.5,
        bandwidth_fraction=0.25,
        launch_s=1.0,
        query_overhead_tokens=10.0,
        tail_fraction=0.5,
        ungrouped_fraction=0.5,
        ramp_s=4.0,
    )
    given = {"score_time_s": 3.0, "scores_per_query": 10.0, "block_time_s": 2.0, "memory_time_s": 1.0}
    assert factors.time_s(**given) == 1 + (3 * 2 + 0.5 * 2) / 0.5 + 1 / 0.25 + 2 * 2
    assert factors.time_s(**given, ungrouped=True) - factors.time_s(**given) == 4


def test_collectives_hide_the_shorter_of_steps_and_data():
    factors = CollectiveFactors(launch_s=1.0, per_chip_s=0.5, bandwidth_fraction=0.5, ramp_s=1.0)
    assert factors.time_s(chips_count=4, data_time_s=0.0) == 3
    assert factors.time_s(chips_count=4, data_time_s=1.0) == pytest.approx(5)  # 3 and 2 + 2
    assert factors.time_s(chips_count=4, data_time_s=0.0, phases_count=1) == 1.5


def test_small_arrays_are_exchanged_whole_and_large_ones_in_two_phases():
    nccl = CollectiveFactors(launch_s=1e-5)
    library = Library(nccl=nccl, one_shot=OneShotFactors(launch_s=1e-6))

    def measure(collective, chips, data_s, array_bytes=1e6):
        island = Island(chips_count=chips, egress_bytes_per_s=1e9)
        return library.find_time_s(collective, network=island, data_time_s=data_s, array_bytes=array_bytes)

    small, large = (measure("all-reduce", 8, data_s) for data_s in (1e-7, 1e-3))
    assert small == pytest.approx(1e-6 + 1e-7 * 4)  # 7 arrays where two phases move 2 x 7/8
    assert large == nccl.time_s(chips_count=8, data_time_s=1e-3)
    assert measure("all-gather", 8, 0.0) == pytest.approx(5e-6)
    assert measure("all-reduce", 1, 0.0) == 0


@pytest.mark.parametrize(("chips", "largest_bytes"), [(2, 16e6), (4, 8e6), (8, 8e6)])
def test_arrays_that_do_not_fit_the_buffers_go_through_nccl(chips, largest_bytes):
    nccl = CollectiveFactors(launch_s=1e-5)
    library = Library(nccl=nccl, one_shot=OneShotFactors(launch_s=1e-6))
    fits, does_not = library.find_time_s(
        "all-reduce",
        network=Island(chips_count=chips, egress_bytes_per_s=1e9),
        data_time_s=0.0,
        array_bytes=np.array([largest_bytes, largest_bytes + 2]),
    )
    assert (fits, does_not) == pytest.approx((1e-6, 1e-5))


@pytest.mark.parametrize(
    ("chip", "gpus"), [("h100-sxm", 16), ("h200-sxm", 128), ("a100-80", 16), ("b200-sxm", 32), ("gb200", 16)]
)
def test_one_step_is_never_taken_for_more_gpus_than_were_measured(chip, gpus):
    """Sixteen H100s reduced 16 KiB in 6 us while the fit of one island was applied to them."""
    sizes = 2 ** np.arange(10, 24, 2)
    custom, nccl = (
        time_collective(chip, "all-reduce", sizes, gpus, library=name, mode="calibrated")
        for name in ("custom", "nccl")
    )
    np.testing.assert_allclose(custom, nccl)
    island = time_collective(chip, "all-reduce", sizes, 8, library="custom", mode="calibrated")
    assert np.all(custom > island)


@pytest.mark.parametrize("chip", ["h100-sxm", "b200-sxm", "gb200", "gb300"])
def test_a_collective_over_more_gpus_takes_no_less_and_grows_slowly(chip):
    counts = [2, 4, 8, 16, 32, 64] if chip.startswith("gb") else [2, 4, 8, 16, 64, 512]
    times = [time_collective(chip, "all-reduce", 2**14, gpus, mode="calibrated") for gpus in counts]
    assert times == sorted(times)
    assert times[-1] < 5 * times[2]


def test_only_gpus_have_such_libraries():
    assert find_library(CHIPS["tpu-v5p"]) is None
    assert find_library(H200, "custom").one_shot is not None
    assert find_library(H200, "nccl").one_shot is None
    assert time_collective(CHIPS["tpu-v5p"], "all-reduce", 2**20, (4, 4, 4), mode="calibrated") > 0


def test_rows_are_spread_evenly():
    rows, experts = balanced_rows(10, 4)
    assert (rows.tolist(), experts.tolist()) == ([3, 2], [2, 2])
    rows, experts = balanced_rows(np.array([1, 8]), 4)
    assert (rows.tolist(), experts.tolist()) == ([[1, 0], [3, 2]], [[1, 3], [0, 4]])


def test_experts_over_ways_have_their_share():
    whole, half = (time_experts(H100, MIXTURE, 4096, expert_ways=ways) for ways in (1, 2))
    assert half.compute_time_s == pytest.approx(whole.compute_time_s / 2, rel=0.05)
    split = time_experts(H100, MIXTURE, 4096, tensor_ways=2)
    assert split.memory_time_s < whole.memory_time_s
    with pytest.raises(ValueError, match="expert_ways must divide experts_count: 3 does not divide 128"):
        time_experts(H100, MIXTURE, 4096, expert_ways=3)


def test_rows_pass_memory_more_often_than_the_products_need():
    factors = ExpertFactors(row_passes_count=3.0)
    assert factors.layer_time_s(compute_time_s=2.0, memory_time_s=1.0, rows_time_s=1.0) == 5


@pytest.mark.parametrize(
    ("columns", "depth", "tflops_per_s"),
    [
        (32768, 512, 590), (24576, 1536, 990), (7168, 2048, 1025), (4096, 7168, 1304), (7168, 16384, 1358),
    ],
)  # fmt: skip
def test_tiles_of_shallow_products_in_eight_bits_cost_what_deepgemm_measured(columns, depth, tflops_per_s):
    """DeepGEMM, README of 25 February 2025: products of 4,096 rows on H800, scaled in blocks of 128.

    Grouped ones reach 1,297 and 1,099 at the third and fourth depth, in the same proportion.
    """
    overhead = REPLAY.find(H200, "experts", "fp8").tile_overhead_elements
    assert tflops_per_s == pytest.approx(1430 * depth / (depth + overhead), rel=0.05)


def test_the_step_of_depth_is_that_of_both_products():
    layer = ExpertLayer(width_elements=7168, inner_elements=2048, experts_count=32, active_count=1)
    products = time_expert_products(H200, layer, 32 * 4096, dtype="fp8")
    alone = [
        time_grouped_gemm(H200, 4096, depth, columns, alike_count=32, dtype="fp8").compute_time_s / depth
        for depth, columns in ((7168, 2 * 2048), (2048, 7168))
    ]
    assert products.depth_step_s == pytest.approx(sum(alone))


@settings(max_examples=60, deadline=None)
@given(
    chip=st.sampled_from([A100, H100, H200, B200]),
    batch=st.integers(1, 64),
    queries=st.sampled_from([1, 7, 128, 1000, 8192]),
    context=st.integers(1, 20_000),  # a whole prompt takes another kernel; test_operator_seams.py has those
    groups=st.sampled_from([(8, 8), (32, 8), (64, 1)]),
    head=st.sampled_from([64, 128, 256]),
)
def test_calibrated_attention_is_slower_than_the_ideal_and_grows(chip, batch, queries, context, groups, head):
    shape = AttentionShape(
        batch_count=batch,
        queries_tokens=queries,
        keys_tokens=queries + context,
        heads_count=groups[0],
        kv_heads_count=groups[1],
        head_elements=head,
        causal=True,
    )
    ideal, calibrated = (time_attention(chip, shape, mode=mode).time_s for mode in ("ideal", "calibrated"))
    assert ideal == pytest.approx(estimate_attention(shape, chip).time_s)
    longer = dataclasses.replace(shape, keys_tokens=queries + context + 100)
    assert 0 < ideal < calibrated < time_attention(chip, longer, mode="calibrated").time_s


@settings(max_examples=60, deadline=None)
@given(
    chip=st.sampled_from([A100, H100, H200, B200]),
    chips=st.sampled_from([2, 4, 8]),
    size=st.integers(1, 2**33),
    library=st.sampled_from(["nccl", "custom"]),
    collective=st.sampled_from(["all-reduce", "all-gather", "reduce-scatter", "all-to-all"]),
)
def test_libraries_are_slower_than_the_ideal_and_custom_is_no_slower_than_nccl(
    chip, chips, size, library, collective
):
    def measure(**how):
        return time_collective(chip, collective, size, chips, **how)

    ideal_s, found_s = measure(), measure(library=library, mode="calibrated")
    assert 0 < ideal_s <= found_s <= measure(library="nccl", mode="calibrated") < np.inf
    assert found_s <= time_collective(chip, collective, 2 * size, chips, library=library, mode="calibrated")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema: replay/1", "schema: replay/2", "replay/2"),
        ("operator: nccl", "operator: rccl", "rccl"),
        ("dtype: fp8", "dtype: fp9", "fp9"),
        ("host_launch_s:", "host_launches_s:", "host_launches_s"),
        ("points: 110", "points: many", "must be a number"),
        ("compute_fraction: 0.8971", "compute_fraction: 1.5", "compute_fraction must be at most 1"),
        ("row_passes_count:", "rows:", "rows"),
    ],
)
def test_mistakes_in_the_file_are_told_by_line_and_key(old, new, message):
    assert old in TEXT
    with pytest.raises(CalibrationError, match=rf"replay\.yaml:\d+: .*{message}"):
        parse_replay(TEXT.replace(old, new, 1))


def test_drafts_that_are_verified_are_timed_like_single_tokens_while_they_fit_a_tile():
    """Heads that share keys in groups of eight: eight tokens fill 64 rows. Arrays are timed one by one."""
    queries = np.array([1, 2, 8, 9, 64])

    def measure(count):
        shape = AttentionShape(
            batch_count=16, queries_tokens=count, keys_tokens=32_768, heads_count=8, kv_heads_count=1,
            head_elements=128,
        )  # fmt: skip
        return time_attention(B200, shape, mode="calibrated").time_s

    swept = measure(queries)
    np.testing.assert_allclose(swept, [measure(int(each)) for each in queries])
    assert np.all(np.diff(swept) > 0)
    assert swept[2] < 1.3 * swept[0] < 0.8 * swept[3]
