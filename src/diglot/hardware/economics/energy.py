"""Energy of tokens and FLOPs, in joules.

`chips_count` need not be whole, since it may be a share of a pool.
"""

import numpy as np

from diglot.hardware.sizes import Real, check_amount, check_overhead, check_rate


def find_flops_per_j(flops_per_s: Real, *, power_w: Real) -> Real:
    """FLOPs per joule, or FLOP/s per watt. At the design power it is a lower bound."""
    return check_rate("flops_per_s", flops_per_s) / check_rate("power_w", power_w)


def find_energy_per_token_j(
    tokens_per_s: Real, *, power_w: Real, chips_count: Real = 1, overhead_ratio: float = 1.0
) -> Real:
    """Joules per token of a group of chips; `power_w` is the power of one chip.

    `overhead_ratio` is the building's power over that of the chips (hosts, PUE), at least 1.
    """
    power = check_rate("power_w", power_w) * check_overhead("overhead_ratio", overhead_ratio)
    return power * check_rate("chips_count", chips_count) / check_rate("tokens_per_s", tokens_per_s)


def compare_performance_per_watt(
    performance_ratio: Real, *, power_w: Real, baseline_power_w: Real, host_power_w: Real = 0.0
) -> Real:
    """Performance per watt relative to the baseline: ratio of performance over ratio of power.

    With `host_power_w` only the accelerator's own power counts (`power_w` less the host's): the incremental
    figure. Raises ValueError unless `host_power_w` is below `power_w`.
    Source: N. Jouppi et al., "In-Datacenter Performance Analysis of a Tensor Processing Unit", ISCA 2017,
    section 5.
    """
    own = check_rate("power_w", power_w) - check_amount("host_power_w", host_power_w)
    if np.any(own <= 0):
        raise ValueError(f"host_power_w must be from 0 to below power_w, not {host_power_w!r}")
    power_ratio = own / check_rate("baseline_power_w", baseline_power_w)
    return check_rate("performance_ratio", performance_ratio) / power_ratio
