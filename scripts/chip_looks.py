"""Write the looks of the catalogue's chips: `src/diglot/figures/catalogue_looks.py`, which a test compares.

    python scripts/chip_looks.py

Figures do not read the catalogue for them, since parsing it would take each of their processes 0.3 s.
"""

import json
from pathlib import Path

from diglot.figures.chip_marks import find_step, fold_chip_id
from diglot.hardware import Chip, load_catalogue

MODULE = Path(__file__).parents[1] / "src" / "diglot" / "figures" / "catalogue_looks.py"
HEAD = '''"""Looks and names of the catalogue's chips. Written by `scripts/chip_looks.py`; do not edit."""

'''
STEPS = {"b200-sxm": 4, "gb200": 4}
"""Announced in 2024, but of the generation of 2025."""
MARKERS = {"NVIDIA": "o", "AMD": "D", "Google": "s"}
OTHER_MARKER = "^"


def write_looks() -> str:
    """The text of the module."""
    chips = load_catalogue(folder=None).chips
    looks = {chip.id: find_look(chip) for chip in chips}
    names = {fold_chip_id(name): chip.id for chip in chips for name in chip.names}
    others = {name: id_ for name, id_ in names.items() if name not in looks}
    return (
        f"{HEAD}LOOKS: dict[str, tuple[str, str, int, str]] = {{\n"
        + "".join(
            f"    {json.dumps(id_)}: ({', '.join(map(json.dumps, look))}),\n" for id_, look in looks.items()
        )
        + '}\n"""Id → label, hue, step of the hue, marker."""\n'
        + "IDS: dict[str, str] = {\n"
        + "".join(f"    {json.dumps(name)}: {json.dumps(id_)},\n" for name, id_ in others.items())
        + '}\n"""Folded short name or alias → id."""\n'
    )


def find_look(chip: Chip) -> tuple[str, str, int, str]:
    """Label, hue, step and marker of a chip."""
    hue = "tpu" if chip.kind == "tpu" else "gpu"
    return (
        chip.short_name,
        hue,
        STEPS.get(chip.id, find_step(chip.year)),
        MARKERS.get(chip.vendor, OTHER_MARKER),
    )


if __name__ == "__main__":
    MODULE.write_text(write_looks(), "utf-8")
