"""`diglot export`: articles as PDF files."""

import argparse
import tempfile
from pathlib import Path

from diglot.check.chromium import ChromiumFailed, find_chromium
from diglot.check.printing import print_page
from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Refusal
from diglot.rules.building import Site
from diglot.use.printed_articles import find_pages, write_site


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print articles in some languages, and the paths of the files."""
    options = site_options(arguments)
    executable = find_chromium()
    if executable is None:
        raise Refusal("there is no Chromium or Chrome on this machine", "install one of them.")
    target: Path = arguments.output or Path()
    written = []
    with tempfile.TemporaryDirectory() as name, Site(options, progress=terminal.told) as site:
        pages = [
            page
            for article in arguments.articles
            for page in find_pages(site, article, arguments.lang, both=arguments.both)
        ]
        folder = Path(name)
        if mistakes := write_site(site, folder):
            terminal.diagnostics(mistakes)
            return EXIT_SITE_ERRORS
        target.mkdir(parents=True, exist_ok=True)
        for page in pages:
            file = target / f"{page.name}.{'both' if arguments.both else page.edition}.pdf"
            terminal.say(f"printing {file}")
            try:
                print_page(executable, folder, page.path, file)
            except ChromiumFailed as failure:
                raise Refusal(f"Chromium could not print {file.name}", str(failure)) from failure
            written.append(str(file))
    terminal.result(as_json({"ok": True, "written": written}) if arguments.json else "\n".join(written))
    return EXIT_DONE
