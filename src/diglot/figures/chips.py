"""The colour and marker of each chip: those in the catalogue, and the project's custom chips."""

from diglot.diagnostics import did_you_mean
from diglot.figures.catalogue_looks import IDS, LOOKS
from diglot.figures.chip_marks import ChipMark, fold_chip_id

CHIP_IDS = tuple(LOOKS)
CHIP_NAMES = frozenset((*LOOKS, *IDS))
"""Ids of the catalogue, short names and aliases, folded."""


def chip(chip_id: str) -> ChipMark:
    """The look of a chip, by its catalogue id, short name or alias. `_` may stand for `-`.

    A custom chip from `site/hardware/` has the hue of its kind and the step of its year.
    Raises ValueError for an unknown id, with the nearest one or all of them.
    """
    name = fold_chip_id(chip_id)
    name = IDS.get(name, name)
    if name not in LOOKS:
        from diglot.figures.custom_chips import read_own_marks  # noqa: PLC0415  (here, because most figures need no YAML)

        own = read_own_marks()
        if name in own:
            return own[name]
        known = (*LOOKS, *IDS, *(mark.chip_id for mark in own.values()))
        raise ValueError(f'there is no chip with the id "{chip_id}": {did_you_mean(chip_id, known)}')
    label, hue, step, marker = LOOKS[name]
    return ChipMark(
        chip_id=name, label=label, token=f"{hue}{step}", text_token=f"{hue}{max(step, 2)}", marker=marker
    )
