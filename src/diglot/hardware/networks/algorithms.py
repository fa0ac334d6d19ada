"""Classic collective algorithms on fully connected chips, each of which sends one message at a time.

`topologies` bounds times by what links allow; this module counts the cost of steps. Algorithms with few steps
win for small arrays, those that send each byte once for large ones. A step costs a latency and the bytes it
sends; any two chips reach each other at the same rate. `array_bytes` as in `collectives`.

Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations in MPICH",
International Journal of High Performance Computing Applications 19(1), 2005, sections 4.1 to 4.5.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from diglot.hardware.networks.collectives import Collective
from diglot.hardware.sizes import (
    Real,
    Size,
    SizeLike,
    check_amount,
    check_rate,
    check_size,
    to_float,
    to_plain_float,
)

Algorithm = Literal["ring", "recursive", "recursive doubling", "Bruck", "pairwise"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)

CHOICES: Mapping[Collective, tuple[Algorithm, ...]] = MappingProxyType(
    {
        "all-gather": ("recursive", "ring"),
        "reduce-scatter": ("recursive", "ring"),
        "all-reduce": ("recursive doubling", "recursive", "ring"),
        "all-to-all": ("Bruck", "pairwise"),
    }
)
"""Algorithms of each collective, the one with the fewest steps first.

`recursive` halves or doubles the data sent at every step; for an all-reduce it is Rabenseifner's algorithm.
`recursive doubling` sends the whole array at every step.
"""


def count_steps(collective: Collective, algorithm: Algorithm, chips_count: SizeLike) -> Size:
    """Number of sequential messages that each chip sends.

    Raises ValueError for an algorithm that the collective does not have, and for a number of chips that is
    not a power of two, except for `ring` and `pairwise`.
    """
    chips = _check(collective, algorithm, chips_count)
    if algorithm in ("ring", "pairwise"):
        steps: Size = chips - 1
    else:
        steps = _count_doublings(chips)
    return 2 * steps if collective == "all-reduce" and algorithm != "recursive doubling" else steps


def count_sent_fraction(collective: Collective, algorithm: Algorithm, chips_count: SizeLike) -> Real:
    """Bytes that each chip sends in total, over the array's bytes. Raises ValueError as `count_steps`."""
    chips = _check(collective, algorithm, chips_count)
    if algorithm == "recursive doubling":
        return to_float(_count_doublings(chips))
    if algorithm == "Bruck":
        return to_float(_count_doublings(chips)) / 2
    once = to_float(chips - 1) / to_float(chips)
    return 2 * once if collective == "all-reduce" else once


def estimate_algorithm_time_s(
    collective: Collective,
    algorithm: Algorithm,
    array_bytes: SizeLike,
    chips_count: SizeLike,
    *,
    step_latency_s: Real,
    port_bytes_per_s: Real,
) -> Real:
    """Time of one algorithm: the latency of its steps plus the transfer of all bytes that a chip sends.

    The arithmetic of reductions is not counted. Raises ValueError for impossible sizes and rates, and as
    `count_steps`.
    """
    latency = check_amount("step_latency_s", step_latency_s)
    sent = count_sent_fraction(collective, algorithm, chips_count)
    data_s = to_float(check_size("array_bytes", array_bytes)) * sent
    rate = check_rate("port_bytes_per_s", port_bytes_per_s)
    steps = to_float(count_steps(collective, algorithm, chips_count))
    return to_plain_float(steps * latency + data_s / rate)


def choose_algorithm(
    collective: Collective,
    array_bytes: SizeLike,
    chips_count: SizeLike,
    *,
    step_latency_s: Real,
    port_bytes_per_s: Real,
) -> Algorithm | npt.NDArray[np.str_]:
    """The fastest algorithm, or an array of them for arrays of sizes; on a tie the one with the fewest steps.

    Raises ValueError as `estimate_algorithm_time_s`.
    """
    choices = _list_choices(collective)
    times = [
        np.asarray(
            estimate_algorithm_time_s(
                collective,
                algorithm,
                array_bytes,
                chips_count,
                step_latency_s=step_latency_s,
                port_bytes_per_s=port_bytes_per_s,
            )
        )
        for algorithm in choices
    ]
    quickest = np.argmin(np.stack(np.broadcast_arrays(*times)), axis=0)
    return choices[int(quickest)] if quickest.ndim == 0 else np.array(choices)[quickest]


def _count_doublings(chips: Size) -> Size:
    """Base-2 logarithm. Raises ValueError where `chips` is not a power of two."""
    logarithms = np.log2(np.asarray(chips, dtype=np.float64))
    if np.any(logarithms != np.round(logarithms)):
        raise ValueError(f"chips_count must be a power of two for that algorithm, not {chips!r}")
    return int(logarithms) if logarithms.ndim == 0 else logarithms.astype(np.int64)


def _check(collective: Collective, algorithm: Algorithm, chips_count: SizeLike) -> Size:
    choices = _list_choices(collective)
    if algorithm not in choices:
        raise ValueError(f"no algorithm {algorithm!r} for {collective}; known: {', '.join(choices)}")
    return check_size("chips_count", chips_count)


def _list_choices(collective: Collective) -> tuple[Algorithm, ...]:
    if collective not in CHOICES:
        raise ValueError(f"unknown collective {collective!r}; known: {', '.join(CHOICES)}")
    return CHOICES[collective]
