"""A preview publishes all pages that can be made, and keeps the last good ones of the rest."""

import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from diglot.engine import Key, Progress
from diglot.rules.building import Tell
from diglot.rules.live import LiveSite
from diglot.rules.options import SiteOptions
from tests.space import BARS, Space, errors, told

with_a_figure = pytest.mark.parametrize("site", ["```{{figure}} bars\n{}\n```"], indirect=True, ids=["drawn"])


@pytest.fixture
def site(request: pytest.FixtureRequest, space: Space) -> Iterator[LiveSite]:
    """A preview after its first build. Only tests that need a figure have one: workers take a second."""
    space.write("figures/bars.py", BARS)
    text = getattr(request, "param", "{}")
    space.post("one", zh=text.format("图"), en=text.format("A figure"))
    space.post("two", zh="二。", en="Two.")
    with LiveSite(SiteOptions(root=space.root, output=space.root / "public")) as site:
        assert site.refresh(frozenset()).published is not None
        yield site


@with_a_figure
def test_pages_with_a_mistake_stay_as_they_were_and_the_others_go_on(space: Space, site: LiveSite) -> None:
    before = space.page("en/posts/one")
    space.write("figures/bars.py", BARS.replace("[3, 5]", "1 / 0"))
    space.change("content/posts/two/en.md", "Two.", "Two, changed.")
    result = site.refresh(frozenset())
    assert errors(result)
    assert space.page("en/posts/one") == before
    assert "Two, changed." in space.page("en/posts/two")
    space.write("figures/bars.py", BARS)
    assert not errors(site.refresh(frozenset()))


@with_a_figure
def test_nothing_is_removed_until_all_can_be_made(space: Space, site: LiveSite) -> None:
    space.write("figures/bars.py", BARS.replace("[3, 5]", "1 / 0"))
    for half in ("zh", "en"):
        space.remove(f"content/posts/two/{half}.md")
    result = site.refresh(frozenset())
    assert result.published is not None
    assert result.published.removed == ()
    assert "Two." in space.page("en/posts/two")
    space.write("figures/bars.py", BARS)
    site.refresh(frozenset())
    assert "en/posts/two/index.html" not in space.outputs()


@with_a_figure
def test_a_build_publishes_all_or_nothing(space: Space, site: LiveSite) -> None:
    before = space.outputs()
    space.write("figures/bars.py", BARS.replace("[3, 5]", "1 / 0"))
    space.change("content/posts/two/en.md", "Two.", "Two, changed.")
    result = site.build()
    assert result.published is None
    assert result.manifest is None
    assert space.outputs() == before


BROKEN = {
    "a key nobody knows": ("content/posts/two/en.md", "title: Article two", "titel: Article two"),
    "no YAML": ("content/posts/two/en.md", "title: Article two", "title: [Article two"),
    "no date": ("content/posts/two/en.md", "date: 2026-11-01", "date: tomorrow"),
    "halves that differ": ("content/posts/two/en.md", "date: 2026-11-01", "date: 2026-11-02"),
    "a text that cannot be parsed": ("content/posts/two/en.md", "Two.", ":::{nonsense}\nTwo.\n:::"),
    "the configuration": ("site/site.yaml", "base_url:", "base_ulr:"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_one_broken_file_keeps_no_other_article_back(space: Space, site: LiveSite, fault: str) -> None:
    path, good, bad = BROKEN[fault]
    space.change(path, good, bad)
    for words in ("One, changed.", "One, once more."):
        space.post("one", zh="一。", en=words)
        result = site.refresh({path, "content/posts/one/en.md"})
        assert errors(result), "it is told as long as it is there"
        assert words in space.page("en/posts/one")
    for page in ("en/posts/two", "zh/posts/two/both"):
        assert "Two.</p>" in space.page(page)
    assert "Article two" in space.page("en")
    assert "/en/posts/two/" in space.page("en/posts/one"), "neighbours stay"
    assert site.build().published is None
    space.change(path, bad, good)
    assert not errors(site.refresh({path}))
    space.build(output="clean")
    assert space.outputs() == space.outputs("clean")


def test_what_stands_in_for_a_broken_article_is_in_no_later_build(space: Space, site: LiveSite) -> None:
    space.change("content/posts/two/en.md", "title: Article two", "titel: Article two")
    space.change("content/posts/one/en.md", "A figure", "One, changed.")
    site.refresh(frozenset())
    for _ in range(2):
        built, clean = space.build(), space.build(output="clean", cache_folder=space.root / "elsewhere")
        assert built.published is None
        assert told(built) == told(clean)
    space.remove("content/posts/two/en.md")
    space.remove("content/posts/two/zh.md")
    assert site.build().published is not None
    space.build(output="clean", cache_folder=space.root / "elsewhere")
    assert space.outputs() == space.outputs("clean")


def test_a_preview_that_begins_with_a_broken_article_knows_it_from_the_one_before(
    space: Space, site: LiveSite
) -> None:
    space.change("content/posts/two/en.md", "title: Article two", "titel: Article two")
    space.change("content/posts/one/en.md", "A figure", "One, changed.")
    with LiveSite(site.options) as other:
        assert errors(other.refresh(frozenset()))
        assert not other.is_outdated(), "nor is there more to do as long as nothing is saved"
    assert "One, changed." in space.page("en/posts/one")
    assert "Article two" in space.page("en")


def test_an_article_that_was_never_good_is_left_out_and_the_others_go_on(
    space: Space, site: LiveSite
) -> None:
    space.post("three", zh="三。", en="Three.", datte="1")
    space.post("one", zh="一。", en="One, changed.")
    result = site.refresh(frozenset())
    assert errors(result)
    assert "One, changed." in space.page("en/posts/one")
    assert "Article three" not in space.page("en")
    assert "en/posts/three/index.html" not in space.outputs()


@with_a_figure
@pytest.mark.parametrize("fault", ["content/posts/two/fr.md", "content/posts/Two/en.md", "figures/no-id.py"])
def test_a_file_with_an_odd_name_keeps_no_article_back(space: Space, site: LiveSite, fault: str) -> None:
    space.write(fault, "---\ntitle: T\ndate: 2026-11-01\n---\nWords.")
    space.change("content/posts/two/en.md", "Two.", "Two, changed.")
    assert errors(site.refresh(frozenset()))
    assert "Two, changed." in space.page("en/posts/two")
    assert site.build().published is None


def test_the_pages_of_an_article_with_a_wrong_name_stay_as_they_were(space: Space, site: LiveSite) -> None:
    (space.root / "content/posts/two").rename(space.root / "content/posts/Two")
    space.change("content/posts/one/en.md", "A figure", "One, changed.")
    space.post("four", zh="四。", en="Four.")
    assert [one.rule for one in errors(site.refresh(frozenset()))] == ["slug-form"]
    assert "One, changed." in space.page("en/posts/one")
    assert "Two." in space.page("en/posts/two")
    assert "Article four" in space.page("en")
    (space.root / "content/posts/Two").rename(space.root / "content/posts/three")
    assert not errors(site.refresh(frozenset()))
    space.build(output="clean")
    assert space.outputs() == space.outputs("clean")


@pytest.mark.parametrize("gone", ["en.md", "zh.md"])
def test_an_article_that_lost_a_half_stays_as_it_was(space: Space, site: LiveSite, gone: str) -> None:
    before = space.page("en/posts/two/both")
    space.remove(f"content/posts/two/{gone}")
    space.change("content/posts/one/en.md", "A figure", "One, changed.")
    result = site.refresh(frozenset())
    assert [one.rule for one in errors(result)] == ["pair-missing"]
    assert "One, changed." in space.page("en/posts/one")
    assert space.page("en/posts/two/both") == before


def test_an_address_that_is_taken_keeps_no_other_page_back(space: Space, site: LiveSite) -> None:
    space.post("three", zh="三。", en="Three.", slug="one")
    space.write("site/static/en/index.html", "mine")
    space.change("content/posts/two/en.md", "Two.", "Two, changed.")
    rules = {one.rule for one in errors(site.refresh(frozenset()))}
    assert rules == {"slug-clash", "static-clash"}
    assert "Two, changed." in space.page("en/posts/two")
    assert "Article two" in space.page("en")
    assert site.build().published is None


@with_a_figure
def test_a_preview_ends_in_what_a_build_makes(space: Space, site: LiveSite) -> None:
    space.write("figures/bars.py", BARS.replace("[3, 5]", "1 / 0"))
    site.refresh(frozenset())
    space.write("figures/bars.py", BARS.replace("[3, 5]", "[3, 6]"))
    space.post("three", zh="三。", en="Three.")
    site.refresh(frozenset())
    space.build(output="clean")
    assert space.outputs() == space.outputs("clean")


def test_after_a_change_of_the_theme_the_page_that_is_looked_at_comes_first(
    space: Space, site: LiveSite
) -> None:
    space.write("templates/static/style.css", "body { color: teal }")
    site.refresh(frozenset({"templates"}))
    space.write("templates/static/style.css", "body { color: olive }")
    told_early: list[tuple[str, ...]] = []
    others: list[str] = []

    def show(files: tuple[str, ...]) -> None:
        told_early.append(files)
        sheet = next(path for path in files if path.endswith(".css"))
        assert space.outputs()[sheet] == b"body { color: olive }"
        assert sheet in space.page("en/posts/two")
        others.extend(path for path in ("zh/posts/two", "en/posts/one") if sheet in space.page(path))

    result = site.refresh(
        {"templates/static/style.css"},
        touched=[Key("file", "templates/static/style.css")],
        first=["en/posts/two/index.html"],
        first_done=show,
    )
    assert len(told_early) == 1
    assert others == []
    assert result.published is not None
    assert "en/posts/one/index.html" in result.published.written
    assert "en/posts/two/index.html" not in result.published.written
    space.build(output="clean")
    assert space.outputs() == space.outputs("clean")


@with_a_figure
def test_after_a_change_of_a_script_the_page_that_is_looked_at_does_not_wait_for_files_to_download(
    space: Space, site: LiveSite
) -> None:
    space.change("figures/bars.py", "[3, 5]", "[3, 7]")
    told: list[tuple[str, ...]] = []
    before = space.outputs()

    def show(files: tuple[str, ...]) -> None:
        told.append(files)
        changed = [path for path, content in space.outputs().items() if before[path] != content]
        assert changed == ["en/posts/one/index.html"]

    result = site.refresh(
        {"figures/bars.py"},
        touched=[Key("file", "figures/bars.py")],
        first=["en/posts/one/index.html"],
        first_done=show,
    )
    assert told == [("en/posts/one/index.html",)]
    assert result.published is not None
    assert "zh/posts/one/index.html" in result.published.written
    assert any(path.endswith(".png") for path in result.published.written)
    space.build(output="clean")
    assert space.outputs() == space.outputs("clean")


def test_after_a_change_of_words_its_page_comes_first_too(space: Space, site: LiveSite) -> None:
    half = "content/posts/two/en.md"
    space.write(half, (space.root / half).read_text("utf-8") + "\nMore.\n")
    told: list[tuple[str, ...]] = []
    result = site.refresh(
        {half},
        touched=[Key("file", half)],
        first=["en/posts/two/index.html"],
        first_done=told.append,
    )
    assert told == [("en/posts/two/index.html",)]
    assert result.published is not None
    assert "en/posts/two/index.html" not in result.published.written
    assert "More." in space.page("en/posts/two")
    space.build(output="clean")
    assert space.outputs() == space.outputs("clean")


class _Enough(Exception):
    """Raised to give a build up, as after another save."""


def test_refreshes_that_are_given_up_anywhere_end_in_what_a_build_makes(space: Space) -> None:
    chance = random.Random(5)
    style, halves = "templates/static/style.css", [f"content/posts/p{n}/en.md" for n in range(4)]
    texts = {half: [f"Text {n} of {half}." for n in range(3)] for half in halves}
    for number, half in enumerate(halves):
        space.post(f"p{number}", zh="文。", en=texts[half][0])
    space.write(style, "body { order: 0 }")
    with LiveSite(SiteOptions(root=space.root, output=space.root / "public")) as site:
        site.refresh(frozenset())
        given_up = 0
        for _ in range(60):
            path = chance.choice([style, *halves])
            if path == style:
                space.write(style, f"body {{ order: {chance.randrange(3)} }}")
            else:
                words = (space.root / path).read_text("utf-8").partition("Text ")[0]
                space.write(path, words + chance.choice(texts[path]))
            enough = _enough_after(chance.choice([0, 1, 2, 5, 10, 20, 40, 60, 80, 100, 150, 1000]))
            try:
                with _told(site, enough):
                    site.refresh({path}, touched=[Key("file", path)], first=["en/posts/p1/index.html"])
            except _Enough:
                given_up += 1
                continue
            space.build(output="clean")
            assert space.outputs() == space.outputs("clean")
            assert not site.is_outdated()
        assert 20 < given_up < 50, "some were given up, some were not"
        site.refresh(frozenset())
        assert site.refresh(frozenset()).report.ran == ()
    space.build(output="clean")
    assert space.outputs() == space.outputs("clean")


def test_nothing_of_a_publication_that_was_given_up_is_written_later(space: Space) -> None:
    half = "content/posts/long/en.md"
    space.post("long", zh="文。", en="Text 0. " * 3000)  # its pages are too large to lie in the database
    with LiveSite(SiteOptions(root=space.root, output=space.root / "public")) as site:
        site.refresh(frozenset())
        given_up = 0
        for tells in range(1000):
            space.change(half, f"Text {tells}. " * 3000, f"Text {tells + 1}. " * 3000)
            publishing = _enough_after(tells)

            def tell(progress: Progress, publishing: Tell = publishing) -> None:
                if (space.root / "public/.diglot-new").exists():
                    publishing(progress)

            try:
                with _told(site, tell):
                    site.refresh({half}, touched=[Key("file", half)])
                break
            except _Enough:
                given_up += 1
                space.post(f"a{tells}", zh="文。", en="Words.")  # its folders come in whole
                site.refresh(frozenset())
                space.build(output="clean")
                assert space.outputs() == space.outputs("clean"), f"given up after {tells}"
    assert given_up > 3


@contextmanager
def _told(site: LiveSite, progress: Tell) -> Iterator[None]:
    """Let a site tell its progress for a while."""
    site.progress = progress
    try:
        yield
    finally:
        site.progress = lambda _: None


def _enough_after(tells: int) -> Tell:
    left = tells

    def tell(_: Progress) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _Enough

    return tell


def test_a_refresh_after_one_that_was_given_up_does_not_look_at_everything(
    space: Space, site: LiveSite
) -> None:
    style, half = "templates/static/style.css", "content/posts/two/en.md"
    space.write(style, "body { color: teal }")
    site.refresh(frozenset({"templates"}))
    space.write(style, "body { color: olive }")
    with pytest.raises(_Enough), _told(site, _enough_after(8)):
        site.refresh({style}, touched=[Key("file", style)])
    # Not reported as changed, so only a build that looks at everything finds it.
    space.change("content/posts/one/en.md", "A figure", "Another figure")
    space.change(half, "Two.", "Two, changed.")
    result = site.refresh({half}, touched=[Key("file", half)])
    assert {run.key.name for run in result.report.ran if run.key.kind == "document"} == {"two:en"}
    assert b"body { color: olive }" in space.outputs().values()
    assert site.is_outdated()


def test_not_everything_is_looked_at_while_somebody_waits(space: Space, site: LiveSite) -> None:
    site.hurry()
    space.change("content/posts/two/en.md", "Two.", "Two, changed.")
    assert not site.is_outdated(), "who waits asks after the next refresh"
    site.refresh({"content/posts/two/en.md"})
    assert "Two, changed." in space.page("en/posts/two")
    assert not site.is_outdated()


def test_nothing_is_kept_at_hand_of_what_is_gone(space: Space, site: LiveSite) -> None:
    def edit(number: int) -> tuple[int, int]:
        space.post("two", zh="二。", en=f"Edit {number}.")
        site.refresh({"content/posts/two/en.md"})
        space.post(f"new-{number}", zh="新。", en="New.")
        site.refresh(frozenset())
        shutil.rmtree(space.root / f"content/posts/new-{number}")
        site.refresh(frozenset())
        site.tidy()
        values = site._session.values
        assert values is not None
        return len(values._at_hand), len(values._encoded)

    assert edit(1) == edit(2) == edit(3)
