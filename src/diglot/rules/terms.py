"""The task that reads a site's terms."""

from diglot.content.terms import GLOSSARY, Term, read_glossary
from diglot.rules.reading import read_text_if_there
from diglot.rules.tasks import Fetch, task


@task("glossary")
async def read_terms(fetch: Fetch, _name: None) -> tuple[Term, ...]:
    """The terms that a site's halves are held to; none without its file."""
    text = await read_text_if_there(fetch, GLOSSARY)
    return () if text is None else read_glossary(text)
