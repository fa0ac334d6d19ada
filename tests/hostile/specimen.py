"""A small site that puts every kind of file into the cache, and edits that switch it between states."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from diglot.cli import main
from tests.hostile.forked import Ended, SharedForkServer, run, with_real_processes
from tests.space import BARS, CHIPS, Space

SWEEP = """\
from diglot.figures import sweep

TITLE = {"zh": "方", "en": "Squares"}


def square(m):
    return m * m


def compute():
    return {"a": sweep(square, {"m": range(5)}), "n": 0}
"""

_BODY = "Words 0, {eval}`chips.h200.ridge`, {eval}`squares.a[2]`, {eval}`squares.n`.\n\n"
_FIGURE = "```{figure} bars\nBars\n```\n"

Files = dict[str, bytes]


class Specimen:
    """The site, and the output of a clean build of each of its states."""

    def __init__(self, folder: Path, *, figures: bool = True) -> None:
        self.space = Space(folder / "site")
        self.root = self.space.root
        self._state = {"words": 0, "template": 0, "figure": 0, "swept": 0, "many": 0}
        self._figures = figures
        self._clean: dict[tuple[int, ...], Files] = {}
        self._other = folder / "clean"
        self._other.mkdir()
        space = self.space
        if figures:
            space.write("figures/bars.py", BARS)
            space.write("figures/chips.py", CHIPS)
            space.write("figures/squares.py", SWEEP)
        space.write("site/static/large.txt", "large " * 10_000)
        space.write("site/static/note.txt", "note")
        body = f"{_BODY}{_FIGURE}" if figures else "Words 0.\n"
        space.post("pair", zh=body, en=body)
        space.post("other", zh="[文](../pair/zh.md)。", en="[Other](../pair/en.md).")
        for number in range(4):
            self._write_many(number, 0)
        checkout = Path(__file__).resolve().parents[2]
        space.write("templates/article.html", (checkout / "templates/article.html").read_text("utf-8"))
        self.fork_server, self._clean_fork_server = (
            SharedForkServer(root, folder / "matplotlib") if figures else None
            for root in (self.root, self._other)
        )
        self._template = (self.root / "templates/article.html").read_text("utf-8")

    def run(self, work: Callable[[], int], *, shared_fork_server: bool = True) -> Ended:
        """Run work on the site in a forked process, which may start a fork server of its own."""
        return run(
            self.with_shared_fork_server(work) if shared_fork_server else with_real_processes(work),
            cwd=self.root,
        )

    def with_shared_fork_server(self, work: Callable[[], int]) -> Callable[[], int]:
        """Wrap work so that it uses the fork server of this object."""
        return _with_fork_server(self.fork_server, work)

    def close(self) -> None:
        """End the shared fork servers."""
        for one in (self.fork_server, self._clean_fork_server):
            if one is not None:
                one.end()

    def _write_many(self, number: int, state: int) -> None:
        self.space.post(f"many{number}", zh=f"第{state}次。", en=f"Time {state}.")

    def edit(self, what: str) -> None:
        """Switch one thing to its other state."""
        state = self._state[what] = 1 - self._state[what]
        space = self.space
        match what:
            case "words":
                for language in ("zh", "en"):
                    space.change(f"content/posts/pair/{language}.md", f"Words {1 - state}", f"Words {state}")
            case "template":
                before, end, behind = self._template.rpartition("{% endblock %}")
                text = f"{before}<!-- mine -->{end}{behind}" if state else self._template
                space.write("templates/article.html", text)
            case "figure":
                space.write("figures/bars.py", BARS.replace("[3, 5]", "[3, 7]") if state else BARS)
            case "swept":
                space.write("figures/squares.py", SWEEP.replace('"n": 0', f'"n": {state}'))
            case "many":
                for number in range(4):
                    self._write_many(number, state)
                if state:
                    space.post("come", zh="来。", en="Come.")
                    space.remove("site/static/note.txt")
                else:
                    shutil.rmtree(self.root / "content/posts/come")
                    space.write("site/static/note.txt", "note")

    def edit_any(self, chance: random.Random) -> None:
        """Switch a random thing to its other state."""
        kinds = [*self._state] if self._figures else ["words", "template", "many"]
        self.edit(chance.choice(kinds))

    def clean(self) -> Files:
        """The output of a clean build of the site in its present state."""
        state = tuple(self._state.values())
        if state not in self._clean:
            other = self._other  # `other` must remain, because the fork server runs in it
            for old in other.iterdir():
                shutil.rmtree(old)
            for name in ("content", "figures", "site", "templates"):
                if (self.root / name).exists():
                    shutil.copytree(
                        self.root / name, other / name, ignore=shutil.ignore_patterns("__pycache__")
                    )
            ended = run(_with_fork_server(self._clean_fork_server, lambda: main(["-q"])), cwd=other)
            assert (ended.status, ended.errors) == (0, ""), ended
            self._clean[state] = published(other / "public")
        return self._clean[state]

    def published(self) -> Files:
        """The published files."""
        return published(self.root / "public")


def _with_fork_server(fork_server: SharedForkServer | None, work: Callable[[], int]) -> Callable[[], int]:
    return work if fork_server is None else fork_server.used_by(work)


def published(folder: Path) -> Files:
    """The files of an output folder, without diglot's own files at its top level."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not name.startswith(".diglot") and (path.is_symlink() or not path.is_dir()):
            found[name] = path.read_bytes() if path.is_file() and not path.is_symlink() else b"no file"
    return found


def differences(found: Files, wanted: Files) -> list[str]:
    """The paths whose files differ."""
    return sorted(path for path in found.keys() | wanted.keys() if found.get(path) != wanted.get(path))
