"""Numbers that the scripts compute, compared with published figures and calculations by hand."""

import functools
import itertools
from math import ceil
from typing import Any

import numpy as np
import pytest

from diglot.figures.scripts.plain_data import plain_data
from tests.site_figures.scripts import FIGURES

PUBLISHED = {  # dense bf16 FLOP/s and bytes/s, from the vendors' pages
    "h200": (989e12, 4.8e12),
    "v5p": (459e12, 2.765e12),
    "v6e": (918e12, 1.64e12),
}


@pytest.mark.parametrize("chip", PUBLISHED)
def test_ridges_are_peak_over_bandwidth(chip: str) -> None:
    peak, bandwidth = PUBLISHED[chip]
    # The catalogue has 989.4 where tables print 989, a difference below 0.05%.
    assert FIGURES["roofline"].data()[chip]["ridge"] == pytest.approx(peak / bandwidth, rel=5e-4)
    assert FIGURES["chips"].data()[chip]["ridge"] == pytest.approx(peak / bandwidth, rel=5e-4)


def test_eight_bit_peaks_of_these_chips_are_twice_their_bf16_peaks() -> None:
    bf16, int8 = (FIGURES["roofline"].data(dtype=dtype) for dtype in ("bf16", "int8"))
    for chip in PUBLISHED:
        assert int8[chip]["peak"] == pytest.approx(2 * bf16[chip]["peak"], rel=1e-3)


@pytest.mark.parametrize("batch", [1, 32, 256])
def test_decoding_has_an_intensity_of_about_its_batch(batch: int) -> None:
    k, n = 8192, 28672
    by_hand = batch * k * n / (batch * k + k * n + batch * n)  # 2mkn FLOPs over 2 bytes per element
    kernel = FIGURES["roofline"].data()["kernels"][f"decode_{batch}"]
    assert kernel["intensity"] == pytest.approx(by_hand)
    assert kernel["intensity"] == pytest.approx(batch, rel=0.05)


def test_attention_intensities_follow_from_the_traffic_of_its_two_forms() -> None:
    kernels, s, d = FIGURES["roofline"].data()["kernels"], 2048, 128
    assert kernels["flash"]["intensity"] == pytest.approx(4 * s * s * d / (2 * 4 * s * d))
    assert kernels["materialised"]["intensity"] == pytest.approx(
        4 * s * s * d / (2 * (4 * s * d + 4 * s * s))
    )


def test_every_kernel_stays_under_its_roof() -> None:
    for dtype in ("bf16", "int8"):
        data = FIGURES["roofline"].data(dtype=dtype)
        for chip in PUBLISHED:
            for kernel in data["kernels"].values():
                slope = kernel["intensity"] * data[chip]["bandwidth"]
                assert kernel["rate"][chip] == pytest.approx(min(slope, data[chip]["peak"]))
                bound = "memory" if slope < data[chip]["peak"] else "compute"
                assert kernel["bound"][chip] == bound


def test_at_batch_256_only_v6e_still_waits_for_memory() -> None:
    bound = FIGURES["roofline"].data()["kernels"]["decode_256"]["bound"]
    assert bound == {"h200": "compute", "v5p": "compute", "v6e": "memory"}


@pytest.mark.parametrize("side", [128, 256])
def test_whole_tiles_and_enough_rows_fill_the_array(side: int) -> None:
    data = FIGURES["mxu_utilisation"].data()
    for row in (row for row in data["rows"] if row["array"] == side):
        padding = row["n"] / (ceil(row["n"] / side) * side)
        steady = padding * min(1, row["m"] / side)
        # The first load, fill and drain happen once: at most 4 sides in at least 64 or 32 tile times.
        assert steady * 0.87 < row["share"] < steady


def test_a_few_columns_too_many_cost_a_quarter_of_the_small_array_and_almost_half_of_the_large() -> None:
    data = FIGURES["mxu_utilisation"].data()
    assert data["a128"]["spills"] == pytest.approx(288 / 384, abs=0.01)
    assert data["a256"]["spills"] == pytest.approx(288 / 512, abs=0.01)
    assert data["a256"]["narrow"] < 0.5
    assert data["a128"]["few_rows"] == pytest.approx(8 / 128, rel=0.03)
    assert data["next_n"] == 384


def test_eight_rows_cross_a_4_by_4_array_in_14_cycles() -> None:
    data = FIGURES["systolic_flow"].data()
    assert data["run_cycles"] == 8 + 4 + 4 - 2
    assert data["total_cycles"] == 2 * 4 + 4 + 8 - 2  # SCALE-Sim's count for one weight-stationary fold
    assert sum(row["busy"] for row in data["cycles"]) == 8 * 4 * 4
    assert data["ends"] == {"load": 4, "fill": 4 + 6, "full": 4 + 8, "drain": 18}
    assert data["run_utilisation_fraction"] == pytest.approx(8 / 14)


@pytest.mark.parametrize("cycle", [5, 9, 12, 18])
def test_rows_cross_the_array_on_diagonals_queue_before_it_and_leave_in_the_same_skew(cycle: int) -> None:
    cells = {(cell["x"], cell["y"]): cell for cell in FIGURES["systolic_flow"].data(cycle=cycle)["cells"]}
    for x, y in itertools.product(range(-11, 4), range(6)):
        # Right and down are one cycle each; a sum moves down once more when it has left.
        row = cycle - 4 - x - y
        inside = x >= 0 and y < 4
        if 1 <= row <= 8 and (y < 4 or x >= 0):
            state = "followed" if row == 3 else "busy" if inside else "outside"
            assert cells.pop((x, y)) == {"x": x, "y": y, "text": row, "state": state}
        elif inside:
            assert cells.pop((x, y)) == {"x": x, "y": y, "text": None, "state": "idle"}
    assert not cells


def test_weights_come_in_row_by_row_while_all_rows_of_a_wait() -> None:
    for cycle in range(1, 5):
        cells = {(cell["x"], cell["y"]): cell for cell in FIGURES["systolic_flow"].data(cycle=cycle)["cells"]}
        for y in range(4):
            row = 4 - cycle + y + 1
            assert cells[0, y]["text"] == (f"B{row}" if row <= 4 else None)
        waiting = {(x, y): cell["text"] for (x, y), cell in cells.items() if x < 0}
        assert waiting == {(-row - y, y): row for row in range(1, 9) for y in range(4)}


@pytest.mark.parametrize(("tile", "rows", "columns"), [("128x256", 128, 256), ("128x128", 128, 128)])
def test_efficiency_is_useful_work_over_whole_waves_of_132_sms(tile: str, rows: int, columns: int) -> None:
    data = FIGURES["wave_quantisation"].data(tile=tile)
    assert data["sms"] == 132
    drawn = data["rows"]
    for n, waves, share in zip(drawn["n"], drawn["waves"], drawn["share"], strict=True):
        tiles = ceil(2048 / rows) * ceil(n / columns)
        assert waves == ceil(tiles / 132)
        in_waves = 2048 * n / (waves * 132 * rows * columns)
        bytes_moved = 2 * (2048 * 8192 + 8192 * n + 2048 * n)
        seconds = max(2 * 2048 * 8192 * n / 989.4e12 / in_waves, bytes_moved / 4.8e12)
        assert share == pytest.approx(2 * 2048 * 8192 * n / seconds / 989.4e12)


def test_64_more_columns_spill_into_a_second_wave() -> None:
    data = FIGURES["wave_quantisation"].data()
    assert (data["full"]["n"], data["full"]["tiles"]) == (2048, 128)
    assert (data["spill"]["n"], data["spill"]["tiles"], data["spill"]["waves"]) == (2112, 144, 2)
    assert data["spill"]["last_wave_tiles"] == 144 - 132
    assert data["full"]["peak_fraction"] == pytest.approx(128 / 132)
    assert data["spill"]["n"] - data["full"]["n"] == data["added_columns"] == 64
    assert data["spill"]["peak_fraction"] == pytest.approx(0.5)
    assert data["at"] == data["spill"]
    assert data["spill"]["idle_sms"] == 2 * 132 - 144


@pytest.mark.parametrize("tile", ["128x256", "128x128", "64x128"])
def test_a_free_choice_of_tile_is_never_slower(tile: str) -> None:
    data = FIGURES["wave_quantisation"].data(tile=tile)
    for fixed, chosen in zip(data["rows"]["share"], data["rows"]["best"], strict=True):
        assert chosen >= fixed * (1 - 1e-12)


def test_peak_grew_fiftyfold_and_bandwidth_tenfold_from_v2_to_v7() -> None:
    data = FIGURES["tpu_generations"].data()
    assert list(data["generations"]) == ["v2", "v3", "v4", "v5e", "v5p", "v6e", "v7"]
    assert data["peak_growth"] == pytest.approx(2307 / 46)
    assert data["bandwidth_growth"] == pytest.approx(7380 / 716)
    assert data["ridge_growth"] == pytest.approx(2307 / 46 / (7380 / 716))
    assert max(data["generations"], key=lambda name: data["generations"][name]["ridge"]) == "v6e"


def test_fused_attention_on_v6e_fills_half_of_the_array_and_all_of_it_on_v5p() -> None:
    data = FIGURES["attention_time"].data()
    assert data["v6e"]["fit_fraction"] == pytest.approx(0.5)
    assert data["v5p"]["fit_fraction"] == pytest.approx(1)
    assert data["v6e"]["fused_s"] == pytest.approx(data["v5p"]["fused_s"])


@pytest.mark.parametrize("chip", PUBLISHED)
def test_fusing_gains_at_most_the_ridge_over_the_intensity_before(chip: str) -> None:
    peak, bandwidth = PUBLISHED[chip]
    before = 4 * 2048 * 128 / (2 * 4 * (128 + 2048))
    data = FIGURES["attention_time"].data()[chip]
    assert data["roofline_speedup"] == pytest.approx(peak / bandwidth / before, rel=1e-3)
    assert data["speedup"] == pytest.approx(data["roofline_speedup"] * data["fit_fraction"])


def test_attention_is_the_same_kernel_in_the_roofline_and_on_the_clock() -> None:
    kernels, time = FIGURES["roofline"].data()["kernels"], FIGURES["attention_time"].data()
    for chip in PUBLISHED:
        gain = kernels["flash"]["rate"][chip] / kernels["materialised"]["rate"][chip]
        assert time[chip]["roofline_speedup"] == pytest.approx(gain)


@pytest.mark.parametrize("head", [64, 128, 256])
def test_attention_through_memory_stays_below_half_a_head_and_fused_grows_with_the_sequence(
    head: int,
) -> None:
    data = FIGURES["attention_roofs"].data(head=head)
    for form, by_hand in (
        ("materialised", lambda s: s * head / (2 * (s + head))),  # 4ssd FLOPs over 2 (4sd + 4ss) bytes
        ("flash", lambda s: s / 2),  # and over 2 x 4sd bytes
    ):
        rows = [row for row in data["rows"] if row["form"] == form]
        assert [row["intensity"] for row in rows] == pytest.approx([by_hand(row["length"]) for row in rows])
        assert (
            form == "flash" or max(row["intensity"] for row in rows) < data["materialised_limit"] == head / 2
        )


@pytest.mark.parametrize(("head", "v5p", "v6e"), [(64, 1 / 2, 1 / 4), (128, 1, 1 / 2), (256, 1, 1)])
def test_heads_narrower_than_an_array_fill_a_part_of_it(head: int, v5p: float, v6e: float) -> None:
    chips = FIGURES["attention_roofs"].data(head=head)["chips"]
    assert {key: row["fit_fraction"] for key, row in chips.items()} == {"h200": 1, "v5p": v5p, "v6e": v6e}


@pytest.mark.parametrize("head", [64, 128, 256])
@pytest.mark.parametrize("chip", PUBLISHED)
def test_attention_reaches_bandwidth_times_intensity_and_fused_what_its_arrays_leave_of_the_peak(
    chip: str, head: int
) -> None:
    data = FIGURES["attention_roofs"].data(head=head)
    found, (peak, bandwidth) = data["chips"][chip], PUBLISHED[chip]
    roof = peak * {"h200": 1, "v5p": min(1, head / 128), "v6e": min(1, head / 256)}[chip]
    s = 131072
    slow = bandwidth * s * head / (2 * (s + head))
    assert found["longest"]["materialised"] == pytest.approx(min(slow, roof), rel=5e-4)
    assert found["longest"]["flash"] == pytest.approx(roof, rel=5e-4)
    assert found["length"] == pytest.approx(2 * roof / bandwidth, rel=5e-4)
    for row in data["rows"]:
        if row["form"] == "flash" and row["chip"] == found["chip"]:
            assert (row["rate"] == pytest.approx(found["rate"])) == (row["length"] >= found["length"])


LLAMA_PARAMETERS, LLAMA_EMBEDDING = 70_553_706_496, 128_256 * 8192
LLAMA_CACHE_BYTES = 2 * 80 * 8 * 128 * 2
"""Per token: keys and values, 80 layers, 8 KV heads of 128 values of two bytes."""


@functools.cache
def tried(chip: str, dtype: str = "bf16") -> list[dict[str, Any]]:
    """Every batch on every slice of a chip."""
    return plain_data(FIGURES["batch_sweep"].module.try_batches(IDS[chip], dtype))


IDS = {"h200": "h200-sxm", "h100": "h100-sxm", "v5p": "tpu-v5p", "v6e": "tpu-v6e", "v5e": "tpu-v5e"}


@pytest.mark.parametrize(("dtype", "bytes_per_weight"), [("bf16", 2), ("int8", 1)])
def test_the_quickest_token_takes_the_reading_of_all_weights_and_two_sums_a_layer(
    dtype: str, bytes_per_weight: int
) -> None:
    quickest = min(tried("h200", dtype), key=lambda row: row["ms"])
    assert quickest["chips"] == 8
    weights = bytes_per_weight * (LLAMA_PARAMETERS - 2 * LLAMA_EMBEDDING) + 2 * LLAMA_EMBEDDING
    sums_s = 2 * 80 * 0.6e-6  # the switches sum in one pass; transferring 16 KiB takes only 0.04 µs
    read_s = (weights + 1536 * LLAMA_CACHE_BYTES) / (8 * 4.8e12)
    assert quickest["ms"] / 1e3 == pytest.approx(read_s + sums_s, rel=0.02)


@pytest.mark.parametrize(("chip", "memory_gib"), [("h200", 141), ("v5p", 95), ("v6e", 32)])
def test_batches_fit_beside_the_weights_and_never_beat_the_peak(chip: str, memory_gib: float) -> None:
    peak, _ = PUBLISHED[chip]
    for row in tried(chip):
        chips, batch, ms, tokens = (row[name] for name in ("chips", "batch", "ms", "tokens"))
        repeated = max(1, chips / 8)  # with more chips than KV heads, some chips hold the same heads
        used = 2 * LLAMA_PARAMETERS + batch * 2048 * LLAMA_CACHE_BYTES * repeated
        assert used <= 0.9 * memory_gib * 2**30 * chips
        assert tokens < peak / (2 * 2 * LLAMA_PARAMETERS)  # each token of output comes with one of input
        # A slot gives a token every `ms`, except during its own prompt, which delays the tokens of the
        # others.
        assert ms * 1023 / 1024 <= 1e3 * batch / chips / tokens < ms * 1.12


@pytest.mark.parametrize("latency_ms", [10, 20, 40])
def test_no_batch_beats_the_front_and_marks_are_its_best_points_in_time(latency_ms: int) -> None:
    data = FIGURES["batch_sweep"].data(latency_ms=latency_ms)
    for chip, best in zip(IDS, data["best"], strict=True):
        front = [(row["ms"], row["tokens"]) for row in data["front"] if row["chip"] == IDS[chip]]
        assert front == sorted(front)
        assert [y for _, y in front] == sorted(y for _, y in front)
        for row in tried(chip):  # the front leaves out points that are less than 3% apart
            assert any(x <= row["ms"] and y >= 0.97 * row["tokens"] for x, y in front)
            assert row["ms"] > latency_ms or row["tokens"] <= best["tokens"]
        assert best["ms"] <= latency_ms


ALL_REDUCES = {  # latency in µs; s per byte, as 2 (n - 1) / n of it goes through the busiest port
    "h200_8": (2 * 0.6, 2 * 7 / 8 / 450e9),  # the latency of an NVLink step in NCCL's model
    # Eight nodes: each chip sums an eighth of the array over its 50 GB/s, slower than inside the node.
    "h200_64": (2 * 0.6 + 2 * 2.7, 2 * 7 / 8 / 8 / 50e9),
    "v5p_64": (2 * 3 * 2, 2 * 63 / 64 / 540e9),  # a ring of 4 is crossed in two hops; six links of 90 GB/s
    "v6e_256": (2 * 2 * 8, 2 * 255 / 256 / 360e9),
    "v6e_16": (2 * 2 * 3, 2 * 15 / 16 / 180e9),  # no rings: three hops a side, two links at a corner
}


@pytest.mark.parametrize("network", ALL_REDUCES)
def test_all_reduces_take_their_hops_or_their_bytes(network: str) -> None:
    latency_us, per_byte_s = ALL_REDUCES[network]
    data = FIGURES["all_reduce"].data()
    row = data["networks"][network]
    assert row["latency_us"] == pytest.approx(latency_us)
    assert row["most_gb_per_s"] == pytest.approx(1 / per_byte_s / 1e9)
    assert row["knee_mb"] == pytest.approx(latency_us * 1e-12 / per_byte_s)
    for size, us, rate in zip(data["bytes"], row["us"], row["rate"], strict=True):
        assert us == pytest.approx(max(latency_us, size * per_byte_s * 1e6))
        assert rate == pytest.approx(size / us * 1e6)


def test_large_arrays_use_the_ports_of_a_chip_whole() -> None:
    rows = FIGURES["all_reduce"].data()["networks"]
    for network, port_gb_per_s in {"h200_8": 450, "v5p_64": 540, "v6e_256": 360}.items():
        assert rows[network]["bus_gb_per_s"][-1] == pytest.approx(port_gb_per_s, rel=0.002)


def test_measured_all_reduces_stay_below_the_bound_and_near_the_calibrated_line() -> None:
    """8 H100, whose ports are those of an H200: small arrays take 30 µs, for which the bound says 1.2."""
    data = FIGURES["all_reduce"].data()
    assert len(data["measured"]) == 14
    assert data["practice"]["half_mb"] > 10 * data["networks"]["h200_8"]["knee_mb"]
    for row in data["measured"]:
        bound, expected = (
            np.interp(np.log(row["bytes"]), np.log(data["bytes"]), of["rate"])
            for of in (data["networks"]["h200_8"], data["practice"])
        )
        assert row["rate"] < bound
        assert row["rate"] == pytest.approx(expected, rel=0.3)


BREAKDOWNS = {  # chips, peak, bandwidth, bytes/s that a chip sends, latency of a sum in µs
    # Switches sum in one pass, at the rate of a chip: as if each of 2 x 7/8 arrays took less.
    "h200_8": (8, 989.4e12, 4.8e12, 2 * 7 / 8 * 450e9, 0.6),
    "v5p_8": (8, 459e12, 2.765e12, 3 * 90e9, 2 * 3),  # a cube: three links, three hops
    "v6e_8": (8, 918e12, 1.64e12, 2 * 90e9, 2 * 4),
    "v6e_16": (16, 918e12, 1.64e12, 2 * 90e9, 2 * 6),
}


@pytest.mark.parametrize("batch", [1, 32, 64])
@pytest.mark.parametrize("key", BREAKDOWNS)
def test_parts_of_a_step_are_what_weights_caches_and_sums_take(key: str, batch: int) -> None:
    chips, peak, bandwidth, port, latency_us = BREAKDOWNS[key]
    row = FIGURES["serving_breakdown"].data(batch=batch)["slices"][key]
    body = LLAMA_PARAMETERS - LLAMA_EMBEDDING
    for phase, tokens in (("prefill", 4096), ("decode", batch)):
        bytes_ms = 2 * (chips - 1) / chips * tokens * 8192 * 2 / port * 1e3
        sums_ms = 2 * 80 * max(latency_us / 1e3, bytes_ms)
        assert row[phase]["net"] == pytest.approx(sums_ms)
        assert row[phase]["all"] == pytest.approx(sum(row[phase][role] for role in ("cmp", "mem", "net")))
    repeated = max(1, chips / 8)
    read = 2 * body + batch * 4096 * LLAMA_CACHE_BYTES * repeated
    assert row["decode"]["cmp"] == 0
    assert row["decode"]["mem"] / 1e3 == pytest.approx(read / (chips * bandwidth), rel=0.06)
    # Prefill: the layers' products, and causal attention scores; the output head sees one token.
    flops = 2 * (body - LLAMA_EMBEDDING) * 4096 + 80 * 4 * 4096 * 4097 / 2 * 8192
    least_ms = flops / (chips * peak) * 1e3
    assert row["prefill"]["cmp"] + row["prefill"]["mem"] > least_ms
    assert row["prefill"]["cmp"] == pytest.approx(least_ms, rel=0.07)


def test_more_chips_help_arithmetic_and_memory_but_not_the_network() -> None:
    few, many = (FIGURES["serving_breakdown"].data()["slices"][key] for key in ("v6e_8", "v6e_16"))
    for phase in ("prefill", "decode"):
        assert many[phase]["cmp"] + many[phase]["mem"] < few[phase]["cmp"] + few[phase]["mem"]
        assert many[phase]["net"] > few[phase]["net"]


def loaded(chip: str, load: int) -> dict[str, Any]:
    return dict(zip(IDS, FIGURES["first_token_load"].data(load=load)["chips"], strict=True))[chip]


@pytest.mark.parametrize(("chip", "key"), [("h200", "h200_8"), ("v5p", "v5p_8"), ("v6e", "v6e_8")])
def test_the_first_token_of_an_empty_system_takes_its_prompt_through_all_layers(chip: str, key: str) -> None:
    chips, peak, _, port, latency_us = BREAKDOWNS[key]
    body = LLAMA_PARAMETERS - 2 * LLAMA_EMBEDDING
    products_ms = (2 * body * 1024 + 80 * 4 * 1024 * 1025 / 2 * 8192) / (chips * peak) * 1e3
    sums_ms = 160 * max(latency_us / 1e3, 2 * (chips - 1) / chips * 1024 * 8192 * 2 / port * 1e3)
    row = loaded(chip, 90)
    # Norms, activations and memory-bound products add to these.
    assert products_ms + sums_ms < row["empty_ms"] < 1.15 * (products_ms + sums_ms)


@pytest.mark.parametrize("chip", IDS)
def test_load_makes_first_tokens_wait_and_capacity_is_that_of_the_largest_batch(chip: str) -> None:
    half, row = loaded(chip, 50), loaded(chip, 90)
    assert row["curve"]["ms"] == sorted(row["curve"]["ms"])
    assert row["empty_ms"] < half["ms"] < row["ms"] < row["curve"]["ms"][-1]
    assert row["tokens"] == pytest.approx(0.9 * row["capacity"])
    largest = max((one["batch"], one["tokens"]) for one in tried(chip) if one["chips"] == row["chips"])
    assert row["capacity"] == pytest.approx(largest[1], rel=1e-6)


PRICES = {  # USD per chip and hour, where and when: AWS's page; Google's price list
    "h200": (7.912, "us-east-1", "2026-01-21"),
    "h100": (6.88, "us-east-1", "2026-01-21"),
    "v5p": (4.2, "US", "2025-2026"),
    "v6e": (2.7, "US", "2025-2026"),
    "v5e": (1.2, "US", "2025-02"),
}


def test_tokens_cost_the_hour_over_what_a_chip_puts_out_in_it_and_patience_never_costs_more() -> None:
    before: list[float] = []
    for latency_ms in (10, 20, 40):
        data = FIGURES["cost_per_token"].data(latency_ms=latency_ms)
        best = FIGURES["batch_sweep"].data(latency_ms=latency_ms)["best"]
        costs = [row["usd_per_million"] for row in data["rows"]]
        for (chip, (usd_per_hour, *where)), row, swept in zip(
            PRICES.items(), data["rows"], best, strict=True
        ):
            assert (row["chip"], row["region"], row["date"]) == (IDS[chip], *where)
            assert row["usd_per_million"] == pytest.approx(usd_per_hour / (swept["tokens"] * 3600 / 1e6))
        assert (data["least_usd"], data["most_usd"]) == (min(costs), max(costs))
        assert all(quick >= slow for quick, slow in zip(before, costs, strict=False))
        before = costs


def test_drafting_pays_alone_and_costs_in_large_batches() -> None:
    """Alone, steps take what weights take: 3.69 tokens for 70.6 B once and 8 B five times."""
    data = FIGURES["speculation"].data()
    expected = sum(0.8**power for power in range(6))
    for row in data["chips"]:
        assert 1 + row["alone"] == pytest.approx(expected / (1 + 5 * 8 / 70.6), rel=0.1)
        gains = {(cell["accepted"], cell["batch"]): cell["gain"] for cell in row["cells"]}
        assert gains[50, 256] < -0.4 < 0 < gains[90, 1]
        assert all(gains[90, batch] > gains[80, batch] > gains[50, batch] for _, batch in gains)
        assert gains[80, 2 ** (row["even"].bit_length() - 1)] >= 0 > gains[80, 2 ** row["even"].bit_length()]
