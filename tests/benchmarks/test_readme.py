"""`benchmarks/README.md` is true: everything it names exists."""

import re

import preview
import pytest
from builds import CASES

from tests.benchmarks.scripts import BENCHMARKS, run_script
from tests.docs.pages import code, rows, section

README = (BENCHMARKS / "README.md").read_text("utf-8")


def test_every_file_it_names_is_there() -> None:
    named = set(re.findall(r"`?(?:benchmarks/)?([\w./-]+\.(?:py|sh))`?", README))
    assert {"corpus.py", "builds.py", "peers.py", "plain_layout.py", "diglot-in-plain.sh"} <= named
    assert not [name for name in named if not (BENCHMARKS / name).exists() and name != "cacheconf.py"]


def test_its_cases_are_those_that_are_measured() -> None:
    text = section(README, "## What is measured").partition("| metric |")[0]
    assert [code(row[0])[0] for row in rows(text)] == list(CASES)


def test_its_edits_are_those_that_are_timed() -> None:
    assert [code(row[0])[0] for row in rows(section(README, "## The preview"))] == list(preview.CASES)


@pytest.mark.parametrize("script", ["corpus.py", "builds.py", "peers.py", "parsers.py", "preview.py"])
def test_every_flag_it_names_is_known(script: str) -> None:
    used = {
        flag
        for line in re.findall(rf"^python benchmarks/{re.escape(script)}.*$", README, re.MULTILINE)
        for flag in re.findall(r" (--?[a-z]+)", line.partition("#")[0])
    }
    known = run_script(script, "--help").stdout
    assert not [flag for flag in used if flag not in known]
