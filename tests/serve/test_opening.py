"""`serve --open`, and the address that `serve` prints."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diglot.serve.command import DEFAULT_PORT, listen
from diglot.serve.running import home_in
from tests.cli.sites import CONFIG, article, pair, write
from tests.serve.test_serving import Serving, serve
from tests.waiting import wait_until

__all__ = ["serve"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="starts a preview")


def test_the_first_language_that_has_a_home_page_is_opened(tmp_path: Path) -> None:
    assert home_in(tmp_path, ("zh", "en")) is None
    write(tmp_path, {"en/index.html": ""})
    assert home_in(tmp_path, ("zh", "en")) == "en/"
    write(tmp_path, {"zh/index.html": ""})
    assert home_in(tmp_path, ("zh", "en")) == "zh/"
    assert home_in(tmp_path, ("en", "zh")) == "en/"


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[], str]:
    """The address that the browser of `tmp_path` was asked to open, once it was."""
    browser = tmp_path / "browser"
    browser.write_text(
        f'#!/bin/sh\necho "$1" > {tmp_path}/opened.new\nmv {tmp_path}/opened.new {tmp_path}/opened\n'
    )
    browser.chmod(0o755)

    def address() -> str:
        wait_until((tmp_path / "opened").exists)
        return (tmp_path / "opened").read_text().strip()

    return address


@pytest.mark.parametrize(
    ("config", "files", "home"),
    [
        ("", pair("hello"), "zh/"),
        ("languages: {first: en}\n", pair("hello"), "en/"),
        ("", {"content/posts/hello/en.md": article(more="only: en\n")}, "en/"),
        ("titel: a mistake\n", pair("hello"), ""),
    ],
)
def test_the_home_page_is_opened_once_it_is_there(
    tmp_path: Path,
    serve: Callable[..., Serving],
    opened: Callable[[], str],
    config: str,
    files: dict[str, str],
    home: str,
) -> None:
    root = tmp_path / "site"
    write(root, {"site/site.yaml": CONFIG + config, **files})
    serving = serve(root, "--port", "0", "--open", BROWSER=f"{tmp_path}/browser %s")
    assert opened() == serving.address + home
    assert serving.get(home).status_code == (200 if home else 404)


def test_a_port_that_is_taken_is_named(tmp_path: Path, serve: Callable[..., Serving]) -> None:
    write(tmp_path, {"site/site.yaml": CONFIG, **pair("hello")})
    with listen("127.0.0.1", None):  # the usual port, if nobody has it yet
        serving = serve(tmp_path, "--poll")
        assert f"(port {DEFAULT_PORT} is taken; press Ctrl-C to stop)" in serving.said[0]
        assert f":{DEFAULT_PORT}/" not in serving.said[0]
