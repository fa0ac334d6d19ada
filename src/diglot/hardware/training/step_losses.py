"""What training steps take beyond their calibrated operators and transfers: by family of chips, and by scale.

Kernels between the products (residuals, dropout, embeddings, copies of weights), idle time within a chip, and
clocks that fall under load are in no operator's calibration. The ratio of a family is what dense steps that
others measured took over their calibrated time, a median over sources: Megatron-LM and MPT on A100; Llama 3,
NeMo, MPT and Megatron-Bridge on H100; Megatron-Bridge on Blackwell; PaLM and MaxText on TPUs.
`tests/reference/step_ratios.py` computes the ratios again.

On GPUs every step waits for the slowest of all chips, and shares the network with others: published losses
grow with each doubling.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from diglot.hardware.chips.calibration import load_calibration
from diglot.hardware.chips.chip import Chip
from diglot.hardware.sizes import Real, SizeLike, check_size, to_float, to_plain_float

STEP_RATIOS: Mapping[str, float] = MappingProxyType(
    {
        "nvidia-ampere": 1.15,
        "nvidia-hopper": 1.17,
        "nvidia-blackwell": 1.09,
        "gpu": 1.14,
        "tpu-v4": 1.0,
        "tpu-v5p": 1.0,
        "tpu-v6e": 1.35,
        "tpu-v7": 1.28,
        "tpu": 1.16,
    }
)
"""By family or chip, and by kind for those without measured steps: the mean of its families."""
NODE_CHIPS_COUNT = 8
DOUBLING_FRACTION = 0.012
"""What each doubling beyond one node adds to a step on GPUs. Source: MosaicML llm-foundry, MPT on 8 to 512
H100: 1 to 2.3% for each doubling, by model."""


def find_step_ratio(chip: Chip, chips_count: SizeLike = 1) -> Real:
    """Time of a step over that of its calibrated operators and transfers, at least 1."""
    nodes = to_float(check_size("chips_count", chips_count)) / NODE_CHIPS_COUNT
    lost = DOUBLING_FRACTION * np.log2(np.maximum(1.0, nodes)) if chip.kind == "gpu" else 0 * nodes
    return to_plain_float(find_family_ratio(chip) * (1 + lost))


def find_family_ratio(chip: Chip) -> float:
    """The ratio on one node, or on TPUs on any number of chips."""
    family = load_calibration().family_of(chip) or ""
    known = (STEP_RATIOS.get(name) for name in (chip.id, family, chip.kind, "gpu"))
    return next(ratio for ratio in known if ratio is not None)
