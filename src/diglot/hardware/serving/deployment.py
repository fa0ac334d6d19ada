"""Serving a transformer on chips: whether it fits the memory, and how its steps are timed (`steps`).

A `Deployment` is a model on a layout of equal chips. Each operator takes its roofline time, a lower bound
without launches or scheduler, unless the roofline is derated (`derate`) or times are tiled or calibrated
(`operators.timers`). Transfers between chips are not hidden unless the options say so, so that an engine that
hides them may be quicker.
"""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.chips.calibration import IDEAL, load_calibration
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.chips.replay import load_replay
from diglot.hardware.chips.spreads import Spread, Subject, find_spread
from diglot.hardware.dtypes import bytes_per_element
from diglot.hardware.models.catalogue import find_model
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.networks.libraries import find_library
from diglot.hardware.operators.timers import OperatorTimer, Timing, choose_timer
from diglot.hardware.operators.transformer import DEFAULT_FORMATS, Formats, check_formats
from diglot.hardware.parallelism.chip_links import find_links
from diglot.hardware.parallelism.layouts import ONE_CHIP, Interconnect, Layout
from diglot.hardware.rooflines.roofline import Roofline
from diglot.hardware.serving.expert_balance import replicate_experts
from diglot.hardware.serving.runtimes import OVERLAPPED, Runtime
from diglot.hardware.serving.step_options import PLAIN_STEP, StepOptions
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_amount,
    check_rate,
    check_share,
    check_size,
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
    host_step_s: float = 0.0
    """Time between two steps in which the host samples and schedules while the chips wait."""
    options: StepOptions = PLAIN_STEP
    """What the engine does in a step. `model` has the redundant experts already (`replicate_experts`)."""
    spread: Spread | None = None
    """How sure calibrated steps are, and what follows from them; None of ideal and tiled ones."""

    def __post_init__(self) -> None:
        check_formats(self.formats)
        check_rate("memory_bytes", self.memory_bytes)
        check_share("reserved_fraction", self.reserved_fraction, one=False)
        check_amount("host_launch_s", self.host_launch_s)
        check_amount("host_step_s", self.host_step_s)
        self.layout.check_divides(self.model)
        self.options.check_fits(self.model, self.layout)
        if self.free_bytes_per_chip < 0:
            raise MemoryLimitError(
                f"{self.model.name} takes {self.weights_bytes_per_chip / 1e9:,.1f} GB on each of "
                f"{self.layout.chips_count} chips, but only {self.usable_bytes / 1e9:,.1f} GB are available"
            )

    @property
    def usable_bytes(self) -> float:
        """Memory of one chip without the reserved share."""
        return self.memory_bytes * (1 - self.reserved_fraction)

    @property
    def weights_bytes_per_chip(self) -> float:
        """The weights of a chip of the fullest stage, with routed experts over expert ways.

        Embedding and head, in their format, count as if over all stages. Split evenly: repetition on
        tensor-parallel chips (norms, more ways than KV heads) is ignored.
        """
        model, layout, formats = self.model, self.layout, self.formats
        embeddings = model.embedding_parameters_count + model.head_parameters_count
        routed = 0
        if model.experts is not None:
            routed = model.expert_layers_count * model.experts.routed_count * model.expert_parameters_count
        layers = model.parameters_count - embeddings - routed + routed / layout.expert_count
        stage = layers * bytes_per_element(formats.weights) * layout.find_stage_fraction(model)
        stage += embeddings * bytes_per_element(formats.embeddings) / layout.pipeline_count
        return stage / layout.tensor_count

    @property
    def free_bytes_per_chip(self) -> float:
        """Memory of one chip left for the cache."""
        return self.usable_bytes - self.weights_bytes_per_chip

    def kv_bytes_per_chip(self, context_tokens: SizeLike) -> Real:
        """Cache of one sequence on a chip of the fullest stage, with the state of recurrent layers.

        Split over stages, context ways and KV heads. Tensor ways beyond the KV heads repeat heads; with
        latent attention every tensor way holds the whole cache.
        """
        layout, model = self.layout, self.model
        ways = 1 if model.latent is not None else min(layout.tensor_count, model.kv_heads_count)
        ways *= layout.context_count
        whole = model.kv_bytes(context_tokens, self.formats.kv_cache)
        return whole * layout.find_stage_fraction(model) / ways + self.state_bytes_per_chip

    @property
    def state_bytes_per_chip(self) -> float:
        """Of these the state of recurrent layers, which no other sequence can share; its heads are split."""
        share = self.layout.find_stage_fraction(self.model) / self.layout.tensor_count
        return self.model.state_bytes * share

    def largest_batch_count(self, context_tokens: SizeLike) -> Size:
        """Sequences of this length whose caches fit next to the weights, over all copies; may be 0."""
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
    slice_sides: tuple[int, ...] | None = None,
    compute_fraction: float = 1.0,
    memory_fraction: float = 1.0,
    reserved_fraction: float = 0.0,
    timing: Timing = "ideal",
    runtime: Runtime = OVERLAPPED,
    options: StepOptions = PLAIN_STEP,
) -> Deployment:
    """A model on chips of the catalogue, over their own links (`find_links`) unless an interconnect is given.

    `slice_sides` are those of the slice of TPUs, otherwise chosen by the layout. The fractions are the shares
    of the two roofs that kernels reach; 1 is ideal. `timing` selects `tiled` or `calibrated` times instead
    (`operators.timers`); both exclude fractions. Of a calibrated step, collectives are calibrated, too: as
    serving engines run them (`networks.libraries`), or with published factors where no library was measured;
    so it excludes an interconnect. `runtime` is what the host of an engine adds to calibrated steps, if
    it does not work ahead of replayed graphs; a TPU always runs a whole program.
    `options` are what the engine does in a step; redundant experts are added to those of the model.
    Raises ValueError for a layout that does not divide the model or fit the memory, and where the catalogue
    does not say how that many chips are connected; MissingFigureError where a roof is not known.
    """
    check_formats(formats)
    model = find_model(model)
    chip = find_chip(chip)
    if options.redundant_experts_count:
        model = replicate_experts(model, redundant_count=options.redundant_experts_count)
    layout.check_divides(model)  # before `find_links`, since its error is clearer
    if timing != "ideal" and (compute_fraction, memory_fraction) != (1.0, 1.0):
        raise ValueError(f"compute_fraction and memory_fraction must be 1 with {timing} timing")
    if timing == "calibrated" and interconnect is not None:
        raise ValueError("interconnect must be None: calibrated timing calibrates the chips' own links")
    if interconnect is not None and slice_sides is not None:
        raise ValueError("slice_sides must be None with an interconnect: they shape the chips' own links")
    if runtime.launches == "host" and timing != "calibrated":
        raise ValueError(f'launches="host" needs calibrated timing: {timing} times have no launches')
    is_started_by_host = runtime.launches == "host" and chip.kind == "gpu"
    timer = choose_timer(chip, formats.arithmetic, timing)
    subject: Subject = "served dense" if model.experts is None else "served experts"
    if interconnect is None:
        several = timing == "calibrated" and layout.chips_per_copy_count > 1
        library = find_library(chip, "custom") if several else None
        factors = load_calibration().find(chip, "collective") if several and library is None else IDEAL
        interconnect = find_links(chip, layout, slice_sides=slice_sides, factors=factors, library=library)
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
        host_launch_s=load_replay().host_launch_s if is_started_by_host else 0.0,
        host_step_s=runtime.host_step_s,
        options=options,
        spread=find_spread(subject, chip, is_like_measured=model.recurrent is None)
        if timing == "calibrated"
        else None,
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
