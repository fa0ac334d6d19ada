"""How kinds of edits change the blocks of halves: in one language, or in both alike."""

import random
import re
from collections.abc import Callable

from tests.hostile.edits.project import Project

Change = Callable[[list[str], str], bool]
"""Changes the blocks of a half in a language; False where it cannot."""

PLAIN = re.compile(r"(?![#|:`$<!\[{\-\d]).+", re.DOTALL)
HEADING = re.compile(r"(#{2,6}) (.*?)(?: \{#([\w-]+)\})?")


def in_both(project: Project, rng: random.Random, change: Change) -> str | None:
    """Change both halves of a pair alike; says of which."""
    names = project.pairs()
    rng.shuffle(names)
    for name in names:
        halves = project.halves(name)
        state = rng.getstate()
        changed = []
        for language, half in halves.items():
            rng.setstate(state)  # the same draws, so that the halves remain a pair
            changed.append(change(half.blocks, language))
        if any(changed):
            for language, half in halves.items():
                project.save(name, language, half)
            return name
    return None


def in_one(project: Project, rng: random.Random, change: Change) -> str | None:
    """Change one half alone; says which."""
    found = [(name, language) for name in project.articles() for language in project.halves(name)]
    rng.shuffle(found)
    for name, language in found:
        half = project.halves(name)[language]
        if change(half.blocks, language):
            project.save(name, language, half)
            return f"{name} {language}"
    return None


def always(do: Callable[[list[str]], object]) -> Change:
    """A change that can be made of any blocks."""

    def change(blocks: list[str], _language: str) -> bool:
        do(blocks)
        return True

    return change


def places(blocks: list[str], pattern: "re.Pattern[str]") -> list[int]:
    """Which blocks a pattern describes."""
    return [n for n, block in enumerate(blocks) if pattern.fullmatch(block)]


def pick(rng: random.Random, places: list[int]) -> int | None:
    """One of the places, None where there is none."""
    return rng.choice(places) if places else None


def put(rng: random.Random, zh: str, en: str) -> Change:
    """Insert blocks somewhere; `{n}` in them is a number of their own."""
    number = rng.randrange(10_000)

    def change(blocks: list[str], language: str) -> bool:
        text = (zh if language == "zh" else en).replace("{n}", str(number))
        at = rng.randint(0, len(blocks))
        blocks[at:at] = [text]
        return True

    return change
