"""Which saves cause a build, and how many."""

import itertools
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

from diglot.engine.globs import is_scratch
from diglot.serve import watching
from diglot.serve.changes import Change
from diglot.serve.watching import Watcher
from tests.waiting import HANG_S


class Everything:
    """Inputs of builds that read whatever is not hidden in the folders of a project."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def concerns(self, path: str, *, names_changed: bool, is_folder: bool = False) -> bool:
        inside = Path(path).relative_to(self.root).parts
        return not any(is_scratch(part) for part in inside)

    def folders(self) -> list[str]:
        return [str(path) for path in self.root.iterdir() if path.name in ("content", "figures", "templates")]

    def changed_since(self, moment_ns: int, folders: Collection[str]) -> bool:
        return False


class Builds:
    """Counts builds; a test can hold each up.

    To see that no further build comes, `settled` makes a change of its own in every watched folder. Once that
    one is reported, so are all changes before it. Builds for such changes alone do not count.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.count = 0
        self.changed: frozenset[str] = frozenset()
        self.inputs: Any = Everything(root)
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()
        self.hurried = threading.Event()
        self.during: Callable[[], object] = lambda: None
        self._told = threading.Condition()
        self._heard: set[str] = set()
        self._numbers = itertools.count()

    def __call__(self, changes: frozenset[Change]) -> "_WithMarks":
        paths = frozenset(change.path for change in changes)
        marks = {path for path in paths if _is_mark(path)}
        with self._told:
            if paths - marks or not marks:
                self.count += 1
                self.changed = paths - marks
            self._heard |= marks
            self._told.notify_all()
        self.begun.set()
        self.during()
        assert self.go_on.wait(HANG_S)
        return _WithMarks(self.inputs)

    def wait_for_some(self) -> None:
        """Wait for at least one build: a removed folder and its return may cause one each."""
        with self._told:
            assert self._told.wait_for(lambda: self.count, HANG_S)

    def wait_for(self, count: int) -> None:
        """Wait for exactly this many builds."""
        with self._told:
            assert self._told.wait_for(lambda: self.count >= count, HANG_S)
        self.settled()
        assert self.count == count

    def settled(self) -> None:
        """Wait until there was a build for every change so far."""
        for folder in {str(self.root), *self.inputs.folders()}:
            if Path(folder).is_dir() and not is_scratch(Path(folder).name):
                self._hear_of(Path(folder))

    def _hear_of(self, folder: Path) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            number = next(self._numbers)
            hidden, mark = folder / f".{number}", folder / f"{_MARK}{number}"
            hidden.touch()
            hidden.rename(mark)
            with self._told:
                # Try again if it was missed, because a new folder is not watched yet.
                if self._told.wait_for(lambda mark=mark: str(mark) in self._heard, 1):  # type: ignore[misc]  (a default)
                    return
        raise AssertionError(f"nothing in {folder} is heard of")


_MARK = "mark-"


def _is_mark(path: str) -> bool:
    return Path(path).name.startswith(_MARK)


class _WithMarks:
    """Inputs, and the changes that `Builds` makes itself."""

    def __init__(self, inputs: Any) -> None:
        self._inputs = inputs
        self.folders, self.changed_since = inputs.folders, inputs.changed_since

    def concerns(self, path: str, *, names_changed: bool, is_folder: bool = False) -> bool:
        if _is_mark(path):
            return True
        return bool(self._inputs.concerns(path, names_changed=names_changed, is_folder=is_folder))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    for folder in ("content/posts/a", "public", ".diglot/objects", ".git", "env/lib", "figures/__pycache__"):
        (root / folder).mkdir(parents=True)
    (root / "env/pyvenv.cfg").write_text("")
    (root / "content/posts/a/zh.md").write_text("one")
    return root


@pytest.fixture
def builds(root: Path) -> Iterator[Builds]:
    builds = Builds(root)
    watcher = Watcher(
        root, ignored=(root / "public", root / ".diglot"), build=builds, hurry=builds.hurried.set
    )
    watcher.start()
    builds.wait_for(1)
    yield builds
    builds.go_on.set()
    watcher.stop(5)


def test_the_first_build_needs_no_change(builds: Builds) -> None:
    assert builds.count == 1


def test_a_save_causes_one_build(builds: Builds, root: Path) -> None:
    (root / "content/posts/a/zh.md").write_text("two")
    builds.wait_for(2)


def test_a_save_beside_and_rename_causes_one_build(builds: Builds, root: Path) -> None:
    (root / "content/posts/a/zh.md~").write_text("two")
    (root / "content/posts/a/zh.md~").replace(root / "content/posts/a/zh.md")
    builds.wait_for(2)


def test_a_burst_of_saves_causes_one_build(
    builds: Builds, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WRITTEN_S", "QUIET_S"):  # this thread may have to wait between two saves
        monkeypatch.setattr(watching, name, 0.5)
    monkeypatch.setattr(watching, "PATIENCE_S", HANG_S)
    for number in range(20):
        (root / "content/posts/a/zh.md").write_text(str(number))
        (root / f"content/posts/a/{number}.png").write_text("x")
    builds.wait_for(2)


def test_files_removed_and_folders_moved_are_changes(builds: Builds, root: Path) -> None:
    (root / "content/posts/a/zh.md").unlink()
    builds.wait_for(2)
    (root / "content/posts/a").rename(root / "content/posts/b")
    builds.wait_for(3)


def test_reading_is_no_change(builds: Builds, root: Path) -> None:
    for _ in range(3):
        (root / "content/posts/a/zh.md").read_text()
        list(root.rglob("*"))
    builds.wait_for(1)


@pytest.mark.parametrize(
    "path",
    [
        "public/x.html",
        ".diglot/x",
        ".diglot/objects/x",
        ".git/x",
        "figures/__pycache__/x.pyc",
        "env/lib/x.py",
        ".hidden",
        "content/.zh.md.swp",
    ],
)
def test_what_no_build_reads_causes_none(builds: Builds, root: Path, path: str) -> None:
    (root / path).write_text("x")
    builds.wait_for(1)


def test_the_output_may_be_removed_and_made_again(builds: Builds, root: Path) -> None:
    (root / "public").rmdir()
    (root / "public").mkdir()
    (root / "public/index.html").write_text("x")
    builds.wait_for_some()


def test_changes_during_a_build_cause_exactly_one_more(builds: Builds, root: Path) -> None:
    builds.begun.clear()
    builds.go_on.clear()
    (root / "content/posts/a/zh.md").write_text("two")
    assert builds.begun.wait(60)
    for number in range(3):
        builds.hurried.clear()
        (root / "content/posts/a/zh.md").write_text(f"three {number}")
        assert builds.hurried.wait(60)
    builds.go_on.set()
    builds.wait_for(3)


def test_a_build_that_writes_into_the_output_causes_no_other(builds: Builds, root: Path) -> None:
    def build() -> None:
        (root / "public/index.html").write_text("built")
        (root / ".diglot/objects/x").write_text("kept")
        (root / "content/posts/a/zh.md").read_text()

    builds.during = build
    (root / "content/posts/a/zh.md").write_text("two")
    builds.wait_for(2)


def test_a_file_that_is_written_all_the_time_does_not_put_the_build_off_for_ever(
    builds: Builds, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "PATIENCE_S", 0.3)
    end = time.monotonic() + 60
    while builds.count < 2 and time.monotonic() < end:
        (root / "content/posts/a/zh.md").write_text("again")
    assert builds.count >= 2


def test_a_folder_that_is_made_later_is_watched_too(builds: Builds, root: Path) -> None:
    (root / "templates").mkdir()
    builds.wait_for(2)
    (root / "templates/sub").mkdir()
    builds.wait_for(3)
    (root / "templates/sub/page.html").write_text("x")
    builds.wait_for(4)


def test_a_folder_that_was_removed_and_made_again_is_watched(builds: Builds, root: Path) -> None:
    (root / "content").rename(root / ".away")
    builds.wait_for(2)
    (root / ".away").rename(root / "content")
    builds.wait_for(3)
    (root / "content/posts/a/zh.md").write_text("two")
    builds.wait_for(4)


def test_folders_that_come_and_go_quickly_end_nothing(builds: Builds, root: Path) -> None:
    for number in range(30):
        (root / f"short-{number}").mkdir()
        (root / f"short-{number}").rmdir()
    shutil.rmtree(root / "content")
    (root / "content").mkdir()
    builds.settled()
    before = builds.count
    (root / "content/zh.md").write_text("two")
    builds.wait_for(before + 1)


class _Noting(Watcher):
    """A watcher that sets an event when it has noticed a change of a path."""

    def __init__(self, *arguments: Any, path: Path, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.noticed = threading.Event()
        self._path = str(path)

    def notice(self, change: Change, *, is_whole: bool) -> None:
        super().notice(change, is_whole=is_whole)
        if change.path == self._path:
            self.noticed.set()


def test_a_change_during_a_build_tells_it_to_hurry_and_one_that_matters_to_nobody_does_not(
    root: Path,
) -> None:
    builds, hidden = Builds(root), root / "content/.hidden"
    watcher = _Noting(root, ignored=(root / "public",), build=builds, hurry=builds.hurried.set, path=hidden)
    watcher.start()
    builds.wait_for(1)
    builds.hurried.clear()
    builds.begun.clear()
    builds.go_on.clear()
    (root / "content/posts/a/zh.md").write_text("two")
    assert builds.begun.wait(60)
    watcher.noticed.clear()
    builds.hurried.clear()
    (root / "public/x.html").write_text("x")
    hidden.write_text("x")
    assert watcher.noticed.wait(60)
    assert not builds.hurried.is_set()
    (root / "content/posts/a/zh.md").write_text("three")
    assert builds.hurried.wait(60)
    builds.go_on.set()
    builds.wait_for(3)
    watcher.stop(5)


def test_it_can_be_woken_without_a_change(root: Path) -> None:
    builds = Builds(root)
    watcher = Watcher(root, ignored=(), build=builds)
    watcher.start()
    builds.wait_for(1)
    watcher.wake()
    builds.wait_for(2)
    assert builds.changed == frozenset()
    watcher.stop(5)


def test_a_build_is_told_what_changed(builds: Builds, root: Path) -> None:
    (root / "content/posts/a/zh.md").rename(root / "content/posts/a/en.md")
    builds.wait_for(2)
    assert builds.changed == {str(root / f"content/posts/a/{half}.md") for half in ("zh", "en")}


def test_after_very_many_changes_it_looks_once_more(
    builds: Builds, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "BURST", 10)
    monkeypatch.setattr(watching, "PATIENCE_S", 0.5)
    for number in range(20):
        (root / f"content/posts/a/{number}.png").write_text("x")
    builds.wait_for(3)


class Elsewhere(Everything):
    """Inputs of which some lie outside of the project."""

    def __init__(self, root: Path, *files: Path) -> None:
        super().__init__(root)
        self.files = files
        self.asked: list[str] = []
        self.was_changed = False

    def concerns(self, path: str, *, names_changed: bool, is_folder: bool = False) -> bool:
        return Path(path) in self.files or (
            is_folder and any(path in map(str, one.parents) for one in self.files)
        )

    def folders(self) -> list[str]:
        return [str(file.parent) for file in self.files]

    def changed_since(self, moment_ns: int, folders: Collection[str]) -> bool:
        self.asked += folders
        answer, self.was_changed = self.was_changed, False
        return answer


def test_inputs_outside_of_the_project_and_in_hidden_folders_are_watched(root: Path, tmp_path: Path) -> None:
    library, theme, hidden = (
        tmp_path / "library/deep/a.py",
        tmp_path / "theme/b.html",
        root / ".venv/src/c.py",
    )
    missing = tmp_path / "nowhere/yet/d.py"
    for file in (library, theme, hidden):
        file.parent.mkdir(parents=True)
        file.write_text("one")
    builds = Builds(root)
    builds.inputs = Elsewhere(root, library, library.parent.parent / "e.py", theme, hidden, missing)
    watcher = Watcher(root, ignored=(), build=builds)
    watcher.start()
    builds.wait_for(1)
    for count, file in enumerate((library, theme, hidden), 2):
        file.write_text("two")
        builds.wait_for(count)
        assert builds.changed == {str(file)}
    (library.parent / "other.py").write_text("x")
    (root / "content/posts/a/zh.md").write_text("not read")
    builds.wait_for(4)
    missing.parent.parent.mkdir()
    builds.wait_for(5)
    missing.parent.mkdir()
    builds.wait_for(6)
    missing.write_text("there")
    builds.wait_for(7)
    watcher.stop(5)


def test_what_changed_before_its_folder_was_watched_is_built_again(root: Path, tmp_path: Path) -> None:
    (tmp_path / "late").mkdir()
    builds = Builds(root)
    builds.inputs = Elsewhere(root, tmp_path / "late/a.py")
    builds.inputs.was_changed = True
    watcher = Watcher(root, ignored=(), build=builds)
    watcher.start()
    builds.wait_for(2)
    assert builds.inputs.asked == [str(tmp_path / "late")]
    watcher.stop(5)


def test_stopping_waits_for_the_build_under_way_but_not_for_long(root: Path) -> None:
    builds, done = Builds(root), threading.Event()
    builds.go_on.clear()
    builds.during = lambda: builds.go_on.wait(HANG_S) and done.set()
    watcher = Watcher(root, ignored=(), build=builds)
    watcher.start()
    assert builds.begun.wait(60)
    watcher.stop(0.05)
    assert not done.is_set()
    threading.Timer(0.05, builds.go_on.set).start()
    watcher.stop(60)
    assert done.is_set()
