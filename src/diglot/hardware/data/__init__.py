"""The library's YAML files and their reader: line numbers, typed access, collected errors."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Folder of the YAML files."""


def read_text(path: Path) -> str:
    """A file in UTF-8 with plain line ends. As bytes: Python reads text files several times as slowly."""
    with open(path, "rb") as file:
        text = file.read().decode()
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
