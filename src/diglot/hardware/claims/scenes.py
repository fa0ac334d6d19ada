"""Where the claims are judged: Llama 3 70B, served and trained at the roofline and at list prices.

Served in bf16 with 1,024 tokens in and out, a tenth of the memory reserved; trained with sequences of 4,096
tokens, 1,024 of them a step, on 256 chips, everything sharded. Prices are those of the United States.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from itertools import product
from math import prod
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import load_catalogue
from diglot.hardware.chips.spreads import Estimate, find_spread
from diglot.hardware.claims.finding import Interval
from diglot.hardware.dtypes import DType
from diglot.hardware.economics.dollars import choose_price, find_usd_per_million_tokens
from diglot.hardware.models.catalogue import load_model
from diglot.hardware.operators.timers import Timing
from diglot.hardware.operators.transformer import Formats
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.serving.batching import Workload, find_best_within, list_batches, serve_continuously
from diglot.hardware.serving.deployment import Deployment, deploy
from diglot.hardware.serving.steps import estimate_prefill
from diglot.hardware.training.activations import RECOMPUTES
from diglot.hardware.training.chip_training import train_on_chip
from diglot.hardware.training.plan import TrainingPlan
from diglot.hardware.training.sharded_state import TrainingState

MODEL = "llama-3-70b"
WORKLOAD = Workload(prompt_tokens=1024, output_tokens=1024)
SLICES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "h100-sxm": (8,), "h200-sxm": (8,), "b200-sxm": (8,), "tpu-v4": (2, 2, 4), "tpu-v5e": (4, 8),
        "tpu-v5p": (2, 2, 2), "tpu-v6e": (2, 4), "tpu-v7": (2, 2, 1),
    }
)  # fmt: skip
"""The slice on which each chip serves the model."""
TRAINING_CHIPS = 256
TRAINING_WAYS = (1, 2, 4, 8)
"""Ways of tensor parallelism that a training may take."""
SHARDED = TrainingState(sharded="parameters")
LIMITS_S = (0.02, 0.05)
"""A quick and a slow bound on the time per output token."""
LONG_PROMPT_TOKENS = 8192
BOTH: tuple[Timing, ...] = ("ideal", "calibrated")


class Served(NamedTuple):
    """The best steady state within a limit."""

    tokens_per_s: float
    """Output of one chip."""
    batch_count: int
    usd_per_million: float
    """NaN where the chip has no price."""


def find_chip(chip_id: str) -> Chip:
    """A chip of the catalogue."""
    return load_catalogue()[chip_id]


@cache
def place(
    chip_id: str, sides: tuple[int, ...] = (), dtype: DType = "bf16", timing: Timing = "ideal"
) -> Deployment:
    """The model on a slice of that chip, every matrix cut over all of it."""
    sides = sides or SLICES[chip_id]
    return deploy(
        load_model(MODEL), find_chip(chip_id), layout=Layout(tensor_count=prod(sides)), slice_sides=sides,
        formats=Formats(weights=dtype, arithmetic=dtype), reserved_fraction=0.1, timing=timing,
    )  # fmt: skip


@cache
def find_prefill_s(
    chip_id: str, sides: tuple[int, ...], prompt_tokens: int, timing: Timing = "ideal"
) -> float:  # fmt: skip
    """Time of the model's prefill of one prompt on a slice."""
    return float(np.asarray(estimate_prefill(place(chip_id, sides, timing=timing), prompt_tokens).time_s))


@cache
def find_prompt_usd(chip_id: str, timing: Timing) -> float:
    """List price of a million tokens of prompts of 8,192, one at a time on the chip's slice."""
    sides = SLICES[chip_id]
    time_s = find_prefill_s(chip_id, sides, LONG_PROMPT_TOKENS, timing)
    return 1e6 * find_usd_per_s(chip_id) * prod(sides) * time_s / LONG_PROMPT_TOKENS


@cache
def serve_within(chip_id: str, limit_s: float, dtype: DType = "bf16", timing: Timing = "ideal") -> Served:
    """The most output of a chip whose tokens come within the limit, and what it costs."""
    slice_ = place(chip_id, dtype=dtype, timing=timing)
    batches = np.asarray(list_batches(slice_, WORKLOAD))
    run = serve_continuously(slice_, WORKLOAD, batches)
    rates = np.asarray(run.output_tokens_per_chip_s)
    best = find_best_within(np.asarray(run.tpot_s), rates, limit_s=limit_s)
    rate = float(rates[best])
    priced = find_chip(chip_id).prices
    usd = find_usd_per_million_tokens(rate, usd_per_chip_s=find_usd_per_s(chip_id)) if priced else np.nan
    return Served(rate, int(batches[best]), float(usd))


@cache
def train(chip_id: str, dtype: DType = "bf16", timing: Timing = "ideal") -> float:
    """Tokens per second and chip of the quickest training step among layouts that fit in memory."""
    rates = []
    for tensor, recompute in product(TRAINING_WAYS, RECOMPUTES):
        plan = TrainingPlan(
            model=load_model(MODEL), sequence_tokens=4096, batch_sequences_count=4 * TRAINING_CHIPS,
            layout=Layout(tensor_count=tensor, data_count=TRAINING_CHIPS // tensor, sequence_parallel=True),
            state=SHARDED, recompute=recompute, formats=Formats(weights=dtype, arithmetic=dtype),
        )  # fmt: skip
        with suppress(ValueError):  # it does not fit
            step = train_on_chip(plan, find_chip(chip_id), timing=timing)
            rates.append(float(plan.batch_tokens / np.asarray(step.time_s) / TRAINING_CHIPS))
    return max(rates)


@cache
def expect_prefill_s(chip_id: str, sides: tuple[int, ...], prompt_tokens: int) -> Estimate:
    """What a measurement of such a prefill would give."""
    spread = find_spread("served dense", chip_id)
    return spread.bracket(
        find_prefill_s(chip_id, sides, prompt_tokens, "calibrated"),
        least=find_prefill_s(chip_id, sides, prompt_tokens),
    )


@cache
def expect_prompt_usd(chip_id: str) -> Estimate:
    """What `find_prompt_usd` would be if prompts were timed."""
    spread = find_spread("served dense", chip_id)
    return spread.bracket(find_prompt_usd(chip_id, "calibrated"), least=find_prompt_usd(chip_id, "ideal"))


@cache
def expect_output_usd(chip_id: str, limit_s: float) -> Estimate:
    """What a million tokens within a limit would cost if they were timed, at the list price."""
    ideal, calibrated = (serve_within(chip_id, limit_s, timing=timing).usd_per_million for timing in BOTH)
    return find_spread("served dense", chip_id).bracket(calibrated, least=min(ideal, calibrated))


@cache
def expect_training_s(chip_id: str, dtype: DType = "bf16") -> Estimate:
    """What a training token would take of one chip's time if steps were timed."""
    ideal, calibrated = (1 / train(chip_id, dtype, timing) for timing in BOTH)
    return find_spread("trained dense", chip_id).bracket(calibrated, least=ideal)


@cache
def expect_training_usd(chip_id: str) -> Estimate:
    """What a million training tokens would cost if steps were timed, at the list price."""
    usd_per_million_s = 1e6 * find_usd_per_s(chip_id)
    each = expect_training_s(chip_id)
    return Estimate(
        value=usd_per_million_s * each.value,
        low=usd_per_million_s * each.low,
        high=usd_per_million_s * each.high,
        basis=each.basis,
    )


def list_ends(*estimates: Estimate) -> list[Interval]:
    """The intervals of estimates."""
    return [(float(each.low), float(each.high)) for each in estimates]


def train_tokens_per_usd(chip_id: str) -> tuple[float, float]:
    """Training tokens per dollar, ideal and calibrated."""
    ideal, calibrated = (train(chip_id, timing=timing) / find_usd_per_s(chip_id) for timing in BOTH)
    return ideal, calibrated


def find_usd_per_s(chip_id: str) -> float:
    """List price per chip and second in the United States."""
    return choose_price(find_chip(chip_id), region="us").usd_per_chip_s
