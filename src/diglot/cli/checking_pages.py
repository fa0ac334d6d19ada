"""The part of `diglot check` that looks at the finished site, with what it tells on the terminal."""

import argparse

from diglot.cache_files import read_file, sealed, unsealed, write_file
from diglot.check.chromium import ChromiumFailed, find_chromium
from diglot.check.external_links import ask_about, check_external, external_links
from diglot.check.finished_site import FinishedSite
from diglot.check.kept import Kept
from diglot.check.link_requests import Pace
from diglot.check.slides_fit import check_fit
from diglot.cli.counting import counted
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic
from diglot.project import Project
from diglot.rules.building import Site, SiteBuild
from diglot.rules.code import code_digest
from diglot.rules.figures import compute_figure
from diglot.rules.finished import find_mistakes, read_finished
from diglot.rules.manifest import Manifest
from diglot.rules.options import SiteOptions
from diglot.rules.repetition import repeat_figures
from diglot.rules.sources import find_post
from diglot.rules.talks import make_printed_talk, make_talk_page


def check_finished(
    site: Site, result: SiteBuild, project: Project, arguments: argparse.Namespace, terminal: Terminal
) -> tuple[Diagnostic, ...]:
    """What is wrong with a site that could be made."""
    if result.manifest is None:
        return ()
    path, purpose = site.options.cache / _KEPT, f"what checks found out: {code_digest(*_CODE)}"
    kept = Kept(unsealed(read_file(path), purpose))
    with site.last_build.records() as records:
        finished = read_finished(site.options, records, result, project, kept=kept)
        found = [*find_mistakes(finished, site.options)]
        if kept.has_changed:
            write_file(path, sealed(kept.encoded(), purpose))
        if arguments.external:
            found += _external(finished.site, arguments, site.options, terminal)
    return (*found, *_overflows(site, result.manifest, terminal))


_KEPT = "checks"
_CODE = ("check", "content", "diagnostics.py", "strict_yaml.py")
"""What the kept values depend on beside what they are made of."""


def repeat(
    site: Site, result: SiteBuild, arguments: argparse.Namespace, terminal: Terminal
) -> tuple[Diagnostic, ...]:
    """Errors about figures that come out differently when they are made again."""
    figures = [*compute_figure.names_in(result.report.visited or ())]
    repeated = repeat_figures(site, figures, count=arguments.twice)
    if repeated.chosen:
        same = repeated.compared - len(repeated.differences)
        late = f"; no time left for {repeated.chosen - repeated.compared}"
        terminal.say(
            f"repeated: {counted(repeated.compared, 'figure')}, {same} identical"
            f"{late if repeated.compared < repeated.chosen else ''}"
        )
    return repeated.differences


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
