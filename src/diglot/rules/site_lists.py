"""The lists in `site/` that only checks and conversions use: a build reports their mistakes, too."""

from diglot.diagnostics import DiagnosticError
from diglot.rules.reading import read_text_if_there
from diglot.rules.tasks import Fetch, task
from diglot.rules.terms import read_terms


@task("site-lists")
async def check_lists(fetch: Fetch, _name: None) -> None:
    """Report the mistakes in the lists of names, of exceptions in traditional characters, and of terms."""
    for path, read in (("site/words.yaml", _read_words), ("site/hant.yaml", _read_exceptions)):
        try:
            if (text := await read_text_if_there(fetch, path)) is not None:
                read(text)
        except DiagnosticError as error:
            fetch.report(*error.diagnostics)
    await fetch(read_terms)


def _read_words(text: str) -> None:
    from diglot.check.product_names import read_names  # noqa: PLC0415  (only sites with such a file need it)

    read_names(text)


def _read_exceptions(text: str) -> None:
    from diglot.traditional.exceptions import read_exceptions  # noqa: PLC0415  (few sites convert texts)

    read_exceptions(text)
