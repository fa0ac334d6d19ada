"""`diglot status`."""

from pathlib import Path

from diglot import DOCS_URL
from diglot.cli.command import Command, option

command = Command(
    name="status",
    about="list the blocks of each half that are behind their twins",
    group="keep true",
    run="diglot.cli.status.running:run",
    detail=(
        "Compare both halves of articles with what they said when they were last in step, as recorded\n"
        "in `sync.txt` of each pair. You may edit either half first: if a block of one has changed\n"
        "and its twin has not, the twin is behind. Spaces, line wraps, quotation marks and full-width forms\n"
        "are ignored. `diglot sync` creates the file, and records that the halves are in step again.\n\n"
        "Exits with 3 if anything is behind, 1 if a file has errors, 0 if everything is in step."
    ),
    epilog=(
        "examples:\n  diglot status\n  diglot status gpu-vs-tpu --explain\n"
        "  diglot status --export xliff -o for-translators\n"
        "  diglot status --import for-translators/gpu-vs-tpu.en.xlf\n\n"
        f"guide: {DOCS_URL}/translating.md"
    ),
    output_help="with --export: folder to write to (default: exports, in the project)",
    options={
        "articles ARTICLE": option("names of articles, such as gpu-vs-tpu (default: all)", nargs="*"),
        "--explain": "show for each block what changed, word by word",
        "--export": option(
            "write what is behind into files for a translator: XLIFF 2.0, or Markdown",
            choices=("xliff", "md"),
        ),
        "--import FILE": option(
            "put the translations of such files into the halves, and declare them to be in step",
            Path,
            dest="taken_back",
            nargs="+",
        ),
    },
)
