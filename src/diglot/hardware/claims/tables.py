"""The claims that are tables (15, 24, 42, 46): the columns that can be computed, for chips and strategies.

Columns such as ecosystem, share and innovation are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from diglot.hardware.claims.of_costs import FAMILIES, find_life_usd
from diglot.hardware.claims.scenes import (
    BOTH,
    LIMITS_S,
    SLICES,
    find_chip,
    find_prefill_s,
    find_prompt_usd,
    find_usd_per_s,
    serve_within,
    train,
)
from diglot.hardware.operators.timers import Timing

PROMPT_TOKENS = 1024
LIFE_TOKENS = 1e13


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedChip:
    """One chip at list prices in one timing: Llama 3 70B trained on 256 of them, and served on a slice."""

    chip_id: str
    timing: Timing
    training_usd_per_million_tokens: float
    prompt_usd_per_million_tokens: float
    """Of prompts of 8,192 tokens."""
    ttft_s: float
    """Time to the first token after 1,024."""
    output_usd_per_million_tokens: float
    """Within 50 ms a token."""

    @property
    def costs_by_phase(self) -> Mapping[str, float]:
        """USD per million tokens of training, prefill and decode."""
        return {
            "training": self.training_usd_per_million_tokens,
            "prefill": self.prompt_usd_per_million_tokens,
            "decode": self.output_usd_per_million_tokens,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedStrategy:
    """Trained on the cheapest of some chips, and served on the cheapest of others."""

    trained_on: tuple[str, ...]
    served_on: tuple[str, ...]
    timing: Timing
    life_usd: float
    """Training on 15 trillion tokens and serving 10 trillion."""


def compare_chips() -> tuple[ComparedChip, ...]:
    """Every chip of the claims that has a price, ideal and calibrated."""
    priced = [chip_id for chip_id in SLICES if find_chip(chip_id).prices]
    return tuple(_compare(chip_id, timing) for chip_id, timing in product(priced, BOTH))


def compare_strategies() -> tuple[ComparedStrategy, ...]:
    """All on GPUs, all on TPUs, and both hybrids, ideal and calibrated."""
    return tuple(
        ComparedStrategy(
            trained_on=trainers,
            served_on=servers,
            timing=timing,
            life_usd=find_life_usd(trainers, servers, LIFE_TOKENS, timing),
        )
        for trainers, servers, timing in product(FAMILIES, FAMILIES, BOTH)
    )


def _compare(chip_id: str, timing: Timing) -> ComparedChip:
    usd_per_s = find_usd_per_s(chip_id)
    return ComparedChip(
        chip_id=chip_id,
        timing=timing,
        training_usd_per_million_tokens=1e6 * usd_per_s / train(chip_id, timing=timing),
        prompt_usd_per_million_tokens=find_prompt_usd(chip_id, timing),
        ttft_s=find_prefill_s(chip_id, SLICES[chip_id], PROMPT_TOKENS, timing),
        output_usd_per_million_tokens=serve_within(chip_id, LIMITS_S[1], timing=timing).usd_per_million,
    )
