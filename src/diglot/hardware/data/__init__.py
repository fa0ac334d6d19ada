"""The library's YAML files and their reader: line numbers, typed access, collected errors."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Folder of the YAML files."""
