"""The arguments of the commands that compare, publish and theme a site."""

import argparse
import re
from pathlib import Path
from typing import Any

from diglot import DOCS_URL
from diglot.cli.parsing import EDITIONS, add_command, add_verbs, option

_TRANSLATING = f"guide: {DOCS_URL}/translating.md"


def add_status(commands: Any) -> None:
    """Add `diglot status` and `diglot sync`."""
    add_command(
        commands,
        "status",
        "list the blocks of each half that are behind their twins",
        "Compare both halves of articles with what they said when they were last in step, as recorded\n"
        "in `sync.txt` of each pair. You may edit either half first: if a block of one has changed\n"
        "and its twin has not, the twin is behind. Spaces, line wraps, quotation marks and full-width forms\n"
        "are ignored. `diglot sync` creates the file, and records that the halves are in step again.\n\n"
        "Exits with 3 if anything is behind, 1 if a file has errors, 0 if everything is in step.",
        epilog="examples:\n  diglot status\n  diglot status gpu-vs-tpu --explain\n"
        "  diglot status --export xliff -o for-translators\n"
        "  diglot status --import for-translators/gpu-vs-tpu.en.xlf\n\n" + _TRANSLATING,
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
    add_command(
        commands,
        "sync",
        "declare the halves of an article to be in step",
        "Record what both halves say now in the pair's `sync.txt`. If there is no such file, create it:\n"
        "commit it with the halves. Blocks that are already in step keep their date.",
        epilog="examples:\n  diglot sync gpu-vs-tpu\n  diglot sync gpu-vs-tpu --block roof-3\n"
        "  diglot sync --all\n\n" + _TRANSLATING,
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


def add_diff(commands: Any) -> None:
    """Add the command to the parser."""
    add_command(
        commands,
        "diff",
        "report what a change did to values, figures, sentences and slides",
        "Compare the project with an earlier version and report which inputs, values, figures, sentences of\n"
        "both languages and slides have changed, each before and after. Sentences whose words may no longer\n"
        "hold come first: a percentage crossed 50, two values changed their order, “twice” is no longer\n"
        "twice, an {assert} fails. Nothing is published. Uncommitted changes count. The earlier version is\n"
        "checked out to a temporary folder, so your files and Git's index stay as they are.",
        epilog="exit codes:\n  0  nothing has changed\n"
        "  1  the site has errors, or an {assert} no longer holds\n"
        "  2  wrong usage, or nothing to compare with\n  3  something has changed\n\n"
        "examples:\n  diglot diff\n  diglot diff --against main --threshold 1%\n"
        "  diglot diff --against ../before --html changes.html\n"
        "  diglot diff --against origin/main --markdown\n\n"
        f"guide: {DOCS_URL}/changes.md",
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


def _share(text: str) -> float:
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)%", text)
    if found is None:
        raise argparse.ArgumentTypeError(f'"{text}" is not a share such as 5%')
    return float(found[1]) / 100


def add_export(commands: Any) -> None:
    """Add `diglot export article`."""
    export = add_command(commands, "export", "print articles as PDF files")
    verbs = add_verbs(export, "article")
    add_command(
        verbs,
        "article",
        "print articles as PDF files",
        "Build the site, and print pages of articles with Chromium or Chrome, which must be installed. Each\n"
        "language is a file, tagged, with bookmarks, page numbers, notes, and figures in their first state.",
        epilog="examples:\n  diglot export article roofline\n"
        "  diglot export article roofline moe --lang en -o papers\n"
        "  diglot export article roofline --both --lang zh\n\n"
        f"guide: {DOCS_URL}/publishing.md",
        output_help="the folder for the files (default: the current one)",
        options={
            "articles ARTICLE": option("the name of its folder or file in content/", nargs="+"),
            "--lang": EDITIONS,
            "--both": "print the page with both languages, in the words of the first of --lang",
        },
    )


def add_deploy(commands: Any) -> None:
    """Add `deploy` to the commands."""
    add_command(
        commands,
        "deploy",
        "build the site and publish it on the web",
        "Build the site and put it where readers find it: by default onto the branch gh-pages of the remote\n"
        "origin, as GitHub Pages serves it; with --to, into a folder or onto another machine. Your own\n"
        "branch, index and files are not touched. A site with errors is not deployed, nor one with drafts\n"
        "or future articles, nor one whose sources are not committed and pushed. Set defaults in site.yaml,\n"
        "under `deploy:`.",
        epilog="examples:\n"
        "  diglot deploy --dry-run\n"
        "  diglot deploy --cname example.org\n"
        "  diglot deploy --to ada@example.org:/var/www/blog --delete",
        options={
            "-n --dry-run": "print what would be added, changed and removed, and stop",
            "--branch NAME": "the branch that holds the site (default: gh-pages)",
            "--remote NAME": "the Git remote to push to (default: origin)",
            "--cname DOMAIN": "the site's own domain, for a file CNAME (default: the one in the branch)",
            "-m --message": option("message of the commit (default: names the commit of the sources)"),
            "--to TARGET": "instead of a branch: a folder, or USER@HOST:PATH, which needs rsync",
            "--delete": "with --to USER@HOST:PATH, also remove files there that are not part of the site",
            "--allow-dirty": "deploy although the project has uncommitted changes",
            "--allow-unpushed": "deploy although the last commit is on no remote",
        },
    )


def add_theme(commands: Any) -> None:
    """Add `diglot theme list` and `diglot theme copy`."""
    theme = add_command(commands, "theme", "list the theme's files, or copy one to change it")
    verbs = add_verbs(theme, "list|copy")
    add_command(
        verbs,
        "list",
        "list the theme's files and what the project does with them",
        "List every template, file of words and static file of the theme: whether it is built-in, and\n"
        "which file of the project replaces, extends or adds to it.",
        epilog=_THEMES,
    )
    add_command(
        verbs,
        "copy",
        "copy files of the built-in theme into the project",
        "Copy files of the built-in theme into templates/, where they replace the built-in ones, and print\n"
        "their paths. Existing files stay as they are. The first line of a copy names the version that it\n"
        "comes from. A copy does not change with diglot; `diglot theme list` shows when the built-in file\n"
        "has changed.\n"
        "\n"
        "Most changes need no copy: extend a template to replace one of its blocks, write single words into\n"
        "templates/strings/en.yaml, and style sheets into site/static/custom.css.",
        epilog=f"examples:\n  diglot theme copy article.html\n  diglot theme copy style.css\n\n{_THEMES}",
        options={
            "files FILE": option("a file as `diglot theme list` names it: base.html, style.css", nargs="+"),
        },
    )


_THEMES = f"The guide to themes: {DOCS_URL}/themes.md"
