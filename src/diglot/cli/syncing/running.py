"""`diglot sync`: declares the halves of articles to be in step."""

import argparse

from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json, diagnostics_report
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import DiagnosticError, Refusal, counted
from diglot.rules.building import Site
from diglot.rules.status import find_pairs
from diglot.scaffold.syncing import Synced, check_ids, compare_pairs, sync


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Write what both halves say now into `sync.txt`."""
    options = site_options(arguments)
    _check(arguments)
    with Site(options, progress=terminal.told) as site:
        posts = find_pairs(site, arguments.articles)
        try:
            compared = compare_pairs(site, posts)
        except DiagnosticError as error:
            if arguments.json:
                terminal.result(as_json(diagnostics_report(error.diagnostics, failed=True)))
            else:
                terminal.diagnostics(error.diagnostics)
            return EXIT_SITE_ERRORS
        for one in compared if arguments.blocks else ():
            check_ids(one, arguments.blocks)
        synced = [sync(site, one, arguments.blocks) for one in compared]
    if arguments.json:
        terminal.result(as_json({"ok": True, "articles": [_report(one) for one in synced]}))
    else:
        for done in synced:
            terminal.result(f"{done.post.sync_path}: {_done(done)}")
    return EXIT_DONE


def _check(arguments: argparse.Namespace) -> None:
    """Raise Refusal for options that do not go together."""
    if arguments.all and (arguments.articles or arguments.blocks):
        raise Refusal("--all does not go together with articles or --block", "name articles, or give --all.")
    if not arguments.all and not arguments.articles:
        raise Refusal(
            "no article is named", "name one, as in `diglot sync gpu-vs-tpu`; --all takes all of them."
        )
    if arguments.blocks and len(arguments.articles) != 1:
        raise Refusal("--block needs a single article", "name the one that has these blocks.")


def _done(one: Synced) -> str:
    left = f"; {counted(one.left, 'block')} still out of step" if one.left else ""
    if one.began:
        return f"begun, {counted(len(one.findings), 'block')} in step{left}"
    if not one.findings:
        return f"nothing to do{left or ': everything is in step'}"
    return f"{', '.join(found.id for found in one.findings)} in step now{left}"


def _report(one: Synced) -> dict[str, object]:
    return {
        "name": one.post.name,
        "path": one.post.sync_path,
        "began": one.began,
        "blocks": [found.id for found in one.findings],
        "left": one.left,
    }
