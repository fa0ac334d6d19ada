"""Long sequences are aligned as in a comparison of all pairs, in a fraction of the time."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.content import sequences
from diglot.content.pairs import pair_documents
from diglot.content.records import Block, Document, Row
from diglot.content.sequences import ALONE, Pair, aligned
from diglot.languages import Language

Words = frozenset[int]


class Halves:
    """Two sequences of sets of words; elements with common words may be twins."""

    def __init__(self, left: Sequence[Words], right: Sequence[Words]) -> None:
        self.left, self.right = left, right
        self.looked_up = 0

    def score(self, i: int, j: int, shared: float | None = None) -> float:
        self.looked_up += 1
        one, other = self.left[i], self.right[j]
        if shared is None:
            shared = len(one & other) / max(1, min(len(one), len(other)))
        return 1.5 + 4 * shared - min(2.0, abs(len(one) - len(other)))

    def pairs(self) -> list[Pair]:
        self.looked_up = 0
        return aligned(
            range(len(self.left)),
            range(len(self.right)),
            self.score,
            lambda i: map(str, self.left[i]),
            lambda j: map(str, self.right[j]),
        )

    def sum_of(self, pairs: Sequence[Pair]) -> float:
        return sum(ALONE if i is None or j is None else self.score(i, j) for i, j in pairs)

    def is_whole(self, pairs: Sequence[Pair]) -> bool:
        """Whether every element is in exactly one pair, in order."""
        rows, columns = [i for i, _ in pairs if i is not None], [j for _, j in pairs if j is not None]
        return rows == list(range(len(self.left))) and columns == list(range(len(self.right)))


def everything_compared(halves: Halves) -> list[Pair]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sequences, "COMPARED_WITH_ALL", 10**9)
        return halves.pairs()


def near_a_path(halves: Halves) -> list[Pair]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sequences, "COMPARED_WITH_ALL", 0)
        return halves.pairs()


FEW_WORDS = st.lists(st.frozensets(st.integers(0, 5), max_size=3), max_size=20)


@given(FEW_WORDS, FEW_WORDS)
def test_short_sequences_are_aligned_alike_either_way(left: list[Words], right: list[Words]) -> None:
    halves = Halves(left, right)
    assert near_a_path(halves) == everything_compared(halves)


def edited(words: list[Words], source: random.Random, *, often: float) -> list[Words]:
    """The sequence with some elements left out, added or changed, and sometimes a whole run of them added."""
    result: list[Words] = []
    for one in words:
        drawn = source.random()
        if drawn < often:
            continue
        if drawn < 2 * often:
            result.append(block(source))
        elif drawn < 2.2 * often:
            result += [block(source) for _ in range(source.randrange(60))]
        result.append(one | {source.randrange(400)} if drawn < 4 * often else one)
    return result


def block(source: random.Random) -> Words:
    return frozenset(source.randrange(400) for _ in range(source.randrange(1, 5)))


@pytest.mark.parametrize("seed", range(24))
def test_edited_translations_are_aligned_as_well_near_the_path(seed: int) -> None:
    source = random.Random(seed)
    original = [block(source) for _ in range(source.randrange(60, 220))]
    often = source.choice([0.0, 0.01, 0.03, 0.06])
    halves = Halves(edited(original, source, often=often), edited(original, source, often=often))
    pairs = near_a_path(halves)
    assert halves.is_whole(pairs)
    # Sometimes a new block shares a word by chance with one beyond the columns compared.
    assert halves.sum_of(pairs) >= 0.97 * halves.sum_of(everything_compared(halves))


def rare(n: int, start: int = 0) -> list[Words]:
    return [frozenset((start + i, start + i + 10**6)) for i in range(n)]


def common(n: int) -> list[Words]:
    return [frozenset((1, 2))] * n


SHAPES = {
    "the same": lambda n: (rare(n), rare(n)),
    "all alike": lambda n: (common(n), common(n)),
    "all different": lambda n: (rare(n), rare(n, 10**7)),
    "twice as long": lambda n: (rare(n), rare(2 * n)),
    "twice as long, all alike": lambda n: (common(n), common(2 * n)),
    "one alone": lambda n: (rare(n), rare(1, n // 2)),
    "nothing": lambda n: (rare(n), []),
    "a part left out": lambda n: (rare(n), rare(n)[: n // 3] + rare(n)[n // 2 :]),
    "a part put elsewhere": lambda n: (rare(n), rare(n)[n // 2 :] + rare(n)[: n // 2]),
    "reversed": lambda n: (rare(n), rare(n)[::-1]),
    "alike with rare ones": lambda n: (common(n // 2) + rare(n // 2), rare(n // 2) + common(n // 2)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_compared_grows_in_proportion(shape: str) -> None:
    looked_up = []
    for n in (300, 600, 1200):
        halves = Halves(*SHAPES[shape](n))
        assert halves.is_whole(halves.pairs())
        looked_up.append(halves.looked_up / (len(halves.left) + len(halves.right)))
    assert max(looked_up) < 160
    assert looked_up[-1] <= 1.25 * looked_up[0] + 1


@pytest.mark.parametrize("shape", ["the same", "twice as long", "one alone", "a part left out"])
def test_what_is_rare_is_found_however_far_it_has_moved(shape: str) -> None:
    halves = Halves(*SHAPES[shape](3000))
    twins = {words: j for j, words in enumerate(halves.right)}
    found = {i: j for i, j in halves.pairs() if i is not None}
    assert [i for i, words in enumerate(halves.left) if words in twins and found[i] != twins[words]] == []


def half(language: Language, *texts: str, kind: str = "paragraph") -> Document:
    blocks = tuple(
        Block(kind=kind, line=n + 1, parts=(text,), text=text, level=2)  # type: ignore[arg-type]  (a kind)
        for n, text in enumerate(texts)
    )
    return Document(path=f"{language}.md", language=language, blocks=blocks)


def test_a_chapter_left_out_of_a_long_half_shifts_nothing_behind_it() -> None:
    zh = [f"第 {i} 段，{i % 7} 个，{i % 11} 次，{i % 13} 页。" for i in range(600)]
    en = [f"Paragraph {i}: {i % 7} of them, {i % 11} times, {i % 13} pages." for i in range(600)]
    rows = pair_documents(half("zh", *zh), half("en", *en[:200], *en[300:])).rows
    assert [(row.zh, row.en) for row in rows if row.en is not None] == [
        (i, i if i < 200 else i - 100) for i in range(600) if not 200 <= i < 300
    ]


def test_thousands_of_sections_are_paired_as_well() -> None:
    zh = [f"第 {i} 节" for i in range(400)]
    en = [f"Section {i}" for i in range(400) if i % 50]
    rows = pair_documents(half("zh", *zh, kind="heading"), half("en", *en, kind="heading")).rows
    assert [row.zh for row in rows if row.en is None] == [i for i in range(400) if i % 50 == 0]


@pytest.mark.parametrize("name", ["a", "甲", "a 2"])
def test_headings_of_one_name_are_counted_on(name: str) -> None:
    halves = half("zh", *["甲"] * 2000, kind="heading"), half("en", *[name] * 2000, kind="heading")
    rows: tuple[Row, ...] = pair_documents(*halves).rows
    assert len({row.id for row in rows}) == len(rows) == 2000
