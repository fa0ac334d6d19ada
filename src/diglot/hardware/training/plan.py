"""A training: a model, a batch and a layout, and the memory that it takes on a chip."""

from dataclasses import dataclass
from typing import get_args

import numpy as np

from diglot.hardware.kernels.attention import AttentionForm
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.transformer import DEFAULT_FORMATS, Formats, check_formats
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.sizes import (
    Real,
    Size,
    check_choice,
    check_rate,
    check_share,
    check_size,
    to_float,
    to_plain_float,
)
from diglot.hardware.training.activations import (
    RECOMPUTES,
    Recompute,
    count_activation_bytes_per_layer,
)
from diglot.hardware.training.pipelines import Pipeline
from diglot.hardware.training.sharded_state import DEFAULT_STATE, TrainingState

DEFAULT_PIPELINE = Pipeline()
"""One forward, one backward."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingMemory:
    """Memory of training on one chip of the first pipeline stage, which keeps the most."""

    state_bytes: float
    """Weights, gradients and optimiser state."""
    activation_bytes: Real

    @property
    def total_bytes(self) -> Real:
        """State plus activations."""
        return self.state_bytes + self.activation_bytes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingPlan:
    """A model, a batch (or an array of batches) and a layout.

    Context ways split every sequence and keep all weights. Layers need not divide the stages: some have one
    less than the fullest. Raises ValueError where they do not fit each other.
    """

    model: TransformerModel
    sequence_tokens: Size
    batch_sequences_count: Size
    """Sequences per step over all chips."""
    layout: Layout
    microbatch_sequences_count: Size = 1
    """Sequences per microbatch of one copy."""
    pipeline: Pipeline = DEFAULT_PIPELINE
    recompute: Recompute = "none"
    recomputed_fraction: float = 1.0
    """Share of the layers to which `recompute` applies; the others keep their activations."""
    offload_bytes_per_s: float | None = None
    """Usable rate of a chip's link to the host, where what layers keep waits for the backward pass (with full
    recomputation their inputs); None keeps it on the chip."""
    state: TrainingState = DEFAULT_STATE
    adapter_rank_elements: int | None = None
    """Rank of the adapters of low rank (LoRA) on all products of attention and feed-forward networks, which
    alone are trained: the other weights have no gradients and no optimiser state. None trains all weights."""
    attention: AttentionForm = "flash"
    """Whether scores are kept on chip, by which kernels, or written to memory as before FlashAttention."""
    formats: Formats = DEFAULT_FORMATS

    def __post_init__(self) -> None:
        for name in ("sequence_tokens", "batch_sequences_count", "microbatch_sequences_count"):
            object.__setattr__(self, name, check_size(name, getattr(self, name)))
        self.model.check_positions(self.sequence_tokens)
        check_formats(self.formats)
        check_choice("recompute", self.recompute, RECOMPUTES)
        check_share("recomputed_fraction", self.recomputed_fraction)
        if self.offload_bytes_per_s is not None:
            check_rate("offload_bytes_per_s", self.offload_bytes_per_s)
        if self.adapter_rank_elements is not None:
            object.__setattr__(
                self,
                "adapter_rank_elements",
                int(check_size("adapter_rank_elements", self.adapter_rank_elements)),
            )
        check_choice("attention", self.attention, get_args(AttentionForm))
        self.layout.check_divides(self.model)
        if np.any(self.batch_sequences_count % self._sequences_at_once_count):
            raise ValueError(
                f"{self._sequences_at_once_count} sequences at once, all copies together, do not divide "
                f"{self.batch_sequences_count}"
            )
        # Megatron counts embedding and output head as layers: 128 parts of Llama 3 405B's 126.
        if self.layout.pipeline_count * self.pipeline.interleave_count > self.model.layers_count + 2:
            raise ValueError("there are more parts of the pipeline than layers")
        self.pipeline.check_microbatches(self.layout.pipeline_count, self.microbatches_count)
        if self.layout.data_count % self.state.replicas_count:
            raise ValueError(
                f"replicas_count {self.state.replicas_count} does not divide {self.layout.data_count} copies"
            )

    @property
    def _sequences_at_once_count(self) -> Size:
        return self.microbatch_sequences_count * self.layout.groups_count

    @property
    def microbatches_count(self) -> Size:
        """Microbatches per pipeline and step."""
        return self.batch_sequences_count // self._sequences_at_once_count

    @property
    def batch_tokens(self) -> Size:
        """Tokens per step over all chips."""
        return self.batch_sequences_count * self.sequence_tokens

    @property
    def tokens_per_chip(self) -> Real:
        """Batch tokens per chip, which limits how far parallelism scales."""
        return to_float(self.batch_tokens) / self.layout.chips_count

    @property
    def copies_per_replica_count(self) -> int:
        """Data ways of one group that holds the whole state."""
        return self.layout.data_count // self.state.replicas_count

    @property
    def parameters_per_chip_count(self) -> float:
        """Parameters on a chip of the fullest stage, with experts split over the expert ways.

        As if embeddings were spread over the stages like layers.
        """
        routed = self._routed_parameters_count
        held = (self.model.parameters_count - routed) + routed / self.layout.expert_count
        return held * self.layout.find_stage_fraction(self.model) / self.layout.tensor_count

    @property
    def trained_parameters_per_chip_count(self) -> float:
        """Parameters on a chip that are trained: all, or those of the adapters."""
        if self.adapter_rank_elements is None:
            return self.parameters_per_chip_count
        adapters = self.model.count_adapter_parameters(self.adapter_rank_elements)
        return adapters * self.layout.find_stage_fraction(self.model) / self.layout.tensor_count

    @property
    def routed_parameters_per_chip_count(self) -> float:
        """Those of them that belong to routed experts."""
        ways = self.layout.tensor_count * self.layout.expert_count
        return self._routed_parameters_count * self.layout.find_stage_fraction(self.model) / ways

    @property
    def _routed_parameters_count(self) -> int:
        experts = self.model.experts
        if experts is None:
            return 0
        return self.model.expert_layers_count * experts.routed_count * self.model.expert_parameters_count

    def estimate_memory(self) -> TrainingMemory:
        """Memory of a chip of the first stage: its share of the state, activations of microbatches in flight.

        State is sharded over the data and context ways of a replica.
        """
        model, layout = self.model, self.layout
        in_flight = self.pipeline.count_in_flight(layout.pipeline_count, self.microbatches_count)
        layers = layout.count_stage_layers(model) * in_flight
        if self.offload_bytes_per_s is not None:
            layers = np.minimum(layers, 2)  # one is used while the next is on its way
        return TrainingMemory(
            state_bytes=self.state.count_bytes(
                self.parameters_per_chip_count,
                trained_count=self.trained_parameters_per_chip_count,
                copies_count=self.copies_per_replica_count * layout.context_count,
            ),
            activation_bytes=to_plain_float(layers * self.find_layer_bytes()),
        )

    def _count_layer_bytes(self, recompute: Recompute) -> Real:
        """Activations that a layer keeps of a microbatch on one chip."""
        # Attention that keeps scores on chip computes them again in any case.
        fused = self.attention != "materialised" and recompute == "none"
        return count_activation_bytes_per_layer(
            self.model,
            self.sequence_tokens,
            sequences_count=self.microbatch_sequences_count,
            tensor_count=self.layout.tensor_count,
            context_count=self.layout.context_count,
            sequence_parallel=self.layout.sequence_parallel,
            recompute="selective" if fused else recompute,
        )

    def find_layer_bytes(self) -> Real:
        """What a layer keeps of a microbatch on one chip, as a mean over layers."""
        again = self._count_layer_bytes(self.recompute)
        if self.recomputed_fraction == 1:
            return again
        kept = self._count_layer_bytes("none")
        return self.recomputed_fraction * again + (1 - self.recomputed_fraction) * kept


def count_chips_for(bytes_needed: float, *, memory_bytes: float) -> int:
    """Least number of chips whose memories together hold `bytes_needed`."""
    chips = check_rate("bytes_needed", bytes_needed) / check_rate("memory_bytes", memory_bytes)
    return int(np.ceil(chips))
