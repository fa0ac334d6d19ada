"""Which addresses open a file in an editor."""

import pytest

from diglot.editors import EDITORS, find_editor


@pytest.mark.parametrize("name", EDITORS)
def test_a_known_editor_opens_a_path_at_a_line(name: str) -> None:
    address = find_editor(name)
    assert address is not None
    assert "{path}" in address
    assert "{line}" in address


def test_an_address_may_be_written_out() -> None:
    assert find_editor("nova://open?path={path}&line={line}") == "nova://open?path={path}&line={line}"
    assert find_editor("http://localhost:63342/api/file{path}:{line}") is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "notepad",
        "vscode://file:{line}",
        "javascript:alert('{path}')",
        "javascript://{path}",
        "JavaScript://{path}",
        "data:text/html,{path}",
        "about:{path}",
        'nova://{path}" onclick="x',
        "nova://{path} x",
    ],
)
def test_nothing_else_is_an_editor_least_of_all_a_script(text: str) -> None:
    assert find_editor(text) is None
