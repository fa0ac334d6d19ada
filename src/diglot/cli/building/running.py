"""Builds and publishes."""

import argparse
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.reports import as_json, build_report, verification_report
from diglot.cli.sharing.running import share, take_secret
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal, count_of, unfinished_address
from diglot.diagnostics import counted
from diglot.engine import BuildReport
from diglot.rules.building import Site, SiteBuild
from diglot.rules.options import SiteOptions
from diglot.web_addresses import is_placeholder

if TYPE_CHECKING:
    from diglot.use.verification import Verification


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Build and publish."""
    secret = take_secret(arguments.shared_cache)
    options = site_options(arguments)
    with Site(options, progress=terminal.told) as site:
        result = site.build()
        failed = result.failed(strict=options.strict)
        if not failed:
            share(site, secret, terminal)
        if not arguments.json:
            _tell_runs(result.report, terminal)
            terminal.diagnostics(result.diagnostics)
            terminal.say(_summary(result, options, failed))
            terminal.left_out(result.manifest)
            address = "" if failed else _placeholder(options)
            if address:
                terminal.say(unfinished_address(options.config, address))
        verified = _verified(site, result, terminal) if arguments.verify else None
    different = verified is not None and bool(verified.differences)
    if arguments.json:
        report = build_report(result, failed=failed or different)
        terminal.result(as_json({**report, **verification_report(verified)} if verified else report))
    return EXIT_SITE_ERRORS if failed or different else EXIT_DONE


_BASE_URL = re.compile(rb"^base_url:[ \t]*[\"']?([^\s\"'#]+)", re.M)


def _placeholder(options: SiteOptions) -> str:
    """The site's address if it is one of examples or of this machine, else nothing. Parses no YAML."""
    address = options.base_url or ""
    with suppress(OSError):
        if not address and (line := _BASE_URL.search((options.root / options.config).read_bytes())):
            address = line[1].decode("utf-8", "replace")
    return address if is_placeholder(address) else ""


def _verified(site: Site, result: SiteBuild, terminal: Terminal) -> "Verification":
    """Compare the build with one from scratch, and print the result."""
    from diglot.use.verification import verify  # noqa: PLC0415  (only --verify needs it)

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


def _tell_runs(report: BuildReport, terminal: Terminal) -> None:
    """With --verbose, print every task that ran and why."""
    if terminal.verbose:
        for one in report.ran:
            terminal.say(f"{one.seconds * 1000:7.1f} ms  {one.key}: {one.reason} ({one.outcome})")


def _summary(result: SiteBuild, options: SiteOptions, failed: bool) -> str:
    report = result.report
    others = f", {len(report.adopted)} from the shared cache" if report.adopted else ""
    up_to_date = report.verified - len(report.adopted)
    ran = counted(len(report.ran), "task")
    work = f"{ran} ran{others}, {up_to_date} up to date, {report.seconds:.2f} s"
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
