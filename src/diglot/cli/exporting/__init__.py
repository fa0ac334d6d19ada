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

_SITE = Command(
    name="site",
    about="write the articles for Hugo, MyST or any program that reads Markdown",
    run="diglot.cli.exporting.site:run",
    detail=(
        "Build the site, and write its articles as Markdown with front matter, and the files they show.\n"
        "Values and figures are filled in. EXPORT.md lists what was written, and what was lost."
    ),
    epilog="examples:\n  diglot export site --to hugo\n  diglot export site --to markdown -o ../texts",
    output_help="a folder that is empty or missing (default: exports/ and the name, in the project)",
    options={"--to": option("the generator", choices=("hugo", "mystmd", "markdown"), required=True)},
)

command = Command(
    name="export",
    about="print articles as PDF files, or leave for another generator",
    group="publish and present",
    verbs=(_ARTICLE, _SITE),
)
