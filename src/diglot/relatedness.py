"""Which articles are related: by the tags and the words that they share, both halves taken together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from diglot.site_map import Summary

_MOST_SHARED = 24
"""A word that more articles share does not tell them apart, and would take long to compare."""
_TAG_COUNTS = 6
"""How many words as rare a shared tag is worth."""
_LEAST_SHARED = 3
"""How many words two articles must share that share no tag."""
_NEAREST = 12
"""How many articles are looked at more closely for each: those with the most words in common."""


class Keywords(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What an article is about: words of its title and of both halves."""

    words: tuple[str, ...]


def related_articles(
    articles: Sequence[Summary], keywords: Mapping[str, Keywords], most: int
) -> dict[str, tuple[str, ...]]:
    """For each article by name, the names of at most `most` others, the most closely related one first.

    Only whole numbers are compared, so that every machine finds the same. Other parts of an article's series
    are left out, because its page leads to them anyway.
    """
    total = len(articles)
    scores = _scores_by_words([keywords[one.name].words for one in articles])
    words = [frozenset(keywords[one.name].words) for one in articles]
    by_tag: dict[str, list[int]] = defaultdict(list)
    for index, article in enumerate(articles):
        for tag in article.tags:
            by_tag[tag].append(index)
    worth = {tag: _TAG_COUNTS * _rareness(total, len(having)) ** 2 for tag, having in by_tag.items()}
    found = {}
    for index, article in enumerate(articles):
        shared = scores[index]
        near = sorted(shared, key=lambda other: (-shared[other], other))[:_NEAREST]
        candidates = dict.fromkeys([*near, *_beside(index, (by_tag[tag] for tag in article.tags))])
        ranked = []
        for other in candidates:
            common = sum(worth[tag] for tag in article.tags if tag in articles[other].tags)
            is_near = common or len(words[index] & words[other]) >= _LEAST_SHARED
            in_series = article.series and article.series == articles[other].series
            if other != index and not in_series and is_near:
                ranked.append((-common - shared.get(other, 0), abs(other - index), other))
        found[article.name] = tuple(articles[other].name for _, _, other in sorted(ranked)[:most])
    return found


def _scores_by_words(words: Sequence[Iterable[str]]) -> list[dict[int, int]]:
    """For each article, by index, what the words are worth that others share with it."""
    having: dict[str, list[int]] = defaultdict(list)
    for index, some in enumerate(words):
        for word in some:
            having[word].append(index)
    scores: list[dict[int, int]] = [defaultdict(int) for _ in words]
    for shared in having.values():
        if not 1 < len(shared) <= _MOST_SHARED:
            continue
        worth = _rareness(len(words), len(shared)) ** 2
        for index in shared:
            of_one = scores[index]
            for other in shared:
                of_one[other] += worth
    for index, of_one in enumerate(scores):
        of_one.pop(index, None)
    return scores


def _rareness(total: int, having: int) -> int:
    """How telling it is to share what `having` of all have: 1 for half of them, 6 for one in a hundred."""
    return max(1, (total * 256 // having).bit_length() - 9)


def _beside(index: int, lists: Iterable[list[int]]) -> Iterable[int]:
    """The neighbours in time of an article under each of its tags."""
    for one in lists:
        place = one.index(index)
        yield from one[max(0, place - 4) : place + 5]
