"""The benchmark of parsing against the bare libraries, on two pairs."""

import re

from tests.benchmarks.scripts import run_script


def test_it_says_what_a_document_takes_in_each_case() -> None:
    done = run_script("parsers.py", "-n", "2", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    taken = dict(re.findall(r"^(.+?) {2,}(\d+\.\d\d)$", done.stdout, re.MULTILINE))
    assert {"diglot: a document, encoded", "diglot: pages, from texts to bytes"} <= taken.keys()
    assert all(float(milliseconds) > 0 for milliseconds in taken.values())
