"""A build that is killed at any moment leaves a store that the next build can trust."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from diglot.engine.reasons import FAILED
from tests.engine.workshop import Workshop

RULES = textwrap.dedent(
    """
    from diglot.engine import FILE, Key, Rule, Target

    async def part(fetch, name):
        return (await fetch(FILE, "text")) * (1 + 97 * int(name))

    async def whole(fetch, name):
        parts = await fetch.all(Target("part"), [str(i) for i in range(300)])
        return b"".join(part[:7] for part in parts)

    RULES = {
        "part": Rule(run=part, value_type=bytes, code="1"),
        "whole": Rule(run=whole, value_type=bytes, code="1"),
    }
    """
)

BUILD = RULES + textwrap.dedent(
    """
    import sys
    from pathlib import Path
    import diglot.engine.store
    from diglot.engine import Store, Surroundings, build

    diglot.engine.store.COMMIT_EVERY_S = 0.001
    root = Path(sys.argv[1])
    tell = lambda progress: print(progress.done, flush=True)
    surroundings = Surroundings(root=root, given={}, progress=tell)
    build(RULES, [Key("whole")], store=Store(root / ".diglot"), surroundings=surroundings)
    """
)


def build_and_kill(root: Path, *, after_steps: int) -> None:
    environment = {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    process = subprocess.Popen(
        [sys.executable, "-c", BUILD, str(root)], env=environment, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    for _ in range(after_steps):
        process.stdout.readline()
    process.kill()
    process.communicate()


@pytest.mark.parametrize("after_steps", [1, 2, 60, 240, 450, 599])
def test_a_killed_build_is_finished_by_the_next_one(workshop: Workshop, after_steps: int) -> None:
    scope: dict[str, Any] = {}
    exec(RULES, scope)
    workshop.rules = scope["RULES"]
    workshop.write("text", "hello, ")
    workshop.build("whole")
    workshop.write("text", "goodbye")
    build_and_kill(workshop.root, after_steps=after_steps)

    store = workshop.store()
    assert store.take_notices() == ()
    memory = store.memory()
    for trace in memory.traces.values():
        assert trace.digest == FAILED or store.object(trace.digest)
    store.close()

    report = workshop.build("whole")
    assert report.diagnostics == ()
    assert workshop.value("whole") == b"goodbye" * 300
