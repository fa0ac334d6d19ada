"""The door for someone with a checkout: `python build.py [build|serve|check|…]` is the `diglot` command."""

import sys

try:
    from diglot.cli import run
except ModuleNotFoundError as missing:
    sys.exit(f"{missing.name} is not installed. Run this once, in this folder:\n\n    pip install -e .\n")

if __name__ == "__main__":
    run()
