"""Explanations: why a task was built, and whether it would be built now."""

import re
from typing import Any

import pytest

from diglot.engine import FILE, Given, Key, Target, format_explanation
from diglot.engine.graph import graph_dot, graph_values
from tests.engine.workshop import Workshop, mistake


async def data(fetch: Any, name: str) -> str:
    return (await fetch(FILE, f"{name}.py")).decode().strip()


async def figure(fetch: Any, name: str) -> str:
    return f"<svg>{await fetch(Target('data'), name)}"


async def page(fetch: Any, name: str) -> bytes:
    source = await fetch(FILE, "zh.md")
    if source == b"broken":
        raise mistake("zh.md")
    figures = await fetch.all(Target("figure"), ("roof", "bars"))
    return f"{source!r} {figures} {await fetch(Given('site'))}".encode()


@pytest.fixture
def site(workshop: Workshop) -> Workshop:
    for name in ("roof.py", "bars.py", "zh.md"):
        workshop.write(name, name)
    workshop.rule(data)
    workshop.rule(figure)
    workshop.rule(page, value_type=bytes)
    workshop.given = {"site": "s"}
    return workshop


def text(workshop: Workshop, key: str) -> str:
    """The formatted explanation, with digests and times masked."""
    written = format_explanation(workshop.explain(key))
    written = re.sub(r"\b[0-9a-f]{8}\b", "########", written)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, in \d+\.\d+ s", "(when)", written)


def test_what_was_never_built_would_be(site: Workshop) -> None:
    assert text(site, "page") == "page would be rebuilt: it was never built"


def test_what_is_up_to_date_says_what_it_rests_on(site: Workshop) -> None:
    site.build("page")
    assert text(site, "page").splitlines() == [
        "page is up to date (########)",
        "last built (when): it was never built",
        "depends on:",
        "    file zh.md (########)",
        "    figure roof (########)",
        "    figure bars (########)",
        "    given site (########)",
        "changes to these may rebuild it:",
        "    file zh.md",
        "    given site",
        "    file roof.py",
        "    file bars.py",
    ]


def test_a_change_far_below_is_told_with_its_first_cause(site: Workshop) -> None:
    site.build("page")
    site.write("bars.py", "more bars")
    assert text(site, "page").splitlines() == [
        "page would be rebuilt: figure bars would be rebuilt first",
        "  figure bars: data bars would be rebuilt first",
        "    data bars: file bars.py changed (######## → ########)",
        "last built (when): it was never built",
        "depends on:",
        "    file zh.md (########)",
        "    figure roof (########)",
        "  * figure bars (######## → undecided)",
        "    given site (########)",
        "changes to these may rebuild it:",
        "    file zh.md",
        "    given site",
        "    file roof.py",
        "    file bars.py",
    ]


def test_the_reason_of_the_last_run_is_remembered(site: Workshop) -> None:
    site.build("page")
    site.write("zh.md", "new")
    site.build("page")
    last_run = site.explain("page").last_run
    assert last_run is not None
    assert last_run.reason.dependency == Key("file", "zh.md")
    assert "last built (when): file zh.md changed (######## → ########)" in text(site, "page")


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda site: site.delete("zh.md"), "file zh.md was deleted"),
        (lambda site: site.given.update(site="t"), "given site changed (######## → ########)"),
        (lambda site: site.given.clear(), "given site was deleted"),
        (
            lambda site: site.rule(page, value_type=bytes, code="2"),
            "diglot's code that makes it changed (1 → 2)",
        ),
    ],
    ids=["file deleted", "given changed", "given gone", "code"],
)
def test_each_change_has_its_words(site: Workshop, edit: Any, expected: str) -> None:
    site.build("page")
    edit(site)
    assert text(site, "page").splitlines()[0] == f"page would be rebuilt: {expected}"


def test_what_was_deleted_and_came_back_was_created(site: Workshop) -> None:
    async def optional(fetch: Any, name: str) -> str:
        return str(await fetch(FILE, "meta.yaml"))

    site.rule(optional)
    site.build("optional")
    site.write("meta.yaml", "")
    assert text(site, "optional").startswith("optional would be rebuilt: file meta.yaml was created\n")


def test_a_missing_value_is_a_reason(site: Workshop) -> None:
    report = site.build("page")
    digest = report.values[Key("page")]
    store = site.store()
    store._database._connection.execute("DELETE FROM objects WHERE digest = ?", (digest,))
    store.close()
    assert (
        text(site, "page").splitlines()[0] == "page would be rebuilt: its stored value is missing or damaged"
    )


def test_a_failure_is_told_with_what_is_wrong(site: Workshop) -> None:
    site.write("zh.md", "broken")
    site.build("page")
    assert text(site, "page").splitlines() == [
        "page failed, and nothing changed since",
        "  zh.md:1: error[test]: is wrong",
        "last built (when): it was never built",
        "depends on:",
        "    file zh.md (########)",
        "changes to these may rebuild it:",
        "    file zh.md",
    ]


def test_an_input_says_who_uses_it(site: Workshop) -> None:
    site.build("page")
    assert text(site, "file bars.py").splitlines() == [
        "file bars.py is an input, ########",
        "used by:",
        "    data bars",
    ]
    assert text(site, "file nothing") == "file nothing is an input, absent"


def test_explaining_runs_and_writes_nothing(site: Workshop) -> None:
    site.build("page")
    site.write("zh.md", "new")
    first = site.explain("page")
    assert site.explain("page") == first
    assert [str(run.key) for run in site.build("page").ran] == ["page"]


def test_the_graph_below_a_key_is_pairs(site: Workshop) -> None:
    site.build("page")
    assert {(str(user), str(used)) for user, used in site.explain("figure roof").edges} == {
        ("figure roof", "data roof"),
        ("data roof", "file roof.py"),
    }


def test_the_graph_is_told_to_graphviz_and_to_programs(site: Workshop) -> None:
    site.build("page")
    site.write("roof.py", "more roof")
    explanation = site.explain("figure roof")
    assert graph_dot(explanation).splitlines() == [
        "digraph {",
        "  rankdir=LR;",
        '  node [shape=ellipse, fontname="sans-serif"];',
        '  "figure roof" [shape=ellipse, color=red];',
        '  "data roof" [shape=ellipse, color=red];',
        '  "file roof.py" [shape=box];',
        '  "figure roof" -> "data roof";',
        '  "data roof" -> "file roof.py";',
        "}",
    ]
    values = graph_values(explanation)
    assert values["edges"] == [["figure roof", "data roof"], ["data roof", "file roof.py"]]
    nodes = values["nodes"]
    assert isinstance(nodes, list)
    assert nodes[2] == {
        "key": "file roof.py",
        "kind": "file",
        "name": "roof.py",
        "input": True,
        "would_be_rebuilt": False,
    }


def test_of_many_inputs_the_nearest_are_named(workshop: Workshop) -> None:
    async def many(fetch: Any, name: str) -> bytes:
        return b"".join([await fetch(FILE, str(n)) for n in range(40)])

    for n in range(40):
        workshop.write(str(n), str(n))
    workshop.rule(many, value_type=bytes)
    workshop.build("many")
    lines = text(workshop, "many").splitlines()
    assert lines[-2:] == ["    file 29", "    … and 10 more; --graph has them all"]
    assert len(workshop.explain("many").inputs) == 40


def test_what_would_not_be_looked_at_is_left_open(site: Workshop) -> None:
    site.build("page")
    site.write("zh.md", "new")
    lines = text(site, "page").splitlines()
    assert "  * file zh.md (######## → ########)" in lines
    assert "  ? figure roof (########)" in lines


def test_a_key_without_a_rule_is_our_mistake(site: Workshop) -> None:
    with pytest.raises(KeyError, match="there is no rule for nothing"):
        site.explain("nothing")
