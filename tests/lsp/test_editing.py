"""Texts that are not saved, as a build sees them."""

import threading
from pathlib import Path

import pytest

from diglot.figure_request import FigureRequest
from diglot.lsp.analysing import OpenText, unsaved_texts
from diglot.rules.editing import EditedSite, Overtaken, is_read_as_typed
from diglot.rules.figures import compute_figure
from diglot.rules.front_matters import read_front_matter
from diglot.rules.ids import HalfId
from diglot.rules.options import SiteOptions
from tests.space import Space

POST = "content/posts/a/en.md"
FENCE = (
    "```{figure-script} own\nTITLE = {'zh': '甲', 'en': 'A'}\n\n\ndef compute():\n    return {'n': 1}\n```"
)


def options(space: Space) -> SiteOptions:
    return SiteOptions(root=space.root, output=space.root / "public")


def test_an_unsaved_text_is_read_and_never_reaches_a_build(space: Space) -> None:
    space.post("a", zh="字", en="Words")
    key = read_front_matter.key(HalfId("a", "en"))
    unsaved = (space.root / POST).read_text("utf-8").replace("Article a", "Unsaved")
    with EditedSite(options(space)) as site:
        _, (value,) = site.look([key], {POST: unsaved.encode()})
        assert value is not None
        assert read_front_matter.decoded(value).title == ("Unsaved",)
        _, (value,) = site.look([key], {})
        assert value is not None
        assert read_front_matter.decoded(value).title == ("Article a",)
    with space.site() as built:
        assert built.value(read_front_matter, HalfId("a", "en")).title == ("Article a",)


def test_code_runs_when_it_is_saved_and_not_while_it_is_typed(space: Space) -> None:
    space.post("a", zh=FENCE, en=FENCE)
    saved = (space.root / POST).read_text("utf-8")
    twin = POST.replace("en.md", "zh.md")
    saved_twin = (space.root / twin).read_text("utf-8")
    key = compute_figure.key(FigureRequest("own"))
    done = threading.Event()

    def data(texts: dict[str, bytes]) -> bytes | None:
        _, (value,) = site.look([key], texts)
        return None if value is None else compute_figure.decoded(value).data

    with EditedSite(options(space)) as site:
        site.calls.finished = done.set
        if data({}) is None:
            assert done.wait(120)
        assert data({}) == b'{"n":1}'
        done.clear()
        typed = {POST: saved.replace("'n': 1", "'n': 2").encode()}
        typed[twin] = saved_twin.replace("'n': 1", "'n': 2").encode()
        assert data(typed) in (b'{"n":1}', None)
        assert not site.calls.is_under_way((None, None))
        assert not done.wait(0.5)
        space.write(POST, typed[POST])
        space.write(twin, typed[twin])
        if data({}) != b'{"n":2}':
            assert done.wait(120)
        assert data({}) == b'{"n":2}'


def test_a_look_ends_when_nobody_waits_for_it(space: Space) -> None:
    space.post("a")
    with EditedSite(options(space), is_wanted=lambda: False) as site, pytest.raises(Overtaken):
        site.look([read_front_matter.key(HalfId("a", "en"))], {})


def test_what_a_site_has_built_is_not_made_again(space: Space) -> None:
    space.post("a")
    key = read_front_matter.key(HalfId("a", "en"))
    with space.site() as built:
        built.bring_up([key])
    with EditedSite(options(space)) as site:
        report, _ = site.look([key], {})
    assert [str(run.key) for run in report.ran] == []


@pytest.mark.parametrize(
    ("path", "is_typed"),
    [
        (POST, True),
        ("content/posts/a/meta.yaml", True),
        ("site/site.yaml", True),
        ("site/references.bib", True),
        ("site/glossary.yaml", True),
        ("site/hardware/own.yaml", False),
        ("figures/a.py", False),
        ("figures/data.json", False),
        ("content/posts/a/figures/a.py", False),
        ("README.md", False),
    ],
)
def test_files_that_processes_read_count_when_they_are_saved(path: str, is_typed: bool) -> None:
    assert is_read_as_typed(path) == is_typed


def test_a_text_as_on_disk_is_no_unsaved_one(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    (tmp_path / "content/a.md").write_bytes(b"\xef\xbb\xbfwords\r\n")
    texts = {"content/a.md": OpenText(text="words\r\n"), "content/b.md": OpenText(text="new")}
    assert unsaved_texts(tmp_path, texts) == {"content/b.md": b"new"}
