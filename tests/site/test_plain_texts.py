"""Markdown in texts that are plain is reported in every file that has such texts."""

from tests.space import BARS, SITE_YAML, Space, told


def test_markdown_in_the_configuration_is_a_warning_at_each_text(space: Space) -> None:
    navigation = "navigation:\n  - {label: {zh: '＊＊文＊＊', en: Posts}, path: /}\nglossary: true\n"
    space.write("site/site.yaml", SITE_YAML.replace("zh: 屋顶线", "zh: '`屋顶线`'") + navigation)
    space.write("site/glossary.yaml", "roof: {zh: 屋顶, en: roof, definition: {zh: 顶, en: a *top*}}\n")
    space.post("a", zh="甲。", en="One.")
    found = [one for one in space.build().report.diagnostics if one.rule == "markup-in-text"]
    assert {(one.location.path, one.location.line, one.fix) for one in found if one.location} == {
        ("site/glossary.yaml", 1, "write a top"),
        ("site/site.yaml", 4, "write 屋顶线"),
        ("site/site.yaml", 7, "write 文"),
    }


def test_so_is_markdown_in_each_part_of_a_figure(space: Space) -> None:
    script = BARS.replace('"Two bars"}', '"Two **bars**"}').replace("甲 乙", "`甲` 乙")
    space.write("figures/bars.py", script.replace('f"Two bars,', 'f"[Two](x) bars,'))
    space.post("a", zh="```{figure} bars\n柱\n```", en="```{figure} bars\nBars\n```")
    shown = told(space.build())
    places = {"TITLE": "Two bars", "def draw": "甲", "def describe": "Two bars, the taller is 5."}
    lines = script.split("\n")
    for part, fix in places.items():
        number = next(n for n, line in enumerate(lines, 1) if line.startswith(part))
        (line,) = (line for line in shown.split("\n") if line.startswith(f"figures/bars.py:{number}:"))
        assert "markup-in-text" in line
        assert f"fix: write {fix}\n" in f"{shown}\n"


def test_plain_words_of_a_site_and_of_figures_are_left_alone(space: Space) -> None:
    title = "title: {zh: '2*3*4 与 C++、R&D', en: 'a_b, $5 and $6, **kwargs'}"
    space.write("site/site.yaml", SITE_YAML.replace("title: {zh: 试验站, en: Test site}", title))
    space.write("figures/bars.py", BARS.replace('"Two bars"}', '"2*3*4 and x < y"}'))
    space.post("a", zh="```{figure} bars\n柱\n```", en="```{figure} bars\nBars\n```")
    assert told(space.build()) == ""
