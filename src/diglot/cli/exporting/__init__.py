"""`diglot export`."""

from diglot import DOCS_URL
from diglot.cli.command import EDITIONS, Command, option

_ARTICLE = Command(
    name="article",
    about="print articles as PDF files",
    run="diglot.cli.exporting.running:run",
    detail=(
        "Build the site, and print pages of articles with Chromium or Chrome, which must be installed. Each\n"
        "language is a file, tagged, with bookmarks, page numbers, notes, and figures in their first state."
    ),
    epilog=(
        "examples:\n  diglot export article roofline\n"
        "  diglot export article roofline moe --lang en -o papers\n"
        "  diglot export article roofline --both --lang zh\n\n"
        f"guide: {DOCS_URL}/publishing.md"
    ),
    output_help="the folder for the files (default: the current one)",
    options={
        "articles ARTICLE": option("the name of its folder or file in content/", nargs="+"),
        "--lang": EDITIONS,
        "--both": "print the page with both languages, in the words of the first of --lang",
    },
)

command = Command(
    name="export", about="print articles as PDF files", group="publish and present", verbs=(_ARTICLE,)
)
