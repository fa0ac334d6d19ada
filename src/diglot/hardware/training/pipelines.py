"""Pipeline schedules: when each stage runs which pass of which microbatch, and how long stages idle.

A microbatch passes every stage forwards (F) and backwards. The backward pass has two halves: gradients of a
stage's input (B), for which the stage before waits, and gradients of its weights (W), for which none waits.

pipeline = Pipeline(schedule="zb-h1")
pipeline.find_bubble_s(4, Passes())                                   # closed form
schedule_pipeline(pipeline, stages_count=4, microbatches_count=8)     # a timeline of cells
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from diglot.hardware.sizes import (
    Real,
    Size,
    check_amount,
    check_choice,
    check_rate,
    check_size,
    to_float,
    to_plain_float,
)

Schedule = Literal["gpipe", "1f1b", "zb-h1", "zb-h2"]
SCHEDULES: tuple[Schedule, ...] = get_args(Schedule)
"""All F first; one F, one B; zero bubble: the same with W late (H1), and with more F early as well (H2)."""
Kind = Literal["forward", "backward", "weights"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passes:
    """Times of the passes of one microbatch through one stage, all its chunks together."""

    forward_s: Real = 1.0
    backward_s: Real = 1.0
    """Gradients of the input, and whatever is computed again for them."""
    weights_s: Real = 1.0
    """Gradients of the weights."""

    def __post_init__(self) -> None:
        check_rate("forward_s", self.forward_s)
        check_rate("backward_s", self.backward_s)
        check_amount("weights_s", self.weights_s)

    @property
    def total_s(self) -> Real:
        """All three."""
        return self.forward_s + self.backward_s + self.weights_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """A schedule of microbatches over pipeline stages.

    Raises ValueError for an unknown schedule, and for interleaving with any but 1F1B.
    Sources: Y. Huang et al., "GPipe", arXiv:1811.06965; D. Narayanan et al., arXiv:2104.04473, section 2.2
    (1F1B, interleaving); P. Qi et al., "Zero Bubble Pipeline Parallelism", arXiv:2401.10241, section 2
    (ZB-H1, ZB-H2).
    """

    schedule: Schedule = "1f1b"
    interleave_count: int = 1
    """Chunks of layers per stage; more chunks shorten the bubble, and send as many times more."""

    def __post_init__(self) -> None:
        check_choice("schedule", self.schedule, SCHEDULES)
        object.__setattr__(
            self, "interleave_count", int(check_size("interleave_count", self.interleave_count))
        )
        if self.interleave_count > 1 and self.schedule != "1f1b":
            raise ValueError(f"interleave_count must be 1 with {self.schedule}, not {self.interleave_count}")

    def check_microbatches(self, stages_count: int, microbatches_count: Size) -> None:
        """Raise ValueError where there are too few microbatches for a zero-bubble schedule to be filled."""
        least = {"zb-h1": stages_count, "zb-h2": 2 * stages_count - 1}.get(self.schedule, 1)
        if np.any(np.asarray(microbatches_count) < least):
            raise ValueError(
                f"{self.schedule} needs at least {least} microbatches on {stages_count} stages, "
                f"not {np.min(microbatches_count)}"
            )

    def find_bubble_s(self, stages_count: int, passes: Passes) -> Real:
        """Idle time of a stage from its first pass to its last, for any number of microbatches.

        (p - 1) (F + B + W) for GPipe and 1F1B, over the chunks where interleaved; (p - 1) (F + B - W) for
        ZB-H1; (p - 1) (F + B - 2 W) for ZB-H2, in which stages end as much later as they began, so that
        steps follow each other without a gap. Where W is longer than there is room for it, ZB-H1 keeps
        (p - 1) B, and ZB-H2 (p - 1) (B - F) unless F is longer. Optimisers that wait for all stages show what
        ZB-H2 hides.
        """
        others = int(check_size("stages_count", stages_count)) - 1
        forward_s, backward_s, weights_s = passes.forward_s, passes.backward_s, passes.weights_s
        if self.schedule == "zb-h1":
            idle_s = backward_s + np.maximum(forward_s - weights_s, 0.0)
        elif self.schedule == "zb-h2":
            idle_s = np.maximum(backward_s + np.maximum(forward_s - 2 * weights_s, -forward_s), 0.0)
        else:
            idle_s = passes.total_s / self.interleave_count
        return to_plain_float(others * idle_s)

    def count_in_flight(self, stages_count: int, microbatches_count: Size) -> Real:
        """Microbatches whose activations the first stage keeps at once; not whole where interleaved.

        All in GPipe; as many as stages in 1F1B and ZB-H1; 2 p - 1 in ZB-H2. Interleaving by m keeps
        1 + (p - 1) / (p m) times as many. Weight gradients that wait for longer are counted as whole
        microbatches, an upper bound.
        Source for interleaving: V. Korthikanti et al., arXiv:2205.05198, section 4.2.3.
        """
        stages = int(check_size("stages_count", stages_count))
        microbatches = to_float(check_size("microbatches_count", microbatches_count))
        if self.schedule == "gpipe":
            return microbatches
        most: float = 2 * stages - 1 if self.schedule == "zb-h2" else stages
        if self.interleave_count > 1:
            return np.minimum(stages, microbatches) * (1 + (stages - 1) / (stages * self.interleave_count))
        return to_plain_float(np.minimum(most, microbatches))


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineCell:
    """One pass of one microbatch through one chunk of a stage."""

    stage_index: int
    kind: Kind
    microbatch_index: int
    chunk_index: int
    start_s: float
    duration_s: float

    @property
    def end_s(self) -> float:
        """When it is done."""
        return self.start_s + self.duration_s


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineTimeline:
    """Every pass of a step, by stage and time."""

    stages_count: int
    microbatches_count: int
    cells: tuple[PipelineCell, ...]

    @property
    def time_s(self) -> float:
        """From the first pass to the last, of all stages."""
        return max(cell.end_s for cell in self.cells)

    @property
    def bubble_s(self) -> float:
        """Longest time that a stage idles between its first pass and its last."""
        return max(self._find_idle_s(stage) for stage in range(self.stages_count))

    def _find_idle_s(self, stage: int) -> float:
        own = [cell for cell in self.cells if cell.stage_index == stage]
        busy = sum(cell.duration_s for cell in own)
        return max(cell.end_s for cell in own) - min(cell.start_s for cell in own) - busy


Step = tuple[Kind, int, int]
"""Kind, microbatch and chunk."""


def schedule_pipeline(
    pipeline: Pipeline, *, stages_count: int, microbatches_count: int, passes: Passes | None = None
) -> PipelineTimeline:
    """The timeline of a step: each stage runs its passes in the schedule's order, each as soon as it can.

    Transfers between stages take no time. Without a zero-bubble schedule both halves of the backward pass
    are one cell.
    Raises ValueError for sizes that are not positive, for too few microbatches, and for an interleaved
    schedule whose microbatches are not a multiple of the stages.
    """
    stages = int(check_size("stages_count", stages_count))
    count = int(check_size("microbatches_count", microbatches_count))
    pipeline.check_microbatches(stages, count)
    if pipeline.interleave_count > 1 and count % stages:
        raise ValueError(
            f"microbatches_count must be a multiple of {stages} stages where interleaved, not {count}"
        )
    times = _find_times_s(pipeline, passes or Passes())
    orders = [list(_order_steps(pipeline, stage, stages, count)) for stage in range(stages)]
    ends: dict[tuple[int, Step], float] = {}
    cells: list[PipelineCell] = []
    free, done = [0.0] * stages, [0] * stages
    while len(cells) < sum(map(len, orders)):
        before = len(cells)
        for stage, order in enumerate(orders):
            while done[stage] < len(order):
                step = order[done[stage]]
                needed = [ends.get(each) for each in _list_needed(step, stage, stages, pipeline)]
                ready = [end for end in needed if end is not None]
                if len(ready) < len(needed):
                    break
                start = max([free[stage], *ready])
                kind, microbatch, chunk = step
                cell = PipelineCell(
                    stage_index=stage,
                    kind=kind,
                    microbatch_index=microbatch,
                    chunk_index=chunk,
                    start_s=start,
                    duration_s=times[kind],
                )
                cells.append(cell)
                free[stage] = ends[stage, step] = cell.end_s
                done[stage] += 1
        if len(cells) == before:
            raise RuntimeError(f"the {pipeline.schedule} schedule waits for itself")
    return PipelineTimeline(
        stages_count=stages,
        microbatches_count=count,
        cells=tuple(sorted(cells, key=lambda cell: (cell.stage_index, cell.start_s))),
    )


def _find_times_s(pipeline: Pipeline, passes: Passes) -> dict[Kind, float]:
    """Time of each kind of cell, of one chunk."""
    forward_s, backward_s, weights_s = (
        float(time_s) / pipeline.interleave_count
        for time_s in (passes.forward_s, passes.backward_s, passes.weights_s)
    )
    if pipeline.schedule in ("gpipe", "1f1b"):
        return {"forward": forward_s, "backward": backward_s + weights_s, "weights": 0.0}
    return {"forward": forward_s, "backward": backward_s, "weights": weights_s}


def _list_needed(step: Step, stage: int, stages: int, pipeline: Pipeline) -> list[tuple[int, Step]]:
    """What a pass waits for: the neighbouring stage's of its kind, or its own before it."""
    kind, microbatch, chunk = step
    if kind == "weights":
        return [(stage, ("backward", microbatch, chunk))]
    place, last = chunk * stages + stage, stages * pipeline.interleave_count - 1
    if kind == "backward" and place == last:
        return [(stage, ("forward", microbatch, chunk))]
    if kind == "forward" and place == 0:
        return []
    neighbour = place - 1 if kind == "forward" else place + 1
    return [(neighbour % stages, (kind, microbatch, neighbour // stages))]


def _order_steps(pipeline: Pipeline, stage: int, stages: int, count: int) -> Iterator[Step]:
    """The order in which a stage runs its passes."""
    chunks, behind = pipeline.interleave_count, stages - 1 - stage
    total = count * chunks
    turns = [_find_turn(turn, stages, chunks) for turn in range(total)]
    forward: list[Step] = [("forward", microbatch, chunk) for microbatch, chunk in turns]
    backward: list[Step] = [("backward", microbatch, chunks - 1 - chunk) for microbatch, chunk in turns]
    if pipeline.schedule == "gpipe":
        yield from (*forward, *backward)
        return
    early, late = behind, 0
    if chunks > 1:
        early = 2 * behind + (chunks - 1) * stages
    elif pipeline.schedule == "zb-h1":
        late = stage
    elif pipeline.schedule == "zb-h2":
        early, late = 2 * behind, 2 * stage
    early = min(early, total)
    weights: list[Step] = []
    if pipeline.schedule in ("zb-h1", "zb-h2"):
        weights = [("weights", microbatch, chunk) for microbatch, chunk in turns]
    yield from forward[:early]
    for turn in range(total):
        if early + turn < total:
            yield forward[early + turn]
        yield backward[turn]
        if turn >= late:
            yield from weights[turn - late : turn - late + 1]
    yield from weights[max(total - late, 0) :]


def _find_turn(turn: int, stages: int, chunks: int) -> tuple[int, int]:
    """Microbatch and chunk of the nth pass: each chunk in turn, for as many microbatches as stages."""
    if chunks == 1:
        return turn, 0
    return turn // (stages * chunks) * stages + turn % stages, turn // stages % chunks
