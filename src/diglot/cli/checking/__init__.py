"""`diglot check`."""

import argparse
from pathlib import Path

from diglot.cli.command import Command, age_s, option, whole_number


def _count_or_all(text: str) -> int | None:
    """A number, or None for "all"."""
    return None if text == "all" else whole_number("a number of figures, or all,", 0, 100_000)(text)


def _part_of_check(text: str) -> str:
    if text not in ("site", "pairs", "numbers"):
        raise argparse.ArgumentTypeError(f"{text!r} cannot be checked: write site, pairs or numbers")
    return text


command = Command(
    name="check",
    about="report every error without publishing",
    group="keep true",
    run="diglot.cli.checking.running:run",
    detail=(
        "Build everything without publishing it, then check the finished site: links and fragments, ids,\n"
        "texts of pictures and their weight, titles and descriptions, versions in other languages, feeds,\n"
        "files and pages that nothing refers to, and names of products; and compare what the two halves\n"
        "of each article say. Some figures are also computed and drawn a second time, in another folder,\n"
        "and compared. `diglot check pairs` only compares halves. `diglot check numbers` finds quantities\n"
        "that are typed in prose and are neither a figure's value ({eval}) nor have a source.\n\n"
        "--fix changes your files before the check: `##标题` becomes `## 标题`, and so on, wherever a\n"
        "warning leaves no doubt. It prints each line that it changes and never changes code; a second run\n"
        "changes nothing."
    ),
    epilog=(
        "examples:\n  diglot check --strict\n  diglot check --fix\n  diglot check numbers\n"
        "  diglot check --external --max-age 30d\n"
        "  diglot check --sarif diglot.sarif"
    ),
    options={
        "parts": option(
            "what to check (default: site and pairs)",
            _part_of_check,
            nargs="*",
            metavar="site|pairs|numbers",
        ),
        "--fix": "correct Markdown that one wrong character has spoilt; with numbers, also write {eval} "
        "where a figure has the typed number",
        "--external": "ask other sites whether links to them still lead somewhere",
        "--max-age AGE": option(
            "with --external: how long answers are kept, such as 12h or 30d (default: 7d)",
            age_s,
            default=7 * 86400,
        ),
        "--offline": "with --external: use only the answers that are known, without a network",
        "--format": option(
            "github also prints annotations, and is the default in workflows on GitHub",
            choices=("text", "github"),
        ),
        "--sarif FILE": option("also write a SARIF 2.1.0 report to this file, for code scanning", Path),
        "--twice N": option(
            "how many figures to make a second time: a number (default: 8), 0 or all; takes at most 30 s",
            _count_or_all,
            default=8,
        ),
    },
)
