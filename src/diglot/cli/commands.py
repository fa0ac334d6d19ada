"""What each command does, once the line has been understood."""

import argparse
import json
import shutil
from collections.abc import Callable, Iterable

from diglot.cli.arguments import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic, sorted_diagnostics
from diglot.engine import BuildReport, Progress, format_explanation
from diglot.rules.building import Site, SiteBuild
from diglot.rules.options import SiteOptions


def run(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Run the command that the arguments name; its exit code."""
    match arguments.command:
        case "build":
            return build_command(arguments, options, terminal)
        case "check":
            return check_command(arguments, options, terminal)
        case "serve":
            from diglot.serve.command import serve_command

            return serve_command(
                options,
                host=arguments.host,
                port=arguments.port,
                open_browser=arguments.open,
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
        terminal.result(json.dumps(_as_json(result, failed), ensure_ascii=False, indent=2))
    else:
        tell_runs(result.report, terminal)
        terminal.diagnostics(result.diagnostics)
        terminal.say(_summary(result, options, failed))
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


def check_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Build without publishing, and look at the pages as a reader's browser would."""
    from diglot.check.pages import check_pages

    with Site(options) as site:
        result = site.build(publishing=False, progress=progress_line(terminal))
        found: tuple[Diagnostic, ...] = ()
        if result.manifest is not None:
            files = [output.path for output in result.manifest.outputs]
            found = check_pages(site.pages(result.manifest), files, base_path=site.base_path())
    diagnostics = sorted_diagnostics([*result.diagnostics, *found])
    failed = any(options.strict or one.severity == "error" for one in diagnostics)
    if arguments.json:
        report = {"ok": not failed, "diagnostics": [_diagnostic_as_json(one) for one in diagnostics]}
        terminal.result(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        terminal.diagnostics(diagnostics)
        terminal.say(f"checked: {_count(diagnostics)}")
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


def explain_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Say why something was or would be rebuilt."""
    with Site(options) as site:
        explanation = site.explain(arguments.target)
    if arguments.json:
        report = {
            "key": str(explanation.key),
            "causes": [{"key": str(key), "reason": str(reason)} for key, reason in explanation.causes],
            "dependencies": [
                {"key": str(one.key), "recorded": one.recorded, "now": one.now}
                for one in explanation.dependencies
            ],
            "used_by": [str(key) for key in explanation.used_by],
        }
        terminal.result(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        terminal.result(format_explanation(explanation))
    return EXIT_DONE


def clean_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Remove what can be made again."""
    from diglot.publish import MARK

    folders = [options.cache]
    if not arguments.cache and (options.output / MARK).exists():
        folders.append(options.output)
    for folder in folders:
        if folder.exists():
            shutil.rmtree(folder)
            terminal.say(f"removed {_relative(folder, options)}")
    return EXIT_DONE


def progress_line(terminal: Terminal) -> Callable[[Progress], None]:
    """A callback that keeps the progress line up to date."""

    def show(progress: Progress) -> None:
        if progress.waiting:
            terminal.say("another build of this project is at work; waiting for it")
        else:
            terminal.progress(progress.done, progress.known, str(progress.running or ""))

    return show


def tell_runs(report: BuildReport, terminal: Terminal) -> None:
    """Under --verbose, every task that ran, and why."""
    if terminal.verbose:
        for one in report.ran:
            terminal.say(f"{one.seconds * 1000:7.1f} ms  {one.key}: {one.reason} ({one.outcome})")


def _summary(result: SiteBuild, options: SiteOptions, failed: bool) -> str:
    report = result.report
    work = f"{len(report.ran)} tasks ran, {report.verified} were up to date, {report.seconds:.2f} s"
    if failed or result.published is None:
        kept = "; the last good output stays" if (options.output).exists() else ""
        return f"not published: {_count(result.diagnostics)}{kept} ({work})"
    published = result.published
    if not published.written and not published.removed:
        return f"nothing to do: {published.unchanged} files are up to date ({work})"
    removed = f", {len(published.removed)} removed" if published.removed else ""
    where = _relative(options.output, options)
    return f"built {where}: {len(published.written)} files written{removed} ({work})"


def _count(diagnostics: Iterable[Diagnostic]) -> str:
    severities = [one.severity for one in diagnostics]
    words = []
    for severity in ("error", "warning"):
        if count := severities.count(severity):
            words.append(f"{count} {severity}{'s' if count > 1 else ''}")
    return ", ".join(words) or "nothing wrong"


def _relative(folder: object, options: SiteOptions) -> str:
    text, root = str(folder), f"{options.root}/"
    return text.removeprefix(root)


def _as_json(result: SiteBuild, failed: bool) -> dict[str, object]:
    report, published = result.report, result.published
    return {
        "ok": not failed,
        "seconds": round(report.seconds, 3),
        "ran": [
            {
                "task": str(one.key),
                "reason": str(one.reason),
                "outcome": one.outcome,
                "seconds": round(one.seconds, 4),
            }
            for one in report.ran
        ],
        "up_to_date": report.verified,
        "written": list(published.written) if published else [],
        "removed": list(published.removed) if published else [],
        "diagnostics": [_diagnostic_as_json(one) for one in result.diagnostics],
    }


def _diagnostic_as_json(one: Diagnostic) -> dict[str, object]:
    place = one.location
    return {
        "rule": one.rule,
        "severity": one.severity,
        "message": one.message,
        "path": place.path if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "source": one.source_line,
        "detail": one.detail,
        "fix": one.fix,
    }
