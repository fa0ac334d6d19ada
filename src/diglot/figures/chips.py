"""The colour and marker of each chip: those in the catalogue, and the project's custom chips."""

from diglot.diagnostics import did_you_mean
from diglot.figures.chip_marks import ChipMark, fold_chip_id

_GPU, _AMD, _TPU, _NPU = ("gpu", "o"), ("gpu", "D"), ("tpu", "s"), ("gpu", "^")
_CHIPS: dict[str, tuple[str, tuple[str, str], int]] = {
    "v100-sxm2": ("V100", _GPU, 1),
    "a100-40": ("A100 40GB", _GPU, 1),
    "a100-80": ("A100", _GPU, 1),
    "h100-sxm": ("H100", _GPU, 2),
    "h200-sxm": ("H200", _GPU, 3),
    "b200-sxm": ("B200", _GPU, 4),
    "gb200": ("GB200", _GPU, 4),
    "b300-sxm": ("B300", _GPU, 4),
    "gb300": ("GB300", _GPU, 4),
    "l40s": ("L40S", _GPU, 2),
    "l4": ("L4", _GPU, 2),
    "h100-pcie": ("H100 PCIe", _GPU, 2),
    "h800-sxm": ("H800", _GPU, 2),
    "h20-3e": ("H20-3e", _GPU, 3),
    "gh200": ("GH200", _GPU, 3),
    "rtx-5090": ("RTX 5090", _GPU, 4),
    "rtx-pro-6000": ("RTX PRO 6000", _GPU, 4),
    "mi250x": ("MI250X", _AMD, 1),
    "mi300x": ("MI300X", _AMD, 2),
    "mi325x": ("MI325X", _AMD, 3),
    "mi350x": ("MI350X", _AMD, 4),
    "mi355x": ("MI355X", _AMD, 4),
    "inferentia-2": ("Inferentia 2", _NPU, 2),
    "trainium-2": ("Trainium 2", _NPU, 3),
    "trainium-3": ("Trainium 3", _NPU, 4),
    "gaudi-3": ("Gaudi 3", _NPU, 3),
    "tpu-v1": ("TPU v1", _TPU, 1),
    "tpu-v2": ("TPU v2", _TPU, 1),
    "tpu-v3": ("TPU v3", _TPU, 1),
    "tpu-v4": ("TPU v4", _TPU, 1),
    "tpu-v5e": ("TPU v5e", _TPU, 2),
    "tpu-v5p": ("TPU v5p", _TPU, 2),
    "tpu-v6e": ("TPU v6e", _TPU, 3),
    "tpu-v7": ("TPU v7", _TPU, 4),
}
_SHORT = {
    **{"v100": "v100-sxm2", "a100": "a100-80", "h100": "h100-sxm", "h200": "h200-sxm"},
    **{"b200": "b200-sxm", "b300": "b300-sxm", "h800": "h800-sxm", "h20": "h20-3e"},
}
CHIP_IDS = tuple(_CHIPS)
CHIP_NAMES = frozenset((*_CHIPS, *_SHORT, *(name.removeprefix("tpu-") for name in _CHIPS)))
"""Ids of the catalogue and their short forms."""


def chip(chip_id: str) -> ChipMark:
    """The look of a chip, by its catalogue id. `_` may stand for `-`; short forms such as `h200` work.

    A custom chip from `site/hardware/` has the hue of its kind and the step of its year.
    Raises ValueError for an unknown id, with the nearest one or all of them.
    """
    name = fold_chip_id(chip_id)
    name = _SHORT.get(name, name)
    name = f"tpu-{name}" if f"tpu-{name}" in _CHIPS else name
    if name not in _CHIPS:
        from diglot.figures.custom_chips import read_own_marks  # noqa: PLC0415  (here, because most figures need no YAML)

        own = read_own_marks()
        if name in own:
            return own[name]
        known = (*CHIP_IDS, *_SHORT, *(mark.chip_id for mark in own.values()))
        raise ValueError(f'there is no chip with the id "{chip_id}": {did_you_mean(chip_id, known)}')
    label, (hue, marker), step = _CHIPS[name]
    return ChipMark(
        chip_id=name, label=label, token=f"{hue}{step}", text_token=f"{hue}{max(step, 2)}", marker=marker
    )
