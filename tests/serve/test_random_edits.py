"""After random edits the preview serves what a clean build makes.

DIGLOT_LONG_TESTS=1 makes it 300 edits; DIGLOT_SEED begins elsewhere.
"""

import os
import random
import re
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx2
import pytest

from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from tests.hostile.edits import OF_FILES, kinds_of, start
from tests.hostile.edits.project import HANDS, Project, Tree
from tests.serve.test_serving import Serving, serve
from tests.waiting import HANG_S, wait_until

__all__ = ["serve"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="figures are drawn in forked processes")

LONG = bool(os.environ.get("DIGLOT_LONG_TESTS"))
EDITS, COMPARED_EVERY = (300, 6) if LONG else (12, 4)
_OURS = re.compile(rb"<script[^>]*/__diglot/[^>]*></script>")
_KINDS = dict(kinds_of(*OF_FILES))


def _edit(project: Project, chance: random.Random) -> str:
    """Make a random edit that changes something. Returns its name."""
    for kind in chance.sample(sorted(_KINDS), len(_KINDS)):
        project.hand = chance.choice(HANDS)
        try:
            done = _KINDS[kind](project, chance)
        except OSError as error:  # for example, an earlier edit left a folder where it expects a file
            done = f"not finished: {error}"
        if done is not None:
            return f"{kind} ({done}), {project.hand.__name__}"
    raise AssertionError("there is nothing left to edit")


def _clean_build(root: Path, elsewhere: Path) -> dict[str, bytes] | None:
    """The output of a build without a cache; None if the project has errors."""
    shutil.rmtree(elsewhere, ignore_errors=True)
    ignored = shutil.ignore_patterns(".diglot", "__pycache__")
    shutil.copytree(root, elsewhere, symlinks=True, ignore=ignored)
    output = elsewhere / "public"
    options = SiteOptions(root=elsewhere, output=output, drafts=True, future=True, jobs=2)
    with Site(options) as site:
        result = site.build()
    if result.published is None:
        return None
    files = [path for path in output.rglob("*") if path.is_file() and path.name != ".diglot-site"]
    return {path.relative_to(output).as_posix(): path.read_bytes() for path in files}


def _wanted(project: Project, states: list[Tree], elsewhere: Path) -> dict[str, bytes]:
    """The expected output. Edits that led to errors are undone, the last one first."""
    while (expected := _clean_build(project.root, elsewhere)) is None:
        states.pop()
        project.restore(states[-1])
    return expected


def _base_path(project: Project) -> str:
    """The folder that the site is served from, which an edit may have changed."""
    found = re.search(r"^base_url: *(\S+)", project.read("site/site.yaml"), re.MULTILINE)
    return urlsplit(found[1]).path if found else "/"


def _differences(
    client: httpx2.Client, project: Project, expected: dict[str, bytes], known: set[str]
) -> list[str]:
    base = _base_path(project)
    found = []
    for path in sorted(known | expected.keys()):
        if any(part.startswith(".") for part in path.split("/")):
            continue  # as `.nojekyll`, which is not served
        answer = client.get(base + quote(path.removesuffix("index.html")))
        served = _OURS.sub(b"", answer.content) if answer.status_code == 200 else None
        if served != expected.get(path):
            found.append(f"{path} ({answer.status_code})")
    return found


def _wait_for_none(differences: Callable[[], list[str]], when: str, serving: Serving) -> None:
    wait_until(
        lambda: not differences(),
        told=lambda: f"{differences()} {when}: {serving.builds()} builds, {''.join(serving.said)[-3000:]}",
    )


def test_random_edits_end_in_what_a_clean_build_makes(tmp_path: Path, serve: Callable[..., Serving]) -> None:
    seed = int(os.environ.get("DIGLOT_SEED", "1"))
    chance, known, done = random.Random(seed), set[str](), list[str]()
    (tmp_path / "site").mkdir()
    project = Project(tmp_path / "site")
    start.begin(project)
    states = [project.tree()]
    serving = serve(project.root)
    with httpx2.Client(base_url=serving.address, timeout=HANG_S) as client:
        for number in range(1, EDITS + 1):
            done.append(_edit(project, chance))
            states.append(project.tree())
            time.sleep(chance.choice([0, 0, 0.02, 0.1, 0.5]))  # edits arrive in any rhythm
            if number % COMPARED_EVERY:
                continue
            expected = _wanted(project, states, tmp_path / "clean")
            states = states[-1:]
            known.update(expected)
            compared = partial(_differences, client, project, expected, known)
            _wait_for_none(compared, f"after {done} (seed {seed})", serving)
            serving.builds(quiet_s=0.2)
            assert not any("itself failed" in line for line in serving.said)
