"""Aliases, slugs, static files, names of pictures and figures: none leads out of the output folder."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.output_paths import PathFault, address_of_alias, check_path
from diglot.publishing.publisher import Publisher
from diglot.rules.building import Site, SiteBuild
from diglot.rules.live import LiveSite
from diglot.rules.options import SiteOptions
from diglot.site_map import output_path
from tests.hostile.paths import KINDS, LONG, SLUGS, STATIC
from tests.hostile.profile import draws, tries
from tests.hostile.tally import Tally
from tests.space import BARS, Space, errors

SOURCES = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture
def pair(space: Space) -> Space:
    """A site of two articles and a static file, with a file beside it that must not be lost."""
    space.write("../precious/keep.txt", "years of work")
    space.write("site/static/file.txt", "file")
    for name in ("a", "b"):
        space.post(name, zh="好。", en="Good.")
    return space


def beside(space: Space) -> set[str]:
    """Every file outside the output and the cache."""
    found = set()
    for place, folders, names in os.walk(space.root.parent):
        folders[:] = [one for one in folders if one not in ("public", ".diglot")]
        found |= {os.path.join(place, name) for name in names}
    return found


def judge(space: Space, result: SiteBuild, case: str, count: Tally, before: set[str]) -> None:
    """Expect an error with a location and a fix, and no file lost."""
    count.tried += 1
    found = errors(result)
    if not found:
        count.through.append(f"{case}: published {sorted(space.outputs())}")
    count.through += [f"{case}: no place: {one}" for one in found if one.location is None or not one.fix]
    if lost := before - beside(space):
        count.lost.append(f"{case}: {lost}")


def test_an_alias_is_a_path_of_the_output_or_a_mistake_at_its_line(
    tally: Callable[[str], Tally], pair: Space
) -> None:
    count = tally("paths")
    chance = draws("aliases")
    before = beside(pair)
    cases = [(kind, make(chance)) for _ in range(tries(2, long=40)) for kind, make in KINDS.items()]
    with pair.site() as site:
        site.build()
        for kind, alias in cases:
            text = f"tags: []\naliases:\n- {json.dumps(alias)}\n"
            pair.write("content/posts/a/meta.yaml", text)
            result = site.build()
            judge(pair, result, f"{kind}: {alias!r}", count, before | beside(pair))
            for one in errors(result):
                if one.location is None or (one.location.path, one.location.line) != (
                    "content/posts/a/meta.yaml",
                    3,
                ):
                    count.through.append(f"{kind}: {alias!r}: not at its line: {one}")


def test_whatever_an_alias_is_its_file_is_below_the_output(tally: Callable[[str], Tally]) -> None:
    count = tally("paths")
    chance = draws("addresses")
    pieces = [
        "..",
        ".",
        "/",
        "//",
        "%",
        "%2e",
        "%2f",
        "%5c",
        "\\",
        ".git",
        "a",
        "页",
        " ",
        "\0",
        ".html",
        "index",
    ]
    for _ in range(tries(3_000, long=200_000)):
        alias = "/" + "".join(chance.choice(pieces) for _ in range(chance.randrange(9)))
        count.tried += 1
        try:
            path = output_path(address_of_alias(alias))
            check_path(path)
        except PathFault:
            continue
        resolved = os.path.normpath(f"/public/{path}")
        if resolved != f"/public/{path}" or ".git" in path.casefold().split("/"):
            count.through.append(f"{alias!r}: {path!r}")


def test_a_static_file_has_a_path_of_its_own_or_is_a_mistake(
    tally: Callable[[str], Tally], pair: Space
) -> None:
    count = tally("paths")
    chance = draws("static")
    pair.write("site/static/a.txt", "a")
    pair.write("figures/bars.py", BARS)
    pair.post("b", zh="```{figure} bars\n柱\n```", en="```{figure} bars\nBars\n```")
    before = beside(pair)
    with pair.site() as site:
        site.build()
        for name in chance.sample(STATIC, tries(5, long=len(STATIC))):
            pair.write(f"site/static/{name}", "hostile")
            judge(pair, site.build(), name, count, before)
            pair.remove(f"site/static/{name.partition('/')[0]}")


def test_names_that_no_disk_holds_are_mistakes_at_their_line(
    tally: Callable[[str], Tally], pair: Space
) -> None:
    count = tally("paths")
    before = beside(pair)
    long_parameter = BARS.replace(
        "def compute():", f'from typing import Literal\n\n\ndef compute(x: Literal["s", "{LONG}"] = "s"):'
    )
    pair.write("figures/bars.py", long_parameter)
    pair.write(f"figures/{'f' * 250}.py", BARS)
    pair.write(f"content/posts/a/{'p' * 248}.png", b"png")
    figure = f"```{{figure}} bars\n:x: {LONG}\n\n柱\n```"
    cases: list[dict[str, str]] = [
        *({"slug": json.dumps(slug)} for slug in SLUGS),
        {"tags": f"[{LONG}]"},
        {"categories": f"[ok, {LONG}]"},
        {"zh": figure, "en": figure},
        {"zh": f"```{{figure}} {'f' * 250}\n柱\n```", "en": f"```{{figure}} {'f' * 250}\n柱\n```"},
        {"zh": f"![x]({'p' * 248}.png)", "en": f"![x]({'p' * 248}.png)"},
        {"zh": f"[x]({'p' * 300}.png)", "en": f"[x]({'p' * 300}.png)"},
        {"zh": "[x](a%00b.png)", "en": "![x](%2e%2e/%2e%2e/%2e%2e/.diglot/site.lock)"},
    ]
    with pair.site() as site:
        for case in draws("names").sample(cases, tries(5, long=len(cases))):
            pair.post("a", **{"zh": "好。", "en": "Good.", **case})
            result = site.build()
            judge(pair, result, str(case)[:80], count, before)
            for one in errors(result):
                if one.location is None or one.location.line is None:
                    count.through.append(f"{str(case)[:80]}: no line: {one}")


def test_without_assertions_nothing_else_is_removed_either(
    tally: Callable[[str], Tally], pair: Space
) -> None:
    """Python removes `assert` under -O, so no guard may be one."""
    count = tally("paths")
    pair.build()
    before = beside(pair)
    published = pair.outputs()
    environment = {**os.environ, "PYTHONPATH": str(SOURCES), "PYTHONOPTIMIZE": "1"}
    for alias in ["/../x/", "/../precious/", "/.git/x", "/sitemap.xml", "/x//y/", "/"][: tries(2, long=6)]:
        count.tried += 1
        pair.write("content/posts/a/meta.yaml", f"aliases: [{json.dumps(alias)}]\n")
        done = subprocess.run(
            [sys.executable, "-O", "-m", "diglot", "-q"],
            cwd=pair.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 1 or "Traceback" in done.stderr or "meta.yaml:1" not in done.stderr:
            count.through.append(f"{alias}: {done.returncode} {done.stderr}")
        if before - beside(pair) or pair.outputs() != published:
            count.lost.append(f"{alias}: {before - beside(pair)}")


def test_the_publisher_itself_refuses_every_such_path(tally: Callable[[str], Tally], tmp_path: Path) -> None:
    count = tally("paths")
    chance = draws("publisher")
    (tmp_path / "keep").write_text("years of work")
    publisher = Publisher(tmp_path / "public", output_index=tmp_path / "index")
    publisher.publish({}, write=lambda _: None)
    for _ in range(tries(50, long=1000)):
        kind = chance.choice(["climbs", "has an empty part", "is kept", "is too long"])
        path = KINDS[kind](chance).removeprefix("/")
        count.tried += 1
        try:
            publisher.publish({path: "0" * 32}, write=lambda _: None, trust_last_state=True)
        except DiagnosticError as error:
            if error.diagnostics[0].rule != "output-path":
                count.through.append(f"{path!r}: {error}")
        else:
            count.through.append(f"{path!r}: published")
        if sorted(os.listdir(tmp_path)) != ["index", "keep", "public"]:
            count.lost.append(f"{path!r}: {os.listdir(tmp_path)}")


def test_in_a_preview_one_bad_alias_keeps_nobody_elses_pages_back(pair: Space) -> None:
    options = SiteOptions(root=pair.root, output=pair.root / "preview", drafts=True, future=True)
    with LiveSite(options) as site:
        site.refresh(())
        for alias in ("/../x/", "/sitemap.xml", "/"):
            pair.write("content/posts/a/meta.yaml", f"aliases: [{json.dumps(alias)}]\n")
            pair.post("b", zh=f"改了 {len(alias)}。", en=f"Changed {len(alias)}.")
            result = site.refresh(("content/posts/a/meta.yaml", "content/posts/b/en.md"))
            assert errors(result)
            assert f"Changed {len(alias)}." in pair.page("en/posts/b", output="preview")
            assert "Good." in pair.page("en/posts/a", output="preview")


@pytest.mark.parametrize(
    "name", ["", "content", "content/posts", "..", "/", "~", "site/static", ".diglot", "link"]
)
def test_a_folder_that_holds_something_else_is_no_output(
    pair: Space, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from diglot.cli import main

    home = pair.root.parent / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    (pair.root / "link").symlink_to(pair.root / "content")
    before = beside(pair)
    output = home if name == "~" else pair.root / name
    for command in ("build", "clean"):
        assert main(["-C", str(pair.root), command, "-o", str(output)]) == 2
        assert "the output folder" in capsys.readouterr().err
    assert beside(pair) == before


def test_a_site_is_built_by_paths_that_are_right(pair: Space) -> None:
    pair.write(
        "content/posts/a/meta.yaml",
        "aliases: [/2019/roof.html, /old/roof, /old/ridge/, /%E5%B1%8B/, /a/index.html]\n",
    )
    with Site(SiteOptions(root=pair.root, output=pair.root / "public")) as site:
        assert not errors(site.build())
    for path in (
        "2019/roof.html",
        "old/roof/index.html",
        "old/ridge/index.html",
        "屋/index.html",
        "a/index.html",
    ):
        assert "/zh/posts/a/" in (pair.root / "public" / path).read_text("utf-8")
