"""Figures that readers can turn: their files, their page in a browser, and what reruns."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import axe_violations, has_no_horizontal_scroll, served
from tests.space import Space, errors, ran, told

WAVE = '''\
"""A saw-tooth with a mark on it."""

from typing import Annotated, Literal

from diglot.figures import Range, make_table

TITLE = {"zh": "锯齿", "en": "Saw-tooth"}
MESSAGE = {"zh": "{n}列", "en": "What {n} columns leave"}
LABELS = {
    "n": {"zh": "列数", "en": "Columns"},
    "tile": {"zh": "分块", "en": "Tile"},
    "tile=big": {"zh": "大", "en": "large"},
    "tile=small": {"zh": "小", "en": "small"},
    "grid": {"zh": "网格", "en": "Grid"},
}


def compute(
    n: Annotated[int, Range(0, 4096, 256)] = 1024, tile: Literal["big", "small"] = "big", grid: bool = False
) -> dict:
    step = 1024 if tile == "big" else 512
    columns = list(range(0, 4097, 256))
    return {
        "n": n,
        "columns": columns,
        "share": [(x % step) / step for x in columns],
        "here": (n % step) / step,
        "waves": n // step,
        "grid": grid,
    }


def draw(figure, data, t):
    figure.set_height_px(200)
    axes = figure.axes_px(40, 30, figure.width_px - 80, 130)
    axes.set(xlim=(0, 4096), ylim=(0, 1), yticks=(0, 1))
    axes.set_xticks((0, 2048, 4096), ("0", "2,048", "4,096"))
    figure.put_slider("n", axes)
    axes.text(4150, 0.9, t(zh="空闲", en="idle"))
    axes.plot(data["columns"], data["share"], color="gpu3")
    axes.plot([data["n"]], [data["here"]], "o", mec="gpu3", mfc="paper", clip_on=False)
    if data["grid"]:
        axes.plot([0, 4096], [0.5, 0.5], color="mute", lw=1)


def describe(data, t):
    share = t.number(100 * data["here"])
    return t(zh=f"{t.number(data['n'])}列时为{share}%。", en=f"{share}% at {t.number(data['n'])} columns.")


def table(data, t):
    return make_table([t(zh="波数", en="Waves")], [(number + 1,) for number in range(data["waves"])])
'''

BEAT = '''\
"""One cell after another."""

from typing import Annotated

from diglot.figures import Range

TITLE = {"zh": "节拍", "en": "Beat"}


def compute(cycle: Annotated[int, Range(1, 3)] = 1) -> dict:
    return {"cycle": cycle}


def draw(figure, data, t):
    figure.set_height_px(60)
    for cell in range(data["cycle"]):
        figure.text_px(20 + 30 * cell, 30, str(cell))


def describe(data, t):
    return t(zh=f"第{data['cycle']}拍。", en=f"Cycle {data['cycle']}.")
'''

EN = """
With {control}`wave.n` columns and {control}`tile` tiles there are {eval}`wave.waves` waves, and always
{eval}`wave(n=2048).waves` at 2,048.

```{figure} wave
:explore: n = 0..3072 step 1024, tile

So {eval}`wave.here | percent` of the last one is busy.
```

```{figure} beat
:explore: cycle

Beat.
```
"""
ZH = """
{control}`n`列、{control}`tile`分块时有{eval}`wave.waves`波，2,048列时总是{eval}`wave(n=2048).waves`波。

```{figure} wave
:explore: n = 0..3072 step 1024, tile

最后一波忙了{eval}`wave.here | percent`。
```

```{figure} beat
:explore: cycle

节拍。
```
"""


NAVIGATION = "gallery: true\nnavigation:\n  - label: {zh: 图表, en: Figures}\n    path: /figures/\n"


def write(space: Space) -> None:
    space.write("figures/wave.py", WAVE)
    space.write("figures/beat.py", BEAT)
    space.write("site/site.yaml", (space.root / "site/site.yaml").read_text("utf-8") + NAVIGATION)
    space.post("turn", zh=ZH, en=EN)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    space = Space(tmp_path_factory.mktemp("controls"))
    write(space)
    result = space.build()
    assert result.published is not None, told(result)
    return space


@pytest.fixture(scope="module")
def address(space: Space) -> Iterator[str]:
    with served(space.root / "public") as address:
        yield address


def state_files(space: Space) -> dict[str, bytes]:
    return {
        path: content
        for path, content in space.outputs().items()
        if ".states." in path or path.startswith("figures/values/")
    }


def test_pages_name_files_with_the_differences_of_each_size_and_the_values_that_follow(space: Space):
    files = state_files(space)
    page = space.page("en/posts/turn")
    named = re.findall(r'data-(?:frames|following-en)="/([^"]+)"', page)
    assert len({*named}) == 5
    assert {*named} == {path for path in files if ".en." in path}
    column = json.loads(next(content for path, content in files.items() if "wave.states.column.en" in path))
    assert column["frames"] == 8
    assert sum(len(gzip.compress(content)) for content in files.values()) < 8_000
    values = json.loads(next(content for path, content in files.items() if path.startswith("figures/values")))
    assert values == {
        "fig-wave": {
            "wave.waves": [["0", "1", "2", "4", "3", "6"], [0, 0, 1, 2, 2, 3, 4, 5]],
        }
    }
    assert '<span class="num" data-figure="fig-wave" data-value="wave.waves">1</span>' in page
    assert page.count('data-turns="') == 2
    assert '<script src="/assets/controls.' in page
    assert "controls." not in space.page("en/archive")


def test_a_home_page_of_few_articles_shows_figures_that_can_be_turned(space: Space) -> None:
    home, article = space.page("en"), space.page("en/posts/turn")
    lead, _, further = home.partition("Figures with controls")
    assert '<h2><a href="/en/posts/turn/">Article turn</a></h2>' in lead
    assert "2 figures with controls" in lead
    assert 'id="fig-wave"' in lead
    assert '<span data-figure="fig-wave" data-message>What 1,024 columns leave</span>' in lead
    assert 'id="fig-beat"' in further
    assert '<h3><a href="/en/figures/beat/">Beat</a></h3>' in further
    files = {*re.findall(r'data-frames="([^"]+)"', home)}
    assert len(files) == 3, "two sizes of the lead, one of the other"
    assert files < {*re.findall(r'data-frames="([^"]+)"', article)}
    assert "/en/tags/" not in home


def test_the_figure_that_a_title_quotes_comes_first(space: Space, tmp_path: Path) -> None:
    copy = Space(tmp_path).copied_from(space)
    for language in ("zh", "en"):
        path = f"content/posts/turn/{language}.md"
        text = re.sub(
            "(?m)^title: .*", 'title: "{eval}`beat.cycle`"', (copy.root / path).read_text("utf-8"), count=1
        )
        copy.write(path, text)
    copy.build()
    lead, _, further = copy.page("en").partition("Figures with controls")
    assert 'id="fig-beat"' in lead
    assert 'id="fig-wave"' in further
    assert '<a href="/en/posts/turn/">Read the article</a>' in lead


def test_a_home_page_of_more_articles_leads_with_the_newest_and_one_of_many_is_a_list(tmp_path: Path) -> None:
    space = Space(tmp_path)
    for number in range(13):
        space.post(f"a{number}")
    space.build()
    assert space.page("en").count('<li class="entry">') == 13
    for number, leads, others in ((12, 3, 9), (11, 3, 8), (10, 3, 7)):
        space.remove(f"content/posts/a{number}")
        space.build()
        assert space.page("en").count('<article class="lead">') == leads
        assert space.page("en").count('<li class="entry">') == others
    for number in range(5, 10):
        space.remove(f"content/posts/a{number}")
    space.build()
    assert space.page("en").count('<article class="lead">') == 5
    assert "<figure" not in space.page("en"), "nothing is drawn"
    space.write("site/site.yaml", (space.root / "site/site.yaml").read_text("utf-8") + "list_entries: 2\n")
    space.build()
    assert space.page("en").count('<li class="entry">') == 2, "and the others on further pages"


def test_the_page_of_a_figure_has_the_controls_and_the_files_of_the_article(space: Space, tmp_path: Path):
    page, article = space.page("en/figures/wave"), space.page("en/posts/turn")
    assert 'id="fig-wave"' in page
    files = re.findall(r'data-frames="([^"]+)"', page)
    assert len(files) == 2
    assert {*files} < {*re.findall(r'data-frames="([^"]+)"', article)}
    assert re.findall(r'data-parameter="(\w+)"', page) == ["n", "tile"]
    assert "Data for Columns = 1,024, Tile = large" in page
    (path,) = re.findall(r'data-tables="/([^"]+)"', page)
    tables = json.loads(space.outputs()[path])
    assert len(tables["tables"]) == len({*tables["which"]}) == 6
    assert tables["states"][3] == "Data for Columns = 1,024, Tile = small"
    copy = Space(tmp_path).copied_from(space)
    # States that the page would not begin with are the article's alone.
    copy.change("content/posts/turn/en.md", ":explore: n =", ":tile: small\n:explore: n =")
    copy.change("content/posts/turn/zh.md", ":explore: n =", ":tile: small\n:explore: n =")
    copy.build()
    assert "data-parameter" not in copy.page("en/figures/wave")
    assert "data-parameter" in copy.page("en/figures/beat")


def test_an_edit_of_prose_draws_nothing_and_a_second_build_does_nothing(space: Space, tmp_path: Path):
    copy = Space(tmp_path).copied_from(space)
    assert not ran(copy.build())
    copy.change("content/posts/turn/en.md", "and always", "but always")
    kinds = {key.partition(" ")[0] for key in ran(copy.build())}
    assert not kinds & {"data", "drawing", "frames", "download", "figure-page"}
    fresh = Space(tmp_path / "fresh")
    write(fresh)
    fresh.change("content/posts/turn/en.md", "and always", "but always")
    fresh.build()
    assert fresh.outputs() == copy.outputs()


MISTAKES = {
    "dtype": 'content/posts/a/en.md:8:11: error[explore-parameter]: "dtype" is not a parameter of the figure '
    '"wave"\n    :explore: dtype\n              ^^^^^\n  fix: known are: grid, n, tile.',
    "n, grid, tile = [big, large]": 'content/posts/a/en.md:8:20: error[explore-value]: "large" is not a '
    'value of "tile"\n    :explore: n, grid, tile = [big, large]\n                       ^\n'
    "  fix: the script allows big, small.",
    "n, tile": "content/posts/a/en.md:8:11: error[explore-frames]: n × tile gives 17 × 2 = 34 states of the "
    'figure "wave"; at most 8 are allowed\n    :explore: n, tile\n              ^\n  fix: give "n" at most 4 '
    "values, as in `n = 1024..4096 step 1536`, or raise `frames` in site/site.yaml.",
    "n 1..8": 'content/posts/a/en.md:8:11: error[explore-syntax]: there is no "=" after "n"\n'
    "    :explore: n 1..8\n              ^\n  fix: write `n = 1..8`.",
}


def test_mistakes_are_told_at_the_parameter(tmp_path: Path):
    space = Space(tmp_path)
    space.write("figures/wave.py", WAVE)
    space.write("site/site.yaml", (space.root / "site/site.yaml").read_text("utf-8") + "frames: 8\n")
    with space.site() as site:
        for option, message in MISTAKES.items():
            space.post("a", zh=None, en=f"```{{figure}} wave\n:explore: {option}\n```", only="en")
            (mistake,) = errors(site.build())
            assert str(mistake) == message
        once = "```{figure} wave\n:explore: tile\n```\n"
        again = "```{figure} wave\n:explore: grid\n:name: two\n```\n"
        space.post(
            "a",
            zh=None,
            en=f"{{control}}`m`\n\n{once}\n{again}",
            only="en",
        )
        unknown, twice = errors(site.build())
        assert (twice.rule, str(twice.location)) == ("explore-twice", "content/posts/a/en.md:14")
        assert (unknown.rule, str(unknown.location)) == ("control-unknown", "content/posts/a/en.md:7:11")
        space.post("a", zh=None, en=f"{{control}}`m`\n\n{once}", only="en")
        (unknown,) = errors(site.build())
        assert str(unknown) == (
            'content/posts/a/en.md:7:11: error[control-unknown]: readers cannot turn "m" in this article\n'
            "    {control}`m`\n              ^\n  fix: they can turn wave.tile."
        )


# In a browser


def turned(page, state: str) -> None:
    """Wait until the drawing shows what the address says."""
    page.wait_for_function(
        f"document.querySelector('.drawing').getAttribute('aria-label').includes('{state}')"
    )


def settle(page) -> None:
    """Wait for the texts around a drawing, which follow a step when it is painted."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def visible_texts(page) -> list[str]:
    """The texts of the second drawing that can be seen."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".drawing")[1].querySelectorAll("text")]
             .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
             .map(one => one.textContent)"""
    )


def reading(page) -> tuple[list[str], list[str], str]:
    """Numbers in the text that can be turned, those that follow, and the state in the address."""
    settle(page)
    page.wait_for_function(
        "!document.documentElement.dataset.state"
        " || location.hash.slice(1) === document.documentElement.dataset.state"
    )
    return (
        page.locator("[data-turns]").all_inner_texts(),
        page.locator("[data-figure][data-value]").all_inner_texts(),
        page.evaluate("location.hash"),
    )


@pytest.mark.browser
def test_the_keyboard_turns_the_slider_and_the_prose_and_the_address_follow(open_page, address: str):
    page = open_page(f"{address}/en/posts/turn/")
    assert not page.evaluate(
        "performance.getEntriesByType('resource').some(one => one.name.endsWith('.json'))"
    )
    slider = page.get_by_role("slider", name="Columns").last
    slider.focus()
    page.keyboard.press("ArrowRight")
    turned(page, "0% at 2,048 columns.")
    assert slider.get_attribute("aria-valuetext") == "2,048: 0% at 2,048 columns."
    assert reading(page) == (["2,048", "large"], ["2"], "#fig-wave?n=2048&tile=big")
    page.get_by_role("radio", name="small").check()
    page.wait_for_function("document.querySelector('[data-figure][data-value]').textContent === '4'")
    assert reading(page)[2] == "#fig-wave?n=2048&tile=small"
    page.go_back()
    page.wait_for_function("document.querySelector('[data-figure][data-value]').textContent === '2'")
    assert page.get_by_role("radio", name="large").is_checked()
    page.reload()
    page.wait_for_function("document.querySelector('[data-figure][data-value]').textContent === '2'")
    page.go_back()
    page.wait_for_function("document.querySelector('[data-figure][data-value]').textContent === '1'")
    assert axe_violations(page) == []


@pytest.mark.layout
@pytest.mark.browser
def test_figures_of_the_home_page_turn_there_and_keep_their_state_in_both_languages(open_page, address: str):
    page = open_page(f"{address}/en/", width=360)
    page.locator("#fig-wave").get_by_role("slider", name="Columns").press("ArrowRight")
    turned(page, "0% at 2,048 columns.")
    page.wait_for_function("document.querySelector('.says').textContent === 'What 2,048 columns leave'")
    assert has_no_horizontal_scroll(page)
    page.click("summary")
    assert axe_violations(page) == []
    page.click("summary")
    page.click(".langs [data-word=zh]")
    turned(page, "2,048列时为0%")


@pytest.mark.browser
def test_the_toggle_keeps_the_state_in_all_views(open_page, address: str):
    page = open_page(f"{address}/en/posts/turn/#fig-wave?n=3072&tile=small")
    turned(page, "at 3,072 columns.")
    page.click(".langs [data-word=zh]")
    turned(page, "3,072列时为")
    assert reading(page) == (["3,072", "小"], ["6"], "#fig-wave?n=3072&tile=small")
    page.click(".langs [data-word=both]")
    page.wait_for_function("document.querySelectorAll('[data-figure][data-value]').length === 2")
    turned(page, "3,072列时为")
    assert reading(page)[:2] == (["3,072", "小", "3,072", "small"], ["6", "6"])
    assert page.locator("#fig-wave .controls").count() == 1
    page.locator("#fig-wave .slider input").press("ArrowLeft")
    turned(page, "2,048列时为")
    assert page.locator("#fig-wave .drawing").count() == 1
    assert axe_violations(page) == []


@pytest.mark.browser
@pytest.mark.parametrize("state", ["n=7&tile=big", "tile=", "x", "%E0%A4%A"])
def test_an_address_that_says_nothing_shows_the_default_state(open_page, address: str, state: str):
    page = open_page(f"{address}/en/posts/turn/#fig-wave?{state}")
    assert reading(page)[0] == ["1,024", "large"]


@pytest.mark.layout
@pytest.mark.browser
def test_a_number_in_a_sentence_is_dragged_and_turned_with_keys(open_page, address: str):
    page = open_page(f"{address}/en/posts/turn/")
    number = page.locator("[data-turns=n]")
    assert number.get_attribute("role") == "slider"
    assert number.get_attribute("aria-label") == "Columns"
    box = number.bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down()
    page.mouse.move(box["x"] + 9 + 12, box["y"] + 9)
    page.mouse.up()
    turned(page, "at 3,072 columns.")
    assert reading(page)[:2] == (["3,072", "large"], ["3"])
    number.focus()
    for key, text in (("Home", "0"), ("ArrowRight", "1,024"), ("PageUp", "3,072"), ("ArrowLeft", "2,048")):
        page.keyboard.press(key)
        settle(page)
        assert number.inner_text() == text
    page.locator("[data-turns=tile]").click()
    page.wait_for_function("document.querySelector('[data-figure][data-value]').textContent === '4'")
    assert page.get_by_role("radio", name="small").is_checked()


@pytest.mark.layout
@pytest.mark.browser
def test_the_x_axis_is_the_track_of_its_slider(open_page, address: str):
    page = open_page(f"{address}/en/posts/turn/#fig-wave?n=2048&tile=big")
    turned(page, "at 2,048 columns.")
    for width in (1280, 500):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(100)
        handle, tick = page.evaluate(
            """() => {
              const input = document.querySelector(".slider.on-axis input").getBoundingClientRect();
              const shown = [...document.querySelectorAll(".drawing svg")].find(one => one.checkVisibility());
              const label = [...shown.querySelectorAll("text")].find(one => one.textContent === "2,048");
              const text = label.getBoundingClientRect();
              const stops = input.width - 44;
              return [input.left + 22 + stops * 2 / 3, text.left + text.width / 2];
            }"""
        )
        assert handle == pytest.approx(tick, abs=2)


@pytest.mark.browser
def test_moments_are_played_until_the_handle_is_touched(open_page, address: str):
    page = open_page(f"{address}/en/posts/turn/")
    button = page.locator(".play")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    said = "document.querySelectorAll('.drawing')[1].getAttribute('aria-label')"
    page.wait_for_function(f"{said} === 'Cycle 3.'")
    page.get_by_role("button", name="Play").wait_for()
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").wait_for()
    slider = page.get_by_role("slider", name="cycle")
    slider.focus()
    page.keyboard.press("End")
    page.get_by_role("button", name="Play").wait_for()
    for key, cells in (("End", "012"), ("Home", "0"), ("ArrowRight", "01"), ("End", "012")):
        page.keyboard.press(key)
        assert visible_texts(page) == [*cells], "each of few states has a layer"
    still = open_page(f"{address}/en/posts/turn/", reduced_motion="reduce")
    assert not still.get_by_role("button", name="Play").is_visible()


@pytest.mark.layout
@pytest.mark.browser
def test_a_finger_turns_a_phone_s_drawing_and_nothing_moves(open_page, address: str):
    page = open_page(f"{address}/zh/posts/turn/", width=360, has_touch=True, is_mobile=True)
    page.evaluate(
        """() => { window.moved = 0; new PerformanceObserver(list => {
             for (const one of list.getEntries()) window.moved += one.value;
           }).observe({type: 'layout-shift'}); }"""
    )
    height = page.locator("figure").first.bounding_box()["height"]
    page.locator("input[value=small]").tap()
    turned(page, "1,024列时为0%")
    assert page.locator("figure").first.bounding_box()["height"] == height
    assert has_no_horizontal_scroll(page)
    assert page.evaluate("window.moved") <= 0.02


@pytest.mark.browser
def test_the_page_of_a_figure_describes_the_state_that_it_shows(open_page, address: str):
    page = open_page(f"{address}/en/figures/wave/#fig-wave?n=2048&tile=big")
    turned(page, "0% at 2,048 columns.")
    page.get_by_role("slider", name="Columns").press("ArrowRight")
    turned(page, "0% at 3,072 columns.")
    assert page.locator("figcaption").inner_text().startswith("0% at 3,072 columns.")
    assert page.locator("h1 + .message").inner_text() == "What 3,072 columns leave"
    page.get_by_text("Data for Columns = 3,072, Tile = large").wait_for()
    assert page.locator("[data-tables] tr").all_inner_texts() == ["Waves", "1", "2", "3"]
    page.get_by_text("Reuse", exact=True).click()
    assert page.get_by_text("Files for Columns = 1,024, Tile = large").is_visible()
    page.click(".langs [data-word=zh]")
    turned(page, "3,072列时为")
    assert axe_violations(page) == []
    framed = open_page(f"{address}/figures/wave/embed.en.html")
    framed.get_by_role("slider", name="Columns").press("End")
    turned(framed, "0% at 3,072 columns.")
    framed.get_by_role("radio", name="small").check()
    assert framed.locator("figcaption a").inner_text() == "What 3,072 columns leave"


@pytest.mark.browser
def test_forced_colours_show_the_handle_and_the_current_choice(open_page, address: str):
    page = open_page(f"{address}/en/posts/turn/", forced_colors="active")
    page.wait_for_selector(".slider input")
    style = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"
    assert page.evaluate(style, [".slider input", "forcedColorAdjust"]) == "none"
    current, other = (
        page.evaluate(style, [f".words input{one} + span", "borderBottomColor"])
        for one in (":checked", ":not(:checked)")
    )
    assert current != other


@pytest.mark.browser
def test_paper_shows_the_default_state(open_page, address: str):
    page = open_page(f"{address}/en/posts/turn/#fig-wave?n=3072&tile=small")
    turned(page, "at 3,072 columns.")
    page.emulate_media(media="print")
    turned(page, "at 1,024 columns.")
    assert reading(page)[:2] == (["1,024", "large"], ["1"])
    assert not page.locator(".controls").first.is_visible()
    page.emulate_media(media="screen")
    turned(page, "at 3,072 columns.")


@pytest.mark.browser
def test_what_a_reader_turns_before_the_script_is_there_is_turned_then(open_page, address: str):
    page = open_page("about:blank")
    held, is_turned = [], False
    page.route("**/controls.*.js", lambda route: route.continue_() if is_turned else held.append(route))
    with page.expect_request("**/controls.*.js"):
        page.goto(f"{address}/en/posts/turn/", wait_until="domcontentloaded")
    page.get_by_role("radio", name="small").check()
    is_turned = True
    for route in held:
        route.continue_()
    page.wait_for_function("document.querySelector('[data-figure][data-value]').textContent === '2'")
    assert page.get_by_role("radio", name="small").is_checked()


@pytest.mark.browser
def test_without_a_script_there_are_no_controls(open_page, address: str):
    page = open_page(f"{address}/en/posts/turn/", java_script_enabled=False)
    assert not page.locator(".controls").first.is_visible()
    assert page.locator("[data-turns=n]").inner_text() == "1,024"


@pytest.mark.browser
def test_states_that_cannot_be_fetched_leave_the_default_one_and_say_so(open_page, address: str):
    page = open_page(f"{address}/en/posts/turn/")
    page.route("**/*.json", lambda route: route.abort())
    page.get_by_role("radio", name="small").click()
    page.get_by_text("The other states could not be fetched").wait_for()
    assert page.get_by_role("radio", name="large").is_checked()
    open_page.complaints.clear()
