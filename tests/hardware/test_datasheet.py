"""Peaks, clocks and bandwidths from data-sheet numbers."""

import numpy as np
import pytest

from diglot.hardware import find_bus_bytes_per_s, find_clock_hz, find_unit_flops_per_s, load_catalogue


def test_a_peak_and_its_clock_are_each_other_inverse():
    peak = find_unit_flops_per_s(432, clock_hz=1.41e9, flops_per_cycle=512)
    assert find_clock_hz(peak, units_count=432, flops_per_cycle=512) == pytest.approx(1.41e9)


def test_the_clock_of_the_catalogue_gives_its_peak():
    chip = load_catalogue()["a100-80"]
    assert find_unit_flops_per_s(432, clock_hz=chip.clock_hz, flops_per_cycle=512) == pytest.approx(
        chip.peak_flops_per_s("bf16"), rel=0.001
    )


def test_a_sweep_of_widths_is_one_call():
    rates = find_bus_bytes_per_s([1024, 2048], clock_hz=1e9)
    assert np.array_equal(rates, [256e9, 512e9])
