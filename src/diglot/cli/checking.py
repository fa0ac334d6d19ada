"""`diglot check`: build without publishing, then check the finished pages as a browser would see them."""

import argparse

from diglot.check.pages import SourceText, check_pages
from diglot.cli.counting import are_errors, count_of, counted
from diglot.cli.parsing import EXIT_DONE, EXIT_SITE_ERRORS
from diglot.cli.progress import progress_line
from diglot.cli.reports import as_json, diagnostics_report
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic, sorted_diagnostics
from diglot.project import load_project
from diglot.rules.building import Site
from diglot.rules.figures import compute_figure
from diglot.rules.manifest import Manifest
from diglot.rules.options import SiteOptions
from diglot.rules.pages import make_article_page, make_both_page
from diglot.rules.repetition import Repetition, repeat_figures
from diglot.rules.sources import find_post


def check_command(arguments: argparse.Namespace, options: SiteOptions, terminal: Terminal) -> int:
    """Report all mistakes; pages are checked if all of them could be made."""
    with Site(options) as site:
        result = site.build(publishing=False, progress=progress_line(terminal))
        found: tuple[Diagnostic, ...] = ()
        repeated = Repetition(chosen=0, compared=0, differences=())
        if result.manifest is not None:
            config = (options.root / options.config).read_text("utf-8")
            found = check_pages(
                site.last_build.pages(result.manifest),
                [output.path for output in result.manifest.outputs],
                base_url=load_project(config, options.config).base_url,
                sources=_sources(result.manifest, site),
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
        terminal.say(f"checked: {count_of(diagnostics)}")
    return EXIT_SITE_ERRORS if failed else EXIT_DONE


def _sources(manifest: Manifest, site: Site) -> dict[str, tuple[SourceText, ...]]:
    """The author's files that each article page was made from, by output path."""
    found = {}
    posts = site.last_build.values(find_post)
    for output in manifest.outputs:
        for half in (*make_article_page.names_in([output.key]), *make_both_page.names_in([output.key])):
            post = posts[half.article]
            languages = post.languages if output.kind == make_both_page.kind else (half.language,)
            found[output.path] = tuple(
                SourceText(path=path, text=(site.options.root / path).read_text("utf-8"))
                for path in map(post.path, languages)
            )
    return found
