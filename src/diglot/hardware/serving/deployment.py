"""Serving a transformer on chips: whether it fits the memory, and the time of a step.

A `Deployment` is a model on a layout of equal chips. Operators run sequentially; transfers between chips are
not hidden, so that an engine that hides them may be quicker (`overlap.overlap_step` is a bound for it). Each
operator takes its roofline time, a lower bound without launches or scheduler, unless the roofline is derated
(`derate`) or times are tiled or calibrated (`operators.timers`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from diglot.hardware.chips.calibration import IDEAL, load_calibration
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.chips.replay import LAUNCHES, Launches, load_replay
from diglot.hardware.dtypes import bytes_per_element
from diglot.hardware.models.catalogue import find_model
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.networks.libraries import find_library
from diglot.hardware.operators.timers import OperatorTimer, RooflineTimer, Timing, choose_timer
from diglot.hardware.operators.transformer import (
    DEFAULT_FORMATS,
    Formats,
    Operator,
    Part,
    SequenceGroup,
    decode,
    list_operators,
    prefill,
)
from diglot.hardware.parallelism.chip_links import find_links
from diglot.hardware.parallelism.layouts import ONE_CHIP, Interconnect, Layout
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    add_up,
    check_amount,
    check_choice,
    check_rate,
    check_share,
    check_size,
    divide_up,
    to_float,
    to_plain_float,
    to_plain_int,
)


class MemoryLimitError(ValueError):
    """The weights of a model do not fit the memory of the chips."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A model on chips.

    Raises ValueError where the layout does not divide it, and MemoryLimitError where its weights do not fit.
    """

    model: TransformerModel
    layout: Layout = ONE_CHIP
    formats: Formats = DEFAULT_FORMATS
    roofline: Roofline
    """Roofline of one chip in the arithmetic format."""
    memory_bytes: float
    """Memory of one chip."""
    interconnect: Interconnect
    reserved_fraction: float = 0.0
    """Share of the memory reserved for activations, graphs and the rest of the runtime."""
    timer: OperatorTimer | None = None
    """Timer of operators; None uses the roofline."""
    host_launch_s: float = 0.0
    """Time in which the host starts one kernel; 0 where a whole step is replayed as one graph."""

    def __post_init__(self) -> None:
        check_rate("memory_bytes", self.memory_bytes)
        check_share("reserved_fraction", self.reserved_fraction, one=False)
        check_amount("host_launch_s", self.host_launch_s)
        self.layout.check_divides(self.model)
        if self.free_bytes_per_chip < 0:
            raise MemoryLimitError(
                f"{self.model.name} takes {self.weights_bytes_per_chip:.4g} bytes on each of "
                f"{self.layout.chips_count} chips, but only {self.usable_bytes:.4g} are available"
            )

    @property
    def usable_bytes(self) -> float:
        """Memory of one chip without the reserved share."""
        return self.memory_bytes * (1 - self.reserved_fraction)

    @property
    def weights_bytes_per_chip(self) -> float:
        """A chip's share of the weights: routed experts over expert ways; embedding and head in their format.

        Split evenly: repetition on tensor-parallel chips (norms, more ways than KV heads) is ignored.
        """
        model, layout, formats = self.model, self.layout, self.formats
        embeddings = model.embedding_parameters_count + model.head_parameters_count
        routed = 0
        if model.experts is not None:
            routed = model.expert_layers_count * model.experts.routed_count * model.expert_parameters_count
        layers = model.parameters_count - embeddings - routed + routed / layout.expert_count
        size = layers * bytes_per_element(formats.weights) + embeddings * bytes_per_element(
            formats.embeddings
        )
        return size / (layout.tensor_count * layout.pipeline_count)

    @property
    def free_bytes_per_chip(self) -> float:
        """Memory of one chip left for the cache."""
        return self.usable_bytes - self.weights_bytes_per_chip

    def kv_bytes_per_chip(self, context_tokens: SizeLike) -> Real:
        """Cache of one sequence on each chip that holds a part of it.

        Split over stages, context ways and KV heads. Tensor ways beyond the KV heads repeat heads; with
        latent attention every tensor way holds the whole cache.
        """
        layout, model = self.layout, self.model
        ways = 1 if model.latent is not None else min(layout.tensor_count, model.kv_heads_count)
        ways *= layout.context_count
        return model.kv_bytes(context_tokens, self.formats.kv_cache) / (ways * layout.pipeline_count)

    def largest_batch_count(self, context_tokens: SizeLike) -> Size:
        """Sequences of this length whose caches fit beside the weights, over all copies; may be 0."""
        caches = self.kv_bytes_per_chip(check_size("context_tokens", context_tokens))
        fits = np.floor(np.asarray(self.free_bytes_per_chip / caches))
        return to_plain_int(fits.astype(np.int64) * self.layout.groups_count)

    def check_fits(self, batch_count: SizeLike, context_tokens: SizeLike) -> None:
        """Raise ValueError where `batch_count` sequences of this length do not fit."""
        largest = np.asarray(self.largest_batch_count(context_tokens))
        batch = np.asarray(check_size("batch_count", batch_count))
        if np.any(batch > largest):
            raise ValueError(
                f"{np.max(batch)} sequences do not fit: at most {np.min(largest)} of that length"
            )


def deploy(
    model: TransformerModel | str,
    chip: Chip | str,
    *,
    layout: Layout = ONE_CHIP,
    formats: Formats = DEFAULT_FORMATS,
    interconnect: Interconnect | None = None,
    compute_fraction: float = 1.0,
    memory_fraction: float = 1.0,
    reserved_fraction: float = 0.0,
    timing: Timing = "ideal",
    launches: Launches = "graph",
) -> Deployment:
    """A model on chips of the catalogue, over their own links (`find_links`) unless an interconnect is given.

    The fractions are the shares of the two roofs that kernels reach; 1 is ideal. `timing` selects `tiled` or
    `calibrated` operator times instead (`operators.timers`); both exclude fractions. With `calibrated`,
    collectives over the default links are calibrated, too: as serving engines run them
    (`networks.libraries`), or with published factors where no library was measured. With `launches="host"`
    the host of GPUs starts the kernels of calibrated steps one after another, running ahead of the chips;
    serving engines replay steps of single tokens as one graph, and a TPU always runs a whole program.
    Raises ValueError for a layout that does not divide the model or fit the memory, and where the catalogue
    does not say how that many chips are connected; MissingFigureError where a roof is not known.
    """
    model = find_model(model)
    chip = find_chip(chip)
    layout.check_divides(model)  # before `find_links`, since its error is clearer
    if timing != "ideal" and (compute_fraction, memory_fraction) != (1.0, 1.0):
        raise ValueError(f"compute_fraction and memory_fraction must be 1 with {timing} timing")
    check_choice("launches", launches, LAUNCHES)
    if launches == "host" and timing != "calibrated":
        raise ValueError(f'launches="host" needs calibrated timing: {timing} times have no launches')
    timer = choose_timer(chip, formats.arithmetic, timing)
    if interconnect is None:
        several = timing == "calibrated" and layout.chips_per_copy_count > 1
        library = find_library(chip, "custom") if several else None
        factors = load_calibration().find(chip, "collective") if several and library is None else IDEAL
        interconnect = find_links(chip, layout, factors=factors, library=library)
    return Deployment(
        model=model,
        layout=layout,
        formats=formats,
        roofline=derate(
            chip.roofline(formats.arithmetic),
            compute_fraction=compute_fraction,
            memory_fraction=memory_fraction,
        ),
        memory_bytes=chip.memory_bytes,
        interconnect=interconnect,
        reserved_fraction=reserved_fraction,
        timer=None if timing == "ideal" else timer,
        host_launch_s=load_replay().host_launch_s if (launches, chip.kind) == ("host", "gpu") else 0.0,
    )


def derate(roofline: Roofline, *, compute_fraction: float = 1.0, memory_fraction: float = 1.0) -> Roofline:
    """The roofline lowered to the shares that kernels reach. Raises ValueError for shares outside (0, 1]."""
    for name, share in (("compute_fraction", compute_fraction), ("memory_fraction", memory_fraction)):
        check_share(name, share, zero=False)
    return Roofline(
        peak_flops_per_s=roofline.peak_flops_per_s * compute_fraction,
        memory_bandwidth_bytes_per_s=roofline.memory_bandwidth_bytes_per_s * memory_fraction,
        rated=roofline.rated or roofline,
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
    """Two all-reduces per layer."""
    expert_communication_s: Real
    """Transfers of tokens to the chips of their experts and back."""
    context_communication_s: Real
    """Transfers between context ways that attention does not hide."""
    pipeline_communication_s: Real
    """Transfers from stage to stage."""
    host_time_s: Real
    """Time in which the host starts all kernels, ahead of the chips; 0 where a graph is replayed."""
    time_s: Real
    """From the first layer to the last: the latency of a token. At least as long as the host takes."""
    interval_s: Real
    """Time from one step to the next, with stages working on different steps: `time_s` / stages."""

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
    timer = deployment.timer or RooflineTimer(roofline=deployment.roofline)
    operators = list_operators(
        model,
        groups,
        formats=deployment.formats,
        layout=layout,
        head_of_every_token=head_of_every_token,
    )
    times = tuple(_time_layers(timer, operator) for operator in operators)
    own = [group.divided(layout.data_count).divided(layout.expert_count) for group in groups]
    tokens = add_up(to_float(group.tokens_on_chip(layout.context_count)) for group in own)
    message = tokens * model.width_elements * bytes_per_element(deployment.formats.activations)
    links = deployment.interconnect
    tensor_s: Real = 0.0
    if layout.tensor_count > 1:
        tensor_s = 2 * model.layers_count * links.all_reduce_time_s(message, layout.tensor_count)
    expert_s: Real = 0.0
    if layout.expert_count > 1 and model.experts is not None:
        routed = message * model.experts.active_count
        expert_s = 2 * model.expert_layers_count * links.all_to_all_time_s(routed, layout.expert_count)
    context_s: Real = 0.0
    if layout.context_count > 1:
        context_s = add_up(_find_exposed_s(entry, links, layout.context_count) for entry in times)
    pipeline_s: Real = 0.0
    if layout.pipeline_count > 1:
        sent = message / layout.tensor_count if layout.sequence_parallel else message
        pipeline_s = (layout.pipeline_count - 1) * links.send_time_s(sent)
    busy_s = add_up(entry.time_s for entry in times) + tensor_s + expert_s + context_s + pipeline_s
    host_s = deployment.host_launch_s * _count_kernels(operators, deployment)
    time_s = np.maximum(np.asarray(busy_s), host_s)
    return StepTime(
        operators=times,
        tensor_communication_s=to_plain_float(tensor_s),
        expert_communication_s=to_plain_float(expert_s),
        context_communication_s=to_plain_float(context_s),
        pipeline_communication_s=to_plain_float(pipeline_s),
        host_time_s=host_s,
        time_s=to_plain_float(time_s),
        interval_s=to_plain_float(time_s / layout.pipeline_count),
    )


def _count_kernels(operators: Sequence[Operator], deployment: Deployment) -> int:
    """Kernels of a step in all layers, collectives included."""
    model, layout = deployment.model, deployment.layout
    collectives = 2 * model.layers_count if layout.tensor_count > 1 else 0
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
