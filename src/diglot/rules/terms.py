"""The task that reads a site's terms."""

from diglot.content.terms import GLOSSARY, Term, terms_of
from diglot.rules.plain_texts import markup_in_texts
from diglot.rules.reading import read_text_if_there
from diglot.rules.tasks import Fetch, task
from diglot.strict_yaml import Fields, read_mapping


@task("glossary")
async def read_terms(fetch: Fetch, _name: None) -> tuple[Term, ...]:
    """The terms that a site's halves are held to; none without its file."""
    text = await read_text_if_there(fetch, GLOSSARY)
    if text is None:
        return ()
    fields = Fields(read_mapping(text, GLOSSARY))
    terms = terms_of(fields)
    fetch.report(*markup_in_texts(fields.shown_texts, GLOSSARY, text))
    return terms
