"""Roofs of several memory levels and the network, and kernels with traffic at each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    HierarchicalRoofline,
    LayeredKernel,
    count_gemm,
    count_layered_gemm,
    count_split_depth_gemm,
    find_achievable_roofline,
    find_hierarchical_roofline,
    find_split_critical_depth,
    load_calibration,
    load_catalogue,
)
from diglot.hardware.kernels.memory_levels import MEMORY, layer_kernel
from diglot.hardware.rooflines.hierarchical import Ceiling, Level

CHIPS = load_catalogue()
ROOFS = HierarchicalRoofline(
    ceilings=(Ceiling(dtype="bf16", peak_flops_per_s=100.0), Ceiling(dtype="fp8", peak_flops_per_s=200.0)),
    levels=(
        Level(name="network", bandwidth_bytes_per_s=1.0),
        Level(name="memory", bandwidth_bytes_per_s=10.0),
        Level(name="L2", bandwidth_bytes_per_s=50.0),
    ),
)

sizes = st.integers(1, 10**5)
sides = st.integers(1, 256)


def kernel_of(flops, **level_bytes):
    return LayeredKernel(name="", flops=flops, level_bytes=level_bytes)


def test_each_level_has_a_ridge_for_each_dtype():
    assert ROOFS.ridges_flops_per_byte("bf16") == {"network": 100.0, "memory": 10.0, "L2": 2.0}
    assert ROOFS.ridges_flops_per_byte("fp8") == {"network": 200.0, "memory": 20.0, "L2": 4.0}


@pytest.mark.parametrize(
    ("kernel", "time_s", "bound"),
    [
        (kernel_of(1000.0, memory=50.0, L2=100.0), 10.0, "compute"),
        (kernel_of(1000.0, memory=150.0, L2=100.0), 15.0, "memory"),
        (kernel_of(1000.0, memory=50.0, L2=1000.0), 20.0, "L2"),
        (kernel_of(1000.0, memory=50.0, network=30.0), 30.0, "network"),
    ],
)
def test_the_longest_of_all_times_binds(kernel, time_s, bound):
    assert ROOFS.time_s(kernel, "bf16") == time_s
    assert ROOFS.bound_by(kernel, "bf16") == bound
    assert ROOFS.kernel_flops_per_s(kernel, "bf16") == 1000.0 / time_s


def test_one_level_over_one_ceiling_is_the_plain_roofline():
    chip = CHIPS["h100-sxm"]
    kernel = count_gemm(64, 4096, 4096)
    roofs = find_hierarchical_roofline(chip)
    assert roofs.roofline("bf16") == chip.roofline("bf16")
    assert roofs.time_s(layer_kernel(kernel), "bf16") == chip.roofline("bf16").time_s(kernel)


def test_arrays_of_kernels_are_answered_at_once():
    kernels = layer_kernel(count_gemm([1, 4096], 4096, 4096))
    roofs = find_hierarchical_roofline(CHIPS["h100-sxm"])
    assert roofs.bound_by(kernels, "bf16").tolist() == ["memory", "compute"]


def test_achievable_roofs_are_shares_of_the_nominal_ones():
    lower = ROOFS.scale(compute_fraction=0.8, level_fractions={"memory": 0.9})
    assert lower.ceiling("bf16").peak_flops_per_s == 80.0
    assert [level.bandwidth_bytes_per_s for level in lower.levels] == [1.0, 9.0, 50.0]


@pytest.mark.parametrize("chip", CHIPS.chips, ids=lambda chip: chip.id)
def test_what_a_chip_achieves_lies_below_what_it_could(chip):
    nominal, achievable = find_hierarchical_roofline(chip), find_achievable_roofline(chip, load_calibration())
    for one, other in zip(nominal.levels, achievable.levels, strict=True):
        assert other.bandwidth_bytes_per_s <= one.bandwidth_bytes_per_s
    for one, other in zip(nominal.ceilings, achievable.ceilings, strict=True):
        assert other.peak_flops_per_s < one.peak_flops_per_s


@pytest.mark.parametrize("chip", CHIPS.chips, ids=lambda chip: chip.id)
def test_a_level_nearer_to_the_arithmetic_is_faster(chip):
    rates = [level.bandwidth_bytes_per_s for level in find_hierarchical_roofline(chip).levels]
    assert rates == sorted(rates)


def test_shared_memory_is_derived_where_it_is_not_printed():
    """V100: 80 SMs at 128 bytes per cycle; A100: the 19 TB/s that the FlashAttention paper prints."""
    v100, a100 = (
        find_hierarchical_roofline(CHIPS[id_]).level("shared memory") for id_ in ("v100-sxm2", "a100-80")
    )
    assert v100.bandwidth_bytes_per_s == 80 * 128 * CHIPS["v100-sxm2"].clock_hz
    assert a100.bandwidth_bytes_per_s == 19e12


def test_vmem_of_a_v5e_is_22_times_its_memory():
    """Scaling book, part 2; a product with operands in VMEM is compute-bound from 11 FLOP/B."""
    ridges = find_hierarchical_roofline(CHIPS["tpu-v5e"]).ridges_flops_per_byte("bf16")
    assert ridges["VMEM"] == pytest.approx(ridges["memory"] / 22)
    assert ridges["VMEM"] == pytest.approx(11, rel=0.01)


def test_tiles_read_a_for_each_column_of_them_and_b_for_each_row():
    """4 x 6 outputs in tiles of 2 x 3, depth 5, two bytes: A (20) twice, B (30) twice, C (24) once."""
    kernel = count_layered_gemm(4, 5, 6, tiles={"L2": (2, 3)})
    assert kernel.level_bytes["L2"] == (20 * 2 + 30 * 2 + 24) * 2


def test_one_tile_for_all_is_the_compulsory_traffic():
    kernel, plain = count_layered_gemm(64, 32, 16, tiles={MEMORY: None}), count_gemm(64, 32, 16)
    assert kernel.flops == plain.flops
    assert kernel.level_bytes[MEMORY] == plain.memory_bytes
    assert kernel.intensity_flops_per_byte(MEMORY) == plain.intensity_flops_per_byte


def test_two_chips_that_split_the_depth_hide_their_sum_from_8755_on():
    """v5e, 45 GB/s: D / 2 > 1.97e14 / 4.5e10. Scaling book, part 1."""
    assert find_split_critical_depth(1.97e14, 45e9, chips_count=2) == pytest.approx(8755, rel=1e-4)


@given(st.integers(1, 64), st.integers(1, 10**4), st.integers(1, 10**4))
def test_at_the_critical_depth_arithmetic_and_network_take_equally_long(chips, m, n):
    roofs = find_hierarchical_roofline(CHIPS["tpu-v5p"])
    rate = roofs.level("network").bandwidth_bytes_per_s
    depth = find_split_critical_depth(roofs.ceiling("bf16").peak_flops_per_s, rate, chips_count=chips)
    for k in (chips * 10**6, chips):
        kernel = count_split_depth_gemm(m, k, n, chips_count=chips)
        times = roofs.times_s(kernel, "bf16")
        assert times["network"] * k == pytest.approx(times["compute"] * depth)


def test_one_chip_alone_has_no_network_traffic():
    kernel, plain = count_split_depth_gemm(8, 16, 32, chips_count=1), count_gemm(8, 16, 32)
    assert kernel.level_bytes == {"memory": plain.memory_bytes, "network": 0}
    assert kernel.flops == plain.flops


def test_chips_must_divide_the_depth():
    with pytest.raises(ValueError, match="3 chips do not divide a depth of 16"):
        count_split_depth_gemm(8, 16, 32, chips_count=3)


@given(sizes, sizes, sizes, sides, sides)
def test_smaller_tiles_never_move_less(m, k, n, tile_m, tile_n):
    tiles = {"a": None, "b": (2 * tile_m, 2 * tile_n), "c": (tile_m, tile_n)}
    kernel = count_layered_gemm(m, k, n, tiles=tiles)
    assert kernel.level_bytes["a"] <= kernel.level_bytes["b"] <= kernel.level_bytes["c"]


@given(sizes, sizes, sizes, st.floats(1, 100))
def test_a_faster_level_never_costs_time(m, k, n, factor):
    kernel = count_layered_gemm(m, k, n, tiles={"memory": None, "L2": (128, 128)})
    faster = HierarchicalRoofline(
        ceilings=ROOFS.ceilings,
        levels=tuple(
            Level(name=level.name, bandwidth_bytes_per_s=factor * level.bandwidth_bytes_per_s)
            for level in ROOFS.levels
        ),
    )
    assert faster.time_s(kernel, "bf16") <= ROOFS.time_s(kernel, "bf16")
    assert np.isfinite(ROOFS.time_s(kernel, "bf16"))


def test_names_that_are_not_there_are_refused_with_those_that_are():
    with pytest.raises(ValueError, match="known: network, memory, L2"):
        ROOFS.level("L3")
    with pytest.raises(ValueError, match="known: bf16, fp8"):
        ROOFS.ceiling("fp4")
    with pytest.raises(ValueError, match="no level 'L3'"):
        ROOFS.time_s(kernel_of(1.0, L3=1.0), "bf16")
    with pytest.raises(ValueError, match="no level 'L3'"):
        ROOFS.scale(level_fractions={"L3": 0.5})


def test_roofs_must_be_there_and_be_told_apart():
    level = Level(name="memory", bandwidth_bytes_per_s=1.0)
    with pytest.raises(ValueError, match="needs a ceiling"):
        HierarchicalRoofline(ceilings=(), levels=(level,))
    with pytest.raises(ValueError, match="needs a level"):
        HierarchicalRoofline(ceilings=ROOFS.ceilings, levels=())
    with pytest.raises(ValueError, match="level is repeated"):
        HierarchicalRoofline(ceilings=ROOFS.ceilings, levels=(level, level))


@pytest.mark.parametrize("wrong", [0, -0.1, 1.1, float("nan")])
def test_a_share_of_a_roof_lies_between_nothing_and_all(wrong):
    with pytest.raises(ValueError, match="compute_fraction must be above 0"):
        ROOFS.scale(compute_fraction=wrong)
    with pytest.raises(ValueError, match="level_fractions of memory"):
        ROOFS.scale(level_fractions={"memory": wrong})


@pytest.mark.parametrize("wrong", [0, -1.0, float("inf")])
def test_an_impossible_rate_is_refused(wrong):
    with pytest.raises(ValueError, match="above zero"):
        Level(name="memory", bandwidth_bytes_per_s=wrong)
    with pytest.raises(ValueError, match="above zero"):
        Ceiling(dtype="bf16", peak_flops_per_s=wrong)
