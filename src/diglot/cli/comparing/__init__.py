"""`diglot diff`."""

import argparse
import re
from pathlib import Path

from diglot import DOCS_URL
from diglot.cli.command import Command, option


def _share(text: str) -> float:
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)%", text)
    if found is None:
        raise argparse.ArgumentTypeError(f'"{text}" is not a share such as 5%')
    return float(found[1]) / 100


command = Command(
    name="diff",
    about="report what a change did to values, figures, sentences and slides",
    group="keep true",
    run="diglot.cli.comparing.running:run",
    detail=(
        "Compare the project with an earlier version and report which inputs, values, figures, sentences of\n"
        "both languages and slides have changed, each before and after. Sentences whose words may no longer\n"
        "hold come first: a percentage crossed 50, two values changed their order, “twice” is no longer\n"
        "twice, an {assert} fails. Nothing is published. Uncommitted changes count. The earlier version is\n"
        "checked out to a temporary folder, so your files and Git's index stay as they are."
    ),
    epilog=(
        "exit codes:\n  0  nothing has changed\n"
        "  1  the site has errors, or an {assert} no longer holds\n"
        "  2  wrong usage, or nothing to compare with\n  3  something has changed\n\n"
        "examples:\n  diglot diff\n  diglot diff --against main --threshold 1%\n"
        "  diglot diff --against ../before --html changes.html\n"
        "  diglot diff --against origin/main --markdown\n\n"
        f"guide: {DOCS_URL}/changes.md"
    ),
    options={
        "--against": option(
            "a commit, branch or tag, or a folder with another version (default: HEAD, the last commit)",
            default="HEAD",
            metavar="REF|DIR",
        ),
        "--threshold SHARE": option(
            "values that moved by more than this come first (default: 5%%)", _share, default=0.05
        ),
        "--markdown": "print Markdown, for a pull request",
        "--html FILE": option("also write a page with pictures and texts, before and after", Path),
    },
)
