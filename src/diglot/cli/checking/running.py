"""`diglot check`: build without publishing, then check the finished site as browsers and programs see it."""

import argparse
import os
from pathlib import Path

from diglot.check.notes import robots_note
from diglot.cli.command import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal, are_errors, count_of
from diglot.diagnostics import Diagnostic, counted, shortened, sorted_diagnostics
from diglot.invariants import certain
from diglot.project import Project
from diglot.rules.building import Site, SiteBuild
from diglot.rules.configuration import read_configuration
from diglot.rules.guards import (
    DEFAULT_PARTS,
    compute_for,
    find_bindings,
    find_half_files,
    guards_of,
    unasked_rules,
)
from diglot.rules.ignoring import Ignoring
from diglot.rules.kept_mistakes import kept_mistakes
from diglot.rules.manifest import Manifest
from diglot.rules.options import SiteOptions

_LONGEST_LINE = 100
"""Maximum number of characters that are shown of a changed line."""


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Report all mistakes; pages are checked if all of them could be made."""
    options = site_options(arguments)
    project = read_configuration(options)
    parts = tuple(arguments.parts or DEFAULT_PARTS)
    found: tuple[Diagnostic, ...] = ()
    differences: tuple[Diagnostic, ...] = ()
    manifest: Manifest | None = None
    with Site(options, progress=terminal.told) as site:
        if arguments.fix:
            _mend(site, options, project, terminal)
            if "numbers" in parts:
                _bind(site, options, terminal)
        compute_for(parts, site)
        if "site" not in parts:
            report, _ = site.bring_up(guards_of(parts))
        else:
            result = site.build(publishing=False, besides=guards_of(parts))
            report, manifest = result.report, result.manifest
            if result.manifest is not None and project is not None:
                ignoring = site.ignoring or Ignoring(options)
                about_site = _check_site(site, result, project, arguments, terminal)
                found = ignoring.shown((*about_site, *_check_requirements(options, project)))
                found = (*found, *ignoring.unused(besides=unasked_rules(parts)))
                differences = _repeat(site, result, arguments, terminal)
    diagnostics = sorted_diagnostics([*report.diagnostics, *found, *differences])
    failed = are_errors(diagnostics, strict=options.strict)
    if arguments.sarif is not None:
        from diglot.cli.checking.annotations import sarif_report  # noqa: PLC0415  (only this option needs it)
        from diglot.cli.reports import as_json  # noqa: PLC0415  (only this option needs it)

        arguments.sarif.write_text(as_json(sarif_report(diagnostics)) + "\n", "utf-8")
    if arguments.json:
        from diglot.cli.reports import as_json, diagnostics_report  # noqa: PLC0415  (only this option needs it)

        terminal.result(as_json(diagnostics_report(diagnostics, failed=failed)))
        return EXIT_SITE_ERRORS if failed else EXIT_DONE
    terminal.diagnostics(diagnostics)
    usual = "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"
    if (arguments.format or usual) == "github":
        from diglot.cli.checking.annotations import github_annotations  # noqa: PLC0415  (only this option needs it)

        for line in github_annotations(diagnostics, _in_repository(options.root)):
            terminal.result(line)
    if project is not None and "site" in parts and (note := robots_note(project.base_url)) is not None:
        terminal.say(note)
    terminal.say(f"checked: {count_of(diagnostics)}")
    terminal.left_out(manifest)
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


def _check_site(
    site: Site, result: SiteBuild, project: Project, arguments: argparse.Namespace, terminal: Terminal
) -> tuple[Diagnostic, ...]:
    """What is wrong with a site that could be made. Loads what only some sites and some checks need."""

    def find(purpose: str) -> tuple[Diagnostic, ...]:
        from diglot.rules.finished import check_files  # noqa: PLC0415  (not needed if nothing has changed)

        return check_files(site, result, project, purpose)

    found = kept_mistakes(site.options, result, project.base_url, find)
    if arguments.external:
        from diglot.cli.checking.links import check_links  # noqa: PLC0415  (only this option needs it)

        found += check_links(site, result, project, arguments, terminal)
    manifest = certain(result.manifest, "pages are checked when all could be made")
    if any(output.kind == "talk-page" for output in manifest.outputs):
        from diglot.cli.checking.slides import check_slides  # noqa: PLC0415  (only sites with talks need it)

        found += check_slides(site, manifest, terminal)
    return found


def _check_requirements(options: SiteOptions, project: Project) -> tuple[Diagnostic, ...]:
    """What a host would lack that installs the site's requirements."""
    if not (options.root / "requirements.txt").is_file():
        return ()
    from diglot.rules.requirements import check_requirements  # noqa: PLC0415  (only sites with requirements need it, and it takes 100 ms)

    return tuple(check_requirements(options.root, options.config, project))


def _repeat(
    site: Site, result: SiteBuild, arguments: argparse.Namespace, terminal: Terminal
) -> tuple[Diagnostic, ...]:
    """Errors about figures that come out differently when they are made again."""
    if not any(key.kind == "data" for key in result.report.visited or ()):
        return ()
    from diglot.cli.checking.figures import check_figures  # noqa: PLC0415  (only sites with figures need it)

    return check_figures(site, result, terminal, count=arguments.twice)


def _in_repository(root: Path) -> str:
    """The project's folder from the root of the repository that a workflow has checked out."""
    workspace = os.environ.get("GITHUB_WORKSPACE", "")
    above = Path(workspace).resolve() if workspace else root
    return root.relative_to(above).as_posix().removeprefix(".") if root.is_relative_to(above) else ""


def _mend(site: Site, options: SiteOptions, project: Project | None, terminal: Terminal) -> None:
    """Mend the Markdown of all articles where there is no doubt about it."""
    from diglot.scaffold.mending import mend_files  # noqa: PLC0415  (only `--fix` needs it)

    files = mend_files(options.root, find_half_files(site), "all" if project is None else project.html)
    lines = 0
    for file in files:
        for mend in file.done:
            lines += 1
            old, new = (shortened(line.strip(), _LONGEST_LINE) for line in (mend.old, mend.new))
            terminal.say(f"{file.path}:{mend.line}: {old} is now {new}")
    terminal.say(f"mended: {counted(lines, 'line')} in {counted(len(files), 'file')}")


def _bind(site: Site, options: SiteOptions, terminal: Terminal) -> None:
    """Write expressions for the typed numbers that figures compute."""
    from diglot.scaffold.binding import bind  # noqa: PLC0415  (only `--fix` needs it)

    bound = bind(options.root, find_bindings(site))
    files = {one.path for one in bound.done}
    terminal.say(f"bound: {counted(len(bound.done), 'number')} in {counted(len(files), 'file')}")
    for one in bound.left:
        terminal.say(
            f"{one.path}:{one.line}: {one.typed} does not occur exactly once: write {one.expression} yourself"
        )
