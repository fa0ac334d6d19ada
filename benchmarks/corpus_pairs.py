"""Posts of the corpus: pairs of halves with the same blocks, generated from a number and a seed."""

import datetime
import random
from dataclasses import dataclass

from corpus_code import code_block
from corpus_words import (
    HEADINGS,
    Subject,
    Words,
    bullets,
    formula,
    paragraph,
    picture,
    sentence,
    subject,
    table,
)

PICTURES = 6
"""Number of pictures that the posts share."""
LEAST_BYTES = 6000
"""Least size of a half without its front matter; the last section may bring it to 8,000."""

_FIRST_DAY = datetime.date(2005, 1, 1)
_SPAN_DAYS = 20 * 365
"""All dates are in the past, so that no tool leaves out a post as not yet due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One post in both languages."""

    slug: str
    date: datetime.date
    subject: Subject
    description: Words
    body: Words


def make_pair(number: int, seed: int) -> Pair:
    """The post with a number, from 0."""
    choose = random.Random(f"{seed}:{number}")
    about = subject(choose, number)
    blocks = _blocks(choose, maths=number % 4 == 1)
    return Pair(
        slug=f"{about.title.en.split(',')[0].lower().replace(' ', '-')}-{number:05d}",
        date=_FIRST_DAY + datetime.timedelta(days=number * 3 // 4 % _SPAN_DAYS),
        subject=about,
        description=Words(
            *(half.split(end)[0] + end for half, end in zip(blocks[0], ("。", "."), strict=True))
        ),
        body=Words(*("\n\n".join(block[side] for block in blocks) + "\n" for side in (0, 1))),
    )


def _blocks(choose: random.Random, *, maths: bool) -> list[Words]:
    """Sections until the shorter half is long enough, with code, tables and lists in turn."""
    blocks = [paragraph(choose, maths=maths)]
    notes: list[Words] = []
    turn = (
        (code_block,),
        (table, lambda one: picture(one, PICTURES)),
        (code_block, _quotation),
        (bullets, code_block),
    )
    for index, heading in enumerate(choose.sample(HEADINGS, len(HEADINGS))):
        marks = "###" if index % 3 == 2 else "##"
        blocks.append(Words(*(f"{marks} {text}" for text in heading)))
        text = paragraph(choose, maths=maths)
        if index in (1, 3):
            notes.append(Words(*(f"[^{len(notes) + 1}]: {said}" for said in sentence(choose))))
            text = Words(*(f"{half}[^{len(notes)}]" for half in text))
        blocks.append(text)
        if maths and index == 1:
            blocks.append(formula(choose))
        for make in turn[index % len(turn)]:
            made = make(choose)
            blocks.append(made if isinstance(made, Words) else Words(made, made))
        if _shorter_half(blocks + notes) >= LEAST_BYTES:
            break
    return blocks + notes


def _quotation(choose: random.Random) -> Words:
    return Words(*(f"> {text}" for text in sentence(choose)))


def _shorter_half(blocks: list[Words]) -> int:
    return min(sum(len(block[side].encode()) + 2 for block in blocks) for side in (0, 1))
