"""After any damage to a cache file: no wrong page, no traceback, no hang, and the next build is clean."""

import json
import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diglot.cache_files import remove
from diglot.cli import main
from diglot.rules.live import LiveSite
from diglot.rules.options import PREVIEW, SiteOptions
from diglot.rules.unreferenced import UnreferencedFigures
from tests.hostile.conftest import Counted
from tests.hostile.damages import DAMAGES, KINDS, PLACES, Damage, make_its_folder_a_file, put_a_folder
from tests.hostile.forked import command, load_what_builds_need
from tests.hostile.profile import draws, tries
from tests.hostile.specimen import Specimen, differences, published

TRIES = tries(5, long=500)

Hurt = Callable[[], None]


def refresh_around(specimen: Specimen, hurt: Hurt) -> Callable[[], int]:
    """Do what a preview does: build, then build again in the same process after the damage and an edit."""
    options = SiteOptions(root=specimen.root, output=specimen.root / PREVIEW, drafts=True, future=True)

    def refresh() -> int:
        with LiveSite(options) as site:
            site.refresh(())
            hurt()
            for _ in range(3):
                result = site.refresh(())
                while result.unfinished:
                    result = site.refresh(())
                if not site.is_outdated():
                    break
        return int(result.failed(strict=False))

    return refresh


def draw_unreferenced(specimen: Specimen) -> Callable[[], int]:
    """Do what the sheet of all figures does: read earlier drawings, and update them."""
    options = SiteOptions(root=specimen.root, output=specimen.root / PREVIEW)

    def draw() -> int:
        from diglot.rules.figures import draw_figure, scripts_at

        figures = UnreferencedFigures(options)
        scripts = scripts_at(["figures/bars.py"])
        figures.last_build.values(draw_figure)
        figures.draw(scripts, wanted=lambda: True, progress=lambda _: None)
        drawn = figures.last_build.values(draw_figure)
        return 0 if [*map(str, drawn)] == ["bars@en", "bars@zh"] else 3

    return draw


ACTIONS = ("build", "words", "template", "figure", "swept", "many", "refresh", "explain", "forget", "verify")


def act(action: str, specimen: Specimen, hurt: Hurt, *, shared_fork_server: bool) -> tuple[int, str | None]:
    """Damage the cache, then run an action. Returns its exit code, and what went wrong or None."""
    if action == "refresh":
        ended = specimen.run(refresh_around(specimen, hurt))
        shown = published(specimen.root / PREVIEW)
        wanted = specimen.clean()
        # The preview includes drafts and future articles, but this site has none.
        wrong = differences(shown, wanted) if ended.status == 0 else []
        return ended.status, ended.trouble() or (f"the preview has a wrong {wrong[0]}" if wrong else None)
    hurt()
    match action:
        case "explain":
            work = command("explain", "pair")
        case "forget":
            work = command("clean", "--older-than", "0d")
        case "verify":
            work = command("-q", "build", "--verify")
        case "unreferenced":
            work = draw_unreferenced(specimen)
        case _:
            if action != "build":
                specimen.edit(action)
            work = command("-q")
    ended = specimen.run(work, shared_fork_server=shared_fork_server)
    # `explain` knows nothing about the last build after the store was discarded.
    allowed = (0, 2) if action == "explain" else (0,)
    trouble = ended.trouble()
    if trouble is None and ended.status not in allowed:
        trouble = f"status {ended.status}: {ended.errors[-1500:]}"
    return ended.status, trouble


def next_build(specimen: Specimen) -> str | None:
    """Build again without a change. Returns what is wrong with that build; None if it does nothing."""
    ended = specimen.run(command("build", "--json"))
    if ended.trouble() or ended.status:
        return f"status {ended.status}: {ended.trouble() or ended.errors + ended.output[-1500:]}"
    report = json.loads(ended.output)
    if report["ran"] or report["diagnostics"] or report["written"] or report["removed"]:
        told = {name: report[name] for name in ("diagnostics", "written", "removed")}
        return f"the build after it ran {[one['task'] for one in report['ran']][:9]}, {told}"
    return None


def prepare(specimen: Specimen, kind: str) -> None:
    """Make sure that there are files of a kind."""
    if kind == "log of the store":  # a killed build leaves it

        def build_and_die() -> int:
            from diglot.engine import Store

            Store.close = lambda self: os.kill(os.getpid(), signal.SIGKILL)
            return main(["-q"])

        specimen.edit("words")
        specimen.run(build_and_die)
    elif kind == "faces" and not KINDS[kind](specimen.root):
        specimen.edit("figure")
        specimen.run(command("-q"), shared_fork_server=False)
    elif kind == "points of sweeps" and not KINDS[kind](specimen.root):
        remove(specimen.root / ".diglot/points.db")  # may be left from earlier damage
        specimen.edit("swept")
        specimen.run(command("-q"))
    elif kind == "preview":
        specimen.run(refresh_around(specimen, lambda: None))
    elif kind == "drawings nobody asked for" and not KINDS[kind](specimen.root):
        specimen.run(draw_unreferenced(specimen))


def plan(chance: random.Random, count: int) -> Iterator[tuple[str, Damage, str, str]]:
    """Yield kinds of files in turn, with every damage, place and action in a random order."""
    rounds = iter(lambda: [*KINDS], None)
    waiting: dict[str, list[tuple[Damage, str]]] = {}
    actions: dict[str, list[str]] = {}
    for number in range(count):
        if number % len(KINDS) == 0:
            kinds = next(rounds)
            chance.shuffle(kinds)
        kind = kinds[number % len(KINDS)]
        if not waiting.get(kind):
            waiting[kind] = [(damage, place) for damage in DAMAGES for place in PLACES]
            chance.shuffle(waiting[kind])
        if not actions.get(kind):
            actions[kind] = [*ACTIONS]
            chance.shuffle(actions[kind])
        damage, place = waiting[kind].pop()
        action = actions[kind].pop()
        yield kind, damage, place, "unreferenced" if kind == "drawings nobody asked for" else action


def put_into_the_output(damage: Damage, path: Path, specimen: Specimen) -> Path | None:
    """The folder or file that a damage put into the output in place of a published one, if it did."""
    there = {put_a_folder: path, make_its_folder_a_file: path.parent}.get(damage)
    output = specimen.root / "public"
    return there if there is not None and there != output and there.is_relative_to(output) else None


@pytest.mark.timeout(120 + 20 * TRIES)
def test_no_damage_to_the_cache_is_believed_or_survives_the_next_build(
    tmp_path: Path, tally: Counted
) -> None:
    load_what_builds_need()
    chance, count = draws("damages"), tally("damages")
    specimen = Specimen(tmp_path)
    assert specimen.run(command("-q"), shared_fork_server=False).status == 0  # also makes the list of fonts
    for kind, damage, place, action in plan(chance, TRIES):
        prepare(specimen, kind)
        files = KINDS[kind](specimen.root)
        if not files:  # all were replaced by earlier damage, which no action has repaired yet
            continue
        path = chance.choice(files)
        what = f"{damage.__name__} {place} of {path.relative_to(specimen.root)}, then {action}"
        articles = {one: one.read_bytes() for one in (specimen.root / "content/posts/other").iterdir()}

        def hurt(damage: Damage = damage, path: Path = path, place: str = place) -> None:
            if not path.exists():  # the store's log disappears when the store is closed
                return
            status = path.stat()
            damage(path, place, chance)
            if path.is_file() and not path.is_symlink():  # so that the times do not give the damage away
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

        count.tried += 1
        _, trouble = act(action, specimen, hurt, shared_fork_server=kind != "faces")
        if (theirs := put_into_the_output(damage, path, specimen)) is not None:
            # The damage created a foreign file: diglot reports that it is in the way, or that it stays.
            if trouble is not None and "which diglot did not make" in trouble:
                trouble = None
            if not theirs.exists():
                count.lost.append(f"{what}: {theirs.name} is gone, and was not diglot's")
            remove(theirs)
            if trouble is None:
                ended = specimen.run(command("-q"))
                trouble = ended.trouble() or (ended.errors if ended.status else None)
        for article, content in articles.items():
            if article.read_bytes() != content:
                count.lost.append(f"{what}: {article.name} was written to")
                article.write_bytes(content)
        if trouble is None and action in ("explain", "forget", "refresh", "unreferenced"):
            ended = specimen.run(command("-q"))
            trouble = ended.trouble() or (f"{ended.errors}" if ended.status else None)
        if trouble is None and (wrong := differences(specimen.published(), specimen.clean())):
            trouble = f"{len(wrong)} wrong: {wrong[:3]}"
        trouble = trouble or next_build(specimen)
        if trouble is not None:
            count.through.append(f"{what}: {trouble}")
            shutil.rmtree(specimen.root / ".diglot")  # the next round begins with a sound store
            specimen.run(command("-q"))
    specimen.close()
