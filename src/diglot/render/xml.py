"""Writes XML for feeds and maps; it never contains a character that XML forbids."""

from xml.etree import ElementTree as ET

from diglot.characters import code_of, forbidden_in
from diglot.diagnostics import Diagnostic, DiagnosticError


def xml_document(root: ET.Element, name: str) -> str:
    """The text of a document.

    Raises DiagnosticError for a forbidden character, whatever its origin: feed readers would refuse the
    document.
    """
    ET.indent(root)
    text = f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'
    check_markup(text, name)
    return text


def check_markup(text: str, name: str) -> None:
    """Raise DiagnosticError for a forbidden character in a text to be published as `name`."""
    if (character := forbidden_in(text)) is not None:
        at = text.index(character)
        raise DiagnosticError(
            Diagnostic(
                rule="character-forbidden",
                message=f"{name} would contain the character {code_of(character)} and could not be read",
                detail=text[max(0, at - 60) : at + 60],
                fix="look for it in the source of the text above, and delete it.",
            )
        )
