"""What a plan tries: layouts, precisions, batches, ways of serving."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.timers import TIMINGS, Timing
from diglot.hardware.operators.transformer import Formats
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.serving.runtimes import RUNTIMES, Runtime
from diglot.hardware.sizes import check_choice, check_rate, check_share, check_size

Way = Literal["continuous", "chunked", "disaggregated"]
"""Prefill interrupts decoding; rides along with it in chunks; or has chips of its own."""
WAYS: tuple[Way, ...] = get_args(Way)

PRECISIONS: Mapping[str, Formats] = MappingProxyType(
    {
        "bf16": Formats(),
        "fp16": Formats(
            weights="fp16", activations="fp16", kv_cache="fp16", arithmetic="fp16", embeddings="fp16"
        ),
        "fp8": Formats(weights="fp8", kv_cache="fp8", arithmetic="fp8"),
        "int8": Formats(weights="int8", kv_cache="int8", arithmetic="int8"),
        "w8a16": Formats(weights="int8"),
        "w4a16": Formats(weights="int4"),
        "fp4": Formats(weights="fp4", kv_cache="fp8", arithmetic="fp4"),
    }
)
"""Precisions by name. What they cost in quality is not modelled; activations between products stay bf16."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSpace:
    """What a plan tries. Raises ValueError for unknown names and impossible numbers."""

    chips_limit_count: int = 16
    """Most chips of a candidate, of all its pools together."""
    precisions: tuple[str, ...] = ("bf16", "fp8", "int8")
    """Names among `PRECISIONS`."""
    ways: tuple[Way, ...] = WAYS
    tensor_counts: tuple[int, ...] = ()
    """Tensor-parallel ways to try; empty for all powers of two up to the limit of chips."""
    pipeline_counts: tuple[int, ...] = ()
    """Pipeline stages to try; empty as above."""
    expert_counts: tuple[int, ...] = ()
    """Expert-parallel ways to try, of models with experts; empty as above."""
    users_count: int | None = None
    """Users whose requests are served at the same time; None for as many as the chips hold."""
    sequences_limit_count: int = 1024
    """Most sequences that decode at a time in one group of chips and stage."""
    sequences_per_doubling_count: int = 4
    """Steps between such a number of sequences and its double."""
    chunk_counts_tokens: tuple[int, ...] = (512, 2048)
    """Sizes of chunks of prompts."""
    timing: Timing = "calibrated"
    """Times of operators, as in `deploy`."""
    runtime: Runtime = RUNTIMES["overlapped"]
    """How the engine starts kernels and steps."""
    reserved_fraction: float = 0.1
    """Share of the memory reserved for activations, graphs and the rest of the runtime."""
    transfer_bytes_per_s: float | None = None
    """Rate at which one prompt's cache moves from pool to pool; None for that of the chips' networks."""

    def __post_init__(self) -> None:
        for name in ("chips_limit_count", "sequences_limit_count", "sequences_per_doubling_count"):
            object.__setattr__(self, name, int(check_size(name, getattr(self, name))))
        if self.users_count is not None:
            object.__setattr__(self, "users_count", int(check_size("users_count", self.users_count)))
        for name in ("tensor_counts", "pipeline_counts", "expert_counts", "chunk_counts_tokens"):
            sizes = tuple(int(check_size(name, size)) for size in getattr(self, name))
            object.__setattr__(self, name, sizes)
        for name, known in (("precisions", PRECISIONS), ("ways", WAYS)):
            if isinstance(getattr(self, name), str) or not getattr(self, name):
                raise ValueError(f"{name} must list at least one of {', '.join(known)}")
            for each in getattr(self, name):
                check_choice(name, each, known)
        if "chunked" in self.ways and not self.chunk_counts_tokens:
            raise ValueError("chunk_counts_tokens must have at least one size where ways have chunked")
        check_choice("timing", self.timing, TIMINGS)
        if self.runtime.launches == "host" and self.timing != "calibrated":
            raise ValueError(f"runtime must start kernels by a graph: {self.timing} times have no launches")
        check_share("reserved_fraction", self.reserved_fraction, one=False)
        if self.transfer_bytes_per_s is not None:
            check_rate("transfer_bytes_per_s", self.transfer_bytes_per_s)

    def list_layouts(self, model: TransformerModel) -> Iterator[Layout]:
        """Layouts of one copy of the model within the limit of chips, the fewest ways first."""
        limit = self.chips_limit_count
        powers = tuple(1 << exponent for exponent in range(limit.bit_length()))
        expert_counts = (self.expert_counts or powers) if model.experts is not None else (1,)
        for pipeline in self.pipeline_counts or powers:
            for experts in expert_counts:
                for tensor in self.tensor_counts or powers:
                    layout = Layout(tensor_count=tensor, pipeline_count=pipeline, expert_count=experts)
                    if layout.chips_count <= limit:
                        yield layout

    def list_sequences(self) -> npt.NDArray[np.int64]:
        """Numbers of sequences per group of chips and stage, evenly spaced on a logarithmic scale.

        The same for all layouts, so that products with the same rows are timed once for all. Among them are
        equal shares of the users for every number of groups, stages and copies that is a power of two.
        """
        doublings = np.log2(self.sequences_limit_count)
        steps = max(1, int(np.ceil(doublings * self.sequences_per_doubling_count)))
        spaced = np.round(2 ** np.linspace(0, doublings, steps + 1))
        if self.users_count is None:
            return np.unique(spaced.astype(np.int64))
        shares = np.ceil(self.users_count / 2.0 ** np.arange(self.users_count.bit_length()))
        shares = shares[shares <= self.sequences_limit_count]
        return np.unique(np.concatenate([spaced, shares]).astype(np.int64))
