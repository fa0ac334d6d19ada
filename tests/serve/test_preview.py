"""Another save during a build: open pages are published already, the rest is started again."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.engine import Progress
from diglot.rules.live import LiveSite
from diglot.rules.options import SiteOptions
from diglot.serve import preview as previewing
from diglot.serve.changes import Change
from diglot.serve.hub import Hub
from diglot.serve.preview import Preview
from tests.cli.sites import CONFIG, article, pair, write
from tests.serve.conftest import Silent

HALF = "content/posts/hello/zh.md"
PAGE = "zh/posts/hello/index.html"


class Previewed:
    """A preview whose builds may be interrupted by another save, once the open pages are published."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.site = LiveSite(
            SiteOptions(root=root, output=root / "public", drafts=True, future=True), progress=self._tell
        )
        self.hub = Hub()
        self.terminal = Silent()
        self.saves_again = False
        self.woken = 0
        self.preview = Preview(self.site, self.hub, self.terminal)
        self.preview.look_again = self.preview.show_figure = self._wake
        self.noticed: list[str] = []
        self.preview.notice = lambda change: self.noticed.append(change.path)
        self.preview.build()
        self.hub.visit(PAGE)

    def _tell(self, _progress: Progress) -> None:
        if self.saves_again:
            self.preview.hurry()

    def _wake(self) -> None:
        self.woken += 1

    def save(self, words: str) -> None:
        write(self.root, {HALF: article(words)})
        self.preview.build(frozenset({Change(str(self.root / HALF), False, False)}))

    def page(self, path: str) -> str:
        return (self.root / "public" / path).read_text("utf-8")

    @property
    def gave_up(self) -> bool:
        return any("starting again" in one for one in self.terminal.said)


@pytest.fixture
def previewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Previewed]:
    monkeypatch.setattr(previewing, "_REST_S", 0)
    write(tmp_path, {"site/site.yaml": CONFIG, **pair("hello")})
    one = Previewed(tmp_path)
    yield one
    one.site.close()


def test_a_build_is_given_up_for_the_next_once_its_pages_are_shown(previewed: Previewed) -> None:
    previewed.saves_again = True
    number = previewed.hub.state.build
    previewed.save("Other words.")
    assert previewed.gave_up
    assert previewed.woken == 1
    assert "Other words." in previewed.page(PAGE)
    assert previewed.hub.state.build == number + 1
    others = [
        path for path in previewed.root.glob("public/**/*.html") if path != previewed.root / "public" / PAGE
    ]
    assert not any("Other words." in path.read_text("utf-8") for path in others)
    previewed.saves_again = False
    previewed.preview.build(frozenset())
    assert sum("Other words." in path.read_text("utf-8") for path in others) >= 2


def test_the_other_pages_are_built_too_although_saves_never_stop(
    previewed: Previewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    previewed.saves_again = True
    previewed.save("Other words.")
    assert previewed.gave_up
    previewed.terminal.said.clear()
    monkeypatch.setattr(previewing, "_GIVING_UP_S", 0)
    previewed.save("Still other words.")
    assert not previewed.gave_up
    pages = [path.read_text("utf-8") for path in previewed.root.glob("public/**/*.html")]
    assert sum("Still other words." in page for page in pages) >= 3
    assert not any("Other words." in page for page in pages)


def test_a_page_that_nobody_looks_at_is_no_reason_to_begin_anew(previewed: Previewed) -> None:
    previewed.hub.visited = ()
    previewed.saves_again = True
    previewed.save("Other words.")
    assert not previewed.gave_up
    assert "Other words." in previewed.page(PAGE)


def test_after_a_build_everything_is_looked_at_unless_somebody_waits(previewed: Previewed) -> None:
    write(previewed.root, {"content/posts/hello/en.md": article("Nobody told.")})
    previewed.save("Other words.")
    assert previewed.noticed == [str(previewed.root / "content/posts/hello/en.md")]
    previewed.preview.build(frozenset())
    write(previewed.root, {"content/posts/hello/en.md": article("Nobody told again.")})
    previewed.hub.visited = ()
    previewed.saves_again = True
    previewed.save("Still other words.")
    assert len(previewed.noticed) == 1


def test_changes_without_an_event_are_found_by_looking_and_reported_once(previewed: Previewed) -> None:
    previewed.preview.look()
    assert previewed.noticed == []
    other = previewed.root.with_name("another-name.md")
    other.hardlink_to(previewed.root / HALF)
    with other.open("a") as file:
        file.write("\nBehind its back.\n")
    previewed.preview.look()
    previewed.preview.look()
    assert previewed.noticed == [str(previewed.root / HALF)]
    previewed.preview.build(frozenset({Change(str(previewed.root / HALF), True, False)}))
    assert "Behind its back." in previewed.page(PAGE)
    previewed.preview.look()
    assert len(previewed.noticed) == 1
    assert previewed.woken == 0


def test_a_mistake_that_stays_is_no_reason_to_build_again(previewed: Previewed) -> None:
    write(previewed.root, {HALF: article("Changed.", more="datte: 1\n")})
    previewed.preview.build(frozenset({Change(str(previewed.root / HALF), False, False)}))
    previewed.preview.look()
    told = len(previewed.noticed)
    for _ in range(3):
        previewed.preview.look()
    assert len(previewed.noticed) == told <= 1


def test_a_file_that_comes_or_goes_unseen_is_found(previewed: Previewed) -> None:
    write(previewed.root, pair("second"))
    previewed.preview.look()
    assert previewed.woken == 1
    previewed.preview.build(frozenset())
    (previewed.root / HALF).unlink()
    previewed.preview.look()
    assert previewed.woken + len(previewed.noticed) >= 2


@pytest.mark.parametrize("lost", [".diglot", "public", "public/zh/posts"])
def test_removed_folders_are_made_again(previewed: Previewed, lost: str) -> None:
    target = previewed.root / lost
    if target.is_dir():
        shutil.rmtree(target)
    else:
        target.unlink()
    previewed.preview.look()
    assert previewed.woken == 1
    previewed.preview.build(frozenset())
    assert "A paragraph." in previewed.page(PAGE)
    previewed.preview.look()
    assert previewed.woken == 1


def test_a_figure_that_is_done_ends_the_rest_after_a_build_but_no_build(
    previewed: Previewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previewing, "_REST_S", 3600)  # longer than a test may take
    done = threading.Timer(0.1, previewed.preview.draw_again)
    previewed.hub.visited = ()
    monkeypatch.setattr(
        previewed.site, "is_outdated", lambda: pytest.fail("the next build looks at everything")
    )
    monkeypatch.setattr(previewed.preview, "_show", lambda _: done.start())
    previewed.save("Other words.")
    assert previewed.woken == 1
    assert not previewed.gave_up
