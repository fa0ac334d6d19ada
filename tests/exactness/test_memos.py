"""Memos: what is worked out again is what is remembered, in one build and in builds of one process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from tests.cli.sites import environment
from tests.hostile.edits.start import FILES
from tests.space import Space, outputs

MEMOS = Path(__file__).parent / "memos"
IN_SERIES = {
    f"content/posts/part{n}/{name}": text
    for n in (1, 2)
    for name, text in (
        ("meta.yaml", f"date: 2026-10-0{n}\nseries: ser\npart: {n}\ntags: [roofline]\n"),
        ("zh.md", f"---\ntitle: 第{n}篇\n---\n\n内容。\n"),
        ("en.md", f"---\ntitle: Part {n}\n---\n\nText.\n"),
    )
}
EDITS = (
    ("content/posts/part1/zh.md", "第1篇", "头一篇"),
    ("content/posts/part2/meta.yaml", "part: 2", "part: 3"),
    ("content/posts/gamma.zh.md", "丙文", "丙篇"),
    ("site/site.yaml", "屋顶线", "顶线"),
    ("figures/rates.py", "batch: Annotated[int, Range(1, 64, 1)] = 32", "batch: float = 32.0"),
    ("content/posts/alpha/en.md", "Two rates", "Two true rates"),
)
BUILDS = """\
import sys
from pathlib import Path

from tests.exactness.test_memos import builds

print(builds(Path(sys.argv[1])))
"""


def builds(root: Path) -> str:
    """Build, and again after each edit. Returns what all builds said."""
    said = []
    with Site(SiteOptions(root=root, output=root / "public")) as site:
        said.append(site.build().diagnostics)
        for path, old, new in EDITS:
            text = (root / path).read_text("utf-8")
            assert text.count(old), (path, old)
            (root / path).write_text(text.replace(old, new), "utf-8")
            said.append(site.build().diagnostics)
    return str(said)


def site(root: Path) -> Path:
    root.mkdir(parents=True)
    space = Space(root)
    for path, text in {**FILES, **IN_SERIES}.items():
        space.write(path, text)
    return root


def build_apart(root: Path, **variables: str) -> tuple[str, dict[str, bytes]]:
    """The builds in a process of their own, which loads modules as the variables say."""
    done = subprocess.run(
        [sys.executable, "-c", BUILDS, str(root)],
        cwd=root,
        env=environment(**variables),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip(), outputs(root / "public")


@pytest.mark.timeout(600)
def test_every_memo_remembers_what_it_would_work_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795219200")
    report = tmp_path / "report"
    here = str(Path(__file__).parents[2])
    plain = site(tmp_path / "plain/project")
    said, made = builds(plain), outputs(plain / "public")
    again, checked = build_apart(
        site(tmp_path / "checked/project"),
        SOURCE_DATE_EPOCH=os.environ["SOURCE_DATE_EPOCH"],
        PYTHONPATH=os.pathsep.join((str(MEMOS), here)),
        DIGLOT_TEST_MEMOS=str(report),
    )
    lines = set(report.read_text("utf-8").splitlines())
    assert [line for line in lines if line.startswith("differs")] == []
    assert {
        "asked diglot.render.citations.citation",
        "asked diglot.rules.parsed_halves._body_in",
        "asked diglot.site_map.SiteMap.by_language",
        "asked diglot.figures.drawing.style._settings",
    } <= lines
    assert again == said
    assert sorted(checked) == sorted(made)
    assert [path for path in made if made[path] != checked[path]] == []
