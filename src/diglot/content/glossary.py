"""Holds both halves to a site's terms: each is said the same way everywhere, and in both halves."""

import re
from collections.abc import Iterator, Sequence

from diglot.content.differences import Difference
from diglot.content.pairs import half_place, halves_warning
from diglot.content.prose import prose_of
from diglot.content.records import Alignment
from diglot.content.terms import Term, pattern_of
from diglot.content.tree.nodes import TopBlock, Tree
from diglot.content.whole_blocks import whole_of
from diglot.diagnostics import Diagnostic
from diglot.languages import Language, twin_of


def check_terms(zh: Tree, en: Tree, alignment: Alignment, terms: Sequence[Term]) -> tuple[Diagnostic, ...]:
    """Warnings where a half writes a refused word, or one half of a block has a term and its twin has not."""
    found: list[Diagnostic] = []
    for half in (zh, en):
        for block in half.blocks:
            for difference in refused_words(_prose(block), half.language, terms):
                found.append(halves_warning(difference.rule, difference.message, block, half, difference.fix))
    for row in alignment.rows:
        if row.zh is not None and row.en is not None:
            one, other = zh.blocks[row.zh], en.blocks[row.en]
            found += [*_untranslated(one, other, zh, en, terms)] or _exchanged(one, other, zh, en, terms)
    return tuple(found)


def _prose(block: TopBlock) -> str:
    return "" if block.kind in ("code", "formula") else prose_of(whole_of(block))


def refused_words(prose: str, language: Language, terms: Sequence[Term]) -> Iterator[Difference]:
    """The words in a text that the glossary refuses."""
    for term in terms:
        for word in term.refused(language):
            # What begins first is read, then the longest: 阵列 in 脉动阵列 is not refused, 批次大小 is.
            words = sorted((word, *term.accepted(language)), key=len, reverse=True)
            either = re.compile(
                "|".join(
                    f"(?P<refused>{pattern_of(one)})" if one == word else pattern_of(one) for one in words
                )
            )
            written = next((one["refused"] for one in either.finditer(prose) if one["refused"]), None)
            if written is not None:
                yield Difference(
                    rule="glossary-word",
                    message=f"“{written}” is not this site's word",
                    fix=f"write {term.names.of(language)}.",
                )


def _untranslated(
    one: TopBlock, other: TopBlock, zh: Tree, en: Tree, terms: Sequence[Term]
) -> Iterator[Diagnostic]:
    """The terms that one of two blocks has by their names, and the other in no accepted word."""
    left, right = (one, zh, _prose(one)), (other, en, _prose(other))
    for term in terms:
        for (block, half, prose), (twin, there, its_prose) in ((left, right), (right, left)):
            name = term.names.of(half.language)
            accepted = term.accepted(there.language)
            if not _has(prose, name) or any(_has(its_prose, word) for word in accepted):
                continue
            message = f"“{name}” is here, and no “{accepted[0]}” in its twin ({half_place(twin, there)})"
            fix = "use the term in both halves, or list the other word under `also:` in site/glossary.yaml."
            yield halves_warning("glossary-twin", message, block, half, fix)


def _exchanged(
    one: TopBlock, other: TopBlock, zh: Tree, en: Tree, terms: Sequence[Term]
) -> Iterator[Diagnostic]:
    """A term that stands for another one where each of two blocks has another term more often than its twin.

    One that a half only has less often is none: it may say `it` where the other repeats the term.
    """
    left, right = _prose(one), _prose(other)
    here = next((term.names.zh for term in terms if _is_more_often(term, left, right, "zh")), None)
    there = next((term.names.en for term in terms if _is_more_often(term, right, left, "en")), None)
    if here is not None and there is not None:
        message = f"“{here}” is more often here, “{there}” in its twin ({half_place(other, en)})"
        yield halves_warning("glossary-twin", message, one, zh, "use the same terms in both halves.")


def _is_more_often(term: Term, prose: str, twin: str, language: Language) -> bool:
    """Whether a text has a term by its name more often than its twin has any word for it."""
    name, words = term.names.of(language), term.accepted(twin_of(language))
    return _count(prose, (name,)) > _count(twin, words)


def _count(prose: str, words: Sequence[str]) -> int:
    return len(re.findall("|".join(map(pattern_of, sorted(words, key=len, reverse=True))), prose))


def count_uses(half: Tree, terms: Sequence[Term]) -> dict[str, int]:
    """How often a half uses each term by its name, by the term's id; without those that it does not use."""
    prose = "\n".join(_prose(block) for block in half.blocks)
    counts = {term.id: len(re.findall(pattern_of(term.names.of(half.language)), prose)) for term in terms}
    return {id_: count for id_, count in counts.items() if count}


def _has(prose: str, word: str) -> bool:
    return re.search(pattern_of(word), prose) is not None
