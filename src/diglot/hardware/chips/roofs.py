"""Hierarchical rooflines of the catalogue's chips, nominal and achievable."""

from contextlib import suppress

from diglot.hardware.chips.calibration import Calibration, MissingCalibrationError, Operator
from diglot.hardware.chips.chip import Chip, MissingFigureError
from diglot.hardware.chips.loading import find_chip
from diglot.hardware.kernels.memory_levels import L2, MEMORY, NETWORK, SHARED_MEMORY, VMEM
from diglot.hardware.rooflines.hierarchical import Ceiling, HierarchicalRoofline, Level

SHARED_MEMORY_BYTES_PER_CYCLE = 128
"""Of one SM: 32 banks of 4 bytes. NVIDIA, "CUDA C++ Programming Guide", compute capability 5.0 and later."""


def find_hierarchical_roofline(chip: Chip | str) -> HierarchicalRoofline:
    """All ceilings and levels of a chip in the catalogue, from the network to the innermost memory.

    L2 and VMEM are included only where their bandwidth is printed. The bandwidth of shared memory is the
    printed one, or SMs x clock x 128 bytes for chips of NVIDIA's without one.
    """
    chip = find_chip(chip)
    levels = [Level(name=MEMORY, bandwidth_bytes_per_s=chip.memory_bandwidth_bytes_per_s)]
    with suppress(MissingFigureError):  # the catalogue may have no rate to other chips
        levels.insert(0, Level(name=NETWORK, bandwidth_bytes_per_s=chip.interconnect_bytes_per_s))
    if chip.has("on_chip.l2_bandwidth"):
        levels.append(Level(name=L2, bandwidth_bytes_per_s=chip.quantity("on_chip.l2_bandwidth").value))
    if chip.has("on_chip.vmem_bandwidth_over_hbm"):
        ratio = chip.quantity("on_chip.vmem_bandwidth_over_hbm").value
        levels.append(Level(name=VMEM, bandwidth_bytes_per_s=ratio * chip.memory_bandwidth_bytes_per_s))
    shared = _find_shared_memory_bytes_per_s(chip)
    if shared is not None:
        levels.append(Level(name=SHARED_MEMORY, bandwidth_bytes_per_s=shared))
    return HierarchicalRoofline(
        ceilings=tuple(
            Ceiling(dtype=dtype, peak_flops_per_s=chip.peak_flops_per_s(dtype)) for dtype in chip.dtypes
        ),
        levels=tuple(levels),
    )


def find_achievable_roofline(chip: Chip | str, calibration: Calibration) -> HierarchicalRoofline:
    """The roofline lowered to what measured products, copies and collectives of the chip's family reach.

    Levels without measurements stay nominal. Ceilings of all dtypes are lowered by the same factor.
    """
    chip = find_chip(chip)
    nominal = find_hierarchical_roofline(chip)
    fractions = {MEMORY: _find_bandwidth_fraction(chip, calibration, "copy", "elementwise")}
    if any(level.name == NETWORK for level in nominal.levels):
        fractions[NETWORK] = _find_bandwidth_fraction(chip, calibration, "collective")
    return nominal.scale(
        compute_fraction=calibration.find(chip, "gemm").compute_fraction, level_fractions=fractions
    )


def _find_shared_memory_bytes_per_s(chip: Chip) -> float | None:
    if chip.has("on_chip.sram_bandwidth"):
        return chip.quantity("on_chip.sram_bandwidth").value
    if chip.vendor != "NVIDIA":
        return None
    try:
        return SHARED_MEMORY_BYTES_PER_CYCLE * chip.processor_count * chip.clock_hz
    except MissingFigureError:
        return None


def _find_bandwidth_fraction(chip: Chip, calibration: Calibration, *operators: Operator) -> float:
    for operator in operators:
        try:
            return calibration.find(chip, operator).bandwidth_fraction
        except MissingCalibrationError:
            continue
    return 1.0
