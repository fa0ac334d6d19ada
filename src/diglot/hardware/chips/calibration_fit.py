"""Fits the factors of one family and operator to measured times.

The loss of a measurement is log(model / measurement), quadratic where small and linear where large, so that
an outlier has bounded influence. A weak prior towards typical factors decides where the measurements do not
(for example without a memory-bound product) and hardly matters elsewhere. The minimum is found by a grid
search that is refined around its best point.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from diglot.hardware.chips.calibration import Factors
from diglot.hardware.sizes import check_rate

ORDINARY = Factors(compute_fraction=0.8, bandwidth_fraction=0.85, overlap_fraction=0.9, launch_s=5e-6)
"""Typical factors: the prior for those that no measurement determines."""
ORDINARY_COLLECTIVE = replace(ORDINARY, launch_s=3e-5)
"""The same of collectives on GPUs, whose libraries take that long to begin on those that were measured."""
PULL = 0.02
"""Weight of the prior relative to one measurement, per unit of deviation (of logarithms, except overlap)."""
SCATTER = 0.1
"""Error (logarithm) at which the loss turns from quadratic to linear."""
DIFFERENCE = 1e-4
"""Step of a number with which slopes are measured."""
MOST_STEPS = 60
LARGEST_DAMPING = 1e6

_Times = npt.NDArray[np.float64]


def fit_factors(
    compute_time_s: Any, memory_time_s: Any, measured_time_s: Any, *, ordinary: Factors = ORDINARY
) -> Factors:
    """Factors with which the ideal times (arrays, one entry per measurement) best match the measured ones.

    What no measurement determines is as in `ordinary`.

    Raises ValueError where there is no measurement or a measured time is not above zero.
    """
    compute, memory = np.atleast_1d(np.float64(compute_time_s)), np.atleast_1d(np.float64(memory_time_s))
    measured = np.atleast_1d(np.float64(check_rate("measured_time_s", measured_time_s)))
    if measured.size == 0:
        raise ValueError("measured_time_s must have at least one measurement")
    # Fractions and launches are searched on a logarithmic scale; launches from 0.1 us to 0.1 ms.
    low = np.array([np.log(0.2), np.log(0.2), 0.0, np.log(1e-7)])
    high = np.array([0.0, 0.0, 1.0, np.log(1e-4)])
    centre, reach = (low + high) / 2, (high - low) / 2
    for _ in range(12):
        axes = [
            np.unique(np.clip(middle + width * np.linspace(-1, 1, 7), least, most))
            for middle, width, least, most in zip(centre, reach, low, high, strict=True)
        ]
        candidates = np.array(list(product(*axes)))
        centre = candidates[np.argmin(_lose(candidates, compute, memory, measured, ordinary))]
        reach = reach * 0.55
    compute_fraction, bandwidth_fraction, launch_s = np.exp(centre[[0, 1, 3]])
    return Factors(
        compute_fraction=float(compute_fraction),
        bandwidth_fraction=float(bandwidth_fraction),
        overlap_fraction=float(centre[2]),
        launch_s=float(launch_s),
    )


def _lose(candidates: _Times, compute: _Times, memory: _Times, measured: _Times, ordinary: Factors) -> _Times:
    """Loss of each candidate: a row of log compute, log bandwidth, overlap and log launch."""
    compute_log, bandwidth_log, overlap, launch_log = candidates.T[:, :, None]
    slow_compute, slow_memory = compute / np.exp(compute_log), memory / np.exp(bandwidth_log)
    hidden = overlap * np.minimum(slow_compute, slow_memory)
    model = np.exp(launch_log) + slow_compute + slow_memory - hidden
    prior = np.array(
        [
            np.log(ordinary.compute_fraction),
            np.log(ordinary.bandwidth_fraction),
            ordinary.overlap_fraction,
            np.log(ordinary.launch_s),
        ]
    )
    missed: _Times = np.hypot(np.log(model / measured), SCATTER).sum(axis=1)
    pulled: _Times = np.abs(candidates - prior).sum(axis=1)
    return missed + PULL * pulled


def fit_numbers(
    predict: Callable[[_Times], Any],
    measured_time_s: Any,
    *,
    start: Sequence[float],
    least: Sequence[float],
    most: Sequence[float],
) -> _Times:
    """The numbers between `least` and `most` with which `predict(numbers)` best matches the measured times.

    The same loss and pull as `fit_factors`, towards `start`; the minimum is found by damped Gauss-Newton
    steps (K. Levenberg, 1944; D. Marquardt, 1963) with derivatives by differences.
    Raises ValueError where there is no measurement or one is not above zero.
    """
    measured = np.atleast_1d(np.float64(check_rate("measured_time_s", measured_time_s)))
    if measured.size == 0:
        raise ValueError("measured_time_s must have at least one measurement")
    low, high, typical = (np.array(limits, dtype=np.float64) for limits in (least, most, start))

    def miss(numbers: _Times) -> _Times:
        error = np.log(predict(numbers) / measured)
        robust = np.sqrt(2 * (np.hypot(error / SCATTER, 1.0) - 1)) * SCATTER * np.sign(error)
        return np.concatenate([robust, PULL * (numbers - typical)])

    numbers, damping = np.clip(typical, low, high), 1e-2
    missed = miss(numbers)
    for _ in range(MOST_STEPS):
        slopes = np.empty((missed.size, numbers.size))
        for index in range(numbers.size):
            moved = numbers.copy()
            moved[index] += DIFFERENCE if moved[index] + DIFFERENCE <= high[index] else -DIFFERENCE
            slopes[:, index] = (miss(moved) - missed) / (moved[index] - numbers[index])
        curvature, gradient = slopes.T @ slopes, slopes.T @ missed
        while damping < LARGEST_DAMPING:
            damped = curvature + damping * np.diag(np.diag(curvature) + DIFFERENCE)
            tried = np.clip(numbers - np.linalg.solve(damped, gradient), low, high)
            left = miss(tried)
            if left @ left < missed @ missed:
                numbers, missed, damping = tried, left, max(damping / 3, 1e-9)
                break
            damping *= 4
        else:
            return numbers
    return numbers
