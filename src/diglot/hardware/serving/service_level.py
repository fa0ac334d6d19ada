"""The latencies that requests may have: a service-level objective (SLO)."""

from dataclasses import dataclass

import numpy as np

from diglot.hardware.sizes import check_rate, check_share


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLevel:
    """Limits of latency, infinite by default, and the share of requests that must be within both.

    Raises ValueError for limits not above zero and a share outside [0, 1].
    """

    ttft_s: float = np.inf
    """Most time to the first token (TTFT)."""
    tpot_s: float = np.inf
    """Most time per output token (TPOT) after the first."""
    least_fraction: float = 0.9
    """Matters where requests differ, as in a simulation; in a steady state all are within, or none."""

    def __post_init__(self) -> None:
        for name in ("ttft_s", "tpot_s"):
            if getattr(self, name) != np.inf:
                check_rate(name, getattr(self, name))
        check_share("least_fraction", self.least_fraction)
