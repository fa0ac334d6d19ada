"""What training steps take beyond their calibrated operators and transfers: a ratio for each family of chips.

Kernels between the products (residuals, dropout, embeddings, copies of weights), waits of chips for others,
and clocks that fall under load are in no operator's calibration. The ratio is the median of measured over
calibrated time of steps that others have published: Megatron-LM on A100 (8 steps), Llama 3 and NeMo on H100
(10), PaLM on TPU v4 (1). `tests/reference/published_steps.py` holds the steps and computes the ratios again;
docs/validation.md says how well each is predicted by the others of its family.
"""

from collections.abc import Mapping
from types import MappingProxyType

from diglot.hardware.chips.calibration import load_calibration
from diglot.hardware.chips.chip import Chip

STEP_RATIOS: Mapping[str, float] = MappingProxyType(
    {"nvidia-ampere": 1.13, "nvidia-hopper": 1.33, "gpu": 1.23, "tpu": 1.0}
)
"""By family, or by kind for families without published steps: the mean of its families."""


def find_step_ratio(chip: Chip) -> float:
    """Time of a step over that of its calibrated operators and transfers, at least 1."""
    family = load_calibration().family_of(chip)
    return STEP_RATIOS.get(family or chip.kind, STEP_RATIOS[chip.kind])
