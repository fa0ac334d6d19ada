"""The interface's words: `strings/zh.yaml` and `strings/en.yaml` of a theme."""

from collections.abc import Mapping

import msgspec

from diglot.diagnostics import Diagnostic, DiagnosticError, Location, did_you_mean
from diglot.languages import LANGUAGES, Language
from diglot.strict_yaml import read_mapping


class Strings(msgspec.Struct, frozen=True, kw_only=True):
    """The words of an interface in one language."""

    language: Language
    words: Mapping[str, str]
    """Key and text; a text may hold `{n}` or other names in braces. Never changed."""

    def __call__(self, key: str, **values: object) -> str:
        """A text with its values; with n = 1 the text under `<key>_one` where there is one.

        Raises LookupError for an unknown key, with the nearest known one.
        """
        known = self.words
        if values.get("n") == 1 and f"{key}_one" in known:
            key = f"{key}_one"
        if key not in known:
            raise LookupError(f'no word "{key}" in strings/{self.language}.yaml: {did_you_mean(key, known)}')
        return known[key].format(**values) if values else known[key]


def parse_strings(text: str, path: str, language: Language) -> Strings:
    """The words that a YAML text holds.

    Raises DiagnosticError for broken YAML and for anything but texts.
    """
    mapping = read_mapping(text, path)
    wrong = tuple(
        Diagnostic(
            rule="strings-kind",
            message=f"{key}: {value!r} is not a text",
            location=Location(path=path, line=mapping.line_of(key)),
            source_line=text.splitlines()[mapping.line_of(key) - 1],
            fix="put it into quotes.",
        )
        for key, value in mapping.values.items()
        if not isinstance(value, str)
    )
    if wrong:
        raise DiagnosticError(*wrong)
    return Strings(language=language, words={key: str(value) for key, value in mapping.values.items()})


def compare_strings(
    strings: Mapping[Language, Strings], paths: Mapping[Language, str]
) -> tuple[Diagnostic, ...]:
    """The keys that only one language has (but for `_one`, which Chinese does not need)."""
    keys = {language: set(strings[language].words) for language in LANGUAGES}
    zh, en = LANGUAGES
    return tuple(
        Diagnostic(
            rule="strings-missing",
            message=f'no word "{key}", which {paths[other]} has',
            location=Location(path=paths[language]),
            fix=f"add a line `{key}: …`.",
        )
        for language, other in ((zh, en), (en, zh))
        for key in sorted(keys[other] - keys[language])
        if not key.endswith("_one")
    )
