"""`diglot diff`: what a change of the project's files did to its values, figures, sentences and slides."""

import argparse

from diglot.cli.command import EXIT_CHANGED, EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json, diagnostics_report
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.comparing.changes import Changes, compare
from diglot.comparing.html_report import html_report
from diglot.comparing.json_report import json_report
from diglot.comparing.markdown_report import markdown_report
from diglot.comparing.records import Facts
from diglot.comparing.text_report import text_report
from diglot.comparing.wording import summary
from diglot.rules.building import Site
from diglot.rules.comparing import gather_facts
from diglot.rules.earlier import earlier_project


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Report what has changed since a commit, or compared with another folder."""
    options = site_options(arguments)
    with Site(options, progress=terminal.told) as site:
        terminal.say("the project as it is")
        now = gather_facts(site)
        if now.mistakes:
            return _not_compared(now, "the project has errors", arguments, terminal)
        with earlier_project(site, arguments.against) as earlier:
            name = earlier.name
            terminal.say(f"the project as it was: {name}")
            then = earlier.facts(site)
    if then.mistakes:
        return _not_compared(then, f"the project as it was, {name}, has errors", arguments, terminal)
    changes = compare(then, now, threshold=arguments.threshold)
    if arguments.html is not None:
        arguments.html.write_text(html_report(changes, name), "utf-8")
        terminal.say(f"wrote {arguments.html}")
    _tell(changes, name, arguments, terminal)
    if changes.broken:
        return EXIT_SITE_ERRORS
    return EXIT_DONE if changes.is_empty else EXIT_CHANGED


def _tell(changes: Changes, name: str, arguments: argparse.Namespace, terminal: Terminal) -> None:
    if arguments.json:
        terminal.result(as_json({"ok": not changes.broken, **json_report(changes, name)}))
    elif arguments.markdown:
        terminal.result(markdown_report(changes, name))
    else:
        for line in text_report(changes):
            terminal.result(line)
    terminal.say(f"compared with {name}: {summary(changes)}")


def _not_compared(facts: Facts, why: str, arguments: argparse.Namespace, terminal: Terminal) -> int:
    if arguments.json:
        terminal.result(as_json(diagnostics_report(facts.mistakes, failed=True)))
    else:
        terminal.diagnostics(facts.mistakes)
    terminal.say(f"not compared: {why}")
    return EXIT_SITE_ERRORS
