"""Time of one step of a deployment, with its parts: a prefill, a token of a batch, or a mixture of both.

Operators run one after the other, then come the transfers between chips that are not hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from diglot.hardware.chips.spreads import Estimate, Spread, bound_time
from diglot.hardware.dtypes import bytes_per_element
from diglot.hardware.kernels.expert_routing import Routing
from diglot.hardware.operators.timers import OperatorTimer, RooflineTimer
from diglot.hardware.operators.transformer import (
    Operator,
    Part,
    SequenceGroup,
    count_touched_experts,
    decode,
    list_operators,
    prefill,
)
from diglot.hardware.parallelism.layouts import Interconnect
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.expert_balance import balance_experts, scale_experts
from diglot.hardware.serving.tensor_communication import count_sent_elements, overlap_chunks_s
from diglot.hardware.sizes import (
    Real,
    Size,
    add_up,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LayersTime:
    """Time of one kind of operator in all layers of a step."""

    operator: Operator
    time_s: Real
    """Time in all layers."""
    compute_time_s: Real
    """Time of its arithmetic alone."""
    memory_time_s: Real
    """Time of its memory traffic alone."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepTime:
    """Time of one step, with its parts."""

    operators: tuple[LayersTime, ...]
    tensor_communication_s: Real
    """An all-reduce after each half of a layer, or what of them products do not hide."""
    expert_communication_s: Real
    """Transfers of tokens to the chips of their experts and back."""
    context_communication_s: Real
    """Transfers between context ways that attention does not hide."""
    pipeline_communication_s: Real
    """Transfers from stage to stage."""
    host_time_s: Real
    """Time in which the host starts all kernels, ahead of the chips; 0 where a graph is replayed."""
    time_s: Real
    """From the first layer to the last: the latency of a token. At least as long as the host takes, and what
    it does between steps."""
    interval_s: Real
    """Time from one step to the next, with stages working on different steps: that of the fullest stage."""
    spread: Spread | None = None
    """How sure a calibrated step is; None of an ideal one."""

    @property
    def estimate(self) -> Estimate:
        """The latency of a token with its 90% interval; of an ideal step the bound."""
        return bound_time(self.time_s) if self.spread is None else self.spread.bracket(self.time_s)

    @property
    def communication_s(self) -> Real:
        """Time of all exposed transfers between chips."""
        inside_s = self.tensor_communication_s + self.expert_communication_s + self.context_communication_s
        return inside_s + self.pipeline_communication_s

    def part_time_s(self, part: Part) -> Real:
        """Time of the operators of one part of the model."""
        return add_up(entry.time_s for entry in self.operators if entry.operator.part == part)


def estimate_step(
    deployment: Deployment, *groups: SequenceGroup, head_of_every_token: bool = False
) -> StepTime:
    """Time of one step of these sequences. Does not check that they fit memory (see `check_fits`).

    With several stages, `groups` are the sequences in one stage at a time. `head_of_every_token` as in
    `list_operators`: a step that verifies drafted tokens needs it.
    """
    model, layout = deployment.model, deployment.layout
    for group in groups:
        model.check_positions(group.context_tokens + group.new_tokens)
    timer = deployment.timer or RooflineTimer(roofline=deployment.roofline)
    operators = list_operators(
        model,
        groups,
        formats=deployment.formats,
        layout=layout,
        head_of_every_token=head_of_every_token,
    )
    own = [group.divided(layout.data_count).divided(layout.expert_count) for group in groups]
    busiest: Real = 1.0
    if deployment.options.routing_skew is not None:
        operators, busiest = _route(deployment, operators, groups)
    times = tuple(_time_layers(timer, operator) for operator in operators)
    tokens = add_up(to_float(group.tokens_on_chip(layout.context_count)) for group in own)
    message = tokens * model.width_elements * bytes_per_element(deployment.formats.activations)
    links = deployment.interconnect
    tensor_s: Real = 0.0
    if layout.tensor_count > 1:
        tensor_s = _find_shown_s(deployment, times, _find_tensor_s(deployment, message))
    expert_s: Real = 0.0
    if layout.expert_count > 1 and model.experts is not None:
        visits = layout.expert_count, model.experts.active_count
        narrow = message * deployment.formats.dispatched_fraction
        sent_s = links.token_exchange_time_s(narrow * busiest, *visits)
        returned_s = links.token_exchange_time_s(message * busiest, *visits)
        expert_s = model.expert_layers_count * (sent_s + returned_s)
    context_s: Real = 0.0
    if layout.context_count > 1:
        context_s = add_up(_find_exposed_s(entry, links, layout.context_count) for entry in times)
    pipeline_s: Real = 0.0
    if layout.pipeline_count > 1:
        sent = message / layout.tensor_count if layout.sequence_parallel else message
        pipeline_s = (layout.pipeline_count - 1) * links.send_time_s(sent)
    busy_s = add_up(entry.time_s for entry in times) + tensor_s + expert_s + context_s + pipeline_s
    host_s = deployment.host_launch_s * _count_kernels(operators, deployment)
    time_s = np.maximum(np.asarray(busy_s), host_s) + deployment.host_step_s
    return StepTime(
        operators=times,
        tensor_communication_s=to_plain_float(tensor_s),
        expert_communication_s=to_plain_float(expert_s),
        context_communication_s=to_plain_float(context_s),
        pipeline_communication_s=to_plain_float(pipeline_s),
        host_time_s=host_s,
        time_s=to_plain_float(time_s),
        interval_s=to_plain_float(time_s * layout.find_stage_fraction(model)),
        spread=deployment.spread,
    )


def _route(
    deployment: Deployment, operators: tuple[Operator, ...], groups: Sequence[SequenceGroup]
) -> tuple[tuple[Operator, ...], Real]:
    """The operators with the experts of the busiest way, and its rows over the mean.

    A skew alone shortens a small step on few ways, since fewer experts are visited.
    """
    layout, options = deployment.layout, deployment.options
    experts = deployment.model.experts
    if experts is None:
        return operators, 1.0
    tokens = sum(group.divided(layout.data_count).tokens_on_chip(layout.context_count) for group in groups)
    balance = balance_experts(
        Routing(
            experts_count=experts.routed_count - options.redundant_experts_count,
            active_count=experts.active_count,
            skew=options.routing_skew or 0.0,
        ),
        tokens,
        ways_count=layout.expert_count,
        redundant_count=options.redundant_experts_count,
        placement=options.expert_placement,
    )
    rows = balance.imbalance_ratio
    even = count_touched_experts(experts.routed_count, experts.active_count, tokens) / layout.expert_count
    weights = balance.busiest_touched_count / even
    routed = (
        scale_experts(each, rows_ratio=rows, weights_ratio=weights) if each.experts is not None else each
        for each in operators
    )
    return tuple(routed), rows


def _find_tensor_s(deployment: Deployment, message_bytes: Real) -> Real:
    """Time of the transfers between tensor ways in all layers: an all-reduce after each half of a layer.

    A feed-forward network that is split along two dimensions takes as long as an all-reduce of its bytes.
    Experts send the inner activations of all that a token visits, but their results as one sum.
    """
    model, ways = deployment.model, deployment.layout.tensor_count
    reduce = deployment.interconnect.all_reduce_time_s
    halves_s = reduce(message_bytes, ways)
    split = deployment.options.width_ways_count
    if split == 1:
        return model.halves_count * halves_s
    inner_of_layers = [(model.dense_layers_count, model.feed_forward_elements)]
    if model.experts is not None:
        visited = model.experts.active_count + model.experts.shared_count
        inner_of_layers.append((model.expert_layers_count, visited * model.experts.hidden_elements))
    sent_s: Real = 0.0
    for layers, inner in inner_of_layers:
        elements = count_sent_elements(model.width_elements, inner, ways, width_ways=split)
        sent_s = sent_s + layers * reduce(message_bytes * elements / model.width_elements, ways)
    return (model.halves_count - model.feed_forward_layers_count) * halves_s + sent_s


def _find_shown_s(deployment: Deployment, times: Sequence[LayersTime], sent_s: Real) -> Real:
    """Time of those transfers that the products of all layers do not hide."""
    chunks = deployment.options.overlapped_chunks_count
    if chunks == 1:
        return sent_s
    products_s = add_up(
        entry.time_s
        for entry in times
        if entry.operator.product is not None and entry.operator.part != "head"
    )
    return overlap_chunks_s(products_s, sent_s, chunks_count=chunks) - products_s


def _count_kernels(operators: Sequence[Operator], deployment: Deployment) -> int:
    """Kernels of a step in all layers, collectives included."""
    model, layout = deployment.model, deployment.layout
    collectives = model.halves_count if layout.tensor_count > 1 else 0
    if layout.expert_count > 1 and model.experts is not None:
        collectives += 2 * model.expert_layers_count
    return sum(operator.layers_count for operator in operators) + collectives


def _find_exposed_s(entry: LayersTime, links: Interconnect, ways: int) -> Real:
    """Exposed time in all layers: the next part is transferred while attention processes one."""
    passing_s = links.all_gather_time_s(entry.operator.passed_bytes, ways) * entry.operator.layers_count
    travels = np.asarray(entry.operator.passed_bytes) > 0
    return np.where(travels, np.maximum(passing_s - entry.time_s, 0.0), 0.0)


def _time_layers(timer: OperatorTimer, operator: Operator) -> LayersTime:
    once, layers = timer.time_operator(operator), operator.layers_count
    return LayersTime(
        operator=operator,
        time_s=once.time_s * layers,
        compute_time_s=once.compute_time_s * layers,
        memory_time_s=once.memory_time_s * layers,
    )


def estimate_prefill(deployment: Deployment, prompt_tokens: Size, *, sequences_count: Size = 1) -> StepTime:
    """Whole prompts to their first token; `time_s` is the least time to first token (TTFT)."""
    return estimate_step(deployment, prefill(prompt_tokens, sequences_count=sequences_count))


def estimate_decode(deployment: Deployment, context_tokens: Size, *, batch_count: Size = 1) -> StepTime:
    """One more token for every sequence of a batch; `time_s` is the time per output token (TPOT).

    With several stages, each processes its share of the batch, rounded up, and a token passes all stages.
    """
    share = divide_up(check_size("batch_count", batch_count), deployment.layout.pipeline_count)
    return estimate_step(deployment, decode(context_tokens, sequences_count=share))
