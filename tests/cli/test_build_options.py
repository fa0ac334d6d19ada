"""Options that change what is built: the site's address, and the day of the build."""

import re
from pathlib import Path

import pytest

from diglot.cli import main
from diglot.rules.options import SiteOptions
from tests.cli.sites import CONFIG, pair, write, write_site
from tests.space import outputs


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "CI", "SOURCE_DATE_EPOCH", "DIGLOT_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    root = write_site(tmp_path / "site")
    write(root, pair("later"))
    monkeypatch.chdir(root)
    return root


def shown(site: Path, *flags: str) -> set[str]:
    """The articles that a build publishes."""
    assert main(["build", "-q", *flags]) == 0
    posts = site / "public/zh/posts"
    return {path.name for path in posts.iterdir()} if posts.is_dir() else set()


def clean_build(site: Path, *flags: str) -> dict[str, bytes]:
    """What a build without a cache publishes, into a folder of its own."""
    folder = site.parent / "clean"
    write_site(folder)
    write(folder, pair("later"))
    assert main(["-C", str(folder), "build", "-q", *flags]) == 0
    return outputs(folder / "public")


def test_the_flag_gives_the_address_instead_of_the_configuration(site: Path) -> None:
    assert main(["build", "-q"]) == 0
    assert main(["build", "-q", "-b", "https://preview.example.net/pr-7"]) == 0
    page = (site / "public/en/posts/hello/index.html").read_text("utf-8")
    assert '<link rel="canonical" href="https://preview.example.net/pr-7/en/posts/hello/"' in page
    assert 'href="/pr-7/zh/posts/hello/"' in page
    assert "example.org" not in page
    assert outputs(site / "public") == clean_build(site, "-b", "https://preview.example.net/pr-7/")


def test_without_the_flag_the_configuration_counts_again(site: Path) -> None:
    assert main(["build", "-q"]) == 0
    before = outputs(site / "public")
    assert main(["build", "-q", "-b", "https://preview.example.net/"]) == 0
    assert outputs(site / "public") != before
    assert main(["build", "-q"]) == 0
    assert outputs(site / "public") == before


def test_another_address_parses_no_article_again(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "-q"]) == 0
    capsys.readouterr()
    assert main(["build", "-v", "-b", "https://preview.example.net/"]) == 0
    ran = set(re.findall(r"ms  ([a-z-]+)", capsys.readouterr().err))
    assert {"project", "article-page", "sitemap", "robots", "feed"} <= ran
    assert not ran & {"document", "front-matter", "outline", "alignment", "references"}


def test_the_variable_gives_the_address_and_the_flag_comes_first(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGLOT_BASE_URL", "https://variable.example.net")
    assert main(["build", "-q"]) == 0
    assert "https://variable.example.net/sitemap.xml" in (site / "public/robots.txt").read_text("utf-8")
    assert main(["build", "-q", "--base-url", "https://flag.example.net"]) == 0
    assert "https://flag.example.net/sitemap.xml" in (site / "public/robots.txt").read_text("utf-8")
    monkeypatch.setenv("DIGLOT_BASE_URL", "")  # as in a workflow for which a host gave none
    assert main(["build", "-q"]) == 0
    assert "https://example.org/sitemap.xml" in (site / "public/robots.txt").read_text("utf-8")


def test_a_variable_that_is_no_address_is_refused(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DIGLOT_BASE_URL", "preview")
    assert main(["build"]) == 2
    assert capsys.readouterr().err == (
        'diglot: DIGLOT_BASE_URL is "preview", which is not the address of a site\n'
        "  fix: write the complete address, as in https://example.org/ or https://example.org/blog/.\n"
    )


def test_the_flag_does_not_hide_a_wrong_address_in_the_configuration(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(site, {"site/site.yaml": CONFIG.replace("https://example.org/", "nowhere")})
    assert main(["build", "-b", "https://example.org/"]) == 1
    assert '"nowhere" is not the address of a site' in capsys.readouterr().err


def test_links_are_checked_for_the_address_of_the_build(site: Path) -> None:
    assert main(["check", "-q"]) == 0
    assert main(["check", "-q", "-b", "https://example.org/blog/"]) == 0


def test_check_notes_that_robots_are_not_read_below_a_path(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--strict", "-b", "https://ada.github.io/blog/"]) == 0
    assert capsys.readouterr().err == (
        "note: crawlers read only https://ada.github.io/robots.txt, not the one below /blog/: "
        "submit https://ada.github.io/blog/sitemap.xml to search engines yourself\nchecked: no errors\n"
    )


def test_the_clock_sets_the_day_of_the_build(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(site, {path: text.replace("2026-01-02", "2099-05-01") for path, text in pair("later").items()})
    assert shown(site) == {"hello"}
    assert shown(site, "--clock", "2099-04-30") == {"hello"}
    assert shown(site, "--clock", "2099-05-01") == {"hello", "later"}
    assert shown(site, "--clock", "2026-01-01") == set()
    assert shown(site, "--clock", "2026-01-01", "--future") == {"hello", "later"}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")  # 2026-01-01, a day before the article
    assert shown(site) == set()
    assert shown(site, "--clock", "2026-01-02") == {"hello"}


@pytest.mark.parametrize(
    ("flags", "everything"),
    [([], True), (["--clock", "2026-01-01"], False), (["--clock", "2026-01-01", "-FE"], True)],
)
def test_a_preview_shows_everything_but_with_a_clock_what_readers_would_see_on_that_day(
    flags: list[str], everything: bool, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[SiteOptions] = []

    def serve_command(options: SiteOptions, **_: object) -> int:
        started.append(options)
        return 0

    monkeypatch.setattr("diglot.cli.serving.running.serve_command", serve_command)
    assert main(["serve", *flags]) == 0
    (options,) = started
    assert (options.future, options.expired, options.drafts) == (everything, everything, True)
