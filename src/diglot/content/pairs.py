"""Aligns two halves: finds the twin of each block, and the id that both share.

Headings are aligned first, then the blocks below each pair of headings, both by the best sequence of pairs
(`sequences.py`): only blocks of one kind may be paired, common content makes a pair likelier, and a block
without a twin costs a little. So a paragraph that only one half has shifts nothing below it. Words are
compared last, because halves of the same structure mostly pair the same way whatever their words are.
"""

import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from diglot.content.records import Alignment, Block, Document, FigureEmbed, Placeholder, Row, TableEmbed
from diglot.content.sequences import ALONE, Pair, aligned
from diglot.content.tree.nodes import TopBlock, Tree
from diglot.content.tree.text import text_of
from diglot.diagnostics import Diagnostic, Location
from diglot.exploration import written
from diglot.invariants import certain, require
from diglot.languages import count_han

AnyBlock = Block | TopBlock
AnyHalf = Document | Tree
"""Builds compare what pages show, and checks compare what it is made of."""

_IMPOSSIBLE = -1e9
_WORDS = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*[A-Za-z0-9]|[A-Za-z0-9]")
_SLUG_WORDS = re.compile(r"[a-z0-9]+")
_OTHER_LEVEL = 0.0  # what headings of different levels score; of the same level, 1.5
_LETTERS_PER_HAN = 3.0  # an English translation has about three letters for each Han character


def pair_documents(zh: Document | None, en: Document | None) -> Alignment:
    """The rows of an article, in the order of both halves; without the other half, rows have no twins."""
    require(zh is not None or en is not None, "an article has at least one half")
    pairs = _paired(zh, en)
    return Alignment(rows=tuple(_rows(pairs, zh, en)))


def compare_halves(zh: Document, en: Document, alignment: Alignment) -> tuple[Diagnostic, ...]:
    """Warnings where the halves differ in headings, figures, tables, code, formulas or ids."""
    found = [*_in_another_language(zh), *_in_another_language(en)]
    pairs = [(row.zh, row.en) for row in alignment.rows]
    lonely_in_en: dict[str, Block] = {}
    for i, j in pairs:
        if i is None and j is not None and (identity := _identity(en.blocks[j], en)):
            lonely_in_en.setdefault(identity, en.blocks[j])
    moved: list[Block] = []
    last_zh = last_en = None
    for i, j in pairs:
        one = zh.blocks[i] if i is not None else None
        other = en.blocks[j] if j is not None else None
        if one is not None and other is not None:
            found += _differences(one, other, zh, en)
        elif one is not None and one.kind in TOLD_IN_BUILDS:
            identity = _identity(one, zh)
            twin = lonely_in_en.get(identity) if identity else None
            if twin is not None:
                moved.append(twin)
                message = f"{called(one)} is in another place in the English half: {half_place(twin, en)}"
                found.append(
                    halves_warning(
                        "halves-order", message, one, zh, "put it in the same place in both halves."
                    )
                )
            else:
                found.append(missing_warning(one, zh, en, last_en))
        elif other is not None and other.kind in TOLD_IN_BUILDS:
            found.append(missing_warning(other, en, zh, last_zh))
        last_zh, last_en = one or last_zh, other or last_en
    moved_places = {half_place(block, en) for block in moved}
    return tuple(d for d in found if d.location not in moved_places)


_LEAST_JUDGED = 300
"""Letters of a half from which on its language can be told: a few words may well be a name."""
_FEW_HAN, _MUCH_HAN = 0.02, 0.3
"""Shares of Han characters among the letters of a text that is not Chinese, and of one that is."""


def _in_another_language(half: Document) -> Iterator[Diagnostic]:
    """A warning on a half whose text is in the language of the other one: a copy, or an exchanged name."""
    prose = [block for block in half.blocks if block.kind not in (*TOLD_IN_BUILDS, "html")]
    letters = han = 0
    for block in prose:
        letters += sum(map(str.isalpha, block.text))
        han += count_han(block.text)
    is_foreign = han < _FEW_HAN * letters if half.language == "zh" else han > _MUCH_HAN * letters
    if letters >= _LEAST_JUDGED and is_foreign:
        share = f"{han:,} of its {letters:,} letters are Han"
        message = f"the {_HALF[half.language]} half is in another language: {share}"
        fix = "write its translation here, or exchange the files if each has the other's name."
        yield halves_warning("half-language", message, prose[0], half, fix)


TOLD_IN_BUILDS = frozenset(("heading", "figure", "table", "code", "formula", "admonition"))
"""Kinds of blocks that both halves should have, so that every build warns where one has not."""
_HALF = {"zh": "Chinese", "en": "English"}


def half_place(block: AnyBlock, half: AnyHalf) -> Location:
    """Where a block begins."""
    return Location(path=half.path, line=block.line)


def called(block: AnyBlock) -> str:
    """What a message calls a block: `the heading "Roof"`, `this paragraph`."""
    if block.kind == "heading":
        text = block.text if isinstance(block, Block) else text_of(block.nodes)
        return f'the heading "{text}"'
    if block.kind in ("figure", "table") and block.anchor:
        return f'the {block.kind} "{block.anchor}"'
    return f"this {_KINDS_IN_WORDS.get(block.kind, block.kind)}"


_KINDS_IN_WORDS = {"quote": "quotation", "definitions": "list of definitions", "html": "HTML"}


def missing_warning(block: AnyBlock, here: AnyHalf, there: AnyHalf, last: AnyBlock | None) -> Diagnostic:
    """A warning on a block without a twin; `last` is the last block before it that the other half has."""
    behind = f" (it belongs after {half_place(last, there)})" if last is not None else ""
    message = f"{called(block)} is missing from the {_HALF[there.language]} half{behind}"
    return halves_warning("halves-missing", message, block, here, "add it there, or delete it here.")


def _explored(embed: FigureEmbed | TableEmbed) -> str:
    return written(embed.explored) if isinstance(embed, FigureEmbed) else ""


def _differences(zh_block: Block, en_block: Block, zh: Document, en: Document) -> list[Diagnostic]:
    found = []
    place = half_place(en_block, en)
    if zh_block.kind == "figure":
        one, other = _embed(zh_block, zh), _embed(en_block, en)
        if (one.parameters, _explored(one)) != (other.parameters, _explored(other)):
            message = f"{called(zh_block)} has other parameters in {place}"
            found.append(
                halves_warning(
                    "halves-parameters", message, zh_block, zh, "use the same parameters in both halves."
                )
            )
    if zh_block.kind == "heading" and zh_block.level != en_block.level:
        message = f"level {zh_block.level} here, level {en_block.level} in {place}"
        found.append(
            halves_warning(
                "halves-heading-level", message, zh_block, zh, "use the same level in both halves."
            )
        )
    if zh_block.anchor != en_block.anchor and (zh_block.anchor or en_block.anchor):
        both = zh_block.anchor and en_block.anchor
        names = [f"#{block.anchor}" if block.anchor else "no id" for block in (zh_block, en_block)]
        if both or zh_block.kind not in ("figure", "table"):
            message = f"{names[0]} here, {names[1]} in {place}"
            found.append(
                halves_warning("halves-anchor", message, zh_block, zh, "use the same id in both halves.")
            )
    return found


def halves_warning(rule: str, message: str, block: AnyBlock, half: AnyHalf, fix: str) -> Diagnostic:
    """A warning on a block that differs from its twin."""
    return Diagnostic(
        rule=rule,
        message=message,
        severity="warning",
        location=Location(path=half.path, line=block.line),
        fix=fix,
    )


# Which blocks are twins


class _Side:
    """A block with the features that it is compared by."""

    __slots__ = ("_length", "_words", "block", "identity")

    def __init__(self, block: Block, document: Document) -> None:
        self.block = block
        self.identity = _identity(block, document)
        self._words: frozenset[str] | None = None
        self._length = 0.0

    @property
    def words(self) -> frozenset[str]:
        """Text that survives translation: numbers, Latin words, values, addresses."""
        if self._words is None:  # computed when first used: most blocks are never compared by words
            targets = [
                placeholder.target.lower()
                for placeholder in self.block.parts
                if isinstance(placeholder, Placeholder)
                and placeholder.kind in ("eval", "ref", "link", "image", "file")
            ]
            words = _words_of(self.block.text)
            self._words = words.union(targets) if targets else words
        return self._words

    @property
    def marks(self) -> Iterator[str]:
        """Features that hardly any other block of its half may have."""
        if self.block.anchor is not None:
            yield f"#{self.block.anchor}"
        if self.identity is not None:
            yield f" {self.identity}"
        yield from self.words
        # Numbers survive translation. Many single ones occur in several blocks, few pairs of them in two.
        numbers = sorted(word for word in self.words if not word.isalpha())
        for pair in pairwise(numbers):
            yield " ".join(pair)

    @property
    def length(self) -> float:
        """Length in English letters; Han characters count as much as their translation."""
        if not self._length:
            self._length = length_in_letters(self.block.text)
        return self._length


def length_in_letters(text: str) -> float:
    """The length of a text in English letters; Han characters count as much as their translation."""
    letters = "".join(text.split())
    han = count_han(letters)
    return max(1.0, han * _LETTERS_PER_HAN + len(letters) - han)


@functools.lru_cache(maxsize=64)  # both halves mostly have the same code
def _words_of(text: str) -> frozenset[str]:
    if text.isascii():
        return frozenset(_WORDS.findall(text.lower()))
    return frozenset(map(str.lower, _WORDS.findall(text)))


class _Section(msgspec.Struct, frozen=True, dict=True):  # dict=True is for `words`, which is cached
    """A heading (None before the first one) and the indices of the blocks below it."""

    heading: int | None
    blocks: tuple[int, ...]
    sides: tuple[_Side, ...]
    """The same blocks."""
    identities: frozenset[str]

    @property
    def whole(self) -> tuple[int, ...]:
        """The heading and the blocks."""
        return self.blocks if self.heading is None else (self.heading, *self.blocks)

    @functools.cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The words of each block."""
        return tuple([side.words for side in self.sides])


def _paired(zh: Document | None, en: Document | None) -> list[Pair]:
    if zh is None or en is None:
        present = certain(zh or en, "an article has at least one half")
        return [(i, None) if zh is not None else (None, i) for i in range(len(present.blocks))]
    left, right = [_Side(b, zh) for b in zh.blocks], [_Side(b, en) for b in en.blocks]
    pairs: list[Pair] = []
    left_sections, right_sections = _sections(left), _sections(right)

    def block_score(i: int, j: int, shared: float | None = None) -> float:
        return _score(left[i], right[j], shared)

    def section_score(i: int, j: int, shared: float | None = None) -> float:
        return _section_score(left_sections[i], right_sections[j], left, right, shared)

    def aligned_blocks(some: Sequence[int], others: Sequence[int]) -> list[Pair]:
        return aligned(some, others, block_score, lambda i: left[i].marks, lambda j: right[j].marks)

    def section_by_section(run: Sequence[Pair]) -> Iterator[Pair]:
        for i, j in run:
            one, other = (
                left_sections[i] if i is not None else None,
                right_sections[j] if j is not None else None,
            )
            if (one and one.heading is not None) or (other and other.heading is not None):
                yield one.heading if one else None, other.heading if other else None
            yield from aligned_blocks(one.blocks if one else (), other.blocks if other else ())

    def across_sections(run: Sequence[Pair]) -> list[Pair]:
        return aligned_blocks(
            [index for i, _ in run if i is not None for index in left_sections[i].whole],
            [index for _, j in run if j is not None for index in right_sections[j].whole],
        )

    def likelihood(found: Iterable[Pair]) -> float:
        return sum(ALONE if i is None or j is None else block_score(i, j) for i, j in found)

    section_pairs = [  # the blocks before the first headings belong together, whatever they contain
        (0, 0),
        *aligned(
            range(1, len(left_sections)),
            range(1, len(right_sections)),
            section_score,
            lambda i: _marks_of_section(left_sections[i], left),
            lambda j: _marks_of_section(right_sections[j], right),
        ),
    ]

    def is_sure(pair: Pair) -> bool:
        one, other = (
            None if index is None else sections[index].heading
            for index, sections in zip(pair, (left_sections, right_sections), strict=True)
        )
        if one is None or other is None:
            return pair == (0, 0)
        return left[one].block.level == right[other].block.level

    for run in _runs(section_pairs, is_sure):
        found = [*section_by_section(run)]
        pairs += found if len(run) == 1 else max(found, across_sections(run), key=likelihood)
    return pairs


def _runs(pairs: Sequence[Pair], is_sure: Callable[[Pair], bool]) -> Iterator[Sequence[Pair]]:
    """The pairs of sections one by one, but those that are not sure together with the pairs next to them.

    A heading that one half has lost leaves its blocks to the section before it, and its twin may be paired
    with a heading of another level.
    """
    run: list[Pair] = []
    for pair in pairs:
        if run and is_sure(pair) and is_sure(run[-1]):
            yield run
            run = []
        run.append(pair)
    yield run


def _identity(block: Block, document: Document) -> str | None:
    """What identifies a block in any language; None where only its words do."""
    if block.kind == "figure" or (block.kind == "table" and isinstance(block.parts[0], Placeholder)):
        return f"{block.kind} {_embed(block, document).figure_id}"
    if block.kind == "code":
        return f"code {block.text}"
    if block.kind == "formula":
        return "formula " + re.sub(r"\\text\{[^{}]*\}|\s", "", block.text)
    return None


def _embed(block: Block, document: Document) -> FigureEmbed | TableEmbed:
    placeholder = block.parts[0]
    if not isinstance(placeholder, Placeholder):
        raise TypeError("a figure's block is the place of the figure")
    return (
        document.figures[int(placeholder.target)]
        if placeholder.kind == "figure"
        else document.tables[int(placeholder.target)]
    )


def _sections(sides: Sequence[_Side]) -> list[_Section]:
    starts = [index for index, side in enumerate(sides) if side.block.kind == "heading"]
    sections = []
    for heading, end in zip([None, *starts], [*starts, len(sides)], strict=True):
        blocks = tuple(range(0 if heading is None else heading + 1, end))
        below = tuple(sides[i] for i in blocks)
        identities = frozenset(side.identity for side in below if side.identity is not None)
        sections.append(_Section(heading, blocks, below, identities))
    return sections


def _marks_of_section(section: _Section, sides: Sequence[_Side]) -> Iterator[str]:
    """Features that hardly any other section may have: its heading's, and its figures, code and formulas."""
    if section.heading is not None:
        yield from sides[section.heading].marks
    for identity in section.identities:
        yield f" {identity}"


def _score(left: _Side, right: _Side, shared: float | None) -> float:
    """How likely two blocks are twins.

    Blocks of different kinds, with different anchors or figures, cannot be; all others score more than two
    blocks without twins.
    """
    one, other = left.block, right.block
    if one.kind != other.kind:
        return _IMPOSSIBLE
    if one.anchor is not None and one.anchor == other.anchor:
        return 20.0
    if left.identity is not None or right.identity is not None:
        if left.identity == right.identity:
            return 10.0
        if one.kind in ("figure", "table"):
            return _IMPOSSIBLE
        # The code may have translated comments, the formula other words.
        return 0.5 + 6 * (_overlap(left.words, right.words) if shared is None else shared)
    if one.anchor is not None and other.anchor is not None:
        return _IMPOSSIBLE
    longer = abs(math.log(left.length / right.length))
    alike = 1.5 if one.level == other.level else _OTHER_LEVEL
    return alike + 4 * (_overlap(left.words, right.words) if shared is None else shared) - min(2.0, longer)


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """From 0 to 1: the share of the smaller set that is in both, reduced where they share few words.

    Not of the larger set, because English text has many words that Chinese text has not.
    """
    if left.isdisjoint(right):
        return 0.0
    shared = len(left & right)
    return shared / min(len(left), len(right)) * min(1.0, 0.4 + 0.2 * shared)


def _section_score(
    one: _Section, other: _Section, left: Sequence[_Side], right: Sequence[_Side], shared: float | None
) -> float:
    if one.heading is None or other.heading is None:
        raise AssertionError("text before the first heading is compared with nothing")
    a, b = left[one.heading], right[other.heading]
    score = 2.0
    if a.block.anchor is not None and b.block.anchor is not None:
        score = 20.0 if a.block.anchor == b.block.anchor else -5.0
    if a.block.level != b.block.level:
        score -= 2.5
    score += min(9.0, 3.0 * len(one.identities & other.identities))
    score += 2 * _overlap(a.words, b.words)
    if shared is None:
        score += min(2.0, sum(map(_overlap, one.words, other.words)))
    else:
        score += min(2.0, shared * min(len(one.blocks), len(other.blocks)))
    return score - min(1.0, 0.2 * abs(len(one.blocks) - len(other.blocks)))


# Ids of the rows


def _rows(pairs: Sequence[Pair], zh: Document | None, en: Document | None) -> list[Row]:
    taken: set[str] = set()
    counts: dict[str, int] = {}
    ids: list[str | None] = []

    def free(name: str) -> str:
        if name not in taken:
            taken.add(name)
            return name
        n = counts.get(name, 2)  # lower numbers are taken: a thousand sections may share a name
        while (candidate := f"{name}-{n}") in taken:
            n += 1
        counts[name] = n + 1
        taken.add(candidate)
        return candidate

    # Ids that authors chose are assigned first, then those of headings, so that no other row takes them.
    for zh_index, en_index in pairs:
        blocks = _blocks_of(zh_index, en_index, zh, en)
        anchor = next((block.anchor for block in blocks if block.anchor is not None), None)
        ids.append(free(anchor) if anchor is not None else None)
    headings = 0
    for index, (zh_index, en_index) in enumerate(pairs):
        blocks = _blocks_of(zh_index, en_index, zh, en)
        if blocks[0].kind != "heading":
            continue
        headings += 1
        if ids[index] is None:
            english = en.blocks[en_index].text if en is not None and en_index is not None else ""
            slug = "-".join(_SLUG_WORDS.findall(english.lower().replace("'", "").replace("’", "")))
            ids[index] = free(slug or f"s{headings}")
    section, n = "top", 0
    rows = []
    for index, (zh_index, en_index) in enumerate(pairs):
        row_id = ids[index]
        if _blocks_of(zh_index, en_index, zh, en)[0].kind == "heading":
            row_id = certain(row_id, "each heading has a name by now")
            section, n = row_id, 0
        elif row_id is None:
            n += 1
            row_id = free(f"{section}-{n}")
        rows.append(Row(id=row_id, zh=zh_index, en=en_index))
    return rows


def _blocks_of(
    zh_index: int | None, en_index: int | None, zh: Document | None, en: Document | None
) -> list[Block]:
    """The row's blocks, English first: where the halves disagree, the English name becomes the address."""
    blocks = []
    if en is not None and en_index is not None:
        blocks.append(en.blocks[en_index])
    if zh is not None and zh_index is not None:
        blocks.append(zh.blocks[zh_index])
    return blocks
