"""Peaks, clocks and bandwidths from the clocks, unit counts and bus widths of a data sheet."""

from diglot.hardware.sizes import Real, SizeLike, check_rate, check_size, to_float


def find_unit_flops_per_s(units_count: SizeLike, *, clock_hz: Real, flops_per_cycle: SizeLike = 2) -> Real:
    """Peak rate in FLOP/s: units x FLOPs per unit and cycle x clock.

    A fused multiply-add unit does 2 per cycle, a TPU's vector ALU 1, a tensor core of an A100 512.
    Raises ValueError where an argument is not above zero.
    Source: S. Bekman, "Machine Learning Engineering", part on accelerators (theoretical TFLOPS).
    """
    each = to_float(check_size("flops_per_cycle", flops_per_cycle))
    return to_float(check_size("units_count", units_count)) * each * check_rate("clock_hz", clock_hz)


def find_clock_hz(flops_per_s: Real, *, units_count: SizeLike, flops_per_cycle: SizeLike = 2) -> Real:
    """Clock in Hz at which these units reach that peak: the inverse of `find_unit_flops_per_s`."""
    return check_rate("flops_per_s", flops_per_s) / find_unit_flops_per_s(
        units_count, clock_hz=1.0, flops_per_cycle=flops_per_cycle
    )


def find_bus_bytes_per_s(
    bus_bits: SizeLike, *, clock_hz: Real, transfers_per_cycle_count: SizeLike = 2
) -> Real:
    """Bandwidth of a memory bus in bytes/s: width x transfers per cycle (2: double data rate) x clock.

    Raises ValueError where an argument is not above zero.
    Source: S. Bekman, "Machine Learning Engineering", part on accelerators (memory bandwidth).
    """
    transfers = to_float(check_size("transfers_per_cycle_count", transfers_per_cycle_count))
    return to_float(check_size("bus_bits", bus_bits)) / 8 * transfers * check_rate("clock_hz", clock_hz)
