"""Interruptions of large jobs, checkpoints, and the share of the time that is progress."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    find_checkpoint_interval_s,
    find_interruption_interval_s,
    find_training_goodput_fraction,
)

HOUR_S, DAY_S = 3600.0, 86400.0
LLAMA_S = 54 * DAY_S / 419
"""Between unexpected interruptions of Llama 3 405B on 16,384 H100: 419 in 54 days. arXiv:2407.21783."""


@pytest.mark.parametrize(("gpus", "hours"), [(16384, 1.8), (131072, 0.23)])
def test_time_to_failure_of_a_cluster_of_a100(gpus, hours):
    """6.5 failures in 1,000 node-days, and what follows for more. A. Kokolis et al., arXiv:2410.21680."""
    node_s = 1000 * DAY_S / 6.5
    found = find_interruption_interval_s(node_s, gpus // 8) / HOUR_S
    assert found == pytest.approx(hours, rel=0.03)


def test_llama_3_was_interrupted_every_three_hours():
    chip_s = LLAMA_S * 16384
    assert pytest.approx(3.1, rel=0.01) == LLAMA_S / HOUR_S
    assert chip_s / (365.25 * DAY_S) == pytest.approx(5.8, rel=0.01)
    assert find_interruption_interval_s(chip_s, 16384) == pytest.approx(LLAMA_S)


def test_the_goodput_of_llama_3_asks_for_quick_checkpoints_and_restarts():
    """More than 90% effective: 4 GB per GPU at 7 TB/s take 9 s; then restarts may take 10 minutes, not 20."""
    written_s = 16384 * 4e9 / 7e12
    ten, twenty = (
        find_training_goodput_fraction(LLAMA_S, checkpoint_s=written_s, restart_s=minutes * 60)
        for minutes in (10, 20)
    )
    assert twenty < 0.9 < ten < 0.92


def test_the_first_order_is_youngs():
    assert find_checkpoint_interval_s(1e6, checkpoint_s=0.5) == pytest.approx(
        (2 * 0.5 * 1e6) ** 0.5, rel=1e-3
    )


@given(mean_s=st.floats(100, 1e7), written_s=st.floats(0.1, 100), restart_s=st.floats(0, 3600))
def test_the_interval_chosen_is_close_to_the_best(mean_s, written_s, restart_s):
    """Against a search over 400 intervals."""
    found = find_training_goodput_fraction(mean_s, checkpoint_s=written_s, restart_s=restart_s)
    tried = find_training_goodput_fraction(
        mean_s,
        checkpoint_s=written_s,
        restart_s=restart_s,
        checkpoint_interval_s=np.geomspace(written_s / 10, 100 * mean_s, 400),
    )
    assert np.max(tried) <= found * 1.01 + 1e-12
    assert 0 <= found < 1


@given(chips=st.integers(1, 10**6), factor=st.integers(2, 50))
def test_larger_jobs_and_slower_checkpoints_and_restarts_never_progress_more(chips, factor):
    chip_s, costs = LLAMA_S * 16384, {"checkpoint_s": 30.0, "restart_s": 300.0}
    mean_s = find_interruption_interval_s(chip_s, chips)
    here = find_training_goodput_fraction(mean_s, **costs)
    assert (
        find_training_goodput_fraction(find_interruption_interval_s(chip_s, chips * factor), **costs) <= here
    )
    for name, cost_s in costs.items():
        slower = {**costs, name: factor * cost_s}
        assert find_training_goodput_fraction(mean_s, **slower) <= here * (1 + 1e-9)


def test_without_failures_only_checkpoints_cost_time():
    found = find_training_goodput_fraction(1e15, checkpoint_s=10, restart_s=600, checkpoint_interval_s=990)
    assert found == pytest.approx(0.99)


def test_ten_thousand_chips_progress_most_of_the_time():
    mean_s = find_interruption_interval_s(LLAMA_S * 16384, 10_000)
    assert 0.9 < find_training_goodput_fraction(mean_s, checkpoint_s=30, restart_s=300) < 0.95
