"""`diglot doctor`: what is missing, and whether a site needs it."""

import json
from pathlib import Path

import pytest

from diglot.cli.doctor import running as doctor
from diglot.cli.main import main

SITE = "title: {zh: 站, en: Site}\nbase_url: https://example.com/\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/site.yaml").write_text(SITE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lacking(monkeypatch: pytest.MonkeyPatch, *distributions: str) -> None:
    version = doctor._version
    monkeypatch.setattr(doctor, "_version", lambda name: "" if name in distributions else version(name))


def test_what_is_here_and_what_is_not_is_told_with_its_use(site, capsys, monkeypatch) -> None:
    lacking(monkeypatch, "pypinyin")
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("diglot ")
    (pinyin,) = [line for line in lines if "diglot[pinyin]" in line and line.startswith("  no ")]
    assert pinyin.endswith("addresses from Chinese titles: pip install 'diglot[pinyin]'")
    assert lines[-1] == "nothing is missing"


@pytest.mark.parametrize(
    ("setting", "distribution", "extra"),
    [
        ("search: true", "pagefind-bin", "search"),
        ("traditional: standard", "opencc", "hant"),
        ("pictures: avif", "pillow", "pictures"),
    ],
)
def test_what_the_settings_need_and_is_missing_ends_with_1(
    site, capsys, monkeypatch, setting, distribution, extra
) -> None:
    (site / "site/site.yaml").write_text(f"{SITE}{setting}\n", "utf-8")
    (site / "requirements.txt").write_text("diglot==0.1.0\n")
    lacking(monkeypatch, distribution)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert f"NEEDED diglot[{extra}]" in out
    assert f"requirements.txt does not install diglot[{extra}]" in out
    (site / "requirements.txt").write_text(f"diglot[dask, {extra}]==0.1.0\n")
    assert main(["doctor", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["site"]["unlisted"] == []
    assert [part["name"] for part in report["parts"] if part["needed"] and not part["found"]] == [
        f"diglot[{extra}]"
    ]


def test_it_works_without_a_site_and_with_broken_settings(
    site, tmp_path_factory, capsys, monkeypatch
) -> None:
    (site / "site/site.yaml").write_text("title: [", "utf-8")
    assert main(["doctor"]) == 1
    assert "`diglot check` says why" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert main(["doctor"]) == 0
    assert "no site here" in capsys.readouterr().out
