"""Which version of a package is installed, told by the folder its installer left: `numpy-2.4.6.dist-info`.

importlib.metadata would tell the same, but takes 40 ms to load.
"""

import re
from pathlib import Path


def installed_as(module: str, beside: Path) -> Path | None:
    """The `.dist-info` folder of the package that a top-level module came with; None where nothing tells.

    `beside` is the folder the module lies in.
    """
    folders = sorted(beside.glob("*.dist-info"))
    for folder in folders:
        if _plain(folder.name.partition("-")[0]) == _plain(module):
            return folder
    for folder in folders:  # a package named otherwise than its module: PyYAML brings yaml
        try:
            brought = (folder / "top_level.txt").read_text("utf-8").split()
        except OSError:
            continue
        if module in brought:
            return folder
    return None


def version_of(folder: Path) -> str:
    """The version in a `.dist-info` folder's name."""
    return folder.name.removesuffix(".dist-info").partition("-")[2]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
