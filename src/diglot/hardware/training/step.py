"""Training of a transformer: memory, and the time of a step on a layout of chips."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from diglot.hardware.chips.chip import Chip
from diglot.hardware.dtypes import bytes_per_element
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.operators.transformer import (
    DEFAULT_FORMATS,
    Formats,
    list_operators,
    prefill,
)
from diglot.hardware.parallelism.chip_links import place_ways
from diglot.hardware.parallelism.layouts import Interconnect, Layout, NetworkLinks
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    add_up,
    check_choice,
    check_rate,
    check_size,
    to_float,
    to_plain_float,
)
from diglot.hardware.training.flops import count_training_step_flops

Recompute = Literal["none", "selective", "full"]
RECOMPUTES: tuple[Recompute, ...] = get_args(Recompute)
"""What the backward pass recomputes: nothing, the attention scores, or each layer from its input."""

PARAMETER_STATE_BYTES = 18
"""Bytes per parameter: bf16 weights (2), fp32 gradients (4), master weights (4) and two Adam moments (8).

Source: V. Korthikanti et al., arXiv:2205.05198 (as Megatron-LM keeps them)."""


def count_checkpoint_bytes(
    tokens: SizeLike,
    width_elements: int,
    layers_count: int,
    *,
    per_layer_count: int = 1,
    element_bytes: float = 2,
) -> Real:
    """Bytes kept of a forward pass where each layer keeps `per_layer_count` arrays of tokens x width.

    Source: J. Austin et al., "How to Scale Your Model", part 6.
    """
    sizes = check_size("width_elements", width_elements) * check_size("layers_count", layers_count)
    kept = to_float(sizes) * to_float(check_size("per_layer_count", per_layer_count))
    kept = kept * check_rate("element_bytes", element_bytes)
    return to_float(check_size("tokens", tokens)) * kept


def count_activation_bytes_per_layer(
    model: TransformerModel,
    tokens: Size,
    *,
    sequences_count: Size = 1,
    tensor_count: int = 1,
    sequence_parallel: bool = False,
    recompute: Recompute = "none",
) -> Real:
    """Bytes that one layer keeps for its backward pass, on one chip of a tensor-parallel group.

    s b h (10 + 24 / t + 5 a s / (h t)) bytes. Sequence parallelism divides the 10 by t as well; selective
    recomputation drops the term of the scores; full recomputation keeps only the layer's input (2 s b h).
    Assumes 16-bit activations, a dropout mask of one byte, a feed-forward network of two matrices with inner
    width 4 h, and as many KV heads as heads; other models keep about as much for their widths.
    Source: V. Korthikanti et al., arXiv:2205.05198, equations 1 to 6.
    """
    check_choice("recompute", recompute, RECOMPUTES)
    s, b = to_float(check_size("tokens", tokens)), to_float(check_size("sequences_count", sequences_count))
    t = to_float(check_size("tensor_count", tensor_count))
    h, heads = model.width_elements, model.heads_count
    if recompute == "full":
        return to_plain_float(2 * s * b * h / (t if sequence_parallel else 1))
    outside = 10 / t if sequence_parallel else 10
    scores = 5 * heads * s / (h * t) if recompute == "none" else 0
    return to_plain_float(s * b * h * (outside + 24 / t + scores))


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

    Raises ValueError where they do not fit each other.
    """

    model: TransformerModel
    sequence_tokens: Size
    batch_sequences_count: Size
    """Sequences per step over all chips."""
    layout: Layout
    microbatch_sequences_count: Size = 1
    """Sequences per microbatch of one copy."""
    interleave_count: int = 1
    """Parts of the model per stage (interleaving); more parts shorten the pipeline bubble."""
    recompute: Recompute = "none"
    sharded_state: bool = False
    """Whether weights, gradients and optimiser state are sharded over the copies (FSDP, ZeRO stage 3)."""
    parameter_state_bytes: float = PARAMETER_STATE_BYTES
    formats: Formats = DEFAULT_FORMATS

    def __post_init__(self) -> None:
        for name in (
            "sequence_tokens",
            "batch_sequences_count",
            "microbatch_sequences_count",
            "interleave_count",
        ):
            object.__setattr__(self, name, check_size(name, getattr(self, name)))
        check_choice("recompute", self.recompute, RECOMPUTES)
        check_rate("parameter_state_bytes", self.parameter_state_bytes)
        self.layout.check_divides(self.model)
        if self.layout.context_count > 1:
            raise ValueError(f"context_count must be 1 in training, not {self.layout.context_count}")
        if np.any(self.batch_sequences_count % self._sequences_at_once_count):
            raise ValueError(
                f"{self._sequences_at_once_count} sequences at once, all copies together, do not divide "
                f"{self.batch_sequences_count}"
            )
        if self.layout.pipeline_count * self.interleave_count > self.model.layers_count:
            raise ValueError("there are more parts of the pipeline than layers")

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
    def bubble_fraction(self) -> Real:
        """Pipeline bubble: idle time over working time, (p - 1) / (microbatches x interleaving).

        Source: D. Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using
        Megatron-LM", arXiv:2104.04473, section 2.2.
        """
        return (self.layout.pipeline_count - 1) / to_float(self.microbatches_count * self.interleave_count)

    @property
    def parameters_per_chip_count(self) -> float:
        """A chip's share of one copy of the model, with experts split over the expert ways."""
        routed = self._routed_parameters_count
        held = (self.model.parameters_count - routed) + routed / self.layout.expert_count
        return held / (self.layout.tensor_count * self.layout.pipeline_count)

    @property
    def routed_parameters_per_chip_count(self) -> float:
        """Those of them that belong to routed experts."""
        return self._routed_parameters_count / self.layout.chips_per_copy_count

    @property
    def _routed_parameters_count(self) -> int:
        experts = self.model.experts
        if experts is None:
            return 0
        return self.model.expert_layers_count * experts.routed_count * self.model.expert_parameters_count

    def estimate_memory(self) -> TrainingMemory:
        """Memory of a chip of the first stage: its share of the state, activations of microbatches in flight.

        One-forward-one-backward keeps as many microbatches as stages (at most all of them); interleaving by m
        keeps 1 + (p - 1) / (p m) times as many.
        Source: V. Korthikanti et al., arXiv:2205.05198, section 4.2.3.
        """
        model, layout = self.model, self.layout
        held = self.parameters_per_chip_count / (layout.data_count if self.sharded_state else 1)
        layer = count_activation_bytes_per_layer(
            model,
            self.sequence_tokens,
            sequences_count=self.microbatch_sequences_count,
            tensor_count=layout.tensor_count,
            sequence_parallel=layout.sequence_parallel,
            recompute=self.recompute,
        )
        stages = layout.pipeline_count
        in_flight = np.minimum(stages, self.microbatches_count) / stages
        if self.interleave_count > 1:
            in_flight = in_flight * (1 + (stages - 1) / (stages * self.interleave_count))
        return TrainingMemory(
            state_bytes=held * self.parameter_state_bytes,
            activation_bytes=to_plain_float(layer * model.layers_count * in_flight),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingStep:
    """Time of one step, or of an array of steps, as the sum of its parts."""

    compute_s: Real
    """Roofline time of the operators: forward, backward (twice as long) and recomputation."""
    tensor_communication_s: Real
    expert_communication_s: Real
    """Transfers of tokens to the chips of their experts and back; not hidden."""
    pipeline_bubble_s: Real
    data_communication_s: Real
    """Transfers of gradients (and sharded weights) that the compute time does not hide."""
    model_flops: Real
    """Model FLOPs of the step; for causal models half of the score matrix is counted."""
    mfu_fraction: Real
    """Model FLOPs over what the chips' own peaks allow in the step's time."""

    @property
    def time_s(self) -> Real:
        """Time of one step."""
        exchanged_s = self.tensor_communication_s + self.expert_communication_s
        return self.compute_s + self.pipeline_bubble_s + exchanged_s + self.data_communication_s


def estimate_training_step(
    plan: TrainingPlan,
    *,
    roofline: Roofline,
    memory_bytes: float | None = None,
    tensor_interconnect: Interconnect,
    data_interconnect: Interconnect | None = None,
) -> TrainingStep:
    """Time of a step: roofline per operator, four all-reduces per layer, pipeline bubble, gradients.

    Tensor-parallel all-reduces (two forward, two backward) are exposed; full recomputation repeats the two
    forward ones. The gradients' all-reduce overlaps the backward pass; with sharded state, a reduce-scatter
    of gradients and two all-gathers of weights overlap both passes. Optimiser arithmetic, stragglers and data
    loading are ignored: a lower bound. `roofline` may be derated to what kernels reach; MFU remains the share
    of the chip's own peak.
    Raises ValueError where the plan does not fit `memory_bytes` of one chip.
    Source: M. Shoeybi et al., "Megatron-LM", arXiv:1909.08053 (the all-reduces).
    """
    if memory_bytes is not None:
        check_rate("memory_bytes", memory_bytes)
        needed = float(np.max(plan.estimate_memory().total_bytes))
        if needed > memory_bytes:
            raise ValueError(f"the plan needs {needed:.4g} bytes on a chip of {memory_bytes:.4g}")
    model, layout = plan.model, plan.layout
    groups_count = plan.microbatch_sequences_count * layout.expert_count * layout.data_count
    operators = list_operators(
        model,
        prefill(plan.sequence_tokens, sequences_count=groups_count),
        formats=plan.formats,
        layout=layout,
        head_of_every_token=True,
    )
    forward_s = add_up(roofline.time_s(operator.kernel) * operator.layers_count for operator in operators)
    again_s = {
        "none": 0.0,
        "selective": add_up(
            roofline.time_s(operator.kernel) * operator.layers_count
            for operator in operators
            if operator.name in ("attention", "windowed attention")
        ),
        "full": forward_s,
    }[plan.recompute]
    rounds = to_float(plan.microbatches_count) / layout.pipeline_count
    compute_s = (3 * forward_s + again_s) * rounds
    element = bytes_per_element(plan.formats.activations)
    message = plan.microbatch_sequences_count * plan.sequence_tokens * model.width_elements * element
    reduce_s = tensor_interconnect.all_reduce_time_s(message, layout.tensor_count)
    all_reduces = 6 if plan.recompute == "full" else 4
    tensor_s = all_reduces * model.layers_count * reduce_s * rounds
    exchanges_s: Real = 0.0
    if model.experts is not None:
        # One all-to-all to the experts and one back, in both passes.
        routed_s = tensor_interconnect.all_to_all_time_s(
            message * model.experts.active_count, layout.expert_count
        )
        exchanges_s = 4 * model.expert_layers_count * routed_s * rounds
    network = data_interconnect or tensor_interconnect
    # Parameters outside the experts are replicated over the expert ways, too.
    routed_bytes = plan.routed_parameters_per_chip_count * element
    shared_bytes = plan.parameters_per_chip_count * element - routed_bytes
    copies = layout.data_count * layout.expert_count
    data_s = float(network.all_reduce_time_s(shared_bytes, copies))
    if routed_bytes:
        data_s += float(network.all_reduce_time_s(routed_bytes, layout.data_count))
    # With sharding, two all-gathers of weights and a reduce-scatter of gradients: half an all-reduce each.
    data_s *= 1.5 if plan.sharded_state else 1
    hidden_s = compute_s if plan.sharded_state else compute_s * 2 / 3
    flops = count_training_step_flops(model, plan.sequence_tokens, sequences_count=plan.batch_sequences_count)
    bubble_s = (compute_s + tensor_s + exchanges_s) * plan.bubble_fraction
    exposed_s = np.maximum(0.0, data_s - hidden_s)
    time_s = compute_s + tensor_s + exchanges_s + bubble_s + exposed_s
    chip_s = time_s * layout.chips_count
    return TrainingStep(
        compute_s=to_plain_float(compute_s),
        tensor_communication_s=to_plain_float(tensor_s),
        expert_communication_s=to_plain_float(exchanges_s),
        pipeline_bubble_s=to_plain_float(bubble_s),
        data_communication_s=to_plain_float(exposed_s),
        model_flops=to_plain_float(flops),
        mfu_fraction=to_plain_float(flops / (chip_s * roofline.rated_peak_flops_per_s)),
    )


def train_on_chip(plan: TrainingPlan, chip: Chip) -> TrainingStep:
    """Time of a step on chips of the catalogue over their own links, with ways placed by `place_ways`.

    Each pipeline stage is a separate slice. Raises ValueError where the plan does not fit a chip or a stage
    does not fit a slice; MissingFigureError where the catalogue has no rate between nodes.
    """
    layout = plan.layout
    ways = {"tensor": layout.tensor_count, "expert": layout.expert_count, "data": layout.data_count}
    placed = place_ways(chip, ways)
    copies = (placed.network("expert", "data"), placed.network("data"))
    return estimate_training_step(
        plan,
        roofline=chip.roofline(plan.formats.arithmetic),
        memory_bytes=chip.memory_bytes,
        tensor_interconnect=NetworkLinks(
            reducing=placed.network("tensor"), exchanging=placed.network("expert")
        ),
        data_interconnect=NetworkLinks(reducing=tuple(each for each in copies if each is not None)),
    )


def count_chips_for(bytes_needed: float, *, memory_bytes: float) -> int:
    """Least number of chips whose memories together hold `bytes_needed`."""
    chips = check_rate("bytes_needed", bytes_needed) / check_rate("memory_bytes", memory_bytes)
    return int(np.ceil(chips))
