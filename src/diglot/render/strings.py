"""The texts of the interface: `strings/zh.yaml` and `strings/en.yaml` of a theme."""

import re
from collections.abc import Iterable, Mapping

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean, nearest, shortened
from diglot.languages import LANGUAGES, Language
from diglot.strict_yaml import MOST_MISTAKES, read_mapping


class WordMissing(DiagnosticError, LookupError):
    """An interface text is missing or cannot be formatted.

    Where a template asks for it, the diagnostic names the template's line instead.
    """

    def __str__(self) -> str:
        return self.diagnostics[0].message

    @classmethod
    def of(cls, language: Language, message: str, fix: str) -> "WordMissing":
        """The exception for texts of a language."""
        place = Location(path=f"templates/strings/{language}.yaml")
        return cls(Diagnostic(rule="strings-missing", message=message, location=place, fix=fix))


class Strings(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of the interface in one language."""

    language: Language
    words: Mapping[str, str]
    """Texts by key; a text may contain `{n}` or other names in braces. Never changed."""

    def __call__(self, key: str, **values: object) -> str:
        """The text with values inserted; for n = 1 the text of `<key>_one`, where there is one.

        Raises WordMissing for an unknown key, with the nearest known one, and for a text that needs other
        values.
        """
        known = self.words
        if values.get("n") == 1 and f"{key}_one" in known:
            key = f"{key}_one"
        if key not in known:
            message = f'there is no text "{key}" in strings/{self.language}.yaml'
            add = f"add a line `{key}: …` to templates/strings/{self.language}.yaml."
            near = nearest(key, known)
            raise WordMissing.of(
                self.language, message, f'did you mean "{near}"? If not, {add}' if near else add
            )
        if not values:
            return known[key]
        try:
            return known[key].format(**values)
        except (LookupError, ValueError) as error:
            names = ", ".join(f"{{{name}}}" for name in values)
            message = f'the text "{key}" in strings/{self.language}.yaml cannot be filled in: {error}'
            raise WordMissing.of(self.language, message, f"use only {names} in braces.") from None


_FORMAT = re.compile(r"\{\w*[^\w{}][^{}]*[{}]")
"""Fields that `str.format` reads as more than a name: a width could be huge, an attribute lead anywhere."""


def parse_strings(
    text: str, path: str, language: Language, *, built_in: Mapping[str, str] | None = None
) -> Strings:
    """The texts in a YAML file; those of a project are added to the built-in ones, and replace them.

    Raises DiagnosticError for invalid YAML, for values that are not texts, and for names in braces that the
    text is never given.
    """
    given = built_in or {}
    mapping = read_mapping(text, path)
    wrong = []
    for key, value in mapping.values.items():
        if not isinstance(value, str):
            message, fix = (
                f"{shortened(key, 60)}: {shortened(repr(value), 60)} is not a text",
                "put it into quotes.",
            )
        elif _FORMAT.search(value):
            message, fix = (
                f"{shortened(key, 60)}: only a name is allowed in braces",
                "write only the name, as in {n}.",
            )
        elif key in given and (unknown := _names(value) - _given(key, given)):
            names = ", ".join(f"{{{name}}}" for name in sorted(_given(key, given)))
            message, fix = (
                f"{key}: there is nothing to put in the place of {{{min(unknown)}}}",
                f"use {names}, or no braces." if names else "write the text without braces.",
            )
        else:
            continue
        line = mapping.line_of(key)
        wrong.append(
            Diagnostic(
                rule="strings-kind",
                message=message,
                location=Location(path=path, line=line),
                source_line=mapping.source_line(line),
                fix=fix,
            )
        )
    if wrong:
        raise DiagnosticError(*wrong[:MOST_MISTAKES])
    own = {key: str(value) for key, value in mapping.values.items()}
    return Strings(language=language, words={**given, **own})


_NAME = re.compile(r"\{(\w+)\}")


def _names(text: str) -> set[str]:
    """The names in braces in a text."""
    return {*_NAME.findall(text)}


def _given(key: str, words: Mapping[str, str]) -> set[str]:
    """The names that a built-in text is given; a singular gets those of its plural, too."""
    return _names(words[key]) | _names(words.get(key.removesuffix("_one"), ""))


_QUOTED = re.compile(r"""(["'])(\w+)\1""")


def unknown_words(text: str, path: str, built_in: Mapping[str, str]) -> dict[str, Diagnostic]:
    """The keys in a project's file that are not built-in; each with a warning, in case nothing shows it."""
    mapping = read_mapping(text, path)
    return {
        key: Diagnostic(
            rule="strings-unknown",
            message=f'no page shows the text "{shortened(key, 60)}"',
            severity="warning",
            location=Location(path=path, line=mapping.line_of(key)),
            source_line=mapping.source_line(mapping.line_of(key)),
            fix=did_you_mean(
                key, built_in, otherwise=f'delete it, or show it in a template: `{{{{ words("{key}") }}}}`.'
            ),
        )
        for key in mapping.values
        if key.removesuffix("_one") not in built_in
    }


def quoted_words(template: str) -> frozenset[str]:
    """The keys of texts that a template may show: everything in it that is quoted."""
    return frozenset(found[2] for found in _QUOTED.finditer(template))


def is_shown(key: str, quoted: Iterable[str]) -> bool:
    """Whether one of the quoted words is a text's key, or its beginning as in `"under_" ~ taxonomy`."""
    return any(
        word in (key, key.removesuffix("_one")) or (word.endswith("_") and key.startswith(word))
        for word in quoted
    )


def compare_strings(
    strings: Mapping[Language, Strings], paths: Mapping[Language, str]
) -> tuple[Diagnostic, ...]:
    """Diagnostics for keys that only one language has, except `_one`, which Chinese does not need."""
    keys = {language: set(strings[language].words) for language in LANGUAGES}
    zh, en = LANGUAGES
    return tuple(
        Diagnostic(
            rule="strings-missing",
            message=f'there is no text "{key}", but {paths[other]} has one',
            severity="warning",
            location=Location(path=paths[language]),
            fix=f"add a line `{key}: …`.",
        )
        for language, other in ((zh, en), (en, zh))
        for key in sorted(keys[other] - keys[language])
        if not key.endswith("_one")
    )
