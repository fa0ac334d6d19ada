"""What each command does, once the line has been understood."""

import argparse
import shutil

from diglot.cli.arguments import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.counting import count_of, counted
from diglot.cli.progress import WAITING, progress_line
from diglot.cli.reports import as_json, build_report, explanation_report
from diglot.cli.terminal import Terminal
from diglot.engine import BuildReport, format_explanation
from diglot.engine.lock import locked
from diglot.rules.building import Site, SiteBuild
from diglot.rules.options import SiteOptions


def run(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Run the command that the arguments name; its exit code."""
    match arguments.command:
        case "build":
            return build_command(arguments, options, terminal)
        case "check":
            from diglot.cli.checking import check_command

            return check_command(arguments, options, terminal)
        case "serve":
            from diglot.serve.command import serve_command

            return serve_command(
                options,
                host=arguments.host,
                port=arguments.port,
                open_browser=arguments.open,
                poll=arguments.poll,
                reload=arguments.reload,
                terminal=terminal,
                progress=progress_line(terminal),
            )
        case "figures":
            from diglot.cli.figures import export_command, list_command

            command = list_command if arguments.figures_command == "list" else export_command
            return command(arguments, options, terminal)
        case "explain":
            return explain_command(arguments, options, terminal)
        case _:
            return clean_command(arguments, options, terminal)


def build_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Build and publish."""
    with Site(options) as site:
        result = site.build(progress=progress_line(terminal))
    failed = result.failed(strict=options.strict)
    if arguments.json:
        terminal.result(as_json(build_report(result, failed=failed)))
    else:
        tell_runs(result.report, terminal)
        terminal.diagnostics(result.diagnostics)
        terminal.say(_summary(result, options, failed))
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


def explain_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Say why something was or would be rebuilt."""
    with Site(options) as site:
        explanation = site.explain(arguments.target)
    if arguments.json:
        terminal.result(as_json(explanation_report(explanation)))
    else:
        terminal.result(format_explanation(explanation))
    return EXIT_DONE


def clean_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Remove what can be made again."""
    from diglot.publish import unpublish

    removed = []
    if options.cache.is_dir():
        with locked(options.cache / "site.lock", waiting=lambda: terminal.say(WAITING)):
            shutil.rmtree(options.cache)
        removed.append(options.cache)
    if not arguments.cache and unpublish(options.output):
        removed.append(options.output)
    names = [_relative(folder, options) for folder in removed]
    if arguments.json:
        terminal.result(as_json({"ok": True, "removed": names}))
    else:
        terminal.say(f"removed {' and '.join(names)}" if names else "nothing to remove")
    return EXIT_DONE


def tell_runs(report: BuildReport, terminal: Terminal) -> None:
    """Under --verbose, every task that ran, and why."""
    if terminal.verbose:
        for one in report.ran:
            terminal.say(f"{one.seconds * 1000:7.1f} ms  {one.key}: {one.reason} ({one.outcome})")


def _summary(result: SiteBuild, options: SiteOptions, failed: bool) -> str:
    report = result.report
    work = f"{counted(len(report.ran), 'task')} ran, {report.verified} up to date, {report.seconds:.2f} s"
    if failed or result.published is None:
        kept = "; the last good output stays" if options.output.exists() else ""
        return f"not published: {count_of(result.diagnostics)}{kept} ({work})"
    published = result.published
    if not published.written and not published.removed:
        return f"nothing to do: {counted(published.unchanged, 'file')} up to date ({work})"
    removed = f", {len(published.removed)} removed" if published.removed else ""
    where = _relative(options.output, options)
    return f"built {where}: {counted(len(published.written), 'file')} written{removed} ({work})"


def _relative(folder: object, options: SiteOptions) -> str:
    text, root = str(folder), f"{options.root}/"
    return text.removeprefix(root)
