"""Finds the installed version of a package from its metadata folder, such as `numpy-2.4.6.dist-info`.

importlib.metadata would do the same, but takes 40 ms to load.
"""

import re
from pathlib import Path


def installed_as(module: str, beside: Path) -> Path | None:
    """The `.dist-info` folder of the package that installed a top-level module, or None if there is none.

    `beside` is the folder that contains the module.
    """
    folders = sorted(beside.glob("*.dist-info"))
    for folder in folders:
        if _plain(folder.name.partition("-")[0]) == _plain(module):
            return folder
    for folder in folders:  # a package may have another name than its module: PyYAML installs yaml
        try:
            brought = (folder / "top_level.txt").read_text("utf-8").split()
        except OSError:
            continue
        if module in brought:
            return folder
    return None


def version_of(folder: Path) -> str:
    """The version in the name of a `.dist-info` folder."""
    return folder.name.removesuffix(".dist-info").partition("-")[2]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
