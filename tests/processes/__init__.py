"""Tests of `diglot.processes`."""
