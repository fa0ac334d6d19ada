"""How far predictions lie from measurements, for the two figures that validate models."""

from statistics import median

NEAR_FRACTION = 0.25
"""An error that planning can live with."""


def summarise(errors: list[float]) -> dict:
    """Of relative errors without sign: how many, the median, the worst, and the share that are near."""
    return {
        "count": len(errors),
        "median_fraction": median(errors),
        "near_fraction": sum(error <= NEAR_FRACTION for error in errors) / len(errors),
        "worst_fraction": max(errors),
    }
