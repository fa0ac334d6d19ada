"""The part of `diglot check` that makes figures again, and says how many came out the same."""

from diglot.cli.terminal import Terminal
from diglot.diagnostics import Diagnostic, counted
from diglot.rules.building import Site, SiteBuild
from diglot.rules.figures import compute_figure
from diglot.use.repetition import repeat_figures


def check_figures(
    site: Site, result: SiteBuild, terminal: Terminal, *, count: int | None
) -> tuple[Diagnostic, ...]:
    """Errors about figures that come out differently when they are made again."""
    figures = [*compute_figure.names_in(result.report.visited or ())]
    repeated = repeat_figures(site, figures, count=count)
    if repeated.chosen:
        same = repeated.compared - len(repeated.differences)
        late = f"; no time left for {repeated.chosen - repeated.compared}"
        terminal.say(
            f"repeated: {counted(repeated.compared, 'figure')}, {same} identical"
            f"{late if repeated.compared < repeated.chosen else ''}"
        )
    return repeated.differences
