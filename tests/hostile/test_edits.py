"""After any edits in any order, the output folder equals that of a clean build.

Each test has a site of its own, so that one can be repeated alone by its name, with the same seed and
profile.
"""

import os
import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.conftest import Counted
from tests.hostile.edits import AFTER, KINDS
from tests.hostile.edits.comparing import Compared
from tests.hostile.edits.project import HANDS, Project
from tests.hostile.profile import LONG, draws, tries
from tests.hostile.tally import Tally

EDITS = tries(6, long=1000)
OF_A_SITE = tries(6, long=40)
"""Number of edits after which a new site begins, because long-edited sites lack what many kinds need."""
LARGEST_BATCH = 5
MOST_FAILURES = 2
"""Number of failed builds in a row after which the site is mended, so that there is more to compare."""
made: set[str] = set()
"""The kinds of edits made so far, on all sites."""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide threads that other tests left behind, because a worker pool does not fork beside threads."""
    monkeypatch.setattr("threading.active_count", lambda: 1)


@pytest.fixture
def compared(tmp_path: Path) -> Iterator[Compared]:
    site = Compared(tmp_path)
    yield site
    site.close()
    shutil.rmtree(tmp_path, ignore_errors=True)


def _turns(site: int) -> list[str]:
    """The kinds that come first on a site. Each kind has its turn before any comes again."""
    rng = draws("edits: turns")
    turns: list[str] = []
    while len(turns) < (site + 1) * OF_A_SITE:
        turns += rng.sample(sorted(KINDS), len(KINDS))
    return turns[site * OF_A_SITE : (site + 1) * OF_A_SITE]


def _edit(project: Project, rng: random.Random, waiting: list[str]) -> tuple[str, str]:
    """Make the first edit in turn that finds something to edit; return its kind and its description.

    Where a kind finds nothing, the kind that creates something for it comes first.
    """
    for wanted in [*waiting, *rng.sample(sorted(KINDS), len(KINDS))]:
        for kind in (wanted, AFTER.get(wanted)) if wanted in waiting else (wanted,):
            if kind is None:
                continue
            project.hand = rng.choice(HANDS)
            try:
                done = KINDS[kind](project, rng)
            except OSError as error:  # for example, a file is where the kind expects a folder
                done = None if isinstance(error, FileNotFoundError) else f"not finished: {error}"
            if done is not None:
                if kind in waiting:
                    waiting.remove(kind)
                return kind, f"{kind} ({done}), {project.hand.__name__}"
    raise AssertionError("there is nothing left to edit")


def _play(compared: Compared, rng: random.Random, turns: list[str], count: Tally) -> None:
    story: list[str] = []
    project = compared.project

    def check(*, only_sources: bool = True) -> bool:
        began = time.monotonic()
        problems = compared.check(only_sources=only_sources)
        lost = compared.lost
        took_s = time.monotonic() - began
        story.append(f"  built in {took_s:.1f} s: {compared.said}")
        told = "\n".join(["", *story])
        count.through += [f"{told}\n{one}" for one in problems]
        count.lost += [f"{told}\n{one}" for one in lost]
        return not problems and not lost

    if not check():
        return
    edits = 0
    while edits < OF_A_SITE or (LONG and turns and edits < 2 * OF_A_SITE):
        if compared.failures > MOST_FAILURES or (compared.failures and rng.random() < 0.4):
            compared.mend()
            story.append("mend what is broken")
            if not check():
                return
            if compared.failures:
                count.through.append("\n".join(["", *story, "what was published once does not build again"]))
                return
        only_sources = True
        for _ in range(min(rng.randint(1, LARGEST_BATCH), rng.randint(1, LARGEST_BATCH))):
            kind, told = _edit(project, rng, turns)
            made.add(kind)
            only_sources = only_sources and not kind.startswith("surroundings:")
            story.append(f"{edits}. {told}")
            edits += 1
            count.tried += 1
        if not check(only_sources=only_sources):
            return


@pytest.mark.parametrize("site", range(-(-EDITS // OF_A_SITE)))
def test_after_any_edits_the_site_is_that_of_a_build_from_nothing(
    compared: Compared, tally: Counted, site: int
) -> None:
    _play(compared, draws(f"edits: site {site}"), _turns(site), tally("edits"))


@pytest.mark.skipif(not LONG, reason="a short run makes a few kinds each time")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" in os.environ, reason="another process made some of them")
def test_every_kind_was_made() -> None:
    assert not KINDS.keys() - made, sorted(KINDS.keys() - made)
