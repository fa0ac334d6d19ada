"""Warnings that the author has chosen to ignore, in the configuration or by a comment."""

import pytest

from diglot.cli import main
from diglot.ignore_comments import ignored_at
from tests.space import BARS_ON_AXES, SITE_YAML, Space, ran, told

BARE = "See https://example.org/x here."
"""A text that causes the warning `link-bare`."""


def ignoring(space: Space, *entries: str) -> None:
    """Write `ignore:` into the configuration."""
    lines = "".join(f"  - {{{entry}}}\n" for entry in entries)
    space.write("site/site.yaml", f"{SITE_YAML}ignore:\n{lines}")


def rules(space: Space, **options: object) -> list[str]:
    """The rules of what a build reports."""
    return [one.rule for one in space.build(**options).diagnostics]


def check(space: Space, capsys: pytest.CaptureFixture[str]) -> str:
    """What `check` prints."""
    capsys.readouterr()
    main(["-C", str(space.root), "check", "--twice", "0"])
    return capsys.readouterr().err


def test_a_rule_is_ignored_everywhere_or_in_some_files(space: Space) -> None:
    space.post("a", zh=BARE, en="Good.")
    space.post("b", zh=BARE, en="Good.")
    assert rules(space) == ["link-bare", "link-bare"]
    ignoring(space, "rule: link-bare, path: content/posts/a")
    (left,) = space.build().diagnostics
    assert left.location is not None
    assert left.location.path == "content/posts/b/zh.md"
    ignoring(space, "rule: link-bare")
    assert rules(space) == []


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("content/posts/a/zh.md", True),
        ("content/**", True),
        ("**/zh.md", True),
        ("content/*/a/*.md", True),
        ("content/posts/?/zh.md", True),
        ("content/*.md", False),
        ("posts", False),
        ("content/post", False),
    ],
)
def test_patterns_match_names_and_folders(pattern: str, matches: bool, space: Space) -> None:
    space.post("a", zh=BARE, en="Good.")
    ignoring(space, f"rule: link-bare, path: '{pattern}'")
    assert rules(space) == ([] if matches else ["link-bare"])


def test_with_strict_an_ignored_warning_fails_nothing(space: Space) -> None:
    space.post("a", zh=BARE, en="Good.")
    assert space.build(strict=True).published is None
    ignoring(space, "rule: link-bare")
    assert space.build(strict=True).published is not None


def test_a_change_of_what_is_ignored_makes_nothing_again(space: Space) -> None:
    space.post("a", zh=BARE, en="Good.")
    space.build()
    ignoring(space, "rule: link-bare")
    assert ran(space.build()) == ["project"]
    space.write("site/site.yaml", SITE_YAML)
    assert rules(space) == ["link-bare"]


def test_a_comment_ignores_the_paragraph_below_it_and_is_not_published(space: Space) -> None:
    space.post("a", zh=f"<!-- diglot-ignore: link-bare -->\n第一行\n{BARE}\n\n{BARE}", en="Good.")
    (left,) = space.build().diagnostics
    assert left.location is not None
    assert left.location.line == 10
    page = space.page("zh/posts/a")
    assert "diglot-ignore" not in page
    assert "第一行" in page


def test_a_comment_inside_of_a_paragraph_is_not_published(space: Space) -> None:
    space.post("a", zh=f"{BARE} <!-- diglot-ignore: link-bare, other-rule --> 好", en="Good.")
    assert rules(space) == []
    assert "diglot-ignore" not in space.page("zh/posts/a")


def test_in_code_the_comment_is_text(space: Space) -> None:
    space.post(
        "a",
        zh="```html\n<!-- diglot-ignore: link-bare -->\n```",
        en="```html\n<!-- diglot-ignore: link-bare -->\n```",
    )
    space.build()
    assert "diglot-ignore: link-bare" in space.page("zh/posts/a")


def test_a_comment_in_yaml_ignores_its_line(space: Space) -> None:
    space.post("a", zh="好。", en="Good.")
    space.write("content/posts/a/meta.yaml", "tags: [rooflines]\n")
    assert rules(space) == ["term-unknown"]
    space.write("content/posts/a/meta.yaml", "# diglot-ignore: term-unknown\ntags: [rooflines]\n")
    assert rules(space) == []
    space.write("content/posts/a/meta.yaml", "tags: [rooflines] # diglot-ignore: term-unknown\n")
    assert rules(space) == []


def test_a_comment_in_a_script_ignores_what_is_said_of_its_line(space: Space) -> None:
    show = "```{figure} bars\n```"
    space.post("a", zh=show, en=show)
    bar = '    axes.bar([0, 1], data["values"])\n'
    limited = BARS_ON_AXES.replace(bar, f"    axes.set_ylim(0, 4)\n{bar}")
    space.write("figures/bars.py", limited)
    (cut,) = space.build().diagnostics
    assert cut.message == 'figure "bars", narrow and column: the y axis ends at 4, but the data goes to 5'
    assert (cut.rule, cut.source_line) == ("figure-clipped", bar.rstrip())
    space.write("figures/bars.py", limited.replace(bar, f"    # diglot-ignore: figure-clipped\n{bar}"))
    assert rules(space) == []


@pytest.mark.parametrize(
    ("lines", "line", "found"),
    [
        (["<!-- diglot-ignore: a -->", "x"], 2, {"a": 1}),
        (["<!-- diglot-ignore: a -->", "", "x", "y"], 4, {"a": 1}),
        (["<!-- diglot-ignore: a -->", "x", "", "y"], 4, {}),
        (["# diglot-ignore: a, b-c", "x"], 2, {"a": 1, "b-c": 1}),
        (["x", "<!-- diglot-ignore: a -->"], 1, {}),
        (["x"], 9, {}),
    ],
)
def test_a_comment_holds_for_its_line_and_the_paragraph_below(
    lines: list[str], line: int, found: dict[str, int]
) -> None:
    assert ignored_at(lines, line) == found


def test_errors_cannot_be_ignored(space: Space) -> None:
    space.post("a", zh="[x](q.pdf)", en="<!-- diglot-ignore: link-missing -->\n[x](q.pdf)")
    ignoring(space, "rule: link-missing, path: '**/zh.md'")
    fix = (
        "  fix: write a path relative to content/posts/a/, or one that begins with / for site/static/, other "
        "articles (/posts/<slug>/) and pages (/<path>/)."
    )
    refused = 'error[ignore-error]: "link-missing" is an error here, and cannot be ignored'
    assert told(space.build()).split("\n\n") == [
        'content/posts/a/en.md:7:5: error[link-missing]: link not found: "q.pdf"\n'
        f"    [x](q.pdf)\n        ^^^^^\n{fix}",
        f"content/posts/a/en.md:6:21: {refused}\n"
        "    <!-- diglot-ignore: link-missing -->\n                        ^^^^^^^^^^^^\n"
        "  fix: correct it: only warnings can be ignored.",
        'content/posts/a/zh.md:6:5: error[link-missing]: link not found: "q.pdf"\n'
        f"    [x](q.pdf)\n        ^^^^^\n{fix}",
        f"site/site.yaml:7:12: {refused}\n"
        "    - {rule: link-missing, path: '**/zh.md'}\n             ^^^^^^^^^^^^\n"
        "  fix: correct it: only warnings can be ignored.",
    ]


def test_check_reports_an_entry_without_effect(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    space.post("a", zh=BARE, en="Good.")
    ignoring(space, "rule: link-bear", "rule: link-bare")
    assert (
        'site/site.yaml:7:12: warning[ignore-unused]: ignoring "link-bear" has no effect: '
        "there is no such warning\n"
        "    - {rule: link-bear}\n             ^^^^^^^^^\n"
        '  fix: did you mean "link-bare"?\n'
    ) in check(space, capsys)
    ignoring(space, "rule: link-bare")
    assert check(space, capsys) == "checked: no errors\n"
