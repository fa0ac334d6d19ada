"""`python -m diglot` is the `diglot` command."""

from diglot.cli import run

if __name__ == "__main__":
    run()
