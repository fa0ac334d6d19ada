"""Training steps on chips of the catalogue, over their own links."""

from diglot.hardware.chips.calibration import IDEAL, load_calibration
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.chips.spreads import Subject, find_spread
from diglot.hardware.networks.chip_networks import (
    DATA_CENTRE_LATENCY_S,
    DATA_CENTRE_SWITCHES,
    find_scale_out_bytes_per_s,
)
from diglot.hardware.networks.fat_trees import DEFAULT_SWITCHES, FatTree, Switches
from diglot.hardware.networks.libraries import find_library
from diglot.hardware.networks.network import Network
from diglot.hardware.operators.timers import Timing, choose_timer
from diglot.hardware.parallelism.chip_links import PlacedWays, place_ways
from diglot.hardware.parallelism.layouts import NetworkLinks
from diglot.hardware.training.plan import TrainingPlan
from diglot.hardware.training.step import Overlap, TrainingStep, estimate_training_step
from diglot.hardware.training.step_losses import find_step_ratio


def train_on_chip(
    plan: TrainingPlan,
    chip: Chip | str,
    *,
    timing: Timing = "ideal",
    overlap: Overlap = "copies",
    switches: Switches = DEFAULT_SWITCHES,
) -> TrainingStep:
    """Time of a step on chips of the catalogue over their own links, with ways placed by `place_ways`.

    From the innermost: tensor, expert, context and data ways; on GPUs also replicas and pipeline stages. On
    TPUs each replica of each pipeline stage is a slice, and the data-centre network joins the slices.
    `timing` is that of `choose_timer`; with `calibrated`, collectives are calibrated, too (NCCL where it was
    measured), a step takes as much longer as measured ones (`step_losses`, fitted with the default overlap),
    and of a plan in a narrow format only the products with weights are narrow, whose operands are converted.
    Raises ValueError where the plan does not fit a chip, or its ways a slice or nodes; MissingFigureError
    where the catalogue has no rate between nodes or slices.
    """
    chip = find_chip(chip)
    layout, replicas = plan.layout, plan.state.replicas_count
    ways = {
        "tensor": layout.tensor_count,
        "expert": layout.expert_count,
        "context": layout.context_count,
        "data": plan.copies_per_replica_count,
    }
    if chip.kind != "tpu":
        ways |= {"replica": replicas, "pipeline": layout.pipeline_count}
    calibrated = timing == "calibrated"
    subject: Subject = "trained dense" if plan.model.experts is None else "trained experts"
    spread = find_spread(subject, chip, is_like_measured=plan.model.recurrent is None)
    if plan.adapter_rank_elements is not None:  # every step that was measured trains all weights
        spread = spread.as_near()
    narrow = plan.formats.dispatched_fraction < 1
    library = find_library(chip) if calibrated else None
    factors = load_calibration().find(chip, "collective") if calibrated and library is None else IDEAL
    # Libraries were measured with whatever the network reduces.
    placed = place_ways(
        chip, ways, switches=switches, reduces_in_network=False if library is not None else None
    )
    neighbour = _find_neighbour(placed, chip) if layout.pipeline_count > 1 else (None, 0.0)
    copies = (placed.network("expert", "context", "data"), placed.network("context", "data"))
    return estimate_training_step(
        plan,
        roofline=chip.roofline(plan.formats.arithmetic),
        memory_bytes=chip.memory_bytes,
        tensor_interconnect=NetworkLinks(
            reducing=placed.network("tensor"),
            exchanging=placed.network("expert"),
            gathering=placed.network("context"),
            neighbour_bandwidth_bytes_per_s=neighbour[0],
            neighbour_latency_s=neighbour[1],
            factors=factors,
            library=library,
        ),
        data_interconnect=NetworkLinks(
            reducing=tuple(each for each in copies if each is not None), factors=factors, library=library
        ),
        replica_interconnect=NetworkLinks(
            reducing=_join_replicas(placed, chip, replicas), factors=factors, library=library
        ),
        timer=choose_timer(chip, plan.formats.arithmetic, timing),
        wide_timer=choose_timer(chip, plan.formats.activations, timing) if calibrated and narrow else None,
        overlap=overlap,
        step_ratio=find_step_ratio(chip, layout.chips_count) if calibrated else 1.0,
        spread=spread if calibrated else None,
    )


def _find_neighbour(placed: PlacedWays, chip: Chip) -> tuple[float, float]:
    if chip.kind == "tpu":
        return find_scale_out_bytes_per_s(chip), DATA_CENTRE_LATENCY_S
    return placed.neighbour_rate("pipeline")


def _join_replicas(placed: PlacedWays, chip: Chip, replicas: int) -> Network | None:
    """The network of the chips of equal place in all replicas."""
    if replicas == 1:
        return None
    if chip.kind != "tpu":
        return placed.network("replica")
    return FatTree(
        chips_count=replicas,
        port_bytes_per_s=find_scale_out_bytes_per_s(chip),
        step_latency_s=DATA_CENTRE_LATENCY_S,
        switches=DATA_CENTRE_SWITCHES,
        rails_count=placed.chips_count,
    )
