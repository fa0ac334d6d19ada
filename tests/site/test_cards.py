"""Cards: the pictures that stand for articles where they are shared, and what pages say of them."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from diglot.render.cards import card, undrawable
from diglot.render.materials import CardWords
from tests.space import BARS, CHIPS, Space, ran, told

FIGURE = "A text.\n\n```{figure} bars\nBars.\n```\n\nAnother text.\n"


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("cards"))
    made.change("site/site.yaml", "cards: none", "cards: figures")
    made.write("figures/bars.py", BARS)
    made.write("figures/chips.py", CHIPS)
    made.post("shown", zh=FIGURE, en=FIGURE, updated="2026-11-03")
    made.post("plain", zh="文字。", en="Text, {eval}`chips.h200.ridge`.")
    made.post("lone", zh=FIGURE, en=None, only="zh")
    assert told(made.build()) == ""
    return made


def properties(page: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page):
        found.setdefault(name, []).append(value)
    return found


def test_an_article_with_a_figure_has_a_card_in_each_language(space: Space) -> None:
    cards = {path: text for path, text in space.outputs().items() if path.endswith("card.png")}
    assert sorted(cards) == [
        f"{one}/card.png" for one in ("en/posts/shown", "zh/posts/lone", "zh/posts/shown")
    ]
    for text in cards.values():
        assert Image.open(io.BytesIO(text)).size == (1200, 630)
    assert len(set(cards.values())) == 3


def test_pages_say_what_is_shown_where_they_are_shared(space: Space) -> None:
    both = {language: properties(space.page(f"{language}/posts/shown")) for language in ("zh", "en")}
    for language, title in (("zh", "文章shown"), ("en", "Article shown")):
        told_of = both[language]
        assert told_of["og:image"] == [f"https://example.org/{language}/posts/shown/card.png"]
        assert (told_of["og:image:width"], told_of["og:image:height"]) == (["1200"], ["630"])
        assert told_of["og:image:alt"] == [title]
        assert told_of["twitter:card"] == ["summary_large_image"]
        assert told_of["article:published_time"] == ["2026-11-01"]
        assert told_of["article:modified_time"] == ["2026-11-03"]
    assert (both["zh"]["og:locale"], both["zh"]["og:locale:alternate"]) == (["zh_CN"], ["en_US"])
    assert (both["en"]["og:locale"], both["en"]["og:locale:alternate"]) == (["en_US"], ["zh_CN"])
    assert properties(space.page("en/posts/shown/both"))["og:image"] == both["en"]["og:image"]
    plain, lone = properties(space.page("en/posts/plain")), properties(space.page("zh/posts/lone"))
    assert plain["twitter:card"] == ["summary"]
    assert "og:image" not in plain
    assert "og:locale:alternate" not in lone


def test_a_card_is_drawn_again_only_for_its_title_or_its_figure(space: Space) -> None:
    def cards_after(path: str, old: str, new: str) -> list[str]:
        space.change(path, old, new)
        return sorted(one for one in ran(space.build()) if one.split()[0] in ("card", "card-drawing"))

    english = "content/posts/shown/en.md"
    assert cards_after(english, "A text.", "A first text.") == []
    assert cards_after(english, "Another text.", "Other words.") == []
    assert cards_after(english, "title: Article shown", "title: Shown") == ["card shown:en"]
    drawings = [f"card-drawing bars@{language}" for language in ("en", "zh")]
    cards = ["card lone:zh", "card shown:en", "card shown:zh"]
    assert cards_after("figures/bars.py", "[3, 5]", "[3, 4]") == [*cards, *drawings]


@pytest.mark.parametrize(("cards", "count"), [("all", 5), ("none", 0)])
def test_a_site_says_which_articles_have_cards(space: Space, tmp_path: Path, cards: str, count: int) -> None:
    other = Space(tmp_path).copied_from(space)
    other.change("site/site.yaml", "cards: figures", f"cards: {cards}")
    assert told(other.build()) == ""
    assert sum(path.endswith("card.png") for path in other.outputs()) == count


def test_a_script_that_cannot_draw_on_a_card_leaves_the_title(tmp_path: Path) -> None:
    space = Space(tmp_path)
    space.change("site/site.yaml", "cards: none", "cards: figures")
    narrow = BARS.replace("    figure.set", '    assert figure.size != "slide"\n    figure.set')
    assert narrow != BARS
    space.write("figures/bars.py", narrow)
    space.post("shown", zh=FIGURE, en=FIGURE)
    assert told(space.build()) == ""
    assert Image.open(space.root / "public/en/posts/shown/card.png").size == (1200, 630)


def test_letters_without_a_glyph_are_told_of(tmp_path: Path) -> None:
    space = Space(tmp_path)
    space.change("site/site.yaml", "cards: none", "cards: all")
    space.post("rare", zh="文字。", en="Text.", title="🚀 龘")
    lacks = "the card lacks letters of the title that no bundled font has: 龘"
    fix = "use other characters; the fonts have GB 2312, Latin, Greek and common signs."
    found = [(str(one.location), one.rule, one.message, one.fix) for one in space.build().diagnostics]
    places = [f"content/posts/rare/{language}.md:2" for language in ("en", "zh")]
    assert found == [(place, "card-glyph", lacks, fix) for place in places]


def lines_of(title: str) -> int:
    """How many lines of text a card without a figure has between its first and last line."""
    words = CardWords(language="en", title=title, site="Site", host="example.org")
    picture = Image.open(io.BytesIO(card(words))).convert("L").crop((0, 100, 1200, 540))
    rows = [picture.crop((0, y, 1200, y + 1)).getextrema()[0] < 128 for y in range(picture.height)]
    return sum(now and not before for before, now in zip([False, *rows], rows, strict=False))


def test_a_title_is_broken_into_lines_and_cut_where_it_has_no_room() -> None:
    assert lines_of("acme") == 1
    assert lines_of("acme " * 12) == 3
    assert lines_of("acme " * 80) == 5
    assert lines_of("m" * 300) == 1
    assert undrawable("Ridge 脊点 🚀 α") == ()
