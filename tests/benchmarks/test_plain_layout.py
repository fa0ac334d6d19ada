"""Plain posts become a diglot project, and stay where another benchmark edits them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from plain_layout import as_diglot, convert

from diglot.rules.building import Site
from diglot.rules.options import SiteOptions
from tests.benchmarks.scripts import BENCHMARKS, ROOT

POST = """\
---
title: "A title: with a colon"
date: 2015-01-02T05:00:00Z
lang: {language}
slug: a-post
categories: [compilers]
tags: [latency, linear-algebra]
description: "A description"
---

Text.

![A picture](/img/one.svg)
"""


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    folder = tmp_path / "plain"
    (folder / "posts").mkdir(parents=True)
    (folder / "img").mkdir()
    (folder / "img/one.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"/>')
    for language in ("zh", "en"):
        (folder / f"posts/a-post.{language}.md").write_text(POST.format(language=language), "utf-8")
    return folder


def test_days_lose_their_time_and_halves_their_language() -> None:
    text = as_diglot(POST.format(language="zh"))
    assert "\ndate: 2015-01-02\n" in text
    assert "\nlang:" not in text
    assert text.endswith("---\n\nText.\n\n![A picture](/img/one.svg)\n")


def test_the_project_builds_without_a_word(plain: Path, tmp_path: Path) -> None:
    assert convert(plain, tmp_path / "project") == 2
    with Site(SiteOptions(root=tmp_path / "project", output=tmp_path / "public")) as site:
        assert site.build().diagnostics == ()
    assert (tmp_path / "public/zh/posts/a-post/index.html").exists()
    assert (tmp_path / "public/img/one.svg").exists()
    assert (tmp_path / "public/en/tags/linear-algebra/index.html").exists()


def test_the_command_for_harnesses_converts_and_builds(plain: Path, tmp_path: Path) -> None:
    def build() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(BENCHMARKS / "diglot-in-plain.sh"), "build", "-o", str(tmp_path / "out")],
            cwd=plain,
            env={
                **os.environ,
                "PYTHON": sys.executable,
                "DIGLOT": f"{sys.executable} -m diglot",
                "PYTHONPATH": str(ROOT / "src"),
            },
            capture_output=True,
            text=True,
            check=False,
        )

    first = build()
    assert first.returncode == 0, first.stderr
    with (plain / "posts/a-post.zh.md").open("a") as half:
        half.write("\nMore.\n")
    assert build().returncode == 0
    assert "More." in (tmp_path / "out/zh/posts/a-post/index.html").read_text("utf-8")
    assert (plain / ".cache").is_dir()
