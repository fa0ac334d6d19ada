"""`html:` in site.yaml: what a build makes of HTML in articles."""

import pytest

from tests.space import SITE_YAML, Space, errors, ran, told

TEXT = 'A <kbd>x</kbd> <b onclick="y()">z</b>.'


@pytest.fixture
def space(space: Space) -> Space:
    """A project with HTML in an article."""
    space.post("a", zh="甲。", en=TEXT)
    return space


@pytest.mark.parametrize(
    ("policy", "html"),
    [
        ("", f"<p>{TEXT}</p>"),
        ("html: all\n", f"<p>{TEXT}</p>"),
        ("html: safe\n", "<p>A <kbd>x</kbd> <b>z</b>.</p>"),
        ("html: none\n", '<p>A &lt;kbd&gt;x&lt;/kbd&gt; &lt;b onclick="y()"&gt;z&lt;/b&gt;.</p>'),
    ],
)
def test_a_site_says_what_becomes_of_html(space: Space, policy: str, html: str) -> None:
    space.write("site/site.yaml", SITE_YAML + policy)
    result = space.build()
    assert errors(result) == []
    assert html in space.page("en/posts/a")
    assert [one.rule for one in result.diagnostics] == (["html-unsafe"] if "safe" in policy else [])


def test_what_is_left_out_is_told_with_its_line(space: Space) -> None:
    space.write("site/site.yaml", f"{SITE_YAML}html: safe\n")
    (one,) = space.build().diagnostics
    assert one.location is not None
    assert (one.severity, one.location.path, one.location.line) == ("warning", "content/posts/a/en.md", 6)
    assert one.message == (
        "the attribute `onclick` of <b> is left out, because the site's configuration says `html: safe`"
    )
    assert one.fix == "delete it, or set `html: all` if you trust all authors."


def test_another_policy_parses_again_and_no_other_change_does(space: Space) -> None:
    with space.site() as site:
        site.build()
        space.write("site/site.yaml", SITE_YAML.replace("Test site", "Other"))
        assert not [key for key in ran(site.build()) if key.startswith("document")]
        space.write("site/site.yaml", f"{SITE_YAML}html: safe\n")
        assert {"document a:zh", "document a:en"} <= {*ran(site.build())}
        assert ran(site.build()) == []
        space.build(output="again")
        assert space.outputs() == space.outputs("again")


def test_mistakes_in_articles_are_found_beside_those_in_the_configuration(space: Space) -> None:
    space.write("site/site.yaml", f"{SITE_YAML}html: sfe\n")
    space.post("b", zh="<b>", en="x")
    assert {one.rule for one in errors(space.build())} == {"field-type", "html-unclosed"}
    assert 'did you mean "safe"?' in told(space.build())
    space.write("site/site.yaml", f"{SITE_YAML}html: none\nnope: 1\n")  # the policy is right
    assert {one.rule for one in errors(space.build())} == {"field-unknown"}
