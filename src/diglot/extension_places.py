"""Where extensions are: files of a project, and installed distributions that register them."""

from pathlib import Path

from diglot.installed import package_folders

FOLDER = "extensions"
GROUP = "diglot.features"
"""The group of entry points of distributions that have extensions."""


def has_extensions(root: Path) -> bool:
    """Whether a project may have extensions. It is far quicker than to ask for them."""
    return any((root / FOLDER).glob("*.py")) or any(
        f"[{GROUP}]".encode() in points.read_bytes()
        for folder in package_folders()
        for points in Path(folder).glob("*.dist-info/entry_points.txt")
    )
