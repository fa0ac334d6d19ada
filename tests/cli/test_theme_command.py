"""`diglot theme list` and `diglot theme copy`."""

import json
import shutil
from pathlib import Path

import pytest

from diglot import __version__
from diglot.cli.main import main
from diglot.render.theme import built_in_theme
from diglot.render.theme_files import ThemeFile, marked_copy, theme_files
from tests.space import Space, told


def run(space: Space, *words: str) -> int:
    """The exit code of `diglot theme …` in a project."""
    return main(["-C", str(space.root), "theme", *words])


def lines_of(space: Space, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """What `diglot theme list` says of each file."""
    assert run(space, "list") == 0
    lines = capsys.readouterr().out.splitlines()
    return {name: said for line in lines if line.startswith("  ") for name, said in [line.split(maxsplit=1)]}


def test_every_file_of_the_theme_is_listed(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    listed = lines_of(space, capsys)
    there = {
        path.relative_to(built_in_theme()).as_posix()
        for path in built_in_theme().rglob("*")
        if path.is_file()
    }
    assert listed.keys() - {"site/static/custom.css"} == there
    assert {said for name, said in listed.items() if name in there} == {"built-in"}
    assert listed["site/static/custom.css"] == "linked on every page once it is there"


def test_what_the_project_does_with_a_file_is_told(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    space.write("templates/base.html", '{% extends "diglot/base.html" %}')
    space.write("templates/list.html", "<p>")
    space.write("templates/parts/mine.html", "<p>")
    space.write("templates/strings/en.yaml", "home: Start\nfeed: Feed\nmine: Mine\n")
    space.write("templates/strings/fr.yaml", "home: Accueil\n")
    space.write("templates/static/style.css", "p {}")
    space.write("templates/static/own.css", "p {}")
    space.write("templates/readme.txt", "Mine.")
    space.write("site/static/custom.css", "p {}")
    listed = lines_of(space, capsys)
    assert {name: said for name, said in listed.items() if said != "built-in"} == {
        "base.html": "templates/base.html extends it",
        "list.html": "templates/list.html instead",
        "parts/mine.html": "templates/parts/mine.html, the project's own",
        "readme.txt": "templates/readme.txt, which nothing reads",
        "strings/en.yaml": "templates/strings/en.yaml: 1 word replaced, 1 added",
        "strings/fr.yaml": "templates/strings/fr.yaml, which nothing reads",
        "static/own.css": "templates/static/own.css, the project's own",
        "static/style.css": "templates/static/style.css instead",
        "site/static/custom.css": "linked on every page",
    }


def test_the_list_as_json(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    space.write("templates/base.html", '{% extends "diglot/base.html" %}')
    assert run(space, "list", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is True
    assert report["custom_style"] is False
    states = {one["name"]: one["state"] for one in report["files"]}
    assert (states["base.html"], states["article.html"]) == ("extended", "built-in")


def test_a_copy_replaces_the_built_in_file_and_changes_no_page(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    space.post("a", zh="甲。", en="One.")
    space.build()
    before = space.outputs()
    names = [*(path.name for path in built_in_theme().glob("*.html")), "strings/zh.yaml", "strings/en.yaml"]
    assert run(space, "copy", *names) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [f"templates/{name}" for name in names]
    assert err == f"copied from diglot {__version__}; a copy stays as it is when diglot changes\n"
    assert told(space.build()) == ""
    assert space.outputs() == before


@pytest.mark.parametrize("file", ["static/style.css", "style.css", "templates/static/style.css"])
def test_a_file_may_be_named_in_short(space: Space, file: str) -> None:
    assert run(space, "copy", file) == 0
    assert (
        (space.root / "templates/static/style.css")
        .read_bytes()
        .endswith((built_in_theme() / "static/style.css").read_bytes())
    )


def test_a_font_is_copied_as_it_is(space: Space) -> None:
    name = "static/fonts/diglot-math.woff"
    assert run(space, "copy", name) == 0
    assert (space.root / "templates" / name).read_bytes() == (built_in_theme() / name).read_bytes()


def test_a_file_that_is_there_is_never_replaced(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    space.write("templates/base.html", "mine")
    assert run(space, "copy", "base.html", "list.html") == 2
    out, err = capsys.readouterr()
    assert out == "templates/list.html\n"
    assert err.startswith(
        "diglot: templates/base.html already exists and stays as it is\n"
        "  fix: move it away to get the built-in one.\n"
    )
    assert (space.root / "templates/base.html").read_text() == "mine"


def test_a_file_that_the_theme_lacks_names_the_nearest(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(space, "copy", "artcle.html") == 2
    assert capsys.readouterr().err == (
        'diglot: the theme has no file "artcle.html"\n  fix: did you mean "article.html"?\n'
    )
    assert not (space.root / "templates/artcle.html").exists()


def test_the_built_in_theme_is_not_copied_onto_itself(
    space: Space, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(built_in_theme(), space.root / "templates")
    monkeypatch.setattr("diglot.cli.theme.running.built_in_theme", lambda: Path(space.root / "templates"))
    assert run(space, "copy", "base.html") == 2
    assert capsys.readouterr().err == (
        "diglot: templates/ of this project is the built-in theme\n  fix: change its files where they are.\n"
    )
    assert run(space, "list") == 0
    assert "instead" not in capsys.readouterr().out


def test_a_copy_knows_its_version_and_whether_it_is_still_the_built_in_one(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    run(space, "copy", "base.html", "en.yaml")
    space.change("templates/base.html", "</body>", "<p>Mine</p></body>")
    capsys.readouterr()
    listed = lines_of(space, capsys)
    assert listed["base.html"] == f"templates/base.html instead, copied from diglot {__version__}"
    assert listed["strings/en.yaml"] == (
        f"templates/strings/en.yaml: 0 words replaced, 0 added, copied from diglot {__version__}"
    )
    old = marked_copy("a.css", b"old", "0.0.1")
    (file,) = theme_files({"static/a.css": b"new"}, {"static/a.css": old})
    assert file == ThemeFile(
        name="static/a.css", kind="static", state="replaced", copied_from="0.0.1", outdated=True
    )
