"""Any text an author writes is a mistake at its line, or all feeds, sitemaps and drawings remain readable."""

from collections.abc import Callable
from xml.etree import ElementTree
from xml.parsers import expat

from diglot.characters import forbidden_in
from diglot.rules.building import SiteBuild
from tests.hostile.profile import draws, tries
from tests.hostile.tally import Tally
from tests.hostile.texts import Files, cases, harmless
from tests.space import SITE_YAML, Space, errors


def write(space: Space, files: Files) -> None:
    """Replace the project's files by these."""
    for path in ("content/posts/a/meta.yaml", "figures/bars.py"):
        (space.root / path).unlink(missing_ok=True)
    for path, text in {"site/site.yaml": SITE_YAML, **files}.items():
        space.write(path, text)


def unreadable(space: Space) -> list[str]:
    """Published files that contain forbidden characters or are not well-formed XML."""
    found = []
    for path, content in space.outputs().items():
        if path.endswith((".xml", ".svg")):
            parser = expat.ParserCreate()
            try:
                parser.Parse(content, True)
                ElementTree.fromstring(content)
            except (expat.ExpatError, ElementTree.ParseError) as error:
                found.append(f"{path}: {error}")
        if path.endswith((".xml", ".svg", ".html")):
            character = forbidden_in(content.decode("utf-8"))
            if character is not None:
                found.append(f"{path} holds {character!r}")
    return found


def judge(space: Space, result: SiteBuild, kind: str, count: Tally) -> None:
    count.tried += 1
    mistakes = errors(result)
    if not mistakes:
        count.through.append(f"{kind}: published")
    for one in mistakes:
        if one.location is None or one.location.line is None or not one.fix:
            count.through.append(f"{kind}: no line: {one}")
        if forbidden_in(str(one)) is not None:
            count.through.append(f"{kind}: shown on the terminal: {one!s}")
    count.through += [f"{kind}: {one}" for one in unreadable(space)]


def test_a_text_that_no_feed_may_hold_is_a_mistake_where_it_stands(
    tally: Callable[[str], Tally], space: Space
) -> None:
    count = tally("texts")
    chance = draws("texts")
    with space.site() as site:
        for kind, files in cases(chance, tries(12, long=600)):
            write(space, files)
            judge(space, site.build(), kind, count)


def test_odd_texts_that_are_no_mistake_leave_every_feed_readable(
    tally: Callable[[str], Tally], space: Space
) -> None:
    count = tally("texts")
    chance = draws("odd texts")
    with space.site() as site:
        for _ in range(tries(2, long=60)):
            count.tried += 1
            write(space, harmless(chance))
            result = site.build()
            count.through += [f"refused: {one}" for one in errors(result)]
            count.through += unreadable(space)


def test_the_last_guard_refuses_what_a_template_writes(space: Space) -> None:
    space.post("a", zh="好。", en="Good.")
    template = "{% extends 'base.html' %}{% block main %}{{ '%c' | format(1) }}{% endblock %}"
    space.write("templates/landing.html", template)
    found = errors(space.build())
    assert [one.rule for one in found] == ["character-forbidden"]
    assert "U+0001" in found[0].message
