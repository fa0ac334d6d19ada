"""Steps and bytes of classic algorithms, compared with a simulation and with each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import Island, choose_algorithm, estimate_collective
from diglot.hardware.networks.algorithms import (
    CHOICES,
    count_sent_fraction,
    count_steps,
    estimate_algorithm_time_s,
)
from diglot.hardware.networks.collectives import COLLECTIVES

LINK = {"step_latency_s": 1e-6, "port_bytes_per_s": 1e9}
every_algorithm = pytest.mark.parametrize(
    ("collective", "algorithm"),
    [(collective, algorithm) for collective, choices in CHOICES.items() for algorithm in choices],
)


def play_all_gather(chips, pairs_of_step):
    """Simulate an all-gather step by step. Returns the steps, and the shards sent per chip."""
    held = [{chip} for chip in range(chips)]
    sent, steps = 0, 0
    for sends in pairs_of_step:
        after = [set(shards) for shards in held]
        for source, destination, pick in sends:
            shards = pick(held[source], source)
            after[destination] |= shards
            sent += len(shards)
        held, steps = after, steps + 1
    assert all(shards == set(range(chips)) for shards in held)
    return steps, sent / chips


def ring_steps(chips):
    for step in range(chips - 1):
        yield [
            (chip, (chip + 1) % chips, lambda _, source, step=step: {(source - step) % chips})
            for chip in range(chips)
        ]


def doubling_steps(chips):
    distance = 1
    while distance < chips:
        yield [(chip, chip ^ distance, lambda held, _: held) for chip in range(chips)]
        distance *= 2


@pytest.mark.parametrize("chips", [1, 2, 4, 8, 32])
@pytest.mark.parametrize(("algorithm", "play"), [("ring", ring_steps), ("recursive", doubling_steps)])
def test_an_all_gather_takes_the_steps_and_bytes_of_one_played_out(algorithm, play, chips):
    steps, shards = play_all_gather(chips, play(chips))
    assert count_steps("all-gather", algorithm, chips) == steps
    assert count_sent_fraction("all-gather", algorithm, chips) == shards / chips


def test_an_all_reduce_of_the_whole_array_at_every_step():
    """log2(p) (latency + n / rate): section 4.5."""
    time_s = estimate_algorithm_time_s("all-reduce", "recursive doubling", 10**6, 8, **LINK)
    assert time_s == pytest.approx(3 * (1e-6 + 1e-3))


def test_rabenseifners_all_reduce():
    """2 log2(p) latency + 2 (p - 1) / p n / rate: section 4.5."""
    time_s = estimate_algorithm_time_s("all-reduce", "recursive", 10**6, 8, **LINK)
    assert time_s == pytest.approx(6e-6 + 1.75e-3)


def test_bruck_sends_half_the_array_at_every_step():
    """log2(p) latency + n / 2 log2(p) / rate: section 4.3."""
    time_s = estimate_algorithm_time_s("all-to-all", "Bruck", 10**6, 16, **LINK)
    assert time_s == pytest.approx(4 * (1e-6 + 0.5e-3))


def test_small_arrays_take_few_steps_and_large_ones_send_little():
    chosen = choose_algorithm("all-reduce", [8, 10**8], 64, **LINK)
    assert chosen.tolist() == ["recursive doubling", "recursive"]
    assert choose_algorithm("all-to-all", 8, 64, **LINK) == "Bruck"
    assert choose_algorithm("all-to-all", 10**8, 64, **LINK) == "pairwise"


@every_algorithm
def test_one_chip_sends_nothing(collective, algorithm):
    assert estimate_algorithm_time_s(collective, algorithm, 10**9, 1, **LINK) == 0


@every_algorithm
@given(size=st.integers(1, 10**12), doublings=st.integers(0, 10))
def test_none_is_quicker_than_the_network_allows(collective, algorithm, size, doublings):
    chips = 2**doublings
    island = Island(chips_count=chips, egress_bytes_per_s=1e9, step_latency_s=1e-6)
    bound = estimate_collective(collective, size, island)
    time_s = estimate_algorithm_time_s(collective, algorithm, size, chips, **LINK)
    least = bound.bandwidth_time_s if algorithm == "recursive doubling" else bound.time_s
    assert time_s >= least * (1 - 1e-12)


def test_only_the_whole_array_at_once_spares_a_phase_of_an_all_reduce():
    """The latency in `collectives` is of two phases, so it is not a lower bound for this algorithm."""
    island = Island(chips_count=2, egress_bytes_per_s=1e9, step_latency_s=1e-6)
    assert estimate_collective("all-reduce", 1, island).time_s == 2e-6
    assert estimate_algorithm_time_s("all-reduce", "recursive doubling", 1, 2, **LINK) < 2e-6


@pytest.mark.parametrize("collective", COLLECTIVES)
@given(size=st.integers(1, 10**12), doublings=st.integers(0, 10))
def test_the_chosen_one_is_the_quickest(collective, size, doublings):
    chips = 2**doublings
    times = {
        algorithm: estimate_algorithm_time_s(collective, algorithm, size, chips, **LINK)
        for algorithm in CHOICES[collective]
    }
    assert times[choose_algorithm(collective, size, chips, **LINK)] == min(times.values())


def test_sizes_and_chips_may_be_arrays():
    sizes, chips = np.array([[10], [10**6]]), np.array([2, 8, 64])
    swept = estimate_algorithm_time_s("all-reduce", "recursive", sizes, chips, **LINK)
    assert swept.shape == (2, 3)
    assert swept[1, 1] == estimate_algorithm_time_s("all-reduce", "recursive", 10**6, 8, **LINK)


def test_what_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="known: recursive, ring"):
        count_steps("all-gather", "Bruck", 8)
    with pytest.raises(ValueError, match="unknown collective"):
        choose_algorithm("gossip", 1, 8, **LINK)
    with pytest.raises(ValueError, match="power of two"):
        count_steps("all-gather", "recursive", 6)
    assert count_steps("all-gather", "ring", 6) == 5


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_impossible_latencies_are_refused(wrong):
    with pytest.raises(ValueError, match="step_latency_s must be"):
        estimate_algorithm_time_s("all-gather", "ring", 1, 8, step_latency_s=wrong, port_bytes_per_s=1.0)
