"""Helpers that change blocks in one language, or in both alike."""

import random
import re
from collections.abc import Callable

from tests.hostile.edits.project import Project

Change = Callable[[list[str], str], bool]
"""Changes the blocks of a half in the given language; returns False where it is not applicable."""

PLAIN = re.compile(r"(?![#|:`$<!\[{\-\d]).+", re.DOTALL)
HEADING = re.compile(r"(#{2,6}) (.*?)(?: \{#([\w-]+)\})?")


def in_both(project: Project, rng: random.Random, change: Change) -> str | None:
    """Change both halves of a pair alike. Returns the article's name, None if no pair can be changed."""
    names = project.pairs()
    rng.shuffle(names)
    for name in names:
        halves = project.halves(name)
        state = rng.getstate()
        changed = []
        for language, half in halves.items():
            rng.setstate(state)  # the same random choices, so that the halves remain a pair
            changed.append(change(half.blocks, language))
        if any(changed):
            for language, half in halves.items():
                project.save(name, language, half)
            return name
    return None


def in_one(project: Project, rng: random.Random, change: Change) -> str | None:
    """Change one half. Returns its name and language, None if no half can be changed."""
    found = [(name, language) for name in project.articles() for language in project.halves(name)]
    rng.shuffle(found)
    for name, language in found:
        half = project.halves(name)[language]
        if change(half.blocks, language):
            project.save(name, language, half)
            return f"{name} {language}"
    return None


def always(do: Callable[[list[str]], object]) -> Change:
    """Return a change that ignores the language and always succeeds."""

    def change(blocks: list[str], _language: str) -> bool:
        do(blocks)
        return True

    return change


def places(blocks: list[str], pattern: "re.Pattern[str]") -> list[int]:
    """Return the indexes of the blocks that match a pattern completely."""
    return [n for n, block in enumerate(blocks) if pattern.fullmatch(block)]


def pick(rng: random.Random, places: list[int]) -> int | None:
    """Choose an index, None where there is none."""
    return rng.choice(places) if places else None


def put(rng: random.Random, zh: str, en: str) -> Change:
    """Return a change that inserts a text at a random place; `{n}` in it becomes a random number."""
    number = rng.randrange(10_000)

    def change(blocks: list[str], language: str) -> bool:
        text = (zh if language == "zh" else en).replace("{n}", str(number))
        at = rng.randint(0, len(blocks))
        blocks[at:at] = [text]
        return True

    return change
