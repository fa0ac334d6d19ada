"""A site is not deployed in silence with an address that is nobody's."""

from pathlib import Path

import pytest

from diglot.cli.main import main
from diglot.web_addresses import is_placeholder
from tests.space import SITE_YAML, Space


@pytest.mark.parametrize(
    ("address", "is_nobodys"),
    [
        ("https://example.org/", True),
        ("https://example.com/blog/", True),
        ("https://www.example.net/", True),
        ("https://blog.example/", True),
        ("https://site.test/", True),
        ("https://site.invalid/", True),
        ("http://localhost:8000/", True),
        ("http://site.localhost/", True),
        ("http://127.0.0.1:8000/", True),
        ("http://[::1]/", True),
        ("http://0.0.0.0/", True),
        ("https://your-name.github.io/", True),
        ("https://yourname.github.io/blog/", True),
        ("https://username.github.io/", True),
        ("https://your-domain.com/", True),
        ("https://my-site.netlify.app/", True),
        ("https://ada.github.io/", False),
        ("https://examples.dev/", False),
        ("https://myexample.org/", False),
        ("https://testing.dev/", False),
        ("https://contest.org/", False),
        ("https://10.0.0.7/", False),
        ("https://intranet/", False),
        ("https://脊点.中国/", False),
    ],
)
def test_addresses_of_examples_tests_and_machines_are_known(address: str, is_nobodys: bool) -> None:
    assert is_placeholder(address) == is_nobodys


def deployed(space: Space, capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["deploy", "--root", str(space.root), "--to", str(space.root.parent / "out"), *flags])
    return code, capsys.readouterr().err


@pytest.fixture
def site(tmp_path: Path) -> Space:
    made = Space(tmp_path / "site")
    made.post("a")
    return made


def test_a_placeholder_is_an_error_where_it_is_written(
    site: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = deployed(site, capsys)
    assert code == 1
    assert said.startswith(
        'site/site.yaml:2:11: error[base-url-placeholder]: "https://example.org/" is a placeholder: '
        "feeds, the site map and search engines lead there\n"
        "    base_url: https://example.org/\n"
        "              ^^^^^^^^^^^^^^^^^^^^\n"
        "  fix: write the address where readers will find the site as `base_url:`, "
        "or give it with --base-url.\n"
    )
    assert said.endswith("not deployed: 1 error\n")
    assert not (site.root.parent / "out").exists()


def test_what_the_fix_says_removes_the_warning(site: Space, capsys: pytest.CaptureFixture[str]) -> None:
    assert "base-url-placeholder" not in deployed(site, capsys, "--base-url", "https://ada.dev/")[1]
    site.write("site/site.yaml", f"{SITE_YAML}deploy: {{cname: ada.dev}}\n")
    assert "fix: write https://ada.dev/ as `base_url:`." in deployed(site, capsys)[1]
    site.change("site/site.yaml", "https://example.org/", "https://ada.dev/")
    assert "base-url-placeholder" not in deployed(site, capsys)[1]


def test_a_placeholder_can_be_meant(site: Space, capsys: pytest.CaptureFixture[str]) -> None:
    site.write("site/site.yaml", f"{SITE_YAML}ignore: [{{rule: base-url-placeholder}}]\n")
    assert "base-url-placeholder" not in deployed(site, capsys, "--strict")[1]
    assert main(["check", "--root", str(site.root)]) == 0
    assert "ignore-unused" not in capsys.readouterr().err
