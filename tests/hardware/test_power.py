"""Power against load, under caps, of buildings, and the ranges where nothing is published."""

import math

import numpy as np
import pytest

from diglot.hardware import (
    MissingFigureError,
    PowerCurve,
    find_capped_speed_ratio,
    find_facility_power_w,
    find_power_curve,
    find_power_range,
    fit_power_curve,
    load_catalogue,
)

CHIPS = load_catalogue(folder=None)
V1 = PowerCurve(idle_w=28, busy_w=40, load_exponent=0.2218)


@pytest.mark.parametrize(
    ("idle_w", "busy_w", "share", "exponent"),
    [(28, 40, 0.88, 0.222), (41, 145, 0.56, 0.413), (25, 98, 0.66, 0.265)],
    ids=["TPU v1", "Haswell", "K80"],
)
def test_curves_of_2017_pass_through_what_was_measured_at_a_tenth_of_the_load(
    idle_w, busy_w, share, exponent
):
    """N. Jouppi et al., ISCA 2017, table 2 and section 6: watts per die idle and busy, share at 10% load."""
    curve = fit_power_curve(idle_w=idle_w, busy_w=busy_w, load_fraction=0.1, power_w=share * busy_w)
    assert curve.load_exponent == pytest.approx(exponent, abs=1e-3)
    assert curve.find_power_w(0.1) == pytest.approx(share * busy_w)
    assert (curve.find_power_w(0), curve.find_power_w(1)) == (idle_w, busy_w)


def test_the_curve_of_tpu_v1_is_in_the_catalogue_and_no_other():
    curve = find_power_curve(CHIPS["tpu-v1"])
    assert curve.find_power_w(0.1) / curve.busy_w == pytest.approx(0.88)
    assert [chip.id for chip in CHIPS.chips if chip.has("power.tenth_load")] == ["tpu-v1"]
    with pytest.raises(MissingFigureError, match=r"no value 'power\.idle'"):
        find_power_curve(CHIPS["h100-sxm"])


def test_little_load_makes_work_dear():
    assert V1.find_energy_ratio(0.1) == pytest.approx(8.8, rel=1e-3)
    assert np.all(np.diff(V1.find_energy_ratio(np.linspace(0.05, 1, 50))) < 0)
    assert np.all(np.diff(V1.find_power_w(np.linspace(0, 1, 50))) > 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda: PowerCurve(idle_w=40, busy_w=40), "idle_w must be from 0 to below busy_w"),
        (lambda: PowerCurve(idle_w=1, busy_w=math.inf), "busy_w must be finite"),
        (lambda: PowerCurve(idle_w=1, busy_w=2, load_exponent=0), "load_exponent"),
        (lambda: V1.find_power_w(1.1), "load_fraction must be from 0 to 1"),
        (lambda: V1.find_energy_ratio(0), "load_fraction must be finite and above zero"),
        (
            lambda: fit_power_curve(idle_w=1, busy_w=3, load_fraction=1, power_w=2),
            "load_fraction must be above",
        ),
        (lambda: fit_power_curve(idle_w=1, busy_w=3, load_fraction=0.5, power_w=3), "power_w must be above"),
        (lambda: find_capped_speed_ratio(50, idle_w=60, busy_w=700), "cap_w must be above idle_w"),
        (lambda: find_facility_power_w(700, pue_ratio=0.9), "pue_ratio must be at least 1"),
        (lambda: find_facility_power_w(700, host_w_per_chip=-1), "host_w_per_chip"),
    ],
)
def test_impossible_power_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        change()


def test_a_cap_costs_less_speed_than_power():
    caps = np.array([250.0, 400, 550, 700, 900])
    speed = find_capped_speed_ratio(caps, idle_w=70, busy_w=700)
    assert np.all(np.diff(speed[:4]) > 0)
    assert list(speed[3:]) == [1, 1]
    assert np.all(speed[:3] > caps[:3] / 700)  # so that work takes less energy
    assert find_capped_speed_ratio(385, idle_w=70, busy_w=700, frequency_exponent=1) == pytest.approx(0.5)


def test_a_building_draws_more_than_its_chips():
    assert find_facility_power_w(700, chips_count=8, host_w_per_chip=200, pue_ratio=1.1) == pytest.approx(
        7920
    )
    assert find_facility_power_w(192, chips_count=4096) == 192 * 4096


def test_measured_power_comes_before_design_power_and_estimates_last():
    ranges = {chip.id: find_power_range(chip) for chip in CHIPS.tpu_generations}
    assert {id_: found.basis for id_, found in ranges.items()} == {
        "tpu-v1": "design", "tpu-v2": "design", "tpu-v3": "measured", "tpu-v4": "measured",
        "tpu-v5e": "estimated", "tpu-v5p": "estimated", "tpu-v6e": "estimated", "tpu-v7": "estimated",
    }  # fmt: skip
    assert (ranges["tpu-v4"].low_w, ranges["tpu-v4"].high_w) == (170, 192)
    assert find_power_range(CHIPS["h100-sxm"]).high_w == 700
    assert all(found.assumption and 0 < found.low_w <= found.high_w for found in ranges.values())


def test_estimates_keep_the_ratios_that_google_gives():
    v2, v5e, v6e, v7 = (CHIPS[f"tpu-{version}"] for version in ("v2", "v5e", "v6e", "v7"))
    per_watt = {
        chip.id: chip.peak_flops_per_s("bf16") / find_power_range(chip).low_w for chip in (v2, v5e, v6e, v7)
    }
    assert per_watt["tpu-v7"] / per_watt["tpu-v2"] == pytest.approx(30)
    assert per_watt["tpu-v7"] / per_watt["tpu-v6e"] == pytest.approx(2)
    assert per_watt["tpu-v6e"] / per_watt["tpu-v5e"] == pytest.approx(1.67)


def test_a_million_ironwoods_are_of_the_order_of_a_gigawatt():
    """The Decoder, 2025-12, on a customer's million TPUs: more than 1 GW."""
    found = find_power_range(CHIPS["tpu-v7"])
    low, high = (
        find_facility_power_w(watts, chips_count=10**6, host_w_per_chip=200, pue_ratio=1.1)
        for watts in (found.low_w, found.high_w)
    )
    assert 0.5e9 < low < 1e9 < high < 2e9


def test_a_chip_without_any_figure_is_refused():
    (bare,) = (chip for chip in CHIPS.chips if chip.id == "tpu-v6e")
    other = type(bare)(
        **{name: getattr(bare, name) for name in bare.__dataclass_fields__ if name != "id"}, id="mine"
    )
    with pytest.raises(MissingFigureError, match="nothing to estimate it from"):
        find_power_range(other)


def test_ratios_of_ranges_are_ranges():
    low, high = find_power_range(CHIPS["tpu-v7"]).over(find_power_range(CHIPS["b200-sxm"]))
    assert low == pytest.approx(0.468, rel=0.01)
    assert high == pytest.approx(1.04, rel=0.01)
