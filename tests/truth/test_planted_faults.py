"""Kinds of faults, planted by seeds in the published pairs: at least 97 of 100 are found, where they are.

Another seed plants others: DIGLOT_TRUTH_SEED=7 python -m pytest tests/truth
"""

import os
import random
import re
from collections.abc import Callable, Iterable, Sequence

import pytest

from diglot.content.agreement import compare_texts
from diglot.diagnostics import Diagnostic
from diglot.languages import LANGUAGES
from tests.hostile.profile import tries
from tests.site_figures.scripts import FIGURES
from tests.truth import assertions, changed_numbers, structure, terms
from tests.truth.planting import Planter, Trial, plant
from tests.truth.published import ARTICLES, QUOTED, Pair, published, said_of

SEED = int(os.environ.get("DIGLOT_TRUTH_SEED", "19"))
FOUND, FALSE = 0.97, 0.01


def trials(
    planters: Sequence[Planter],
    faults: int,
    guard: Callable[[Pair], Iterable[Diagnostic]] = said_of,
    *,
    in_a_copy: int = 8,
) -> list[Trial]:
    """Copies with as many faults in all, of each kind in turn, in each pair in turn."""
    done: list[Trial] = []
    while sum(len(trial.planted) for trial in done) < faults:
        pair = published(ARTICLES[len(done) % len(ARTICLES)])
        done.append(plant(pair, planters, f"{SEED} {len(done)}", guard, most=in_a_copy))
    return done


def missed(done: Sequence[Trial]) -> str:
    """The faults that no finding is about."""
    lines = [
        f"{one.was.zh[:60]!r} → {one.fault.block.zh[:60]!r}, {one.fault.block.en[:60]!r}: {one.told}"
        for trial in done
        for one in trial.planted
        if not one.found
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("article", ARTICLES)
def test_nothing_is_found_in_what_is_published(article: str) -> None:
    assert [*map(str, said_of(published(article)))] == []
    assert [*map(str, assertions.what_is_not_true(published(article)))] == []


@pytest.mark.parametrize(
    ("planters", "faults", "guard"),
    [
        (changed_numbers.PLANTERS, tries(100, long=240), said_of),
        (terms.PLANTERS, 20, said_of),
        (assertions.PLANTERS, 20, assertions.what_is_not_true),
    ],
    ids=["numbers", "terms", "assertions"],
)
def test_faults_in_words_and_numbers_are_found(
    planters: Sequence[Planter], faults: int, guard: Callable[[Pair], Iterable[Diagnostic]]
) -> None:
    done = trials(planters, faults, guard)
    found = [one.found for trial in done for one in trial.planted]
    assert sum(found) >= FOUND * len(found), missed(done)
    assert sum(len(trial.elsewhere) for trial in done) <= FALSE * len(found)


def test_structural_differences_are_found() -> None:
    done = trials(tuple(structure.PLANTERS.values()), tries(48, long=120), in_a_copy=3)
    found = [one.found for trial in done for one in trial.planted]
    assert sum(found) >= FOUND * len(found), missed(done)


def test_changed_numbers_in_the_descriptions_of_figures_are_found() -> None:
    chance = random.Random(SEED)
    found = []
    for name in QUOTED:
        figure = FIGURES[name]
        if not hasattr(figure.module, "describe"):
            continue
        texts = {one: figure.module.describe(figure.data(), figure.words(one)) for one in LANGUAGES}
        assert compare_texts(texts["zh"], texts["en"]) == ()
        for language in LANGUAGES:
            for number in re.finditer(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?", texts[language]):
                wrong = changed_numbers.changed(number.group(), chance)
                if wrong not in (None, number.group()):
                    text = f"{texts[language][: number.start()]}{wrong}{texts[language][number.end() :]}"
                    now = {**texts, language: text}
                    found.append(bool(compare_texts(now["zh"], now["en"])))
    assert len(found) > 40
    assert sum(found) >= FOUND * len(found)
