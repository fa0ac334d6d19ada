"""How Chinese texts are written in traditional characters, as a task."""

from diglot.diagnostics import Diagnostic, DiagnosticError, Location
from diglot.engine import UpstreamFailed
from diglot.invariants import certain
from diglot.rules.options import CONFIGURATION, OPENCC
from diglot.rules.projects import read_site_settings
from diglot.rules.reading import read_text_if_there
from diglot.rules.tasks import Fetch, task
from diglot.spelling.settings import Spelling


@task("wants-traditional")
async def wants_traditional(fetch: Fetch, _name: None) -> bool:
    """Whether Chinese pages are there in traditional characters, too.

    A slice of the configuration, so that other edits of it leave the list of the theme's files alone.
    """
    try:
        return (await fetch(read_site_settings)).traditional is not None
    except UpstreamFailed:  # nothing is published, but mistakes in articles are found
        return False


@task("spelling")
async def find_spelling(fetch: Fetch, _name: None) -> Spelling:
    """The variant that the site asks for, with its exceptions. Raises DiagnosticError without OpenCC."""
    from diglot.traditional.exceptions import EXCEPTIONS, read_exceptions  # noqa: PLC0415  (few sites convert texts)

    project = await fetch(read_site_settings)
    if not (version := await fetch(OPENCC)):
        raise DiagnosticError(
            Diagnostic(
                rule="traditional-missing",
                message="no page can be converted to traditional characters, because OpenCC is not installed",
                location=Location(path=await fetch(CONFIGURATION)),
                fix="run `pip install 'diglot[hant]'`, or remove `traditional:`.",
            )
        )
    text = await read_text_if_there(fetch, EXCEPTIONS)
    return Spelling(
        variant=certain(project.traditional, "texts are converted where the configuration says so"),
        exceptions=() if text is None else read_exceptions(text),
        dictionaries=version,
    )
