"""The library's YAML files, and their one reader: lines, typed access, complaints."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Where the files are."""
