"""What fits which chips: a model that is served, and one that is tuned, with its speed.

fit_serving("llama-3-8b", "rtx-5090", precision="w4a16", context_tokens=8192)
fit_tuning("llama-3-8b", "h100", way="lora", sequence_tokens=4096)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeVar, get_args

import numpy as np

from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.chips.spreads import Estimate
from diglot.hardware.models.catalogue import find_model
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.timers import Timing
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.planning.search_space import PRECISIONS
from diglot.hardware.serving.deployment import MemoryLimitError, deploy
from diglot.hardware.serving.steps import estimate_decode
from diglot.hardware.sizes import check_choice, check_share, check_size
from diglot.hardware.training.activations import RECOMPUTES, Recompute
from diglot.hardware.training.chip_training import train_on_chip
from diglot.hardware.training.plan import TrainingPlan
from diglot.hardware.training.sharded_state import TrainingState

Tuning = Literal["full", "lora", "qlora"]
"""All weights; adapters of low rank next to frozen weights in 16 bits; the same next to weights in 4 bits."""
TUNINGS: tuple[Tuning, ...] = get_args(Tuning)
_STATES: Mapping[Tuning, TrainingState] = MappingProxyType(
    {
        "full": TrainingState(sharded="parameters"),
        "lora": TrainingState(sharded="parameters"),
        "qlora": TrainingState(sharded="parameters", parameter_bytes=0.5),
    }
)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingFit:
    """A model that is served on the fewest chips that hold it, every matrix split over all of them."""

    chip: str
    chips_count: int
    precision: str
    weights_bytes: float
    """On each chip."""
    usable_bytes: float
    """Of each chip, without what is reserved."""
    sequences_count: int
    """Of the length asked for, whose caches fit at a time."""
    token_s: Estimate
    """Time per output token of one sequence of that length alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningFit:
    """A model that is tuned on the fewest chips that hold it, its state sharded over them."""

    chip: str
    chips_count: int
    way: Tuning
    recompute: Recompute
    """The least recomputation with which it fits."""
    needed_bytes: float
    """State and activations on each chip, with one sequence at a time."""
    usable_bytes: float
    tokens_per_s: Estimate
    """Of all chips."""


def fit_serving(
    model: TransformerModel | str,
    chip: Chip | str,
    *,
    precision: str = "bf16",
    context_tokens: int = 4096,
    chips_limit_count: int = 64,
    timing: Timing = "calibrated",
    reserved_fraction: float = 0.1,
) -> ServingFit:
    """The fewest chips, a power of two, that hold the model and the cache of one sequence.

    Raises ValueError where none do, with the reason; MissingFigureError where the chip has no such format.
    """
    served, chip = find_model(model), find_chip(chip)
    check_choice("precision", precision, PRECISIONS)

    def attempt(count: int) -> ServingFit:
        layout = Layout(tensor_count=count)
        layout.check_divides(served)
        service = deploy(
            served, chip, layout=layout, formats=PRECISIONS[precision], timing=timing,
            reserved_fraction=reserved_fraction,
        )  # fmt: skip
        sequences = int(np.asarray(service.largest_batch_count(context_tokens)))
        if not sequences:
            raise MemoryLimitError(f"no cache of {context_tokens:,} tokens fits next to the weights")
        return ServingFit(
            chip=chip.id,
            chips_count=count,
            precision=precision,
            weights_bytes=service.weights_bytes_per_chip,
            usable_bytes=service.usable_bytes,
            sequences_count=sequences,
            token_s=estimate_decode(service, context_tokens).estimate,
        )

    return _find_fewest(attempt, chips_limit_count)


def fit_tuning(
    model: TransformerModel | str,
    chip: Chip | str,
    *,
    way: Tuning = "full",
    adapter_rank_elements: int = 16,
    sequence_tokens: int = 4096,
    chips_limit_count: int = 64,
    timing: Timing = "calibrated",
    reserved_fraction: float = 0.1,
) -> TuningFit:
    """The fewest chips, a power of two, on which the model is tuned with a sequence at a time on each.

    The state is sharded over all of them (FSDP). Weights in 4 bits are multiplied in 16, and what it takes to
    widen them is left out. Raises ValueError where nothing fits, with the reason.
    """
    tuned, chip = find_model(model), find_chip(chip)
    check_choice("way", way, TUNINGS)
    check_size("adapter_rank_elements", adapter_rank_elements)
    check_share("reserved_fraction", reserved_fraction, one=False)
    usable_bytes = chip.memory_bytes * (1 - reserved_fraction)
    # Before bfloat16, such as on V100, half precision was what there was.
    is_old = "bf16" not in chip.dtypes and "fp16" in chip.dtypes
    formats = PRECISIONS["fp16" if is_old else "bf16"]

    def attempt(count: int) -> TuningFit:
        plans = [
            TrainingPlan(
                model=tuned, sequence_tokens=sequence_tokens, batch_sequences_count=count,
                layout=Layout(data_count=count), state=_STATES[way], recompute=recompute,
                adapter_rank_elements=None if way == "full" else adapter_rank_elements, formats=formats,
            )
            for recompute in RECOMPUTES
        ]  # fmt: skip
        needed = [float(np.asarray(plan.estimate_memory().total_bytes)) for plan in plans]
        if min(needed) > usable_bytes:
            usable = f"{usable_bytes / 1e9:,.1f} GB"
            raise MemoryLimitError(
                f"it needs {min(needed) / 1e9:,.1f} GB on each of {count} chips of {usable}"
            )
        index = next(index for index, each in enumerate(needed) if each <= usable_bytes)
        step = train_on_chip(plans[index], chip, timing=timing).estimate
        tokens = float(plans[index].batch_tokens)
        return TuningFit(
            chip=chip.id,
            chips_count=count,
            way=way,
            recompute=plans[index].recompute,
            needed_bytes=needed[index],
            usable_bytes=usable_bytes,
            tokens_per_s=Estimate(
                value=tokens / float(step.value),
                low=tokens / float(step.high),
                high=tokens / float(step.low),
                basis=step.basis,
            ),
        )

    return _find_fewest(attempt, chips_limit_count)


def _find_fewest(attempt: Callable[[int], Found], limit_count: int) -> Found:
    """The result of the least power of two that has one. Raises ValueError with the last lack of memory."""
    limit, count, lack = int(check_size("chips_limit_count", limit_count)), 1, ""
    while count <= limit:
        try:
            return attempt(count)
        except MemoryLimitError as error:
            lack = str(error)
        except ValueError as error:
            raise ValueError(f"{lack}; more do not help: {error}" if lack else str(error)) from error
        count *= 2
    raise ValueError(f"{lack}; more than {limit} were not tried")
