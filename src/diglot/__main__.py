"""`python -m diglot` is the `diglot` command."""

import sys

from diglot.cli import main

if __name__ == "__main__":
    sys.exit(main())
