"""Gives an article another name."""

import argparse

from diglot.cli.command import EXIT_DONE
from diglot.cli.reports import as_json
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.scaffold.renaming import Plan, carry_out, plan_renaming


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Rename an article, or say what that would change."""
    options = site_options(arguments)
    plan = plan_renaming(options.root, options.config, arguments.old, arguments.new)
    if not arguments.dry_run:
        carry_out(options.root, plan)
    if arguments.json:
        changed = [change.path for change in plan.changes]
        terminal.result(
            as_json({"ok": True, "moved": plan.moves, "changed": changed, "left": list(plan.left)})
        )
    else:
        _tell(plan, terminal)
        if arguments.dry_run:
            terminal.say("nothing was changed (--dry-run)")
    return EXIT_DONE


def _tell(plan: Plan, terminal: Terminal) -> None:
    lines = [f"{old} -> {new}" for old, new in plan.moves.items()]
    lines += [f"{change.path}: {', '.join(change.notes)}" for change in plan.changes]
    terminal.result("\n".join(lines))
    for path in plan.left:
        terminal.say(f"{path} has links that you must update yourself; `diglot check` names them")
