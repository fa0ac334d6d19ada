"""`diglot check` on a small site with mistakes of every kind, each found once at its place in the source."""

import json
from typing import Any

import jsonschema
import pytest

from diglot.check.locating import picture_name
from diglot.check.product_names import ProductNames
from diglot.check.spelling import prose_of
from diglot.cli import main
from diglot.rules.pictures import PictureId
from tests.space import SITE_YAML, Space

TEXT = "Two rates decide it.\n"


def front(title: str, **keys: str) -> str:
    """A half's front matter."""
    lines = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"---\ntitle: {title}\ndate: 2026-11-01\n{lines}---\n"


@pytest.fixture
def bad(space: Space) -> Space:
    space.write(
        "site/site.yaml",
        SITE_YAML.replace("{zh: 试验站, en: Test site}", "\n  zh: 试验站\n  en: Test of Pytorch"),
    )
    for language, other in (("zh", "甲"), ("en", "A")):
        space.write(
            f"content/posts/first/{language}.md", f"{front(f'{other}', description=f'{other} 1')}{TEXT}"
        )
    space.write("content/posts/second/zh.md", f"{front('甲')}第一段。\n")
    space.write(
        "content/posts/second/en.md",
        front("Second")
        + "Nvidia wrote “Github”, `pytorch` and <https://github.com/a>.\n\n> Cuda is quoted.\n\n"
        + "![A photograph](heavy.svg){width=50%}\n\n"
        + '<p><link rel="alternate" hreflang="zh-Hans" href="/zh/posts/first/"></p>\n',
    )
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
    space.write("content/posts/second/heavy.svg", svg.format(" " * 400_000))
    space.write("content/posts/second/forgotten.csv", "a,b\n")
    space.write("content/posts/second/_draft.csv", "a,b\n")
    for language in ("zh", "en"):  # a pair that this build leaves out
        space.write(f"content/posts/a-draft.{language}.md", front("草稿", draft="true"))
    space.write("content/posts/a-draft.sync.txt", "diglot sync 1\n")
    space.write("content/posts/third/zh.md", f"{front('丙')}\n```text\nx\n```\n")
    space.write("content/posts/third/en.md", f"{front('Third', description='A 1')}\n```text\nx\n```\n")
    for language in ("zh", "en"):
        space.write(
            f"content/pages/lost/{language}.md", f"---\ntitle: Lost {language}\n---\n\nLost {language}.\n"
        )
    space.write("site/static/stray.pdf", b"%PDF")
    space.write("site/static/robots-of-ours.txt", b"named below")
    space.write("site/static/app.js", 'fetch("/robots-of-ours.txt")')
    return space


def checked(space: Space, capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, Any]:
    capsys.readouterr()
    main(["-C", str(space.root), "check", "--twice", "0", "--json", *flags])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def places(report: dict[str, Any]) -> list[str]:
    return [
        ":".join(str(one[key]) for key in ("path", "line", "column", "rule") if one[key] is not None)
        for one in report["diagnostics"]
    ]


def test_every_mistake_is_found_once_at_its_place(bad: Space, capsys: pytest.CaptureFixture[str]) -> None:
    report = checked(bad, capsys, "--sarif", str(bad.root / "found.sarif"))
    assert places(report) == [
        "content/pages/lost/en.md:1:page-unlinked",
        "content/posts/second/en.md:5:1:name-spelling",
        "content/posts/second/en.md:7:halves-missing",
        "content/posts/second/en.md:9:halves-missing",
        "content/posts/second/en.md:9:17:picture-heavy",
        "content/posts/second/en.md:11:halves-missing",
        "content/posts/second/en.md:11:51:hreflang-broken",
        "content/posts/second/forgotten.csv:file-unused",
        "content/posts/second/zh.md:2:title-repeated",
        "content/posts/second/zh.md:5:halves-link",
        "content/posts/third/en.md:4:14:description-repeated",
        "content/posts/third/zh.md:2:description-missing",
        "site/site.yaml:3:15:name-spelling",
        "site/static/app.js:file-unused",
        "site/static/stray.pdf:file-unused",
    ]
    assert [one["message"] for one in report["diagnostics"]] == [
        'no link leads to "/en/lost/"',
        '"Nvidia" is written NVIDIA',
        "this quotation is missing from the Chinese half (it belongs after content/posts/second/zh.md:5)",
        "this paragraph is missing from the Chinese half (it belongs after content/posts/second/zh.md:5)",
        '"heavy.svg" has 400 kB, and is shown 340 px wide',
        "this HTML is missing from the Chinese half (it belongs after content/posts/second/zh.md:5)",
        'hreflang "/zh/posts/first/": "zh-Hans" is given to two pages',
        '"content/posts/second/forgotten.csv" is not published: no article and no figure uses it',
        '"甲 · 试验站" is also the title of content/posts/first/zh.md',
        "the link github.com/a is only in the English half (its twin: content/posts/second/en.md:5)",
        '"A 1" is also the description of content/posts/first/en.md',
        "the page has no description, because it does not begin with a paragraph",
        '"Pytorch" is written PyTorch',
        '"site/static/app.js" is published, but nothing on the site refers to it',
        '"site/static/stray.pdf" is published, but nothing on the site refers to it',
    ]
    assert {one["severity"] for one in report["diagnostics"]} == {"warning"}

    log = json.loads((bad.root / "found.sarif").read_text("utf-8"))
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    found = [one["locations"][0]["physicalLocation"] for one in run["results"]]
    assert [one["artifactLocation"]["uri"] for one in found] == [one["path"] for one in report["diagnostics"]]
    assert found[1]["region"] == {"startLine": 5, "startColumn": 1}
    assert [run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] for one in run["results"]] == [
        one["rule"] for one in report["diagnostics"]
    ]

    # Whatever can be found can be ignored where it is; names of products in a list of the site's own, too.
    bad.change("content/posts/second/en.md", "Nvidia", "<!-- diglot-ignore: name-spelling -->\nNvidia")
    bad.change("content/posts/second/en.md", "> Cuda", "<!-- diglot-ignore: halves-missing -->\n> Cuda")
    of_picture = "<!-- diglot-ignore: picture-heavy, halves-missing -->\n![A"
    bad.change("content/posts/second/en.md", "![A", of_picture)
    of_link = "<!-- diglot-ignore: hreflang-broken, halves-missing -->\n<p><link"
    bad.change("content/posts/second/en.md", "<p><link", of_link)
    bad.change("content/posts/second/zh.md", "title: 甲", "title: 甲 # diglot-ignore: title-repeated")
    bad.write("site/words.yaml", "names: {TileLang: [Tile Lang]}\nleave: [PyTorch]\n")
    bad.change(
        "content/posts/second/zh.md",
        "第一段",
        "<!-- diglot-ignore: halves-link -->\n第一段写tilelang和“Tile Lang”，也用Tile Lang",
    )
    bad.write("content/posts/second/.hidden", "")
    for path in ("content/posts/second/forgotten.csv", "site/static/stray.pdf", "site/static/app.js"):
        bad.remove(path)
    bad.change("content/posts/first/en.md", TEXT, "[Lost](/lost/), and [ours](/robots-of-ours.txt).\n")
    bad.change("content/posts/first/zh.md", TEXT, f"<!-- diglot-ignore: halves-link -->\n{TEXT}")
    left = [
        "content/posts/second/zh.md:6:5:name-spelling",
        "content/posts/second/zh.md:6:28:name-spelling",
        "content/posts/third/en.md:4:14:description-repeated",
        "content/posts/third/zh.md:2:description-missing",
    ]
    assert places(checked(bad, capsys)) == left
    main(["-C", str(bad.root), "check", "--twice", "0", "-q", "--format", "github"])
    assert capsys.readouterr().out.splitlines()[:1] == [
        "::warning file=content/posts/second/zh.md,line=6,col=5,title=name-spelling::"
        '"tilelang" is written TileLang. Fix: write TileLang, or add the name to `leave:` in site/words.yaml.'
    ]


def test_the_halves_of_talks_and_pages_are_compared_too(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("talks", "pages"):
        space.write(f"content/{folder}/x/zh.md", "---\ntitle: 甲\n---\n\n## 页\n\n占65%。\n")
        space.write(f"content/{folder}/x/en.md", "---\ntitle: A\n---\n\n## Slide\n\nIt takes 56%.\n")
    assert places(checked(space, capsys, "pairs")) == [
        f"content/{folder}/x/zh.md:7:halves-quantity" for folder in ("pages", "talks")
    ]


def test_a_mistake_in_the_list_of_names_is_reported_there(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    space.post("a", zh="甲。", en="A.")
    space.write("site/words.yaml", "names:\n  TileLang: Tile Lang\nleve: [JAX]\n")
    report = checked(space, capsys)
    assert places(report) == ["site/words.yaml:2:13:field-value", "site/words.yaml:3:1:field-unknown"]
    assert report["diagnostics"][0]["message"] == "names.TileLang: this is not a list of texts"
    assert report["diagnostics"][1]["fix"] == 'did you mean "leave"?'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pytorch与JAX", ["Pytorch"]),
        ("gpus and Gpu-bound, on a GPU", ["gpu"]),
        ("pytorch.org, a/pytorch, pytorch_lightning, @nvidia, torch", []),
        ("Flash Attention, flash-attention; FlashAttention-3", ["Flash Attention", "flash-attention"]),
        ("`cuda` ``a ` cuda`` $cuda$ [cuda](cuda) ![cuda](nvidia.png)", ["cuda", "cuda"]),
        ("[a]: https://x/cuda\n\n    cuda\n\n```text\ncuda\n```\n", []),
        ("> cuda\n\n> [!NOTE]\n> Cuda\n", ["Cuda"]),
        ('他写道“用cuda”，「cuda」，"cuda"，又说Cuda', ["Cuda"]),
        ('<p title="cuda">Cuda</p> <!-- cuda --> {eval}`cuda.x`', ["Cuda"]),
        ("···python\nx = numpy\n···\n\nUse pytorch.", ["pytorch"]),
        ("｀｀｀ python\n\nnumpy\n\n｀｀｀", []),
        ("···python\n\nUse numpy.", ["numpy"]),
    ],
)
def test_names_are_looked_for_in_prose_alone(text: str, found: list[str]) -> None:
    assert [one.written for one in ProductNames().find(prose_of(text))] == found


SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "required": ["tool"],
                "properties": {
                    "tool": {
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "required": ["name"],
                                "properties": {
                                    "rules": {"uniqueItems": True, "items": {"required": ["id"]}},
                                    "informationUri": {"format": "uri"},
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {
                        "items": {
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": {"required": ["text"]},
                                "locations": {
                                    "items": {
                                        "required": ["physicalLocation"],
                                        "properties": {
                                            "physicalLocation": {
                                                "required": ["artifactLocation"],
                                                "properties": {
                                                    "artifactLocation": {"required": ["uri"]},
                                                    "region": {
                                                        "required": ["startLine"],
                                                        "additionalProperties": {
                                                            "type": "integer",
                                                            "minimum": 1,
                                                        },
                                                    },
                                                },
                                            }
                                        },
                                    }
                                },
                            },
                        }
                    },
                },
            },
        },
    },
}
"""What the schema of SARIF 2.1.0 requires of the parts that are written."""


@pytest.mark.parametrize(
    ("published", "known"),
    [
        (PictureId(1360, "png", "content/posts/a/stack.png").published(64 * "1"), "stack.png"),
        (PictureId(800, "webp", "content/posts/a/photo.JPG").published(64 * "a"), "photo.JPG"),
        ("assets/posts/a/stack.1993ac77.svg", "stack.svg"),
        ("stack-png-2.png", "stack-png-2.png"),
    ],
)
def test_pictures_are_called_as_their_author_calls_them(published: str, known: str) -> None:
    assert picture_name(f"/{published}") == known


def test_a_dead_link_is_reported_in_the_file_that_has_it(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    space.post("one", zh="第一段。", en="A paragraph.")
    space.write(
        "templates/base.html",
        '{% extends "diglot/base.html" %}\n{% block footer %}<a href="/zh/post/one/">x</a>{% endblock %}\n',
    )
    space.write(
        "site/static/old.html", '<!doctype html>\n<html lang="en"><title>Old</title><a href="/sew/">x</a>'
    )
    found = [one for one in checked(space, capsys)["diagnostics"] if one["rule"] == "link-dead"]
    assert [(one["path"], one["line"]) for one in found] == [
        ("site/static/old.html", 2),
        ("templates/base.html", 2),  # once, though it is on every page
    ]
    assert found[1]["fix"] == 'did you mean "/zh/posts/one/"?'
    space.change("templates/base.html", "/zh/post/one/", "/zh/posts/one/")
    space.remove("site/static/old.html")
    assert not [one for one in checked(space, capsys)["diagnostics"] if one["rule"] == "link-dead"]
