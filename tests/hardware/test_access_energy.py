"""Energy from access counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    DATAFLOWS,
    Scratchpads,
    count_systolic_traffic,
    estimate_systolic_energy,
    load_energy_table,
)

HOROWITZ = load_energy_table("horowitz-45nm")
EYERISS = load_energy_table("eyeriss-65nm", mac_j=1e-12)
sizes = st.integers(1, 3000)


def traffic(m, k, n, dataflow="ws", **how):
    return count_systolic_traffic(m, k, n, rows=128, cols=128, dataflow=dataflow, **how)


def test_the_figures_are_the_published_ones():
    """Horowitz: 32-bit floating point 3.7 + 0.9 pJ, 64 bits from 8 KiB 10 pJ, from DRAM 1.3 to 2.6 nJ."""
    assert HOROWITZ.macs_j["fp32"] == pytest.approx(4.6e-12)
    assert HOROWITZ.sram_byte_j(8 * 1024) == pytest.approx(10e-12 / 8)
    assert HOROWITZ.dram_byte_low_j == pytest.approx(1.3e-9 / 8)
    assert HOROWITZ.dram_byte_j == pytest.approx(1.95e-9 / 8)


def test_relative_figures_scale_with_the_multiply_accumulate():
    """Eyeriss, per 16 bits: DRAM costs 200 multiply-accumulates, buffer 6, neighbour 2, register 1."""
    assert EYERISS.dram_byte_j == pytest.approx(100e-12)
    assert EYERISS.sram_byte_j(10**5) == pytest.approx(3e-12)
    assert EYERISS.hop_byte_j == 2 * EYERISS.register_byte_j == pytest.approx(1e-12)


@pytest.mark.parametrize("table", [HOROWITZ, EYERISS], ids=lambda table: table.id)
def test_every_table_names_its_publication_and_the_copies_it_was_compared_with(table):
    assert table.url.startswith("https://doi.org/")
    assert table.checked_against
    assert all(source.url.startswith("https://") and source.as_of for source in table.checked_against)


def test_where_copies_of_a_table_disagree_the_used_value_is_named():
    """One copy gives 32 KiB the energy of 8 KiB; the table uses the value in the paper's own list."""
    disagreements = {conflict.field: conflict for conflict in HOROWITZ.conflicts}
    used = disagreements["sram.32"].used
    assert HOROWITZ.sram_byte_j(32 * 1024) == pytest.approx(used * 1e-12 / 8)
    known = {source.id for source in HOROWITZ.checked_against}
    assert {claim.source for conflict in HOROWITZ.conflicts for claim in conflict.claims} <= known


def test_a_scratchpad_between_two_published_ones_costs_between_them():
    energies = [HOROWITZ.sram_byte_j(size * 1024) for size in (1, 8, 16, 32, 100, 1024, 10**5)]
    assert energies == sorted(energies)
    assert energies[0] == energies[1]
    assert energies[-1] == energies[-2]
    assert HOROWITZ.sram_byte_j(16 * 1024) == pytest.approx((10e-12 * 20e-12) ** 0.5 / 8)


def test_a_product_by_hand():
    """One int8 tile: 128**3 multiply-accumulates; A, B and C each cross SRAM and DRAM once."""
    energy = estimate_systolic_energy(traffic(128, 128, 128), table=HOROWITZ, dtype="int8")
    assert energy.mac_j == pytest.approx(128**3 * 0.3e-12)
    assert energy.sram_j == pytest.approx(3 * 128**2 * 100e-12 / 8)
    assert energy.dram_j == pytest.approx(3 * 128**2 * 1.95e-9 / 8)
    assert energy.register_j is None
    assert energy.total_j == energy.mac_j + energy.sram_j + energy.dram_j


def test_decoding_spends_on_memory_and_prefill_on_arithmetic():
    room = Scratchpads(**dict.fromkeys(("ifmap_bytes", "filter_bytes", "ofmap_bytes"), 2**27))
    shares = {}
    for rows in (1, 4096):
        moved = traffic(rows, 4096, 4096, scratchpads=room, element_bytes=2)
        energy = estimate_systolic_energy(moved, table=HOROWITZ, dtype="fp16")
        shares[rows] = energy.dram_j / energy.total_j
    assert shares[1] > 0.9
    assert shares[4096] < 0.3


def test_registers_count_where_the_table_has_them():
    """Weight-stationary: two bytes read in place, two bytes and a four-byte sum moved to the next element."""
    weights, outputs = (
        estimate_systolic_energy(traffic(64, 64, 64, flow, element_bytes=2), table=EYERISS, dtype="int16")
        for flow in ("ws", "os")
    )
    assert weights.register_j == pytest.approx(64**3 * (2 * 0.5e-12 + 6 * 1e-12))
    assert outputs.register_j == pytest.approx(64**3 * (8 * 0.5e-12 + 4 * 1e-12))


@given(sizes, sizes, sizes, st.sampled_from(DATAFLOWS))
def test_smaller_scratchpads_never_save_memory_energy(m, k, n, dataflow):
    small = Scratchpads(ifmap_bytes=4096, filter_bytes=4096, ofmap_bytes=4096)
    little, much = (
        estimate_systolic_energy(each, table=HOROWITZ, dtype="int8")
        for each in (traffic(m, k, n, dataflow, scratchpads=small), traffic(m, k, n, dataflow))
    )
    assert little.dram_j >= much.dram_j
    assert little.mac_j == much.mac_j
    assert little.sram_j < much.sram_j  # the same number of accesses to smaller memories


def test_sizes_broadcast():
    energy = estimate_systolic_energy(traffic(np.array([1, 10]), 64, 64), table=HOROWITZ, dtype="int8")
    assert energy.total_j.shape == (2,)


def test_what_a_table_does_not_say_is_refused():
    with pytest.raises(ValueError, match="known: horowitz-45nm, eyeriss-65nm"):
        load_energy_table("guess")
    with pytest.raises(ValueError, match="so mac_j is required"):
        load_energy_table("eyeriss-65nm")
    with pytest.raises(ValueError, match="mac_j is not allowed"):
        load_energy_table("horowitz-45nm", mac_j=1e-12)
    with pytest.raises(ValueError, match="mac_j must be"):
        load_energy_table("eyeriss-65nm", mac_j=0)
    with pytest.raises(ValueError, match="no energy for fp4; known: int8, fp16, fp32"):
        estimate_systolic_energy(traffic(1, 1, 1), table=HOROWITZ, dtype="fp4")
    with pytest.raises(ValueError, match="fp16 has 2 bytes per element, but the traffic has 1"):
        estimate_systolic_energy(traffic(1, 1, 1), table=HOROWITZ, dtype="fp16")
