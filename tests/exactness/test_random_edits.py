"""Whatever is edited in whatever order: the output folder is what a build from nothing makes.

`DIGLOT_EDITS=1000` makes it a thousand edits.
"""

import os
import shutil
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

import diglot
from diglot.crew import Crew
from diglot.figures import calls, workers
from diglot.rules.building import Site, SiteBuild
from diglot.rules.options import SiteOptions
from tests.exactness.edits import AT_FIRST, BODIES, BROKEN, LIBRARY, POSTS, SOURCES, half

EDITS = int(os.environ.get("DIGLOT_EDITS", "50"))
STEPS = 25
"""At most so many edits of one site; not every step finds a file."""
VARIABLE = "DIGLOT_TEST_SCALE"
PACKAGES = calls._PACKAGES

paths = st.sampled_from(sorted(SOURCES))
numbers = st.integers(0, 1000)
Tree = dict[str, bytes]


class EditedSite(RuleBasedStateMachine):
    """A site that is edited at random, and built after each edit."""

    edits = 0
    """How many there were, of all sites."""
    went_wrong = False
    """Then the edits that led there are done once more."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.root = self.folder / "project"
        os.environ.pop(VARIABLE, None)
        self.workers: workers.FigureWorkers | None = None
        self.crew = Crew(2, worth_calls=1)
        self.history: list[Tree] = []
        self.last_good: Tree = {}
        self.failures = 0
        self.story: list[str] = []

    def teardown(self) -> None:
        os.environ.pop(VARIABLE, None)
        self.stop_workers()
        self.crew.close()
        calls._PACKAGES = PACKAGES
        shutil.rmtree(self.folder)

    @initialize()
    def begin(self) -> None:
        # Workers import a copy of diglot, so that its hardware library can be edited too.
        package = Path(diglot.__file__).parent
        shutil.copytree(package, self.folder / "lib/diglot", ignore=shutil.ignore_patterns("__pycache__"))
        for number, path in enumerate(AT_FIRST):
            self.write(path, SOURCES[path][8 * number % 48 if path.endswith(".md") else 0])

    @rule(path=paths, choice=numbers)
    def change(self, path: str, choice: int) -> None:
        """To a text that is right in itself; or create, where there was nothing."""
        texts = SOURCES[path]
        if not self.edit(f"change {path} to text {choice % len(texts)}"):
            return
        self.write(path, texts[choice % len(texts)])
        self.check()

    @rule(post=st.sampled_from(POSTS), body=st.sampled_from(BODIES))
    def rewrite(self, post: str, body: str) -> None:
        """Both halves of an article, so that they remain a pair."""
        if not self.edit(f"rewrite {post} with body {BODIES.index(body)}"):
            return
        for language, title in (("zh", "标题"), ("en", "Title")):
            self.write(f"content/posts/{post}/{language}.md", half(f"{title} {post}", body))
        self.check()

    @rule(post=st.sampled_from(POSTS), again=st.sampled_from(POSTS))
    def rename_article(self, post: str, again: str) -> None:
        old, new = (self.root / "content/posts" / name for name in (post, again))
        if not old.exists() or new.exists():
            return
        if not self.edit(f"rename article {post} to {again}"):
            return
        old.rename(new)
        self.check()

    @rule(post=st.sampled_from(POSTS))
    def delete_article(self, post: str) -> None:
        if (self.root / "content/posts" / post).exists():
            if not self.edit(f"delete article {post}"):
                return
            shutil.rmtree(self.root / "content/posts" / post)
            self.check()

    @rule(path=paths)
    def delete(self, path: str) -> None:
        if path != "site/site.yaml" and (self.root / path).exists():
            if not self.edit(f"delete {path}"):
                return
            (self.root / path).unlink()
            self.check()

    @rule(path=paths, aside=st.booleans())
    def rename(self, path: str, aside: bool) -> None:
        """Away under another name, or from there back."""
        here, there = self.root / path, self.root / f"{path}.aside"
        here, there = (here, there) if aside else (there, here)
        if path != "site/site.yaml" and here.exists():
            if not self.edit(f"rename {here.name} to {there.name} in {here.parent.name}"):
                return
            here.rename(there)
            self.check()

    @rule(path=paths, shift_s=st.sampled_from([-1e9, -3600.0, -10.0, 0.0, 3600.0, 1e8]))
    def touch(self, path: str, shift_s: float) -> None:
        """Another time, the same content."""
        file = self.root / path
        if file.exists():
            if not self.edit(f"touch {path} by {shift_s} s"):
                return
            then = file.stat().st_mtime + shift_s
            os.utime(file, (then, then))
            self.check(runs_nothing=not self.failures)

    @rule(path=paths, choice=numbers)
    def change_in_secret(self, path: str, choice: int) -> None:
        """Keeping the time, as tools that copy files do, and where the text allows it the size."""
        file = self.root / path
        if file.exists():
            texts = SOURCES[path]
            if not self.edit(f"change {path} to text {choice % len(texts)}, keeping its time"):
                return
            status = file.stat()
            file.write_text(texts[choice % len(texts)], "utf-8")
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
            self.check()

    @precondition(lambda self: self.history)
    @rule(choice=numbers)
    def revert(self, choice: int) -> None:
        """The whole tree to a state it had before."""
        if not self.edit(f"revert to state {choice % len(self.history)}"):
            return
        self.restore(self.history[choice % len(self.history)])
        self.check()

    @precondition(lambda self: not self.failures)
    @rule(path=paths, choice=numbers)
    def break_something(self, path: str, choice: int) -> None:
        if (self.root / path).exists() and (texts := BROKEN.get(Path(path).suffix)):
            if not self.edit(f"break {path} by text {choice % len(texts)}"):
                return
            self.write(path, texts[choice % len(texts)])
            self.check()

    @precondition(lambda self: self.failures)
    @rule()
    def mend(self) -> None:
        if not self.edit("mend"):
            return
        self.restore(self.last_good)
        self.check()
        assert not self.failures

    @rule(value=st.sampled_from([None, "1", "2"]))
    def set_variable(self, value: str | None) -> None:
        if os.environ.get(VARIABLE) != value:
            if not self.edit(f"set the variable to {value}"):
                return
            os.environ.pop(VARIABLE, None)
            if value is not None:
                os.environ[VARIABLE] = value
            self.stop_workers()  # they have the variables of when they were started, as a command's have
            self.check()

    @rule(file=st.sampled_from(["index.html", "zh/index.html", "sitemap.xml"]))
    def spoil_the_output(self, file: str) -> None:
        if (self.folder / "public" / file).exists():
            if not self.edit(f"spoil {file} of the output"):
                return
            (self.folder / "public" / file).write_text("spoilt")
            if self.failures:
                self.restore(self.last_good)
            self.check()

    def tell(self, what: str) -> None:
        self.story.append(what)
        note(what)

    def edit(self, what: str) -> bool:
        """Announce an edit; False where none is made: two left the site broken, and it is mended instead."""
        if not self.history:  # a site that nobody edits is not built
            self.check()
            assert not self.failures
            doer = self.crew.call(os.getpid)
            self.crew.work()
            assert doer.result() != os.getpid(), "this build is shared out, the one from nothing is not"
        EditedSite.edits += 1
        if self.failures < 2:
            self.tell(what)
            return True
        self.tell("mend, for it is broken for long")
        self.restore(self.last_good)
        self.check()
        assert not self.failures
        return False

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def sources(self) -> Tree:
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for folder in ("content", "figures", "site", "templates")
            for path in (self.root / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        } | {
            path: (self.root / path).read_bytes()
            for path in SOURCES
            if path.startswith(LIBRARY) and (self.root / path).exists()
        }

    def restore(self, tree: Tree) -> None:
        now = self.sources()
        for path in now.keys() - tree.keys():
            (self.root / path).unlink()
        for path, content in tree.items():
            if now.get(path) != content:
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).write_bytes(content)

    def stop_workers(self) -> None:
        if self.workers is not None:
            self.workers.close()
            self.workers = None

    def build(self, output: str, cache: str) -> SiteBuild:
        if self.workers is None:
            calls._PACKAGES = self.folder / "lib"
            self.workers = workers.FigureWorkers(root=self.root, cache=self.folder / "matplotlib", jobs=2)
        options = SiteOptions(
            root=self.root, output=self.folder / output, cache_folder=self.folder / cache, jobs=2
        )
        crew = self.crew if output == "public" else None
        with Site(options, workers=self.workers, crew=crew) as site:
            return site.build()

    def check(self, *, runs_nothing: bool = False) -> None:
        """The build on top of the old one says and makes what a build from nothing does."""
        self.history.append(self.sources())
        before = outputs(self.folder / "public")
        built = self.build("public", "cache")
        if runs_nothing:
            assert built.report.ran == ()
        clean = self.build("clean", "clean-cache")
        try:
            assert list(map(str, built.diagnostics)) == list(map(str, clean.diagnostics))
            assert (built.published is None) == (clean.published is None)
            if built.published is None:
                self.failures += 1
                self.tell("fails: " + "; ".join(str(one).splitlines()[0] for one in built.diagnostics))
                assert outputs(self.folder / "public") == before, "the last good output stays"
            else:
                self.failures = 0
                self.last_good = self.history[-1]
                made, expected = outputs(self.folder / "public"), outputs(self.folder / "clean")
                assert sorted(made) == sorted(expected)
                assert [path for path in made if made[path] != expected[path]] == []
            again = self.build("public", "cache")
            assert [str(one.key) for one in again.report.ran] == [], "the build after a build runs nothing"
            assert again.diagnostics == built.diagnostics
        except Exception:
            if not EditedSite.went_wrong:  # for what does not go wrong when it is done once more
                print("the first to go wrong:", *self.story, traceback.format_exc(), sep="\n")
            EditedSite.went_wrong = True
            raise
        finally:
            for name in ("clean", "clean-cache"):
                shutil.rmtree(self.folder / name, ignore_errors=True)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a command: threads that other tests left behind do not keep a crew from forking."""
    monkeypatch.setattr("threading.active_count", lambda: 1)


def outputs(folder: Path) -> Tree:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files_in(folder)}


def files_in(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


@pytest.mark.timeout(120 + 20 * EDITS)
def test_after_any_edits_the_site_is_that_of_a_build_from_nothing() -> None:
    # Whether there were enough edits is asked between runs: what is drawn in one must not depend on how many
    # there were before. A run of very few sites would only make those that nobody edits.
    while (before := EditedSite.edits) < EDITS:
        run_state_machine_as_test(
            EditedSite,
            settings=settings(
                max_examples=min(10, 3 + (EDITS - before) // STEPS),
                stateful_step_count=STEPS,
                deadline=None,
                phases=(Phase.explicit, Phase.reuse, Phase.generate),  # to shrink would take minutes
                suppress_health_check=list(HealthCheck),
            ),
        )
        assert EditedSite.edits > before
