"""A function that stands in for another, wherever it was imported."""

import sys
from typing import Any


def replace_everywhere(real: Any, instead: Any) -> None:
    """Let all modules that are loaded have one thing in place of another, but for diglot's own."""
    for name, module in list(sys.modules.items()):
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict) or name.startswith("diglot."):
            continue
        for one in [one for one, value in names.items() if value is real]:
            names[one] = instead
