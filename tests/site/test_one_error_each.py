"""Every mistake is one error: what cannot be made because of it is no mistake of its own."""

import pytest

from tests.space import BARS, Space, errors, ran, told

LINKS = (
    "[1](../a/zh.md) [2](../a/en.md#x) [3](../a/) [4](/posts/where/) [5](/zh/posts/where/#x) "
    "[6](/tags/roofline/) [7](/categories/hardware/) [8](/categories/)"
)
SHOWS = """\
## X {#x}

```{figure} bars
One.
```

```{figure} bars
:name: again
Two.
```

{eval}`bars.values | sum`, {eval}`bars.values[0]`
"""


@pytest.fixture
def linked(space: Space) -> Space:
    """An article that others link to in every way, and whose figure another one shows as well."""
    shared = {"tags": "[roofline]", "categories": "[hardware]", "slug": "where"}
    space.change("site/site.yaml", "tags:", "categories:\n  hardware: {zh: 硬件, en: Hardware}\ntags:")
    space.write("figures/bars.py", BARS)
    space.post("a", zh=SHOWS, en=SHOWS, **shared)
    space.post("b", zh=LINKS, en=LINKS)
    space.post("c", zh=SHOWS, en=SHOWS)
    assert told(space.build()) == ""
    return space


def the_one(space: Space) -> str:
    """The first line of the only error."""
    found = errors(space.build())
    assert len(found) == 1, "\n\n".join(map(str, found))
    return str(found[0]).partition("\n")[0]


def test_a_mistake_in_the_front_matter(linked: Space) -> None:
    linked.change("content/posts/a/zh.md", "categories: [hardware]", "categories: [Hardware]")
    assert the_one(linked) == (
        'content/posts/a/zh.md:5:14: error[field-value]: categories: "Hardware" cannot be an id'
    )


def test_a_required_key_that_is_misspelt(linked: Space) -> None:
    linked.change("content/posts/a/zh.md", "date:", "dat:")
    assert the_one(linked) == 'content/posts/a/zh.md:3:1: error[field-unknown]: unknown key "dat"'


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("<div>", "error[html-unclosed]: <div> is never closed"),
        ('<div markdown="1">', "error[html-unclosed]: <div> is never closed"),
        (":::{note}", "error[admonition-unclosed]: this admonition is never closed"),
    ],
)
def test_a_block_that_never_ends(linked: Space, start: str, said: str) -> None:
    linked.change("content/posts/a/zh.md", "## X {#x}", f"{start}\n\n## X {{#x}}")
    assert the_one(linked).partition(": ")[2] == said


def test_a_mistake_in_the_shared_keys(linked: Space) -> None:
    linked.write("content/posts/a/meta.yaml", "authors: [x\n")
    assert the_one(linked) == (
        "content/posts/a/meta.yaml:1:10: error[yaml-syntax]: invalid YAML: a { or [ is never closed"
    )


def test_a_half_that_is_missing(linked: Space) -> None:
    linked.remove("content/posts/a/en.md")
    assert the_one(linked) == (
        "content/posts/a/zh.md:1: error[pair-missing]: the en half of this article is missing"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "content/posts/a",
            "content/posts/A",
            'content/posts/A/en.md: error[slug-form]: "A" cannot be the address of an article',
        ),
        (
            "content/posts/a/en.md",
            "content/posts/a/english.md",
            "content/posts/a/english.md: error[pair-name]: this file is not a half of an article",
        ),
    ],
)
def test_a_wrong_name(linked: Space, old: str, new: str, said: str) -> None:
    (linked.root / old).rename(linked.root / new)
    assert the_one(linked) == said


def test_two_files_for_one_half(linked: Space) -> None:
    linked.write("content/posts/a.zh.md", "---\ntitle: A\ndate: 2026-11-01\n---\n\nText.\n")
    assert the_one(linked) == (
        'content/posts/a/zh.md: error[pair-twice]: there are two zh halves of "a": '
        "this one and content/posts/a.zh.md"
    )


def test_keys_that_differ(linked: Space) -> None:
    linked.change("content/posts/a/zh.md", "2026-11-01", "2026-11-02")
    assert the_one(linked) == (
        "content/posts/a/en.md:3: error[pair-differs]: date is 2026-11-01 here and 2026-11-02 in "
        "content/posts/a/zh.md"
    )


@pytest.mark.parametrize("line", ['return {"values": [3, 5]}', "figure.set_height_px(120)"])
def test_a_mistake_in_a_script_that_is_shown_in_several_places(linked: Space, line: str) -> None:
    linked.change("figures/bars.py", line, f"{line} / 0")
    assert the_one(linked).startswith("figures/bars.py:")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("figures/Bars.py", 'figures/Bars.py: error[figure-name]: "Bars" cannot be the id of a figure'),
        ("figures/none.py", 'figures/none.py: error[figure-name]: "none" cannot be the id of a figure'),
        ("figures/in.py", 'figures/in.py: error[figure-name]: "in" cannot be the id of a figure'),
        (
            "content/posts/b/figures/bars.py",
            'figures/bars.py: error[figure-clash]: the figure id "bars" is already used by '
            "content/posts/b/figures/bars.py",
        ),
    ],
)
def test_a_script_that_cannot_be_used(linked: Space, path: str, said: str) -> None:
    linked.write(path, BARS)
    if path == "figures/Bars.py":
        linked.remove("figures/bars.py")
    assert the_one(linked) == said


def test_a_script_in_the_text_of_an_article_with_mistakes(linked: Space) -> None:
    linked.remove("figures/bars.py")
    linked.change("content/posts/a/zh.md", "## X", f"```{{figure-script}} bars\n{BARS}```\n\n## X")
    assert told(linked.build()) == ""
    linked.change("content/posts/a/zh.md", "## X", "<div>\n\n## X")
    assert the_one(linked).partition(": ")[2] == "error[html-unclosed]: <div> is never closed"


def test_data_that_several_scripts_read(linked: Space) -> None:
    reading = BARS.replace('{"values": [3, 5]}', 'json.loads(Path("data/bars.json").read_text("utf-8"))')
    linked.write("data/bars.json", '{"values": [3, 5],}')
    for name in ("bars", "others"):
        linked.write(
            f"figures/{name}.py",
            reading.replace("\n\n\n", "\nimport json\nfrom pathlib import Path\n\n\n", 1),
        )
    linked.change("content/posts/c/zh.md", "{figure} bars\nOne.", "{figure} others\nOne.")
    linked.change("content/posts/c/en.md", "{figure} bars\nOne.", "{figure} others\nOne.")
    assert the_one(linked) == (
        "data/bars.json:1:19: error[figure-input]: json.decoder.JSONDecodeError: Expecting property name "
        "enclosed in double quotes: line 1 column 19 (char 18)"
    )


def test_a_chip_that_several_scripts_use(linked: Space) -> None:
    reading = BARS.replace(
        '{"values": [3, 5]}', '{"values": [load_catalogue().chip("h200-sxm").hbm_bytes, 5]}'
    )
    linked.write("site/hardware/mine.yaml", "chips: [")
    for name in ("bars", "others"):
        linked.write(
            f"figures/{name}.py",
            reading.replace("\n\n\n", "\nfrom diglot.hardware import load_catalogue\n\n\n", 1),
        )
    linked.change("content/posts/c/zh.md", "{figure} bars\nOne.", "{figure} others\nOne.")
    linked.change("content/posts/c/en.md", "{figure} bars\nOne.", "{figure} others\nOne.")
    assert the_one(linked).startswith("site/hardware/mine.yaml:")


def test_an_address_that_is_taken_hides_no_other_mistake(linked: Space) -> None:
    linked.post("d", zh="[x](nowhere)", en="Text.", slug="b")
    assert [one.rule for one in errors(linked.build())] == ["slug-clash", "link-missing"]


def test_the_same_mistake_in_both_halves_is_told_twice(linked: Space) -> None:
    for language in ("zh", "en"):
        linked.change(f"content/posts/a/{language}.md", "tags: [roofline]", "tag: [roofline]")
        linked.change(f"content/posts/c/{language}.md", "## X {#x}", "<div>\n\n## X {#x}")
        linked.change(f"content/posts/b/{language}.md", "[1]", "[0](nowhere) [1]")
    found = [(one.rule, one.location and one.location.path) for one in errors(linked.build())]
    assert found == [
        ("field-unknown", "content/posts/a/en.md"),
        ("field-unknown", "content/posts/a/zh.md"),
        ("link-missing", "content/posts/b/en.md"),
        ("link-missing", "content/posts/b/zh.md"),
        ("html-unclosed", "content/posts/c/en.md"),
        ("html-unclosed", "content/posts/c/zh.md"),
    ]


def test_mistakes_of_the_front_matter_hide_none_of_the_text(linked: Space) -> None:
    linked.change("content/posts/b/zh.md", "date:", "dat:")
    linked.change("content/posts/b/zh.md", "[1]", "[0](nowhere) [1]")
    assert [one.rule for one in errors(linked.build())] == ["field-unknown", "link-missing"]


def test_real_mistakes_beside_a_broken_article_are_told(linked: Space) -> None:
    linked.change("content/posts/a/zh.md", "date:", "dat:")
    linked.change("content/posts/b/zh.md", "[1]", "[0](/posts/nowhere/) [1]")
    assert [one.rule for one in errors(linked.build())] == ["field-unknown", "link-missing"]


def test_what_was_mended_is_built_again(linked: Space) -> None:
    before = linked.outputs()
    linked.change("content/posts/a/zh.md", "date:", "dat:")
    (linked.root / "content/posts/c").rename(linked.root / "content/posts/C")
    assert len(errors(linked.build())) == 2
    linked.change("content/posts/a/zh.md", "dat:", "date:")
    (linked.root / "content/posts/C").rename(linked.root / "content/posts/c")
    assert told(linked.build()) == ""
    assert linked.outputs() == before
    assert ran(linked.build()) == []
