"""Operator times that are kept: layouts of one model share most of their operators.

Copies, stages and expert ways leave the products of a chip as they are, so that a sweep over layouts asks for
the same times again and again. On a GPU, where tiles and parts of k are chosen, they take the most time.
"""

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np

from diglot.hardware.operators.operator_time import OperatorTime
from diglot.hardware.operators.timers import OperatorTimer
from diglot.hardware.operators.transformer import Operator


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RememberingTimer:
    """Gives the times of another timer, each asked for once."""

    timer: OperatorTimer
    known: dict[object, OperatorTime] = field(default_factory=dict)
    """Times by the contents of their operators."""

    def time_operator(self, operator: Operator) -> OperatorTime:
        """Time in one layer."""
        key = _find_key(operator)
        if key not in self.known:
            self.known[key] = self.timer.time_operator(operator)
        return self.known[key]


def _find_key(value: Any) -> object:
    """Something hashable that is equal for equal contents: arrays by their bytes, records by their fields."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if is_dataclass(value):
        return type(value), tuple(_find_key(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, tuple):
        return tuple(_find_key(each) for each in value)
    return value
