"""What a translator is handed of an article: the blocks of one half that are behind, with what changed."""

from collections.abc import Sequence

import msgspec

from diglot.languages import Language, twin_of
from diglot.staleness.comparing import Finding
from diglot.staleness.normalising import digest
from diglot.staleness.words import explained


class Translation(msgspec.Struct, frozen=True, kw_only=True):
    """A block to translate, or translated."""

    id: str
    """As `diglot status` names it."""
    source_digest: str
    """That of the newer text: what is taken back must be of the same text."""
    target_digest: str
    """That of the text to be replaced; empty for a block that the half behind lacks."""
    source: str
    """Markdown."""
    target: str
    """Markdown: the old translation when it is handed out, the new one when it is taken back."""
    note: str = ""
    """What changed in the source, word by word."""
    confirmed: bool = False
    """Whether the translator says that it is done, even if the target is what it was."""


class TranslationFile(msgspec.Struct, frozen=True, kw_only=True):
    """All that is handed out of one article into one language."""

    article: str
    source_language: Language
    source_path: str
    target_path: str
    translations: tuple[Translation, ...]

    @property
    def target_language(self) -> Language:
        """The language that is behind."""
        return twin_of(self.source_language)


def translations_of(findings: Sequence[Finding], behind: Language) -> tuple[Translation, ...]:
    """What is to be translated into one language: what was changed or added in the other."""
    found = []
    for finding in findings:
        source, target = finding.of(twin_of(behind)).unit, finding.of(behind).unit
        if finding.behind != behind or finding.change not in ("changed", "added") or source is None:
            continue
        found.append(
            Translation(
                id=finding.id,
                source_digest=source.digest,
                target_digest="" if target is None else target.digest,
                source=source.text,
                target="" if target is None else target.text,
                note=explained(finding.of(twin_of(behind)).before or "", source.text),
            )
        )
    return tuple(found)


def is_translated(translation: Translation, kind: str) -> bool:
    """Whether a translator has done this one."""
    if not translation.target.strip():
        return False
    return translation.confirmed or digest(translation.target, kind) != translation.target_digest
