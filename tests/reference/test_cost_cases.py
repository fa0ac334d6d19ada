"""Dollars and watts that others worked out.

Sources: J. Austin et al., "How to Scale Your Model", part 8 (prices of February 2025); N. Jouppi et al.,
"In-Datacenter Performance Analysis of a Tensor Processing Unit", ISCA 2017, tables 2 and 6 and section 5.

`tpu1-perfw` gives no inputs; they are the paper's. Table 2: a server with four TPUs has a design power of
861 W, one with two Haswell dies, which is also the TPU server's host, of 504 W (both also in an exercise
of Hennessy and Patterson, "Computer Architecture", 6th edition, figure 1.27). Table 6: what a TPU die
does of the work of a Haswell die in each of six applications, with their geometric mean, 14.5, and their
mean by use, 29.2. The former follows from the six, the latter only within bounds: the paper gives the use
of pairs of applications.
"""

from math import prod

import pytest

from diglot.hardware import choose_price, compare_performance_per_watt, find_flops_per_usd, load_catalogue
from tests.reference.published import expect, read_inputs

DIE_RATIOS = {"mlp0": 41.0, "mlp1": 18.5, "lstm0": 3.5, "lstm1": 1.2, "cnn0": 40.3, "cnn1": 71.0}
"""TPU against Haswell, per die: the paper's table 6."""
USES = {("mlp0", "mlp1"): 61, ("lstm0", "lstm1"): 29, ("cnn0", "cnn1"): 5}
"""Percent of what Google's servers inferred in July 2016: its table 1."""
WEIGHTED_MEAN = 29.2


def geometric_mean():
    return prod(DIE_RATIOS.values()) ** (1 / len(DIE_RATIOS))


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


def test_the_means_of_the_first_tpu_follow_from_its_six_applications():
    """As printed; the mean by use lies where each pair's use falls wholly on its slower or its faster one."""
    assert geometric_mean() == pytest.approx(14.5, abs=0.05)
    slower, faster = (
        sum(use * choose(DIE_RATIOS[app] for app in pair) for pair, use in USES.items()) / sum(USES.values())
        for choose in (min, max)
    )
    assert slower < WEIGHTED_MEAN < faster


@pytest.mark.parametrize(
    ("name", "die_ratio", "host_power_w"),
    [
        ("total_low", geometric_mean(), 0),
        ("total_high", WEIGHTED_MEAN, 0),
        ("incremental_low", geometric_mean(), 504),
        ("incremental_high", WEIGHTED_MEAN, 504),
    ],
)
def test_performance_per_watt_of_the_first_tpu(name, die_ratio, host_power_w):
    ratio = compare_performance_per_watt(
        die_ratio * 4 / 2, power_w=861, baseline_power_w=504, host_power_w=host_power_w
    )
    assert ratio == expect("tpu1-perfw", name)
