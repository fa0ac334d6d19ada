"""Edits planted in copies of the published article and talk: the stale blocks are found, and no others."""

import random
import re
from collections.abc import Callable
from pathlib import Path

from diglot.languages import Language, twin_of
from diglot.staleness.comparing import compare
from diglot.staleness.units import Unit
from tests.staleness.pairs import ARTICLE, TALK, halves_of, in_step, units

_PLANTED_IN_EACH = 15
_PROSE = (
    "paragraph",
    "list",
    "quote",
    "footnote",
    "table",
    "figure",
    "heading",
    "notes",
    "title",
    "description",
)
_Edited = tuple[str | None, Language]
"""What a block said, and in which half it says something else now."""
_Edit = Callable[[str, random.Random], str | None]


def _digit(text: str, chance: random.Random) -> str | None:
    """One digit of the prose is another one."""
    places = [at.start() for at in re.finditer(r"(?<![\w.{`$\\])\d(?![^`]*`)", text)]
    if not places:
        return None
    at = chance.choice(places)
    return f"{text[:at]}{(int(text[at]) + chance.randint(1, 9)) % 10}{text[at + 1 :]}"


def _word(text: str, chance: random.Random) -> str | None:
    """One word is left out, in either language."""
    words = [*re.finditer(r"(?<=[\u4e00-\u9fff])[\u4e00-\u9fff]{2}|(?<=[a-z] )[a-z]{4,} ", text)]
    if not words:
        return None
    word = chance.choice(words)
    return text[: word.start()] + text[word.end() :]


def _sentence(text: str, _chance: random.Random) -> str | None:
    """One sentence is added at the end."""
    return None if text.startswith((":::", "```", "|", "#")) else f"{text} Added later. 后来加上的。"


def _edited(text: str, edits: list[tuple[Unit, str]]) -> str:
    lines = text.split("\n")
    for unit, new in sorted(edits, key=lambda one: -one[0].line):
        old = "\n".join(lines[unit.line - 1 : unit.last_line])
        lines[unit.line - 1 : unit.last_line] = old.replace(unit.text, new).split("\n")
    return "\n".join(lines)


def _found_and_planted(folder: Path, seed: int) -> tuple[set[_Edited], set[_Edited]]:
    """What is found after some blocks were edited in one half or the other, and what was planted."""
    chance = random.Random(seed)
    texts: dict[Language, str] = dict(zip(("zh", "en"), halves_of(folder), strict=True))
    before = units(texts["zh"], texts["en"])
    rows = [twins for twins in before.twins if twins.zh is not None and twins.en is not None]
    chance.shuffle(rows)
    edits: dict[Language, list[tuple[Unit, str]]] = {"zh": [], "en": []}
    planted: set[_Edited] = set()
    for twins in rows:
        language: Language = chance.choice(("zh", "en"))
        unit = before.of(language)[(twins.zh if language == "zh" else twins.en) or 0]
        edit: _Edit = chance.choice((_digit, _word, _sentence))
        new = edit(unit.text, chance) if unit.kind in _PROSE else None
        if new is None or len(planted) == _PLANTED_IN_EACH:
            continue
        edits[language].append((unit, new))
        planted.add((unit.text, language))
    entries = in_step(texts["zh"], texts["en"])
    now = units(_edited(texts["zh"], edits["zh"]), _edited(texts["en"], edits["en"]))
    found = {
        (one.of(twin_of(one.behind or "zh")).before, twin_of(one.behind or "zh"))
        for one in compare(now, entries).findings
    }
    return found, planted


def test_thirty_blocks_planted_by_a_seed_are_found_and_no_others() -> None:
    for folder, seed in ((ARTICLE, 19), (TALK, 20)):
        found, planted = _found_and_planted(folder, seed)
        assert len(planted) == _PLANTED_IN_EACH
        assert found == planted
