"""A step as two halves of its sequences, one of which communicates while the other computes.

Source: DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, section 3.4 (two micro-batches).
"""

from dataclasses import replace

import numpy as np

from diglot.hardware.operators.transformer import SequenceGroup
from diglot.hardware.serving.deployment import Deployment
from diglot.hardware.serving.steps import estimate_step
from diglot.hardware.sizes import Real, divide_up, to_plain_float


def overlap_two_batches_s(deployment: Deployment, *groups: SequenceGroup) -> Real:
    """Time of a step whose sequences run as two halves: one communicates while the other computes.

    Twice the longer of a half's arithmetic and its transfers. Weights are read by both halves, so that a
    small batch is slower than in one piece: take it where this is less than the time of `estimate_step`.
    Raises ValueError for groups of a single sequence, which have no halves.
    """
    if any(np.any(np.asarray(group.sequences_count) < 2) for group in groups):
        raise ValueError("sequences_count must be at least 2 in every group: one sequence has no halves")
    halves = [replace(group, sequences_count=divide_up(group.sequences_count, 2)) for group in groups]
    half = estimate_step(deployment, *halves)
    return to_plain_float(
        2 * np.maximum(half.time_s - half.communication_s, np.asarray(half.communication_s))
    )
