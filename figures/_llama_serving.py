"""Llama 3 70B in bf16 on slices of several chips: what the figures about serving share.

Every matrix is cut over all chips of a slice. Kernels reach their rooflines, sums between chips the rate of
the busiest link or its latency, hops and steps those of the catalogue; no sum hides behind a kernel. Times
are lower bounds on what runs in practice.
"""

from math import prod

from diglot.hardware import Deployment, Layout, deploy, find_links, load_catalogue, load_models

MODEL_ID = "llama-3-70b"
RESERVED_FRACTION = 0.1
"""Of the memory, for activations and the runtime."""


def serve_on(chip_id: str, sides: tuple[int, ...]) -> Deployment:
    """The model on a slice of those sides; of GPUs one side, all behind one switch."""
    chip, layout = load_catalogue()[chip_id], Layout(tensor_count=prod(sides))
    return deploy(
        load_models()[MODEL_ID].model,
        chip,
        layout=layout,
        interconnect=find_links(chip, layout, slice_sides=sides),
        reserved_fraction=RESERVED_FRACTION,
    )
