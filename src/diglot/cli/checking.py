"""`diglot check`: build without publishing, then check the finished site as browsers and programs see it."""

import argparse
import os
from pathlib import Path

from diglot.check.chromium import ChromiumFailed, find_chromium
from diglot.check.external_links import ask_about, check_external, external_links
from diglot.check.finished_site import FinishedSite
from diglot.check.link_requests import Pace
from diglot.check.notes import robots_note
from diglot.check.slides_fit import check_fit
from diglot.cli.annotations import github_annotations, sarif_report
from diglot.cli.counting import are_errors, count_of, counted
from diglot.cli.parsing import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.progress import progress_line
from diglot.cli.reports import as_json, diagnostics_report
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic, sorted_diagnostics
from diglot.rules.building import Site
from diglot.rules.configuration import read_configuration
from diglot.rules.figures import compute_figure
from diglot.rules.finished import find_mistakes, read_finished
from diglot.rules.guards import DEFAULT_PARTS, find_bindings, guard, unasked_rules
from diglot.rules.ignoring import Ignoring
from diglot.rules.manifest import Manifest
from diglot.rules.options import SiteOptions
from diglot.rules.repetition import Repetition, repeat_figures
from diglot.rules.sources import find_post
from diglot.rules.talks import make_printed_talk, make_talk_page
from diglot.scaffold.binding import bind


def check_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Report all mistakes; pages are checked if all of them could be made."""
    project = read_configuration(options)
    parts = (*(arguments.parts or DEFAULT_PARTS), *(["numbers"] if arguments.fix else []))
    repeated = Repetition(chosen=0, compared=0, differences=())
    built: tuple[Diagnostic, ...] = ()
    with Site(options) as site:
        found: tuple[Diagnostic, ...] = ()
        whole = False
        if "site" in parts:
            result = site.build(publishing=False, progress=progress_line(terminal))
            built = result.diagnostics
            if result.manifest is not None and project is not None:
                finished = read_finished(site, result, result.manifest, project)
                found = (
                    *find_mistakes(finished, options),
                    *(_external(finished.site, arguments, options, terminal) if arguments.external else ()),
                    *_overflows(site, result.manifest, terminal),
                )
                whole = True
                figures = [*compute_figure.names_in(result.report.visited or ())]
                repeated = repeat_figures(site, figures, count=arguments.twice)
        if arguments.fix:
            _bind(site, options, terminal)
        ignoring = site.ignoring or Ignoring(options)
        found = ignoring.shown((*found, *guard(site, parts)))
        if whole:
            found = (*found, *ignoring.unused(besides=unasked_rules(parts)))
    diagnostics = sorted_diagnostics([*built, *found, *repeated.differences])
    failed = are_errors(diagnostics, strict=options.strict)
    if arguments.sarif is not None:
        arguments.sarif.write_text(as_json(sarif_report(diagnostics)) + "\n", "utf-8")
    if arguments.json:
        terminal.result(as_json(diagnostics_report(diagnostics, failed=failed)))
        return EXIT_SITE_ERRORS if failed else EXIT_DONE
    terminal.diagnostics(diagnostics)
    if arguments.format == "github":
        for line in github_annotations(diagnostics, _in_repository(options.root)):
            terminal.result(line)
    if repeated.chosen:
        same = repeated.compared - len(repeated.differences)
        late = f"; no time left for {repeated.chosen - repeated.compared}"
        terminal.say(
            f"repeated: {counted(repeated.compared, 'figure')}, {same} identical"
            f"{late if repeated.compared < repeated.chosen else ''}"
        )
    if project is not None and "site" in parts and (note := robots_note(project.base_url)) is not None:
        terminal.say(note)
    terminal.say(f"checked: {count_of(diagnostics)}")
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


def _in_repository(root: Path) -> str:
    """The project's folder from the root of the repository that a workflow has checked out."""
    workspace = os.environ.get("GITHUB_WORKSPACE", "")
    above = Path(workspace).resolve() if workspace else root
    return root.relative_to(above).as_posix().removeprefix(".") if root.is_relative_to(above) else ""


def _external(
    site: FinishedSite, arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal
) -> tuple[Diagnostic, ...]:
    """What is wrong with links to other sites."""
    links = external_links(site)
    done: list[str] = []

    def tell(address: str) -> None:
        done.append(address)
        terminal.progress(len(done), len(links), address)

    pace = None if arguments.offline else Pace()
    asked = ask_about(links, options.cache, max_age_s=arguments.max_age, pace=pace, told=tell)
    remembered = len(links) - len(done) if pace else len(asked.answers)
    known = f", {remembered} of them asked about before" if remembered else ""
    why = "no server can be found: is this machine online?" if pace else "--offline"
    unknown = f", {asked.unknown} not checked ({why})" if asked.unknown else ""
    terminal.say(f"links to other sites: {len(links)}{known}{unknown}")
    return tuple(check_external(site, links, asked.answers))


def _bind(site: Site, options: SiteOptions, terminal: Terminal) -> None:
    """Write expressions for the typed numbers that figures compute."""
    bound = bind(options.root, find_bindings(site))
    files = {one.path for one in bound.done}
    terminal.say(f"bound: {counted(len(bound.done), 'number')} in {counted(len(files), 'file')}")
    for one in bound.left:
        terminal.say(f"{one.path}:{one.line}: {one.typed} is not there once: write {one.expression} yourself")


def _overflows(site: Site, manifest: Manifest, terminal: Terminal) -> tuple[Diagnostic, ...]:
    """Slides of talks whose text does not fit, if there is a Chromium to measure them."""
    posts = site.last_build.values(find_post)
    halves = make_talk_page.names_in(page.key for page in manifest.outputs)
    talks = [half for half in halves if half.article in posts]
    if not talks:
        return ()
    executable = find_chromium()
    if executable is None:
        terminal.say("not checked: whether slides overflow, because there is no Chromium on this machine")
        return ()
    _, pages = site.bring_up([make_printed_talk.key(half) for half in talks])
    found: list[Diagnostic] = []
    try:
        for half, page in zip(talks, pages, strict=True):
            if page is not None:
                found += check_fit(executable, page.decode(), posts[half.article].path(half.language))
    except ChromiumFailed as failure:
        terminal.say(f"not checked: whether slides overflow, because Chromium failed: {failure}")
    return tuple(found)
