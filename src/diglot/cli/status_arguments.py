"""The arguments of `diglot status` and `diglot sync`."""

from pathlib import Path
from typing import Any

from diglot import DOCS_URL
from diglot.cli.parsing import add_command

_GUIDE = f"guide: {DOCS_URL}/translating.md"


def add_status(commands: Any) -> None:
    """Add `diglot status` and `diglot sync`."""
    status = add_command(
        commands,
        "status",
        "say which blocks of which half are behind their twins",
        "Compare both halves of articles with what they said when they were last in step, as recorded\n"
        "in `sync.txt` beside each pair. Either half may be edited first: if a block of one has changed\n"
        "and its twin has not, the twin is behind. Spaces, line wraps, quotation marks and full-width forms\n"
        "are ignored. `diglot sync` creates the file, and records that the halves are in step again.\n\n"
        "Exits with 3 if anything is behind, 1 if a file has errors, 0 if all is in step.",
        epilog="examples:\n  diglot status\n  diglot status gpu-vs-tpu --explain\n"
        "  diglot status --export xliff -o for-translators\n"
        "  diglot status --import for-translators/gpu-vs-tpu.en.xlf\n\n" + _GUIDE,
        output_help="with --export: folder to write to (default: exports, in the project)",
    )
    status.add_argument(
        "articles", nargs="*", metavar="ARTICLE", help="names of articles, such as gpu-vs-tpu (default: all)"
    )
    status.add_argument(
        "--explain", action="store_true", help="show for each block what changed, word by word"
    )
    status.add_argument(
        "--export",
        choices=("xliff", "md"),
        help="write what is behind into files for a translator: XLIFF 2.0, or Markdown",
    )
    status.add_argument(
        "--import",
        dest="taken_back",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="put the translations of such files into the halves, and declare them to be in step",
    )
    sync = add_command(
        commands,
        "sync",
        "declare the halves of an article to be in step",
        "Record in `sync.txt`, beside the pair, what both halves say now. If there is no such file, it is\n"
        "created: commit it with the halves. Blocks that are in step already keep their date.",
        epilog="examples:\n  diglot sync gpu-vs-tpu\n  diglot sync gpu-vs-tpu --block roof-3\n"
        "  diglot sync --all\n\n" + _GUIDE,
    )
    sync.add_argument("articles", nargs="*", metavar="ARTICLE", help="names of articles, such as gpu-vs-tpu")
    sync.add_argument(
        "--block",
        dest="blocks",
        action="append",
        metavar="ID",
        help="only this block, by the name that `diglot status` prints; may be given several times",
    )
    sync.add_argument("--all", action="store_true", help="all articles that have both halves")
