"""Units of published values."""

SCALES = {
    **dict.fromkeys(("s", "FLOP/s", "OP/s", "B/s", "FLOP/B", "OP/B", "ratio", "elem/s", "B", "FLOP"), 1),
    **dict.fromkeys(("cycles", "tiles", "waves", "tokens", "rows", "elements", "hosts", "cores"), 1),
    **{"%": 1e-2, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
    **{"MAC per byte": 2, "MAC per weight byte": 2},
    **{
        prefix + unit: scale
        for prefix, scale in {"M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}.items()
        for unit in ("FLOP/s", "OP/s", "B/s", "elem/s", "B", "FLOP")
    },
}
"""Units we know and what they are of the base unit; a MAC is two FLOPs."""


def to_base_unit(value: float, unit: str) -> float:
    """A value in its base unit; raises KeyError for a unit that we do not know."""
    return float(value * SCALES[unit])
