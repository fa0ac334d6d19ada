"""Tests that run a benchmark from start to end: they take half a minute and protect nobody's site."""

import os

import pytest

at_full_length = pytest.mark.skipif(
    "DIGLOT_BENCHMARKS" not in os.environ, reason="takes half a minute; DIGLOT_BENCHMARKS=1 runs it"
)
