"""`diglot check`: build without publishing, then check the finished pages as a browser would see them."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from diglot.check.chromium import ChromiumFailed, find_chromium
from diglot.check.notes import robots_note
from diglot.check.pages import SourceText, check_pages
from diglot.check.slides_fit import check_fit
from diglot.cli.counting import are_errors, count_of, counted
from diglot.cli.parsing import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.progress import progress_line
from diglot.cli.reports import as_json, diagnostics_report
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic, sorted_diagnostics
from diglot.engine import Key
from diglot.languages import LANGUAGES, Language
from diglot.rules.building import Site
from diglot.rules.configuration import read_configuration
from diglot.rules.figures import compute_figure
from diglot.rules.ignoring import Ignoring
from diglot.rules.manifest import Manifest
from diglot.rules.options import SiteOptions
from diglot.rules.pages import (
    make_article_page,
    make_both_page,
    make_fallback_page,
    make_home_page,
    make_landing_page,
)
from diglot.rules.repetition import Repetition, repeat_figures
from diglot.rules.sources import HOME_PAGE, PostFiles, find_post
from diglot.rules.talks import make_printed_talk, make_talk_page


def check_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Report all mistakes; pages are checked if all of them could be made."""
    with Site(options) as site:
        result = site.build(publishing=False, progress=progress_line(terminal))
        ignoring = site.ignoring or Ignoring(options)
        found: tuple[Diagnostic, ...] = ()
        repeated = Repetition(chosen=0, compared=0, differences=())
        if result.manifest is not None:
            project = read_configuration(options)
            found = check_pages(
                site.last_build.pages(result.manifest),
                [output.path for output in result.manifest.outputs],
                base_url=project.base_url if project else "",
                sources=_sources(result.manifest, site.last_build.values(find_post), options.root),
            )
            found = (
                *ignoring.shown((*found, *_overflows(site, result.manifest, terminal))),
                *ignoring.unused(),
            )
            figures = [*compute_figure.names_in(result.report.visited or ())]
            repeated = repeat_figures(site, figures, count=arguments.twice)
    diagnostics = sorted_diagnostics([*result.diagnostics, *found, *repeated.differences])
    failed = are_errors(diagnostics, strict=options.strict)
    if arguments.json:
        terminal.result(as_json(diagnostics_report(diagnostics, failed=failed)))
    else:
        terminal.diagnostics(diagnostics)
        if repeated.chosen:
            same = repeated.compared - len(repeated.differences)
            late = f"; no time left for {repeated.chosen - repeated.compared}"
            terminal.say(
                f"repeated: {counted(repeated.compared, 'figure')}, {same} identical"
                f"{late if repeated.compared < repeated.chosen else ''}"
            )
        project = read_configuration(options)
        if project is not None and (note := robots_note(project.base_url)) is not None:
            terminal.say(note)
        terminal.say(f"checked: {count_of(diagnostics)}")
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


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


def _sources(
    manifest: Manifest, posts: Mapping[str, PostFiles], root: Path
) -> dict[str, tuple[SourceText, ...]]:
    """The author's files that each article page was made from, by output path."""
    found = {}
    for output in manifest.outputs:
        article, languages = _text_of(output.key)
        if article in posts:
            paths = [path for one in languages if (path := posts[article].half(one)) is not None]
            found[output.path] = tuple(
                SourceText(path=path, text=(root / path).read_text("utf-8"))
                for path in paths
                if (root / path).is_file()
            )
    return found


def _text_of(page: Key) -> tuple[str, tuple[Language, ...]]:
    """The article whose text a page shows, and the languages that the text may be in; empty if none is."""
    for half in make_article_page.names_in([page]):
        return half.article, (half.language,)
    for half in (*make_both_page.names_in([page]), *make_fallback_page.names_in([page])):
        return half.article, LANGUAGES
    for half in make_talk_page.names_in([page]):
        return half.article, LANGUAGES
    for language in make_home_page.names_in([page]):
        return HOME_PAGE, (language,)
    return (HOME_PAGE, LANGUAGES) if page.kind == make_landing_page.kind else ("", ())
