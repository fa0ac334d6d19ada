"""After a change of diglot's own code, an incremental build gives what one from nothing gives.

Strings of modules are changed in a copy of the source, as an upgrade changes them: messages, HTML, keys. What
happens then, even that nothing works any more, has to be the same with a cache that the code before has left.
"""

import ast
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import diglot
from diglot.render.theme import built_in_theme
from diglot.rules import code
from diglot.rules.closures import Closures
from tests.cli.sites import environment
from tests.exactness.test_memos import site
from tests.hostile.profile import LONG
from tests.space import outputs

SEED = int(os.environ.get("DIGLOT_HOSTILE_SEED", "1"))
_COUNTS = re.compile(
    r" \(\d+ tasks ran.*\)|^(?:built|nothing to do).*|; the last good output stays|0x[0-9a-f]+", re.MULTILINE
)


def candidates() -> list[str]:
    """The modules that tasks are made of, as paths."""
    known = code._code()
    closures = Closures(known.folder, known.stamps, known.installed, known=None)
    tasks = {name for name in closures._paths if name.startswith("diglot.rules.")}
    reached = closures.reached({name for name in tasks if closures._imports(name).tasks})
    return sorted(closures._paths[name] for name in reached.modules if not name.startswith("diglot.hardware"))


def reworded(source: str, chance: random.Random) -> str | None:
    """The source with a word added to one of its strings; None if it has none that may be read by someone."""
    found = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[\w ,.'<>/=-]*[a-z]{3}[\w ,.'<>/=-]*", node.value)
        and node.lineno == node.end_lineno
    ]
    lines = source.split("\n")
    for node in chance.sample(found, len(found)):
        line = lines[node.lineno - 1].encode()
        text = line[node.col_offset : node.end_col_offset].decode()
        if text[:1] in "\"'" and text[:3] not in ('"""', "'''"):
            changed = (
                line[: node.col_offset] + f"{text[:-1]}x{text[-1]}".encode() + line[node.end_col_offset :]
            )
            lines[node.lineno - 1] = changed.decode()
            return "\n".join(lines)
    return None


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the code, with what is compiled of it: it is good for files of the same size and time."""
    copy = tmp_path_factory.mktemp("lib") / "diglot"
    shutil.copytree(Path(diglot.__file__).parent, copy)
    shutil.copytree(built_in_theme(), copy / "theme")
    return copy


def build(library: Path, root: Path) -> tuple[object, ...]:
    done = subprocess.run(
        [sys.executable, "-m", "diglot", "build"],
        cwd=root,
        env={
            **environment(),
            "PYTHONPATH": str(library.parent),
            "PYTHONDONTWRITEBYTECODE": "",
            "SOURCE_DATE_EPOCH": "1795219200",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    said = _COUNTS.sub("", done.stderr.replace(str(root), "ROOT"))
    return done.returncode, said, outputs(root / "public") if done.returncode == 0 else {}


@pytest.mark.timeout(3600 if LONG else 600)
def test_after_a_change_of_code_a_build_is_that_from_nothing(library: Path, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    modules = candidates()
    chance.shuffle(modules)
    warm = site(tmp_path / "warm/project")
    assert build(library, warm)[0] == 0
    tried = []
    for path in modules:
        source = (library / path).read_text("utf-8")
        if (changed := reworded(source, chance)) is None:
            continue
        (library / path).write_text(changed, "utf-8")
        clean = site(tmp_path / f"clean{len(tried)}/project")
        assert build(library, warm) == build(library, clean), (SEED, path)
        shutil.rmtree(clean.parent)
        (library / path).write_text(source, "utf-8")
        tried.append(path)
        if not LONG:
            break
    assert tried
