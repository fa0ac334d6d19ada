"""`python -m diglot` runs the `diglot` command."""

from diglot.cli import run

if __name__ == "__main__":
    run()
