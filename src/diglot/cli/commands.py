"""Runs a command whose arguments have been parsed."""

import argparse
import re
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from diglot.cli.parsing import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json, build_report, verification_report
from diglot.cli.terminal import Terminal, count_of, unfinished_address
from diglot.diagnostics import counted
from diglot.engine import BuildReport
from diglot.publishing.output_mark import is_marked
from diglot.publishing.unpublishing import Unpublished
from diglot.rules.building import Site, SiteBuild
from diglot.rules.options import PLACEHOLDER_URL, SiteOptions
from diglot.rules.site_cache import doomed

if TYPE_CHECKING:
    from diglot.rules.verification import Verification


def run(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Run the command that the arguments name, and return its exit code."""
    match arguments.command:
        case "build":
            command = build_command
        case "clean":
            command = clean_command
        case "serve":
            command = _serve_command
        case "check":
            from diglot.cli.checking import check_command as command  # noqa: PLC0415  (a command loads only what it needs)
        case "status":
            from diglot.cli.status import run as command  # noqa: PLC0415  (a command loads only what it needs)
        case "sync":
            from diglot.cli.syncing import sync_command as command  # noqa: PLC0415  (a command loads only what it needs)
        case "diff":
            from diglot.cli.comparing import diff_command as command  # noqa: PLC0415  (a command loads only what it needs)
        case "figures":
            from diglot.cli.figures import run as command  # noqa: PLC0415  (a command loads only what it needs)
        case "slides" if arguments.slides_command == "pdf":
            from diglot.cli.slides_pdf import pdf_command as command  # noqa: PLC0415  (a command loads only what it needs)
        case "slides":
            from diglot.cli.slides import run as command  # noqa: PLC0415  (a command loads only what it needs)
        case "export":
            from diglot.cli.exporting import run as command  # noqa: PLC0415  (a command loads only what it needs)
        case "new":
            from diglot.cli.creating import new_command as command  # noqa: PLC0415  (a command loads only what it needs)
        case "rename":
            from diglot.cli.creating import rename_command as command  # noqa: PLC0415  (a command loads only what it needs)
        case "theme":
            from diglot.cli.theme import run as command  # noqa: PLC0415  (a command loads only what it needs)
        case "deploy":
            from diglot.cli.deploying import deploy_command as command  # noqa: PLC0415  (a command loads only what it needs)
        case _:
            from diglot.cli.explaining import explain_command as command  # noqa: PLC0415  (a command loads only what it needs)
    return command(arguments, options, terminal)


def _serve_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    from diglot.serve.command import serve_command  # noqa: PLC0415  (a command loads only what it needs)

    serve_command(
        options,
        host=arguments.host,
        port=arguments.port,
        open_browser=arguments.open,
        poll=arguments.poll,
        reload=arguments.reload,
        follow=arguments.follow,
        terminal=terminal,
    )
    return EXIT_DONE


def build_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Build and publish."""
    with Site(options, progress=terminal.told) as site:
        result = site.build()
        failed = result.failed(strict=options.strict)
        if not arguments.json:
            tell_runs(result.report, terminal)
            terminal.diagnostics(result.diagnostics)
            terminal.say(_summary(result, options, failed))
            terminal.left_out(result.manifest)
            if not failed and _has_placeholder(options):
                terminal.say(unfinished_address(options.config))
        verified = _verified(site, result, terminal) if arguments.verify else None
    different = verified is not None and bool(verified.differences)
    if arguments.json:
        report = build_report(result, failed=failed or different)
        terminal.result(as_json({**report, **verification_report(verified)} if verified else report))
    return EXIT_SITE_ERRORS if failed or different else EXIT_DONE


_PLACEHOLDER = re.compile(
    rb"^base_url:[ \t]*[\"']?"
    + re.escape(PLACEHOLDER_URL.rstrip("/")).encode()
    + rb"/?[\"']?[ \t]*(?:#.*)?$",
    re.M,
)


def _has_placeholder(options: SiteOptions) -> bool:
    """Whether the site's address is still that of a new site. No YAML is parsed for it."""
    if options.base_url is not None:
        return options.base_url == PLACEHOLDER_URL
    with suppress(OSError):
        return _PLACEHOLDER.search((options.root / options.config).read_bytes()) is not None
    return False


def _verified(site: Site, result: SiteBuild, terminal: Terminal) -> "Verification":
    """Compare the build with one from scratch, and print the result."""
    from diglot.rules.verification import verify  # noqa: PLC0415  (a command loads only what it needs)

    terminal.say("building from scratch to compare")
    verification = verify(site, result)
    if verification.differences:
        terminal.diagnostics(verification.differences)
        terminal.say(f"not verified: {counted(len(verification.differences), 'difference')}")
    elif verification.compared:
        terminal.say(
            f"verified: {counted(verification.compared, 'file')}, identical to a build from scratch "
            f"({verification.clean.report.seconds:.2f} s)"
        )
    else:
        terminal.say("verified: a build from scratch finds the same errors")
    return verification


def clean_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Remove the cache, and the output if it is diglot's."""
    if arguments.older_than is not None:
        return _forget(options, terminal, older_than_s=arguments.older_than, json=arguments.json)
    removed, left = [], ""
    is_cached = options.cache.is_dir()
    if is_cached or (not arguments.cache and is_marked(options.output)):
        aside = doomed(options.cache)
        with (
            Site(options, progress=terminal.told) as site,
            site.cache.alone(site.progress),
        ):
            unpublished = None if arguments.cache else site.cache.unpublish()
            shutil.rmtree(aside, ignore_errors=True)  # left by a process that was killed
            options.cache.rename(aside)  # in one step: a preview builds as soon as the lock is free
        shutil.rmtree(aside, ignore_errors=True)  # another build may be removing it, too
        if is_cached:
            removed.append(options.cache)
        if unpublished is not None:
            removed.append(options.output)
            left = _left_over(unpublished)
    names = [_relative(folder, options) for folder in removed]
    if arguments.json:
        terminal.result(as_json({"ok": True, "removed": names}))
    else:
        terminal.say(f"removed {' and '.join(names)}{left}" if names else "nothing to remove")
    return EXIT_DONE


def _left_over(unpublished: Unpublished) -> str:
    """A phrase that says what remains of an output folder."""
    if unpublished.foreign_files:
        files = counted(len(unpublished.foreign_files), "file")
        return f", except {files} that diglot did not make: {', '.join(unpublished.foreign_files[:5])}"
    return "" if unpublished.whole else ", except what diglot did not make"


def _forget(options: SiteOptions, terminal: Terminal, *, older_than_s: int, json: bool) -> int:
    with Site(options, progress=terminal.told) as site:
        forgotten = site.cache.forget(older_than_s=older_than_s)
    if json:
        report = {"ok": True, "forgotten": forgotten.tasks, "freed_bytes": forgotten.freed_bytes}
        terminal.result(as_json(report))
    else:
        terminal.say(
            f"removed {counted(forgotten.tasks, 'task')} from the cache, freed "
            f"{forgotten.freed_bytes / 1e6:.1f} MB"
        )
    return EXIT_DONE


def tell_runs(report: BuildReport, terminal: Terminal) -> None:
    """With --verbose, print every task that ran and why."""
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
