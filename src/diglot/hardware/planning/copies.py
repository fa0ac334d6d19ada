"""Copies of a model on chips: which layouts and precisions are possible at all, and their times."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from diglot.hardware.chips.chip import Chip, MissingFigureError
from diglot.hardware.models.model import TransformerModel
from diglot.hardware.parallelism.layouts import Layout
from diglot.hardware.planning.losses import Loss
from diglot.hardware.planning.remembered_times import RememberingTimer
from diglot.hardware.planning.search_space import PRECISIONS, SearchSpace
from diglot.hardware.serving.batching import Workload, prefill_workload
from diglot.hardware.serving.deployment import Deployment, MemoryLimitError, deploy
from diglot.hardware.serving.steps import StepTime, estimate_decode


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Copy:
    """One copy of a model on chips, with the steps of all batches that fit."""

    chip: Chip
    precision: str
    deployment: Deployment
    batch_count: npt.NDArray[np.int64]
    """Sequences that decode at a time; those that fit."""
    prefill: StepTime
    """One prompt in every group of chips."""
    decode: StepTime
    """A token for every sequence, half-way through decoding."""

    @property
    def chips_count(self) -> int:
        """Chips of the copy."""
        return self.deployment.layout.chips_count

    @property
    def name(self) -> str:
        """`h100-sxm TP 8, fp8`."""
        return f"{self.chip.id} {describe_layout(self.deployment.layout)}, {self.precision}"


def describe_layout(layout: Layout) -> str:
    """The ways of one copy as people write them: `TP 8`, `TP 4 PP 2 EP 8`."""
    ways = [f"TP {layout.tensor_count}"]
    ways += [f"PP {layout.pipeline_count}"] if layout.pipeline_count > 1 else []
    ways += [f"EP {layout.expert_count}"] if layout.expert_count > 1 else []
    return " ".join(ways)


def place_copies(
    model: TransformerModel,
    chips: Sequence[Chip],
    workload: Workload,
    space: SearchSpace,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Copy], list[Loss]]:
    """All copies that are possible, and what was not.

    A layout that is impossible loses all its batches. `progress` is called with the number of layouts tried
    so far, and of all.
    """
    sequences = space.list_sequences()
    tries = [
        (chip, precision, layout)
        for chip in chips
        for precision in space.precisions
        for layout in space.list_layouts(model)
    ]
    timers: dict[tuple[str, str], RememberingTimer] = {}
    copies, losses = [], []
    for index, (chip, precision, layout) in enumerate(tries):
        if progress is not None:
            progress(index, len(tries))
        name = f"{chip.id} {describe_layout(layout)}, {precision}"
        found = _deploy(model, chip, precision, layout, space)
        if isinstance(found, Loss):
            losses.append(replace(found, example=f"{name}: {found.example}", candidates_count=sequences.size))
            continue
        if found.timer is not None:
            timer = timers.setdefault((chip.id, precision), RememberingTimer(timer=found.timer))
            found = replace(found, timer=timer)
        batches = sequences * layout.groups_count * layout.pipeline_count
        most = int(np.asarray(found.largest_batch_count(workload.longest_context_tokens)))
        fitting = batches[batches <= most]
        if fitting.size < batches.size:
            example = f"{name}: at most {most} sequences of {workload.longest_context_tokens} tokens"
            losses.append(
                Loss(reason="memory", candidates_count=batches.size - fitting.size, example=example)
            )
        if fitting.size:
            copies.append(_time_copy(found, chip, precision, workload, fitting))
    if progress is not None:
        progress(len(tries), len(tries))
    return copies, losses


def _deploy(
    model: TransformerModel, chip: Chip, precision: str, layout: Layout, space: SearchSpace
) -> Deployment | Loss:
    """The deployment, or why there is none."""
    formats = PRECISIONS[precision]
    try:
        layout.check_divides(model)
    except ValueError as error:
        return Loss(reason="layout", example=str(error))
    try:
        return deploy(
            model,
            chip,
            layout=layout,
            formats=formats,
            timing=space.timing,
            runtime=space.runtime,
            reserved_fraction=space.reserved_fraction,
        )
    except MissingFigureError as error:
        return Loss(reason="format", example=str(error.args[0]))
    except MemoryLimitError as error:
        return Loss(reason="memory", example=str(error))
    except ValueError as error:
        return Loss(reason="network", example=str(error))


def _time_copy(
    deployment: Deployment,
    chip: Chip,
    precision: str,
    workload: Workload,
    batches: npt.NDArray[np.int64],
) -> Copy:
    return Copy(
        chip=chip,
        precision=precision,
        deployment=deployment,
        batch_count=batches,
        prefill=prefill_workload(deployment, workload),
        decode=estimate_decode(deployment, workload.mean_context_tokens, batch_count=batches),
    )
