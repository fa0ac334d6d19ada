"""`diglot slides pdf`: a talk on paper."""

import argparse
from pathlib import Path

from diglot.check.chromium import ChromiumFailed, find_chromium, print_pdf
from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Refusal
from diglot.engine import Key
from diglot.languages import TRADITIONAL, Edition, twin_of
from diglot.rules.building import Site
from diglot.rules.ids import HalfId
from diglot.rules.talks import make_printed_talk
from diglot.use.talk_contents import find_talk


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print a talk in some languages, and the paths of the files."""
    options = site_options(arguments, writes_elsewhere=True)
    executable = find_chromium()
    if executable is None:
        raise Refusal("there is no Chromium or Chrome on this machine", "install one of them.")
    written = []
    with Site(options, progress=terminal.told) as site:
        halves = find_talk(site, arguments.talk, arguments.lang)
        report, pages = site.bring_up([_printed(edition, half) for edition, half in halves])
    if any(page is None for page in pages):
        terminal.diagnostics(report.diagnostics)
        return EXIT_SITE_ERRORS
    folder: Path = arguments.output or Path()
    folder.mkdir(parents=True, exist_ok=True)
    for (edition, half), page in zip(halves, pages, strict=True):
        shown = f"{edition}-{twin_of(half.language)}" if arguments.both else edition
        file = folder / f"{half.article.rpartition('/')[2]}.{shown}.pdf"
        html = (page or b"").decode()
        try:
            print_pdf(
                executable, html.replace("<html ", "<html data-second ", 1) if arguments.both else html, file
            )
        except ChromiumFailed as failure:
            raise Refusal(f"Chromium could not print {file.name}", str(failure)) from failure
        written.append(str(file))
    terminal.result(as_json({"ok": True, "written": written}) if arguments.json else "\n".join(written))
    if not arguments.json:
        terminal.say("without notes, and with figures in their first state")
    return EXIT_DONE


def _printed(edition: Edition, half: HalfId) -> Key:
    """The task that makes the page."""
    if edition != TRADITIONAL:
        return make_printed_talk.key(half)
    from diglot.rules.traditional import traditional_talk  # noqa: PLC0415  (few sites convert files)

    return traditional_talk(half)
