"""Time of a collective over equal chips, ideal or as a library takes it.

time_collective(chip, "all-reduce", 2**20, 8, library="custom", mode="calibrated")
"""

import numpy as np

from diglot.hardware.chips.calibration import load_calibration
from diglot.hardware.chips.chip import Chip
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.chips.replay import Launches
from diglot.hardware.chips.spreads import Estimate, find_spread
from diglot.hardware.networks.chip_networks import find_network
from diglot.hardware.networks.collectives import Collective, estimate_collective
from diglot.hardware.networks.libraries import LibraryName, find_library, is_measured
from diglot.hardware.operators.operator_time import MODES, Mode
from diglot.hardware.sizes import Real, SizeLike, check_choice, check_size, to_float, to_plain_float


def time_collective(
    chip: Chip | str,
    collective: Collective,
    array_bytes: SizeLike,
    chips: int | tuple[int, ...],
    *,
    library: LibraryName = "nccl",
    mode: Mode = "ideal",
    launches: Launches = "graph",
) -> Real:
    """Seconds that a collective over a number of GPUs, or the sides of a slice of TPUs, takes.

    The ideal is the longer of latency and data (`CollectiveRun.time_s`), with reduction in the network where
    the fabric has it. Calibrated, it is the library's time as measured (`networks.libraries`), never below
    the ideal; where no library was measured, the published factors of the operator `collective`.
    Raises as `find_network` and `estimate_collective`, and ValueError for an unknown library, mode or way to
    launch.
    """
    chip = find_chip(chip)
    check_choice("mode", mode, MODES)
    ideal_s = estimate_collective(collective, array_bytes, find_network(chip, chips)).time_s
    found = find_library(chip, library, launches=launches)
    if mode == "ideal":
        return ideal_s
    network = find_network(chip, chips, reduces_in_network=False)
    run = estimate_collective(collective, array_bytes, network)
    if found is None:
        return run.calibrated_time_s(load_calibration().find(chip, "collective"))
    time_s = found.find_time_s(
        collective,
        network=network,
        data_time_s=run.bandwidth_time_s,
        array_bytes=to_float(check_size("array_bytes", array_bytes)),
    )
    return to_plain_float(np.maximum(time_s, ideal_s))


def find_collective_estimate(
    chip: Chip | str,
    collective: Collective,
    array_bytes: SizeLike,
    chips: int | tuple[int, ...],
    *,
    library: LibraryName = "nccl",
    launches: Launches = "graph",
) -> Estimate:
    """The calibrated time with its 90% interval, never below the ideal.

    Beyond the times, or the GPUs of one island, that were measured it is at best near. Raises as
    `time_collective`.
    """
    chip = find_chip(chip)
    given = (chip, collective, array_bytes, chips)
    time_s = time_collective(*given, library=library, mode="calibrated", launches=launches)
    spread = find_spread("collective", chip, time_s=time_s)
    if not is_measured(find_network(chip, chips)):
        spread = spread.as_near()
    return spread.bracket(time_s, least=time_collective(*given))
