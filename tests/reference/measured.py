"""`python -m tests.reference.measured [FILE]`: what `python -m diglot.hardware validate [FILE]` does."""

import sys

from diglot.hardware.__main__ import main

if __name__ == "__main__":
    sys.exit(main(["validate", *sys.argv[1:]]))
