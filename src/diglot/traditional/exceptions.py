"""A project's own conversions, which come before those of the dictionaries."""

from diglot.diagnostics import DiagnosticError
from diglot.spelling.conversion import is_chinese
from diglot.strict_yaml import Fields, read_mapping

EXCEPTIONS = "site/hant.yaml"


def read_exceptions(text: str) -> tuple[tuple[str, str], ...]:
    """The phrases in a project's file, each with what it becomes.

    Raises DiagnosticError with all mistakes in it.
    """
    fields = Fields(read_mapping(text, EXCEPTIONS))
    found = []
    for phrase in fields:
        if not is_chinese(phrase):
            fields.report(
                phrase, f'"{phrase}" has no Chinese character', "write the phrase as it is in the articles."
            )
        elif fields.raw(phrase) in (None, ""):
            fields.report(
                phrase,
                f'"{phrase}" becomes nothing',
                "write what it becomes, if only itself.",
            )
        elif (becomes := fields.text(phrase)) is not None:
            found.append((phrase, becomes))
    if fields.diagnostics:
        raise DiagnosticError(*fields.diagnostics)
    return tuple(found)
