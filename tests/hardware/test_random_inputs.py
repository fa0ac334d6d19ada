"""Whatever valid numbers the public functions get: no NaN, nothing infinite, monotone, and below the roofs.

Arguments are drawn evenly over orders of magnitude (`random_inputs`), the same in every run. Combinations
that do not fit together are refused with a ValueError or LookupError, as `test_impossible_input` checks.
DIGLOT_LONG_TESTS=1 draws 10,000 per function, and 1,000 of those that go step by step.
"""

import inspect
import os
import re
import zlib

import numpy as np
import pytest

from diglot.hardware import (
    GpuProcessors,
    Island,
    Layout,
    Roofline,
    bound_decode_step,
    bound_prefill_time_s,
    count_fitting_sequences,
    count_gemm,
    count_idle_experts,
    deploy,
    estimate_collective,
    estimate_decode,
    estimate_gpu_gemm,
    estimate_island_transfer,
    estimate_prefill,
    estimate_tpu_gemm,
    estimate_training_time_s,
    find_busiest_rows,
    find_energy_per_token_j,
    find_mean_wait_s,
    find_usd_per_million_tokens,
    load_catalogue,
    load_model,
    run_mxu,
    run_systolic_array,
    time_gemm,
)
from tests.hardware.random_inputs import SMALL, draw, draw_number, find_numbers
from tests.hardware.test_impossible_input import GIVEN, WALKED, call, takes_arrays

LONG = bool(os.environ.get("DIGLOT_LONG_TESTS"))
DRAWS, LENGTH = (2_500, 7) if LONG else (24, 3)
"""Calls of each function, and entries of the arrays that every other call has where a function takes them."""
SWEPT = 10_000 if LONG else 300
"""Entries of arrays, where a function takes them."""
CATALOGUE = load_catalogue()

INFINITE = {
    "a queue that cannot keep up": (
        "find_mean_wait_s", "serve_arrivals.prefill_wait_s", "serve_arrivals.slot_wait_s",
        "serve_arrivals.ttft_s",
    ),
    "never, as the docstrings say": (
        "find_critical_rows", "find_break_even_against_renting_fraction", "find_rent_or_buy_s",
        "find_weight_only_break_even_rows",
    ),
    "a bound has no upper end": (
        *(
            f"{name}.estimate.high"
            for name in (
                *("estimate_decode", "estimate_prefill", "estimate_prefill_after_hit"),
                *("estimate_training_step", "time_experts", "time_gemm", "time_grouped_gemm"),
            )
        ),
        "fit_serving.token_s.high",
    ),
    "no limit": ("ServiceLevel.ttft_s", "ServiceLevel.tpot_s", "judge_claim.claimed_high"),
    "SCALE-Sim's own, over the index of the last cycle": ("run_systolic_array.overall_utilisation_fraction",),
}  # fmt: skip
"""Why infinity is an answer → the results that may be infinite."""
NEGATIVE = {"some claims are about differences": ("judge_claim.found_low", "judge_claim.found_high")}
"""Why a number may be below zero → the results that may be."""
ABOVE_ONE = {
    "a load, which may be more than there is capacity for": ("utilisation_fraction",),
    "of an array, which an all-reduce sends twice": ("count_sent_fraction",),
    "SCALE-Sim's own, over the index of the last cycle": ("run_systolic_array.overall_utilisation_fraction",),
    "never, at this rate": (
        "find_break_even_against_price_fraction", "find_break_even_against_renting_fraction",
    ),
}  # fmt: skip
"""Why a fraction may be above 1 → fields and functions."""


def seed(name):
    return np.random.default_rng(zlib.crc32(name.encode()))


def is_listed(table, path):
    return any(path == name or path.endswith(f".{name}") for names in table.values() for name in names)


def count_draws(name, member):
    """Calls of a function: in a long run, as many as give 10,000 inputs, entries of arrays counted."""
    if not LONG or name in SMALL:
        return min(DRAWS, 1_000)
    annotations = [parameter.annotation for parameter in inspect.signature(member).parameters.values()]
    return DRAWS if any(map(takes_arrays, annotations)) else 4 * DRAWS


def tell(given):
    """Arguments in few words: records by their names."""
    return {name: getattr(value, "name", value) for name, value in given.items()}


@pytest.mark.timeout(1800 if LONG else 300)
@pytest.mark.parametrize(("name", "member"), [each[:2] for each in WALKED], ids=[each[0] for each in WALKED])
def test_answers_are_finite_and_fractions_are_fractions(name, member):
    rng, answered, wrong = seed(name), 0, set()
    for index in range(count_draws(name, member)):
        given = draw(rng, name, member, count=None if index % 2 else LENGTH)
        try:
            numbers = [*find_numbers(call(member, given), name)]
        except (ValueError, LookupError):
            continue
        answered += 1
        for path, values in numbers:
            field = re.sub(r"\[[^]]*\]", "", path)
            if np.any(np.isnan(values)):
                wrong.add(f"{path} is NaN for {tell(given)}")
            if np.any(np.isinf(values)) and not is_listed(INFINITE, field):
                wrong.add(f"{path} is infinite for {tell(given)}")
            below = values.dtype.kind == "f" and np.any(values < 0)
            if below and not is_listed(NEGATIVE, field):
                wrong.add(f"{path} is negative for {tell(given)}")
            above = field.endswith("_fraction") and np.any(values > 1 + 1e-9)
            if above and not is_listed(ABOVE_ONE, field):
                wrong.add(f"{path} is above 1 for {tell(given)}")
    assert not wrong, "\n".join(sorted(wrong))
    assert answered >= DRAWS // 24, "no combination was valid"


def test_what_may_be_infinite_or_above_one_exists():
    names = {name for name, _, _ in WALKED}
    for table in (INFINITE, NEGATIVE, ABOVE_ONE):
        listed = {name.partition(".")[0] for group in table.values() for name in group}
        assert {name for name in listed if not name.endswith("_fraction")} <= names
    assert set(SMALL) <= names


H100, V5E = CATALOGUE["h100-sxm"], CATALOGUE["tpu-v5e"]
ROOFLINE = H100.roofline("bf16")
DEPLOYMENTS = {
    "gpu": deploy(load_model("llama-3-8b"), H100, layout=Layout(tensor_count=2)),
    "tpu": deploy(load_model("mixtral-8x7b"), CATALOGUE["tpu-v5p"], layout=Layout(expert_count=8)),
    "latent": deploy(load_model("deepseek-v3"), CATALOGUE["h200-sxm"], layout=Layout(expert_count=32)),
    "recurrent": deploy(
        load_model("qwen-3-next-80b-a3b"), CATALOGUE["h200-sxm"], layout=Layout(tensor_count=2)
    ),
}


def time_on_roofline(peak_flops_per_s, memory_bandwidth_bytes_per_s, m, k, n):
    roofline = Roofline(
        peak_flops_per_s=peak_flops_per_s, memory_bandwidth_bytes_per_s=memory_bandwidth_bytes_per_s
    )
    gpu = GpuProcessors(roofline=roofline, processor_count=132)
    return estimate_gpu_gemm(m, k, n, gpu=gpu, split_count=None).time_s


def time_over_island(array_bytes, egress_bytes_per_s, step_latency_s):
    island = Island(chips_count=8, egress_bytes_per_s=egress_bytes_per_s, step_latency_s=step_latency_s)
    return estimate_collective("all-reduce", array_bytes, island).time_s


def serve_by(name, step):
    deployment = DEPLOYMENTS[name]
    if step == "prefill":
        return lambda prompt_tokens: estimate_prefill(deployment, prompt_tokens).time_s
    return lambda context_tokens, batch_count: (
        estimate_decode(deployment, context_tokens, batch_count=batch_count).time_s
    )


GEMM = ("m", "k", "n")
MONOTONE = {
    "time_gemm, ideal": (lambda **sizes: time_gemm(H100, **sizes).time_s, GEMM, ()),
    "time_gemm, calibrated": (lambda **sizes: time_gemm(H100, **sizes, mode="calibrated").time_s, GEMM, ()),
    "time_gemm, TPU": (lambda **sizes: time_gemm(V5E, **sizes, mode="calibrated").time_s, GEMM, ()),
    "estimate_gpu_gemm": (time_on_roofline, GEMM, ("peak_flops_per_s", "memory_bandwidth_bytes_per_s")),
    "estimate_tpu_gemm": (lambda **sizes: estimate_tpu_gemm(**sizes, chip=V5E).time_s, GEMM, ()),
    "run_mxu": (lambda **sizes: run_mxu(**sizes, rows=128).total_cycles, GEMM, ()),
    "run_systolic_array": (
        lambda **sizes: run_systolic_array(**sizes, rows=64, cols=32, dataflow="ws").total_cycles, GEMM, (),
    ),
    "estimate_collective": (time_over_island, ("array_bytes", "step_latency_s"), ("egress_bytes_per_s",)),
    "estimate_island_transfer": (
        lambda message_bytes: estimate_island_transfer(message_bytes, GIVEN["island"]).time_s,
        ("message_bytes",), (),
    ),
    "bound_decode_step": (
        lambda parameters_count, batch_count, chips_count: bound_decode_step(
            float(parameters_count), batch_count, roofline=ROOFLINE, chips_count=chips_count
        ).time_s,
        ("parameters_count", "batch_count"), ("chips_count",),
    ),
    "bound_prefill_time_s": (
        lambda tokens, chips_count, peak_flops_per_s: bound_prefill_time_s(
            1e9, tokens, peak_flops_per_s=peak_flops_per_s, chips_count=chips_count
        ),
        ("tokens",), ("chips_count", "peak_flops_per_s"),
    ),
    "count_fitting_sequences": (
        lambda memory_bytes, kv_bytes_per_sequence: count_fitting_sequences(
            memory_bytes + 1e9, weights_bytes=1e9, kv_bytes_per_sequence=kv_bytes_per_sequence
        ),
        ("memory_bytes",), ("kv_bytes_per_sequence",),
    ),
    "find_mean_wait_s": (
        lambda requests_per_s, service_s: find_mean_wait_s(requests_per_s, service_s, servers_count=3),
        ("requests_per_s", "service_s"), (),
    ),
    "find_usd_per_million_tokens": (
        lambda tokens_per_s, rent_usd_per_chip_s: find_usd_per_million_tokens(
            tokens_per_s, usd_per_chip_s=rent_usd_per_chip_s
        ),
        ("rent_usd_per_chip_s",), ("tokens_per_s",),
    ),
    "find_energy_per_token_j": (
        lambda tokens_per_s, power_w: find_energy_per_token_j(tokens_per_s, power_w=power_w),
        ("power_w",), ("tokens_per_s",),
    ),
    "estimate_training_time_s": (
        lambda flops, chips_count: estimate_training_time_s(
            flops, chips_count=chips_count, peak_flops_per_s=1e15, mfu_fraction=0.4
        ),
        ("flops",), ("chips_count",),
    ),
    "find_busiest_rows": (lambda tokens: find_busiest_rows(GIVEN["routing"], tokens), ("tokens",), ()),
    "count_idle_experts": (lambda tokens: count_idle_experts(GIVEN["routing"], tokens), (), ("tokens",)),
    **{
        f"{step} of {name}": (serve_by(name, step), parameters, ())
        for name in DEPLOYMENTS
        for step, parameters in (
            ("prefill", ("prompt_tokens",)), ("decode", ("context_tokens", "batch_count")),
        )
    },
    "largest_batch_count": (DEPLOYMENTS["gpu"].largest_batch_count, (), ("context_tokens",)),
}  # fmt: skip
"""Function → what it never falls with, and what it never rises with."""


@pytest.mark.parametrize("name", MONOTONE)
def test_more_work_never_takes_less_and_more_of_a_resource_never_takes_more(name):
    find, rising, falling = MONOTONE[name]
    rng = seed(name)
    for direction, parameters in ((1, rising), (-1, falling)):
        for grown in parameters:
            for _ in range(DRAWS // 4):
                given = {each: draw_one(rng, each) for each in (*rising, *falling)}
                whole = isinstance(given[grown], int)
                more = given[grown] + 1 if whole and rng.random() < 0.5 else given[grown] * 2
                less, most = (find(**each) for each in (given, {**given, grown: more}))
                if direction < 0:
                    less, most = most, less
                assert less <= most * (1 + 1e-9), f"not monotone in {grown}: {given}"


def draw_one(rng, name):
    whole = not re.search(r"_per_s$|_s$|_w$|^flops$|parameters_count$|memory_bytes$|per_sequence$", name)
    return draw_number(rng, name, whole=whole, even=False)


@pytest.mark.parametrize("mode", ["ideal", "calibrated"])
@pytest.mark.parametrize("chip", ["h100-sxm", "a100-80", "mi300x", "tpu-v5p", "tpu-v6e"])
def test_products_are_never_above_a_roof(chip, mode):
    rng, chip = seed(chip + mode), CATALOGUE[chip]
    m, k, n = (draw_number(rng, side, whole=True, even=False, most=65536, count=SWEPT) for side in "mkn")
    time_s = time_gemm(chip, m, k, n, mode=mode).time_s
    kernel = count_gemm(m, k, n)
    assert np.all(time_s >= kernel.flops / chip.peak_flops_per_s("bf16") * (1 - 1e-9))
    assert np.all(time_s >= kernel.memory_bytes / chip.memory_bandwidth_bytes_per_s * (1 - 1e-9))


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_steps_are_never_above_a_roof(name):
    deployment, rng = DEPLOYMENTS[name], seed(name)
    batch, context = (
        draw_number(rng, side, whole=True, even=False, count=SWEPT)
        for side in ("batch_count", "context_tokens")
    )
    step = estimate_decode(deployment, context, batch_count=batch)
    flops = sum(entry.operator.flops for entry in step.operators)
    memory_bytes = sum(entry.operator.memory_bytes for entry in step.operators)
    roofline = deployment.roofline
    assert np.all(step.time_s >= flops / roofline.peak_flops_per_s * (1 - 1e-9))
    assert np.all(step.time_s >= memory_bytes / roofline.memory_bandwidth_bytes_per_s * (1 - 1e-9))
    groups = deployment.layout.groups_count
    caches = np.ceil(batch / groups) * deployment.kv_bytes_per_chip(context)
    assert np.all(memory_bytes >= caches * (1 - 1e-9))


def test_collectives_are_never_quicker_than_their_links():
    rng = seed("collectives")
    sizes = draw_number(rng, "array_bytes", whole=True, even=False, count=SWEPT)
    rates = draw_number(rng, "egress_bytes_per_s", whole=False, even=False, count=SWEPT)
    for collective in ("all-gather", "reduce-scatter", "all-reduce", "all-to-all"):
        run = estimate_collective(collective, sizes, Island(chips_count=8, egress_bytes_per_s=rates))
        assert np.all(run.bus_bandwidth_bytes_per_s <= rates * (1 + 1e-9))
