"""Whether a text that has fewer sentences than its twin has dropped some.

The shorter one may also say two in one. So both are tried: sentences are laid next to each other by their
lengths, once joined and once without those that fit nowhere. One that joins two usually has a mark or a
conjunction where it does.
"""

import math
import re
from collections.abc import Callable, Sequence

from diglot.content.known_words import KnownWords, known_words
from diglot.content.pairs import length_in_letters
from diglot.languages import Language

_LIKELIER = 5.0
"""By how much joined sentences have to fit worse than those without some, in squares of what is usual."""
_LIKELIER_WITHOUT_WORDS = (4.0, 1.5)
"""The same if the other text lacks the one known word of a sentence, or all of several."""
_LIKELIER_WITH_WORDS = 8.0
"""The same if it has a word of each: a sentence that is joined to another leaves its words there."""
_MOST = 3
"""Sentences that are looked for; of texts that differ in more, the whole lengths say enough."""
_SHARE, _LETTERS = 0.18, 3.2
"""By how much logarithms of lengths differ between the same sentences: by a share, and by letters."""
_WITHOUT_JOINT = 2.0
"""What it costs to join two sentences without a mark between them."""
_JOINTS = {
    "zh": re.compile(r"[，,；;：:、—…（(]|[.!?](?=\s)"),
    "en": re.compile(
        r"[,;:—–…(]|\s-{1,2}\s|[.!?](?=\s)|(?<=[a-z] )(?:and|or|but|so|yet|because|since|as|which|who|whose"
        r"|that|while|where|when|whereas|although|though|if|unless|until|before|after|then|with|without)\b"
    ),
}
"""What is left of the end of a sentence where two are joined."""


def _likelier(words: KnownWords) -> float:
    """By how much joined sentences have to fit worse for one with these words to seem dropped."""
    return _LIKELIER if words.kept or not words.known else _LIKELIER_WITHOUT_WORDS[min(words.known, 2) - 1]


def _words_of(sentences: Sequence[str], fewer: Sequence[str], language: Language) -> list[KnownWords]:
    twin = "\n".join(fewer)
    return [known_words(sentence, twin, "zh" if language == "en" else "en") for sentence in sentences]


def are_joined(sentences: Sequence[str], fewer: Sequence[str], language: Language) -> bool:
    """Whether `fewer`, in this language, has words of each of these sentences, so that none is dropped."""
    return all(words.kept for words in _words_of(sentences, fewer, language))


def seem_dropped(
    sentences: Sequence[str], fewer: Sequence[str], language: Language, usual: float, freedom: float = 1.0
) -> bool:
    """Whether `fewer`, in this language, has most likely dropped some of these sentences, and joined none.

    `usual` is the logarithm of how many times as long these are where both say the same, and `freedom` is how
    many times as far as in most articles lengths are from it.
    """
    surplus = len(sentences) - len(fewer)
    if not 0 < surplus <= _MOST or not fewer:
        return False
    lengths, others = [*map(length_in_letters, sentences)], [*map(length_in_letters, fewer)]
    joints = [len(_JOINTS[language].findall(one.rstrip("。！？.!?"))) for one in fewer]

    def distance(length: float, other: int) -> float:
        variance = (_SHARE**2 + _LETTERS**2 / (length * others[other])) * freedom**2
        return (math.log(length / others[other]) - usual) ** 2 / variance

    def joined(first: int, more: int, other: int) -> float:
        without_joint = max(0, more - joints[other])
        return distance(sum(lengths[first : first + more + 1]), other) + _WITHOUT_JOINT * without_joint

    def after_dropped(first: int, more: int, other: int) -> float:
        return distance(lengths[first + more], other)

    words = _words_of(sentences, fewer, language)
    likelier = _LIKELIER_WITH_WORDS if all(one.kept for one in words) else min(map(_likelier, words))
    all_joined = _distances(len(others), surplus, joined)[surplus]
    return all_joined - min(_distances(len(others), surplus, after_dropped)) > likelier


def _distances(count: int, surplus: int, step: Callable[[int, int, int], float]) -> list[float]:
    """The least distance of all others, by how many sentences beyond their number are used up.

    `step` is the distance of the sentences from `first` on, one and `more`, from one other.
    """
    least = [0.0, *[math.inf] * surplus]
    for other in range(count):
        least = [
            min(least[before] + step(other + before, used - before, other) for before in range(used + 1))
            for used in range(surplus + 1)
        ]
    return least
