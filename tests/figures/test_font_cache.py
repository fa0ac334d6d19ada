"""matplotlib's cache folder holds an intact list of fonts from the last process, or nothing."""

import os
from pathlib import Path

import pytest

from diglot.figures.drawing.font_cache import checked


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder as left by a process that loaded matplotlib."""
    folder = tmp_path / "matplotlib"
    with checked(folder):
        (folder / "fontlist-v390.json").write_text('{"name": "Diglot Sans"}')
    return folder


def held(folder: Path) -> set[str]:
    with checked(folder):
        return {path.name for path in folder.iterdir()}


def test_what_was_left_is_found_again(folder: Path) -> None:
    assert "fontlist-v390.json" in held(folder)


def test_a_list_with_a_changed_letter_is_not(folder: Path) -> None:
    (folder / "fontlist-v390.json").write_text('{"name": "Diglot Sens"}')
    assert held(folder) == set()


@pytest.mark.parametrize("name", ["matplotlibrc", "fontlist-v390.json.matplotlib-lock"])
def test_foreign_files_in_the_folder_are_removed(folder: Path, name: str) -> None:
    """matplotlib would read settings in the folder, and wait for a lock."""
    (folder / name).write_text("axes.linewidth: 20")
    assert held(folder) == set()


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    (folder / "fontlist-v390.json").unlink()
    os.mkfifo(folder / "fontlist-v390.json")
    assert held(folder) == set()


def test_a_seal_that_is_damaged_costs_the_list_alone(folder: Path) -> None:
    (folder / "whole").write_text("nonsense")
    assert held(folder) == set()
    with checked(folder):
        (folder / "fontlist-v390.json").write_text("{}")
    assert "fontlist-v390.json" in held(folder)
