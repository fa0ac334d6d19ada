"""Which changes on the disk a build would see, and which it would not."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.engine import Key
from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from diglot.serve.changes import Change
from diglot.serve.inputs import BuildInputs
from tests.cli.sites import LINE, article, pair, write, write_site

HELPED = LINE.replace("from typing", "import _slopes\nfrom typing").replace("int(slope)", "_slopes.TIMES")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_site(tmp_path / "site")
    write(
        root,
        {
            **pair("drawn", "```{figure} line\nA caption.\n```\n\n[File](data.csv)"),
            "content/posts/drawn/data.csv": "1,2\n",
            "figures/line.py": HELPED,
            "figures/_slopes.py": "TIMES = 3\n",
            "site/static/picture.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        },
    )
    return root


@pytest.fixture
def site(root: Path) -> Iterator[Site]:
    with Site(SiteOptions(root=root, output=root / ".diglot/preview", jobs=2)) as site:
        yield site


@pytest.fixture
def inputs(site: Site, root: Path) -> BuildInputs:
    return _built(site, BuildInputs(root))


def _built(site: Site, inputs: BuildInputs) -> BuildInputs:
    result = site.build()
    assert not result.failed(strict=False), result.diagnostics
    inputs.update(result.report.inputs())
    return inputs


def test_what_a_build_would_see_and_what_not(inputs: BuildInputs, root: Path) -> None:
    content = [
        "site/site.yaml",
        "content/posts/drawn/zh.md",
        "content/posts/drawn/data.csv",
        "figures/line.py",
        "figures/_slopes.py",
        "site/static/picture.svg",
    ]
    for path in content:
        assert inputs.concerns(str(root / path), names_changed=False), path
    not_read = [
        "README.md",
        "content/posts/drawn/notes.txt",
        "figures/unused.txt",
        "src/other.py",
        ".diglot/x",
    ]
    for path in not_read:
        assert not inputs.concerns(str(root / path), names_changed=False), path


def test_files_that_would_be_found_or_used_if_they_were_there(inputs: BuildInputs, root: Path) -> None:
    appearing = [
        "content/posts/new/zh.md",
        "content/posts/new.en.md",
        "content/posts/drawn/meta.yaml",
        "figures/new.py",
        "content/posts/drawn/figures/own.py",
        "templates/article.html",
        "templates/static/style.css",
        "site/static/deep/below/x.txt",
        "figures/_slopes/__init__.py",  # would be imported in place of the module
        "content/posts/drawn/zh.md~",  # is reported if the file itself is gone
    ]
    for path in appearing:
        assert inputs.concerns(str(root / path), names_changed=True), path
    scratch = [
        "content/posts/drawn/.zh.md.swp",
        "content/posts/drawn/#zh.md#",
        "figures/.#line.py",
        "figures/__pycache__/line.pyc",
        "site/static/.DS_Store",
        "other/new.md",
    ]
    for path in scratch:
        assert not inputs.concerns(str(root / path), names_changed=True), path


def test_folders_with_inputs_in_them_or_to_come(inputs: BuildInputs, root: Path) -> None:
    for folder in (
        "content",
        "content/posts",
        "content/posts/drawn",
        "content/posts/new",
        "figures",
        "templates",
    ):
        assert inputs.concerns(str(root / folder), names_changed=True, is_folder=True), folder
    for folder in ("other", ".git", "figures/__pycache__", "content/posts/.hidden"):
        assert not inputs.concerns(str(root / folder), names_changed=True, is_folder=True), folder


def test_the_built_in_theme_is_an_input_wherever_it_is(inputs: BuildInputs) -> None:
    from diglot.render.theme import built_in_theme

    assert inputs.concerns(str(built_in_theme() / "article.html"), names_changed=False)
    assert str(built_in_theme()) in inputs.folders()


def test_what_is_read_no_more_is_no_input_any_more(site: Site, inputs: BuildInputs, root: Path) -> None:
    write(root, {"figures/line.py": LINE})
    _built(site, inputs)
    assert not inputs.concerns(str(root / "figures/_slopes.py"), names_changed=False)
    for name in ("zh.md", "en.md", "data.csv"):
        (root / "content/posts/drawn" / name).unlink()
    _built(site, inputs)
    assert not inputs.concerns(str(root / "content/posts/drawn/data.csv"), names_changed=False)
    assert not inputs.concerns(str(root / "figures/line.py"), names_changed=False)  # no page shows it
    assert inputs.concerns(str(root / "content/posts/hello/zh.md"), names_changed=False)


def test_keeping_up_and_beginning_anew_are_the_same(site: Site, inputs: BuildInputs, root: Path) -> None:
    for words in ("One.", "```{figure} line\nA caption.\n```", "Two."):
        write(root, {f"content/posts/hello/{half}.md": article(words) for half in ("zh", "en")})
        _built(site, inputs)
        fresh = _built(site, BuildInputs(root))
        assert inputs.folders() == fresh.folders()
        assert inputs._files == fresh._files
        assert inputs._patterns == fresh._patterns


def test_a_file_behind_a_link_is_seen_under_both_names(site: Site, tmp_path: Path, root: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (root / "content/posts/hello").rename(elsewhere)
    (root / "content/posts/hello").symlink_to(elsewhere)
    inputs = _built(site, BuildInputs(root))
    assert inputs.concerns(str(elsewhere / "zh.md"), names_changed=False)
    assert inputs.concerns(str(root / "content/posts/hello/zh.md"), names_changed=False)
    assert str(elsewhere) in inputs.folders()


def test_what_changed_before_anybody_watched_is_found_out(inputs: BuildInputs, root: Path) -> None:
    folder = root / "figures"
    after = max(os.stat(path).st_ctime_ns for path in [folder, *folder.iterdir()]) + 1
    assert not inputs.changed_since(after, [str(folder)])
    (folder / "_slopes.py").write_text("TIMES = 4\n")
    os.utime(folder / "_slopes.py", ns=(after + 1, after + 1))
    assert inputs.changed_since(after, [str(folder)])
    assert not inputs.changed_since(after, [str(root / "site")])


def test_a_change_touches_the_inputs_that_stand_there(inputs: BuildInputs, root: Path) -> None:
    half = root / "content/posts/hello/zh.md"
    saved = Change(str(half), names_changed=False, is_folder=False)
    own = {Key("file", "content/posts/hello/zh.md")}
    assert inputs.at([saved]) == own
    renamed = inputs.at([saved._replace(names_changed=True)])
    assert renamed is not None
    assert renamed > own
    assert inputs.at([Change(str(half.parent), names_changed=True, is_folder=True)]) is None
    assert inputs.at([Change(str(root / "notes.txt"), names_changed=True, is_folder=False)]) == set()
