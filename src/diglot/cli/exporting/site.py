"""`diglot export site`: the site as files of another generator."""

import argparse
from pathlib import Path

from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import counted
from diglot.rules.building import Site
from diglot.use.site_exports import REPORT, Exported, export_site


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Export, and say what was written."""
    options = site_options(arguments)
    folder: Path = arguments.output or options.root / "exports" / arguments.to
    with Site(options, progress=terminal.told) as site:
        exported = export_site(site, arguments.to, folder)
    if not isinstance(exported, Exported):
        terminal.diagnostics(exported)
        return EXIT_SITE_ERRORS
    if arguments.json:
        terminal.result(as_json({"ok": True, "folder": str(folder), **exported._asdict()}))
    else:
        articles, files = counted(exported.articles, "text"), counted(exported.files, "file")
        terminal.say(f"wrote {articles} and {files} to {folder}; {REPORT} there says what was lost")
    return EXIT_DONE
