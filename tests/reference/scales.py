"""Units of published values."""

PREFIXES = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
RATES = ("FLOP/s", "OP/s", "FLOPS", "FLOPs/s", "OPS", "B/s", "elem/s", "Hz", "tok/s")
AMOUNTS = ("B", "FLOP", "FLOPs", "OP", "elem")

SCALES = {
    **dict.fromkeys(("s", "FLOP/B", "OP/B", "ratio", "fraction"), 1),
    **dict.fromkeys(("cycles", "cycle", "tiles", "waves", "folds", "tokens", "rows", "elements"), 1),
    **dict.fromkeys(("words", "reads", "writes", "hosts", "cores", "GPUs", "chips", "ways", "bytes"), 1),
    **{"%": 1e-2, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9},
    **{"MAC per byte": 2, "MAC per weight byte": 2},
    **{prefix + unit: scale for prefix, scale in PREFIXES.items() for unit in (*RATES, *AMOUNTS)},
    **{prefix + unit: scale for prefix, scale in BINARY.items() for unit in ("B", "B/s")},
}
"""Units we know and what they are of the base unit; a MAC is two FLOPs."""


def to_base_unit(value: float, unit: str) -> float:
    """A value in its base unit; raises KeyError for a unit that we do not know."""
    return float(value * SCALES[unit])
