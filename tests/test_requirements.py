"""What a site uses and its `requirements.txt` does not install is reported, and nothing else."""

from pathlib import Path

import pytest

from diglot.project import load_project
from diglot.rules.options import CONFIG
from diglot.rules.requirements import check_requirements

SCRIPT = """\
import json
import matplotlib
from diglot import figures
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import pytest
try:
    import playwright
except ImportError:
    playwright = None

def compute(figure):
    import hypothesis.strategies
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for path, text in (
        (CONFIG, "title: {zh: 站, en: Site}\nbase_url: https://ada.dev/\nsearch: true\npictures: avif\n"),
        ("figures/a.py", SCRIPT),
        ("content/posts/a/zh.md", "一张图：\n\n```mermaid\ngraph LR\n```\n"),
        ("more.txt", "hypothesis\n"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


def test_what_the_lines_do_not_install_is_reported_where_it_is_used(site: Path) -> None:
    search, pictures, mermaid, library = (
        "diglot[search]",
        "diglot[pictures]",
        "diglot[mermaid]",
        "hypothesis",
    )
    cases = {
        None: (),
        "diglot": (search, pictures, library, mermaid),
        "diglot[search, Pictures]==0.1 # pinned": (library, mermaid),
        "./vendor/diglot-0.1.0-py3-none-any.whl[search,mermaid]\nHypothesis==6": (pictures,),
        "diglot[search,pictures,mermaid] @ git+https://a.dev/d.git@ab\n-r more.txt": (),
        "diglot[pictures]\npagefind_bin\nmermaidx\nhypothesis ; python_version > '3'": (),
        "-e ../diglot": (),
        "git+https://a.dev/d.git": (),
        "-c locked.txt\n--no-index\n\ndiglot[search,mermaid,pictures]": (library,),
    }
    project = load_project((site / CONFIG).read_text("utf-8"), CONFIG)
    wrong = {}
    for text, expected in cases.items():
        if text is not None:
            (site / "requirements.txt").write_text(text, "utf-8")
        fixes = [one.fix or "" for one in check_requirements(site, CONFIG, project)]
        if len(fixes) != len(expected) or not all(map(str.__contains__, fixes, expected)):
            wrong[text] = fixes
    assert not wrong
    (site / "requirements.txt").write_text("diglot", "utf-8")
    found = [str(one.location) for one in check_requirements(site, CONFIG, project)]
    assert [place.partition(":")[0] for place in found] == [
        CONFIG,
        CONFIG,
        "figures/a.py",
        "content/posts/a/zh.md",
    ]
    (site / "node_modules/mermaid").mkdir(parents=True)
    assert len([*check_requirements(site, CONFIG, project)]) == 3
