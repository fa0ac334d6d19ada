"""What others measured a token of a service to cost, to be shown next to what models find."""

from dataclasses import dataclass

_ANALYSIS = "Artificial Analysis (2025-11; 1,000 tokens in and out, vLLM, 30 tokens/s each, lowest rent)"
"""Source: artificialanalysis.ai/benchmarks/hardware."""
_LLAMAS = ("llama-3-70b", "llama-3.1-70b", "llama-3.3-70b")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCost:
    """One published cost; no model was fitted to it, except the spread of costs on TPU v6e."""

    chip: str
    models: tuple[str, ...]
    """Ids of the models with those sizes."""
    usd_per_million_tokens: float
    """Of tokens in and out, counted alike."""
    conditions: str
    """By whom, when, of what."""


MEASURED_COSTS = tuple(
    MeasuredCost(chip=chip, models=_LLAMAS, usd_per_million_tokens=usd, conditions=_ANALYSIS)
    for chip, usd in (("h100-sxm", 1.06), ("mi300x", 2.24), ("tpu-v6e", 5.13))
)
