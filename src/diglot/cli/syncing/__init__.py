"""`diglot sync`."""

from diglot import DOCS_URL
from diglot.cli.command import Command, option

command = Command(
    name="sync",
    about="declare the halves of an article to be in step",
    group="keep true",
    run="diglot.cli.syncing.running:run",
    detail=(
        "Record what both halves say now in the pair's `sync.txt`. If there is no such file, create it:\n"
        "commit it with the halves. Blocks that are already in step keep their date."
    ),
    epilog=(
        "examples:\n  diglot sync gpu-vs-tpu\n  diglot sync gpu-vs-tpu --block roof-3\n"
        "  diglot sync --all\n\n"
        f"guide: {DOCS_URL}/translating.md"
    ),
    options={
        "articles ARTICLE": option("names of articles, such as gpu-vs-tpu", nargs="*"),
        "--block ID": option(
            "only this block, by the name that `diglot status` prints; may be given several times",
            dest="blocks",
            action="append",
        ),
        "--all": "all articles that have both halves",
    },
)
