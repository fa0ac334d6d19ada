"""Time of a training step: passes of the slowest pipeline stage, its bubble, and what transfers add."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from diglot.hardware.chips.spreads import Estimate, Spread, bound_time
from diglot.hardware.dtypes import bytes_per_element
from diglot.hardware.kernels.kernel import count_elementwise
from diglot.hardware.operators.timers import OperatorTimer, RooflineTimer
from diglot.hardware.operators.transformer import RECURRENCE, Formats, Operator, list_operators, prefill
from diglot.hardware.parallelism.layouts import Interconnect
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import (
    Real,
    add_up,
    check_choice,
    check_rate,
    divide_up,
    to_float,
    to_plain_float,
)
from diglot.hardware.training.activations import SCORES
from diglot.hardware.training.flops import count_training_step_flops
from diglot.hardware.training.pipelines import Passes
from diglot.hardware.training.plan import TrainingPlan

Overlap = Literal["nothing", "copies", "everything"]
OVERLAPS: tuple[Overlap, ...] = get_args(Overlap)
"""Transfers that hide behind arithmetic: none; those of copies and context ways; those of layers as well."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingStep:
    """Time of one step, or of an array of steps, as the sum of its parts."""

    compute_s: Real
    """Operators of the slowest stage: forward, backward (twice as long) and recomputation."""
    tensor_communication_s: Real
    """Transfers between tensor ways that nothing hides."""
    expert_communication_s: Real
    """Transfers of tokens to the chips of their experts and back that nothing hides."""
    context_communication_s: Real
    """Keys and values, and their gradients, that attention does not hide."""
    pipeline_bubble_s: Real
    pipeline_communication_s: Real
    """Transfers from stage to stage while the pipeline fills and drains, or that take longer than a stage."""
    data_communication_s: Real
    """Transfers of gradients (and sharded weights) that the compute time does not hide."""
    host_communication_s: Real
    """What layers keep, on its way to the host and back, as far as arithmetic does not hide it."""
    optimiser_s: Real
    """Memory traffic of the optimiser."""
    overhead_s: Real
    """What is in no operator or transfer, in proportion to the rest (`step_ratio`)."""
    model_flops: Real
    """Model FLOPs of the step; for causal models half of the score matrix is counted."""
    mfu_fraction: Real
    """Model FLOPs over what the chips' own peaks allow in the step's time."""
    spread: Spread | None = None
    """How sure a calibrated step is; None of an ideal one."""

    @property
    def estimate(self) -> Estimate:
        """The time with its 90% interval; of an ideal step the bound."""
        return bound_time(self.time_s) if self.spread is None else self.spread.bracket(self.time_s)

    @property
    def time_s(self) -> Real:
        """Time of one step."""
        inside_s = self.tensor_communication_s + self.expert_communication_s + self.context_communication_s
        idle_s = self.pipeline_bubble_s + self.pipeline_communication_s
        outside_s = self.data_communication_s + self.host_communication_s + self.optimiser_s
        return self.compute_s + idle_s + inside_s + outside_s + self.overhead_s


def estimate_training_step(
    plan: TrainingPlan,
    *,
    roofline: Roofline,
    memory_bytes: float | None = None,
    tensor_interconnect: Interconnect,
    data_interconnect: Interconnect | None = None,
    replica_interconnect: Interconnect | None = None,
    timer: OperatorTimer | None = None,
    wide_timer: OperatorTimer | None = None,
    overlap: Overlap = "copies",
    step_ratio: Real = 1.0,
    spread: Spread | None = None,
) -> TrainingStep:
    """Time of a step: the slowest pipeline stage, its bubble, and exposed transfers.

    A layer has four tensor-parallel all-reduces (two forward, two backward; full recomputation repeats the
    first two) and four exchanges of tokens with experts. Keys and values of context ways pass once forward,
    and twice backward, with their gradients. The gradients' all-reduce is behind the backward pass; with a
    sharded optimiser, half of it, an all-gather of weights, behind the forward pass; with sharded weights
    another gather is behind the backward pass. With adapters only they have gradients, and their own products
    take no time. Each weight is gathered once per pass of the step, however
    many its microbatches. Transfers inside and between replicas overlap. The last stage has the output head,
    and as many layers less as suit it. Stragglers and data loading are ignored: a lower bound with
    `everything` overlapped. `roofline` may be derated to what kernels reach, and `timer` may be calibrated
    (`choose_timer`), with `step_ratio` the time of a step over its operators and transfers (`step_losses`).
    `wide_timer` times what training keeps in the format of activations where products are narrower:
    attention, routers, the output head, and the conversion of operands, which only then takes time.
    MFU remains the share of the chip's own peak. `data_interconnect` and `replica_interconnect` are
    `tensor_interconnect` unless given.
    Raises ValueError where the plan does not fit `memory_bytes` of one chip.
    Sources: M. Shoeybi et al., "Megatron-LM", arXiv:1909.08053 (all-reduces); S. Rajbhandari et al., "ZeRO",
    arXiv:1910.02054, section 7 (volumes); H. Liu et al., "Ring Attention", arXiv:2310.01889.
    """
    check_choice("overlap", overlap, OVERLAPS)
    if np.any(np.asarray(check_rate("step_ratio", step_ratio)) < 1):
        raise ValueError(f"step_ratio must be at least 1, not {step_ratio!r}")
    if memory_bytes is not None:
        check_rate("memory_bytes", memory_bytes)
        needed = float(np.max(plan.estimate_memory().total_bytes))
        if needed > memory_bytes:
            raise ValueError(f"the plan needs {needed:.4g} bytes on a chip of {memory_bytes:.4g}")
    layout, pipeline = plan.layout, plan.pipeline
    timers = _Timers(products=timer or RooflineTimer(roofline=roofline), wide=wide_timer)
    work = _Work.of(plan, timers, tensor_interconnect, overlap)
    stages, microbatches = layout.pipeline_count, to_float(plan.microbatches_count)
    layers, heads = work.balance(plan.model.layers_count, stages)
    forward_s = layers * work.layer_forward_s + heads * work.head_forward_s
    weights_s = layers * work.layer_weights_s + heads * work.head_forward_s
    backward_s = layers * work.layer_backward_s + heads * 2 * work.head_forward_s
    if plan.adapter_rank_elements is not None:
        backward_s, weights_s = backward_s - weights_s, 0.0
    compute_s = microbatches * (forward_s + backward_s)
    tensor_s, expert_s, context_s = (
        microbatches * layers * each_s
        for each_s in (work.layer_tensor_s, work.layer_expert_s, work.layer_context_s)
    )
    if overlap == "everything":
        hidden = np.minimum(1.0, compute_s / np.maximum(tensor_s + expert_s, 1e-300))
        tensor_s, expert_s = (1 - hidden) * tensor_s, (1 - hidden) * expert_s
    inside_s = tensor_s + expert_s + context_s
    busy_s = (compute_s + inside_s) / microbatches
    passes = Passes(
        forward_s=forward_s + work.forward_fraction * inside_s / microbatches,
        backward_s=busy_s - forward_s - weights_s - work.forward_fraction * inside_s / microbatches,
        weights_s=weights_s,
    )
    send_s: Real = 0.0
    if stages > 1:
        sent = work.message_bytes / (layout.tensor_count if layout.sequence_parallel else 1)
        once_s = tensor_interconnect.send_time_s(sent)
        late_s = np.maximum(0.0, pipeline.interleave_count * once_s - busy_s)
        send_s = 2 * (stages - 1) * once_s + microbatches * late_s
    windows = {"nothing": 0.0, "copies": 1.0, "everything": 1 + inside_s / compute_s}[overlap]
    data_s = _find_copies_s(
        plan,
        data_interconnect or tensor_interconnect,
        replica_interconnect or data_interconnect or tensor_interconnect,
        forward_s=windows * microbatches * forward_s,
        backward_s=windows * (compute_s - microbatches * forward_s),
    )
    update_bytes = plan.state.count_update_bytes(
        plan.trained_parameters_per_chip_count,
        copies_count=plan.copies_per_replica_count * layout.context_count,
    )
    flops = count_training_step_flops(
        plan.model, plan.sequence_tokens, sequences_count=plan.batch_sequences_count
    )
    if plan.adapter_rank_elements is not None:
        multiplied = plan.model.active_parameters_count - plan.model.embedding_parameters_count
        flops = flops - 2 * to_float(plan.batch_tokens) * multiplied
    parts: dict[str, Real] = {
        "compute_s": compute_s,
        "tensor_communication_s": tensor_s,
        "expert_communication_s": expert_s,
        "context_communication_s": context_s,
        "pipeline_bubble_s": pipeline.find_bubble_s(stages, passes),
        "pipeline_communication_s": send_s,
        "data_communication_s": data_s,
        "host_communication_s": microbatches * layers * work.layer_host_s,
        "optimiser_s": update_bytes / roofline.memory_bandwidth_bytes_per_s,
    }
    parts["overhead_s"] = (step_ratio - 1) * add_up(parts.values())
    chip_s = add_up(parts.values()) * layout.chips_count
    return TrainingStep(
        **{name: to_plain_float(part_s) for name, part_s in parts.items()},
        model_flops=to_plain_float(flops),
        mfu_fraction=to_plain_float(flops / (chip_s * roofline.rated_peak_flops_per_s)),
        spread=spread,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """Times of one microbatch in one layer of mean length, and in the output head."""

    layer_forward_s: Real
    layer_backward_s: Real
    """With what is computed again."""
    layer_weights_s: Real
    """Gradients of weights: as long as the products with weights in the forward pass."""
    layer_tensor_s: Real
    layer_expert_s: Real
    layer_context_s: Real
    layer_host_s: Real
    """Transfers of what it keeps, to the host and back, that it does not hide."""
    head_forward_s: Real
    message_bytes: Real
    """Activations of a microbatch on one chip."""
    forward_fraction: float
    """Share of a layer's transfers that belong to the forward pass."""

    @classmethod
    def of(cls, plan: TrainingPlan, timers: "_Timers", links: Interconnect, overlap: Overlap) -> "_Work":
        model, layout = plan.model, plan.layout
        groups_count = plan.microbatch_sequences_count * layout.expert_count * layout.data_count
        operators = list_operators(
            model,
            prefill(plan.sequence_tokens, sequences_count=groups_count),
            formats=plan.formats,
            layout=layout,
            attention=plan.attention,
            head_of_every_token=True,
        )
        inner = [each for each in operators if each.part != "head"]
        forward_s = {each.name: timers.find_time_s(each) for each in inner}
        again = {"none": (), "selective": SCORES, "full": tuple(forward_s)}[plan.recompute]
        again_s = add_up(time_s for name, time_s in forward_s.items() if name in again)
        narrowed_s, narrowed_gradients_s = timers.find_conversion_times_s(inner, plan.formats)
        backward_s = add_up(timers.find_backward_s(each) for each in inner)
        heads_s = add_up(timers.find_time_s(each) for each in operators if each.part == "head")
        tokens = plan.microbatch_sequences_count * divide_up(plan.sequence_tokens, layout.context_count)
        message = to_float(tokens) * model.width_elements * bytes_per_element(plan.formats.activations)
        all_reduces = 6 if plan.recompute == "full" else 4
        routed_s: Real = 0.0
        if model.experts is not None:
            visits = layout.expert_count, model.experts.active_count
            narrow = message * plan.formats.dispatched_fraction
            # Gradients return both ways as wide as results.
            routed_s = links.token_exchange_time_s(narrow, *visits)
            routed_s = routed_s + 3 * links.token_exchange_time_s(message, *visits)
        context_s = add_up(
            _find_passing_s(each, forward_s[each.name], links, layout.context_count, overlap)
            for each in inner
        )
        share = 1 / model.layers_count
        share = 1 / model.layers_count
        layer_s = (add_up(forward_s.values()) + narrowed_s) * share
        gradients_s = (backward_s + narrowed_gradients_s + plan.recomputed_fraction * again_s) * share
        host_s: Real = 0.0
        if plan.offload_bytes_per_s is not None:
            moved_s = plan.find_layer_bytes() / plan.offload_bytes_per_s
            host_s = np.maximum(moved_s - layer_s, 0.0) + np.maximum(moved_s - gradients_s, 0.0)
        return cls(
            layer_forward_s=layer_s,
            layer_backward_s=gradients_s,
            layer_weights_s=add_up(forward_s[each.name] for each in inner if _has_weights(each)) * share,
            layer_tensor_s=all_reduces
            * links.all_reduce_time_s(message, layout.tensor_count)
            * (model.halves_count * share / 2),
            layer_expert_s=routed_s * model.expert_layers_count * share,
            layer_context_s=context_s * share,
            layer_host_s=host_s,
            head_forward_s=heads_s,
            message_bytes=message,
            forward_fraction=2 / all_reduces,
        )

    def balance(self, layers_count: int, stages_count: int) -> tuple[Real, Real]:
        """Layers of the slowest stage, and 1.0 where it has the output head.

        The last stage has as many layers less than the others as make the slowest one quickest.
        """
        if stages_count == 1:
            return float(layers_count), 1.0
        inside_s = self.layer_tensor_s + self.layer_expert_s + self.layer_context_s
        layer_s = self.layer_forward_s + self.layer_backward_s + inside_s
        head_s = 3 * self.head_forward_s
        layers: Real = float(layers_count)
        heads: Real = 1.0
        for last in range(-(-layers_count // stages_count) + 1):
            others = -(-(layers_count - last) // (stages_count - 1))
            plain = np.asarray(others * layer_s >= last * layer_s + head_s)
            worst_s = np.maximum(others * layer_s, last * layer_s + head_s)
            better = worst_s < layers * layer_s + heads * head_s
            layers = np.where(better, np.where(plain, others, last), layers)
            heads = np.where(better, np.where(plain, 0.0, 1.0), heads)
        return layers, heads


@dataclass(frozen=True, slots=True, kw_only=True)
class _Timers:
    """Times of operators in all layers, in the formats in which training has them."""

    products: OperatorTimer
    wide: OperatorTimer | None
    """None times all with `products`, and converts nothing."""

    def find_time_s(self, operator: Operator) -> Real:
        """Forward time, without conversions."""
        timer = self.products if self.wide is None or _is_narrowed(operator) else self.wide
        return timer.time_operator(operator).time_s * operator.layers_count

    def find_backward_s(self, operator: Operator) -> Real:
        """Backward time, without conversions and recomputation."""
        backward = operator.list_backward()
        if all(each is operator for each in backward):
            return len(backward) * self.find_time_s(operator)
        return add_up(self.find_time_s(each) for each in backward)

    def find_conversion_times_s(self, operators: Sequence[Operator], formats: Formats) -> tuple[Real, Real]:
        """Of inputs forward, and of gradients backward, of the products with weights.

        Each is read once and written in both orders, since one product of the backward pass sums over rows.
        Experts and products of four bits were measured with their conversions; weights are converted once
        for a step.
        """
        inputs_s: Real = 0.0
        gradients_s: Real = 0.0
        if self.wide is None or bytes_per_element(formats.arithmetic) < 1:
            return inputs_s, gradients_s
        for operator in operators:
            if operator.product is None or not _is_narrowed(operator):
                continue
            rows, depth, columns = operator.product
            times = []
            for width in (depth, columns):
                kernel = count_elementwise(rows * width, inputs=1, dtype=formats.activations)
                conversion = replace(
                    operator, name="conversion", kernel=kernel, product=None, measured_as="elementwise"
                )
                times.append(self.wide.time_operator(conversion).time_s * operator.layers_count)
            inputs_s, gradients_s = inputs_s + times[0], gradients_s + times[1]
        return inputs_s, gradients_s


def _is_narrowed(operator: Operator) -> bool:
    """Whether training in a narrow format multiplies these operands in it."""
    fused = operator.attention is not None or operator.name in (*SCORES, RECURRENCE)
    return operator.on_matrix_units and not fused and operator.part != "head" and operator.name != "router"


def _has_weights(operator: Operator) -> bool:
    return operator.on_matrix_units and operator.name not in (*SCORES, RECURRENCE)


def _find_passing_s(
    operator: Operator, time_s: Real, links: Interconnect, ways: int, overlap: Overlap
) -> Real:
    """Exposed transfers of keys and values in all layers, forward once and backward twice."""
    if ways == 1 or not np.any(np.asarray(operator.passed_bytes) > 0):
        return 0.0
    passing_s = links.all_gather_time_s(operator.passed_bytes, ways) * operator.layers_count
    hidden_s = 0.0 if overlap == "nothing" else time_s
    return 3 * np.maximum(0.0, passing_s - hidden_s)


def _find_copies_s(
    plan: TrainingPlan,
    links: Interconnect,
    replica_links: Interconnect,
    *,
    forward_s: Real,
    backward_s: Real,
) -> Real:
    """Transfers between copies of a model that the passes of these times do not hide."""
    layout, replicas = plan.layout, plan.state.replicas_count
    element = bytes_per_element(plan.formats.activations)
    copies = plan.copies_per_replica_count * layout.context_count
    # Parameters outside the experts are replicated over the expert ways, too.
    routed_bytes = plan.routed_parameters_per_chip_count * element
    shared_bytes = plan.parameters_per_chip_count * element - routed_bytes
    reduce_s = links.all_reduce_time_s(shared_bytes, copies * layout.expert_count)
    shard_bytes = shared_bytes / (copies * layout.expert_count)
    if routed_bytes:
        reduce_s = reduce_s + links.all_reduce_time_s(routed_bytes, copies)
        shard_bytes += routed_bytes / copies
    across_s = replica_links.all_reduce_time_s(shard_bytes, replicas)
    if plan.adapter_rank_elements is not None:
        gradients_s = reduce_s * plan.trained_parameters_per_chip_count / plan.parameters_per_chip_count
        gathered_s = 0.5 * reduce_s if plan.state.sharded == "parameters" else 0.0
        exposed_s = np.maximum(0.0, gathered_s - forward_s)
        return exposed_s + np.maximum(0.0, gathered_s + gradients_s - backward_s)
    # An all-gather or a reduce-scatter takes half as long as an all-reduce.
    gather_s = {"nothing": 0.0, "optimiser": 0.5, "gradients": 0.5, "parameters": 0.5}[plan.state.sharded]
    backward = {"nothing": 1.0, "optimiser": 0.5, "gradients": 0.5, "parameters": 1.0}[plan.state.sharded]
    exposed_s = np.maximum(0.0, gather_s * reduce_s - forward_s)
    return exposed_s + np.maximum(0.0, np.maximum(backward * reduce_s, across_s) - backward_s)
