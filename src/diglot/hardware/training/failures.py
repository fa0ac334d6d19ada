"""Failures and checkpoints: how often a training is interrupted, and how much of its time is progress.

A job stops when any of its chips or their hosts fails. It then restarts from its last checkpoint, so that the
time since is lost. Writing checkpoints more often loses less at each failure, and more in between.

Sources: J. Young, "A First Order Approximation to the Optimum Checkpoint Interval", Communications of the ACM
17(9), 1974; J. Daly, "A Higher Order Estimate of the Optimum Checkpoint Interval for Restart Dumps", Future
Generation Computer Systems 22(3), 2006. Failures are independent of each other and of the age of chips.
"""

import numpy as np

from diglot.hardware.sizes import (
    Real,
    SizeLike,
    check_amount,
    check_rate,
    check_size,
    to_float,
    to_plain_float,
)


def find_interruption_interval_s(chip_failure_interval_s: Real, chips_count: SizeLike) -> Real:
    """Mean time between interruptions of a job: that between failures of one chip over the chips."""
    interval = check_rate("chip_failure_interval_s", chip_failure_interval_s)
    return interval / to_float(check_size("chips_count", chips_count))


def find_checkpoint_interval_s(interruption_interval_s: Real, *, checkpoint_s: Real) -> Real:
    """Time of work between two checkpoints that loses least: sqrt(2 d M), in Daly's higher order.

    d is the time that a checkpoint takes from the work, M the mean time between interruptions:
    sqrt(2 d M) (1 + sqrt(d / 2 M) / 3 + d / 18 M) - d, and M where a checkpoint takes more than 2 M.
    """
    mean_s = check_rate("interruption_interval_s", interruption_interval_s)
    written_s = check_rate("checkpoint_s", checkpoint_s)
    ratio = written_s / (2 * mean_s)
    first_s = np.sqrt(2 * written_s * mean_s)
    higher_s = first_s * (1 + np.sqrt(ratio) / 3 + ratio / 9) - written_s
    return to_plain_float(np.where(written_s < 2 * mean_s, higher_s, mean_s))


def find_training_goodput_fraction(
    interruption_interval_s: Real,
    *,
    checkpoint_s: Real,
    restart_s: Real,
    checkpoint_interval_s: "Real | None" = None,
) -> Real:
    """Share of the time that is progress: w / (M e^(R / M) (e^((w + d) / M) - 1)).

    w is the work between two checkpoints (by default the best), d the time that one takes from the work, R
    that of a restart, until the job works again, and M the mean time between interruptions; failures during
    checkpoints and restarts count. Towards 1 / (1 + d / w) where nothing fails. Stragglers and planned
    interruptions are not counted.
    Source: Daly, equation 20 (exponential times between failures).
    """
    mean_s = check_rate("interruption_interval_s", interruption_interval_s)
    written_s, lost_s = check_rate("checkpoint_s", checkpoint_s), check_amount("restart_s", restart_s)
    if checkpoint_interval_s is None:
        work_s = find_checkpoint_interval_s(mean_s, checkpoint_s=written_s)
    else:
        work_s = check_rate("checkpoint_interval_s", checkpoint_interval_s)
    # No exponential of more than 700 is finite; the share is then zero to every digit.
    exponent = np.minimum((work_s + written_s) / mean_s, 700.0)
    return to_plain_float(np.minimum(1.0, work_s / mean_s * np.exp(-lost_s / mean_s) / np.expm1(exponent)))
