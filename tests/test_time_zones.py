"""The day of a build is that of the site's time zone."""

import datetime
import re
import sys
import zoneinfo
from pathlib import Path

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.project import load_project
from diglot.rules.options import SiteOptions, today
from diglot.time_zones import _OF_LETTERS, _OF_OFFSETS, find_zone, start_of_day
from tests.space import SITE_YAML, Space, told

EVENING = str(int(datetime.datetime(2026, 11, 20, 17, tzinfo=datetime.UTC).timestamp()))
"""In Shanghai it is one o'clock of the next day."""


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", 20), ("Asia/Shanghai", 21), ("America/New_York", 20), ("Pacific/Kiritimati", 21)],
)
def test_a_moment_is_on_the_day_of_the_zone(zone: str, day: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EVENING)
    assert today(zone) == datetime.date(2026, 11, day)


def test_an_article_appears_when_its_day_begins_where_the_site_is(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EVENING)
    space.post("a", date="2026-11-21")
    assert told(space.build()) == ""
    page = space.root / "public/zh/posts/a/index.html"
    assert not page.exists()
    space.write("site/site.yaml", f"{SITE_YAML}timezone: Asia/Shanghai\n")
    assert told(space.build()) == ""
    assert page.is_file()
    feed = (space.root / "public/zh/feed.xml").read_text("utf-8")
    assert "<published>2026-11-21T00:00:00+08:00</published>" in feed
    assert '"date_published":"2026-11-21T00:00:00+08:00"' in (space.root / "public/zh/feed.json").read_text(
        "utf-8"
    )


def test_a_day_given_for_the_build_is_taken_as_it_is(tmp_path: Path) -> None:
    Space(tmp_path).write("site/site.yaml", f"{SITE_YAML}timezone: Asia/Shanghai\n")
    day = datetime.date(2026, 1, 2)
    assert SiteOptions(root=tmp_path, output=tmp_path / "public", clock=day).day == day


def test_summer_time_counts() -> None:
    assert start_of_day(datetime.date(2026, 7, 1), "Europe/Brussels") == "2026-07-01T00:00:00+02:00"
    assert start_of_day(datetime.date(2026, 1, 1), "Europe/Brussels") == "2026-01-01T00:00:00+01:00"
    assert start_of_day(datetime.date(2026, 1, 1), "UTC") == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("Asia/Shangai", 'did you mean "Asia/Shanghai"?'),
        ("asia/shanghai", 'did you mean "Asia/Shanghai"?'),
        ("Shanghai", 'did you mean "Asia/Shanghai"?'),
        ("Asia/Beijing", 'did you mean "Asia/Shanghai"?'),
        ("New York", 'did you mean "America/New_York"?'),
        ("Europe/Ghent", "write a name of the IANA database"),
        ("UTC+8", "write Asia/Shanghai, or Etc/GMT-8: the sign in such names is the other way round"),
        (
            "GMT-05:00",
            "write Etc/GMT+5: the sign in such names is the other way round, and this is 5 h behind",
        ),
        ("+08:00", "write Asia/Shanghai, or Etc/GMT-8"),
        ("+0800", "write Asia/Shanghai, or Etc/GMT-8"),
        ("+00:00", "write UTC."),
        ("-3", "write Etc/GMT+3"),
        ("UTC+05:30", "write Asia/Kolkata."),
        ("utc +9:30", "write Australia/Darwin."),
        ("CST", "Asia/Shanghai or America/Chicago"),
        ("pst", "America/Los_Angeles"),
        ("UTC+15", "write a name of the IANA database"),
        ("UTC+05:15", "write a name of the IANA database"),
        ("../etc/passwd", "write a name of the IANA database"),
        ("/etc/localtime", ""),
    ],
)
def test_an_unknown_zone_is_an_error_with_the_nearest(name: str, fix: str) -> None:
    with pytest.raises(DiagnosticError) as raised:
        load_project(f"{SITE_YAML}timezone: {name!r}\n", "site/site.yaml")
    (mistake,) = raised.value.diagnostics
    assert mistake.message == f'timezone: "{name}" is not a time zone'
    assert mistake.location is not None
    assert mistake.location.line == 6
    assert mistake.fix is not None
    assert fix in mistake.fix
    if mistake.fix.startswith("did you mean"):
        assert find_zone(mistake.fix.split('"')[1]) is not None


def test_zones_that_are_advised_exist() -> None:
    named = re.findall(r"[A-Z]\w+/\w+", " ".join((*_OF_OFFSETS.values(), *_OF_LETTERS.values())))
    assert not [name for name in named if find_zone(name) is None]
    january, july = (datetime.datetime(2026, month, 1) for month in (1, 7))
    for offset, name in _OF_OFFSETS.items():
        zone = zoneinfo.ZoneInfo(name)
        hours, _, minutes = offset[1:].partition(":")
        away = datetime.timedelta(hours=int(hours), minutes=int(minutes or 0)) * (
            -1 if offset[0] == "-" else 1
        )
        assert zone.utcoffset(january) == zone.utcoffset(july) == away, name


def test_without_a_database_it_is_said_until_there_is_one(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.write("site/site.yaml", f"{SITE_YAML}timezone: Asia/Shanghai\n")
    with monkeypatch.context() as patch:
        for module in ["tzdata", *(one for one in sys.modules if one.startswith("tzdata."))]:
            patch.setitem(sys.modules, module, None)
        zoneinfo.reset_tzpath(to=[])
        zoneinfo.ZoneInfo.clear_cache()
        assert "this machine knows no time zones" in told(space.build())
        assert "fix: run `pip install tzdata`." in told(space.build())
    zoneinfo.reset_tzpath()
    assert told(space.build()) == ""
