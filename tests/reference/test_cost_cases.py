"""Dollars and watts that others worked out.

Sources: J. Austin et al., "How to Scale Your Model", part 8 (prices of February 2025); N. Jouppi et al.,
"In-Datacenter Performance Analysis of a Tensor Processing Unit", ISCA 2017, tables 2 and 6 and section 5.

`tpu1-perfw` gives no inputs. From the paper: a TPU die does 14.5 (geometric mean) and 29.2 (weighted) times
the work of a Haswell die; servers hold four TPUs at 861 W in all, or two Haswells at 504 W, which is also the
TPU server's host.
"""

import pytest

from diglot.hardware.catalogue import load_catalogue
from diglot.hardware.economics import choose_price, compare_performance_per_watt, find_flops_per_usd
from tests.reference.published import expect, read_inputs


@pytest.mark.parametrize("id_", ["sb-serve-flops-dollar-h100-sxm", "sb-serve-flops-dollar-tpu-v5e"])
def test_part_8_flops_for_a_dollar(id_):
    inputs = read_inputs(id_)
    flops = find_flops_per_usd(inputs["peak_flops_per_s"], usd_per_chip_s=inputs["usd_per_hour"] / 3600)
    assert flops == expect(id_, "flops_per_dollar")


def test_the_catalogue_gives_the_same_answer_for_its_price_of_that_month():
    id_ = "sb-serve-flops-dollar-h100-sxm"
    chip = load_catalogue()["h100-sxm"]
    price = choose_price(chip, not_after="2025-02")
    flops = find_flops_per_usd(chip.peak_flops_per_s("bf16"), usd_per_chip_s=price.usd_per_chip_s)
    assert flops == expect(id_, "flops_per_dollar")


@pytest.mark.parametrize(
    ("name", "die_ratio", "host_power_w"),
    [
        ("total_low", 14.5, 0),
        ("total_high", 29.2, 0),
        ("incremental_low", 14.5, 504),
        ("incremental_high", 29.2, 504),
    ],
)
def test_performance_per_watt_of_the_first_tpu(name, die_ratio, host_power_w):
    ratio = compare_performance_per_watt(
        die_ratio * 4 / 2, power_w=861, baseline_power_w=504, host_power_w=host_power_w
    )
    assert ratio == expect("tpu1-perfw", name)
