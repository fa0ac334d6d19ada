"""Replaces a function in all modules that have imported it."""

import sys
from typing import Any


def replace_everywhere(real: Any, instead: Any) -> None:
    """Replace an object in the namespaces of all loaded modules except diglot's own."""
    for name, module in list(sys.modules.items()):
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict) or name.startswith("diglot."):
            continue
        for one in [one for one, value in names.items() if value is real]:
            names[one] = instead
