"""A site's terms in both languages, as its glossary lists them."""

import re

import msgspec

from diglot.diagnostics import DiagnosticError
from diglot.languages import LANGUAGES, Bilingual, Language, count_han
from diglot.strict_yaml import Fields, read_mapping

GLOSSARY = "site/glossary.yaml"


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """A term with what may and what must not be written for it."""

    id: str
    """Its key in the file."""
    names: Bilingual
    also: tuple[str, ...] = ()
    """Other words for it that are accepted, in either language."""
    never: tuple[str, ...] = ()
    """Words that are wrong for it, in either language."""
    definition: Bilingual | None = None
    """What it means, for readers of the glossary."""

    def accepted(self, language: Language) -> tuple[str, ...]:
        """What may be written in a language."""
        return (self.names.of(language), *(one for one in self.also if _language_of(one) == language))

    def refused(self, language: Language) -> tuple[str, ...]:
        """What must not be written in a language."""
        return tuple(one for one in self.never if _language_of(one) == language)


def _language_of(text: str) -> Language:
    return "zh" if count_han(text) else "en"


def pattern_of(word: str) -> str:
    """A word as a pattern: whole words in Latin letters, in any number, small or capital."""
    escaped = re.escape(word).replace(r"\ ", r"[\s-]+")
    return escaped if count_han(word) else rf"(?i:(?<![A-Za-z]){escaped}(?:e?s)?(?![A-Za-z]))"


def read_glossary(text: str) -> tuple[Term, ...]:
    """The terms in a site's file. Raises DiagnosticError with all mistakes in it."""
    return terms_of(Fields(read_mapping(text, GLOSSARY)))


def terms_of(fields: Fields) -> tuple[Term, ...]:
    """The terms in a mapping. Raises DiagnosticError with all mistakes in it."""
    terms = []
    for key in fields:
        entry = fields.nested(key)
        if entry is None:
            continue
        names = {language: entry.text(language) for language in LANGUAGES}
        if None in names.values():
            fields.report(
                key,
                f"{key}: a term needs a name in both languages",
                "write `{zh: 脉动阵列, en: systolic array}`.",
            )
        else:
            terms.append(
                Term(
                    id=key,
                    names=Bilingual(zh=names["zh"] or "", en=names["en"] or ""),
                    also=entry.texts("also"),
                    never=entry.texts("never"),
                    definition=entry.bilingual("definition"),
                )
            )
        entry.finish()
    if fields.diagnostics:
        raise DiagnosticError(*fields.diagnostics)
    return tuple(terms)
