"""Diagnostics as browsers get them."""

from pathlib import Path

import msgspec

from diglot.diagnostics import Diagnostic, Location, format_diagnostic
from diglot.editors import EDITORS
from diglot.serve.problems import describe_problems, editor_link

ROOT = Path("/home/ada/my site")
FAULT = Diagnostic(
    rule="figure-script",
    message='figure "a": ZeroDivisionError: division by zero',
    location=Location(path="figures/_parts.py", line=3, column=2),
    source_line="    return 1 / 0",
    detail="figures/a.py:9 in compute\n    part()\nfigures/_parts.py:3 in part\n    return 1 / 0",
    fix="correct this line, or the code that leads to it.",
)


def test_every_word_of_the_terminal_is_there() -> None:
    (problem,) = describe_problems([FAULT], root=ROOT, editor=None)
    shown = [
        problem.place,
        problem.message,
        "".join(problem.source),
        *(line.text for line in problem.detail),
        problem.fix,
    ]
    for line in format_diagnostic(FAULT).splitlines():
        assert any(part.strip() and part.strip() in line for part in shown) or not line.strip(" ^")


def test_the_mistake_is_marked_in_its_line() -> None:
    assert FAULT.location is not None
    fault = msgspec.structs.replace(
        FAULT,
        message='no "zero" here',
        location=Location(path="a.md", line=1, column=5),
        source_line="  a zero b",
    )
    (problem,) = describe_problems([fault], root=ROOT, editor=None)
    assert problem.source == ("a ", "zero", " b")
    unknown = msgspec.structs.replace(fault, location=Location(path="a.md", line=1))
    (problem,) = describe_problems([unknown], root=ROOT, editor=None)
    assert problem.source == ("a zero b", "", "")


def test_errors_come_before_warnings_each_in_their_order() -> None:
    given = [
        Diagnostic(rule="a", message="1", severity="warning"),
        Diagnostic(rule="a", message="2"),
        Diagnostic(rule="a", message="3", severity="warning"),
        Diagnostic(rule="a", message="4"),
    ]
    assert [one.message for one in describe_problems(given, root=ROOT, editor=None)] == ["2", "4", "1", "3"]


def test_the_place_and_every_frame_of_a_traceback_open_in_the_editor() -> None:
    (problem,) = describe_problems([FAULT], root=ROOT, editor=EDITORS["vscode"])
    assert problem.link == "vscode://file/home/ada/my%20site/figures/_parts.py:3:2"
    assert [line.link for line in problem.detail] == [
        "vscode://file/home/ada/my%20site/figures/a.py:9:1",
        "",
        "vscode://file/home/ada/my%20site/figures/_parts.py:3:1",
        "",
    ]


def test_without_an_editor_nothing_is_a_link() -> None:
    (problem,) = describe_problems([FAULT], root=ROOT, editor=None)
    assert problem.link == ""
    assert {line.link for line in problem.detail} == {""}


def test_a_file_name_cannot_leave_the_address_it_stands_in() -> None:
    place = Location(path="content/{line}\" onclick='x' #?&.md", line=7)
    link = editor_link("zed://file{path}:{line}", ROOT, place)
    assert link == "zed://file/home/ada/my%20site/content/%7Bline%7D%22%20onclick%3D%27x%27%20%23%3F%26.md:7"


def test_a_place_that_no_editor_could_open_is_text_alone() -> None:
    told = Diagnostic(
        rule="x", message="m", detail=f"figures/a.py:{'9' * 5000} in x\nfigures/$(a);--b.py:9 in x"
    )
    (problem,) = describe_problems((told,), root=Path("/p"), editor="zed://file{path}:{line}")
    assert [line.link for line in problem.detail] == ["", "zed://file/p/figures/%24%28a%29%3B--b.py:9"]


def test_a_mistake_in_several_places_is_one_problem_that_names_them() -> None:
    def fault(path: str, line: int, message: str = "no figure") -> Diagnostic:
        return Diagnostic(
            rule="figure-unknown", message=message, location=Location(path=path, line=line), fix="mend it."
        )

    given = [fault("a/zh.md", 3), fault("a/en.md", 5), fault("a/zh.md", 3), fault("a/zh.md", 9, "another")]
    first, second = describe_problems(given, root=ROOT, editor="editor://{path}:{line}")
    assert (first.place, [one.text for one in first.others]) == ("a/zh.md:3", ["a/en.md:5"])
    assert first.others[0].link == "editor:///home/ada/my%20site/a/en.md:5"
    assert (second.message, second.others) == ("another", ())
