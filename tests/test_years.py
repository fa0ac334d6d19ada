"""Numbers that are names."""

import math

from diglot.figures.records import Domain, FormField, FormPreset, FormTable
from diglot.languages import Bilingual
from diglot.render.controls import value_text
from diglot.render.forms import form_view
from diglot.years import Year, are_named, are_years, is_called_year, naming_of, ungrouped


def test_names_of_years_are_known_and_quantities_per_year_are_not() -> None:
    called = {
        *(
            "year",
            "Year",
            "release_year",
            "Year of release",
            "launch-date",
            "years",
            "Year (CE)",
            "Fiscal year",
        ),
        *("年", "年份", "发布年份", "财政年度", "上市日期", "发布日期（公历）"),
    }
    others = {
        *(
            "tokens_per_year",
            "Tokens per year",
            "USD a year",
            "yearly",
            "batch",
            "yield",
            "Update",
            "candidate",
        ),
        *("每年词元数", "年均增长", "年龄", "批量", ""),
    }
    assert {name for name in called | others if is_called_year(name)} == called


NAMES: dict[str, int] = {
    **dict.fromkeys(("founded", "since", "Launched", "released_in", "born", "成立", "首次发布"), 1998),
    **dict.fromkeys(
        ("start", "begin", "end", "from_", "to", "until", "first", "Last", "起始", "结束", "起"), 2024
    ),
    **dict.fromkeys(("established", "introduced_in", "discontinued", "invented", "推出", "停产于"), 2024),
    **dict.fromkeys(("date", "release_dates", "发布日期"), 20240101),
    **dict.fromkeys(
        ("model", "gpu_model", "sku", "zip", "Version", "driver version", "postal_code", "pid"), 4090
    ),
    **dict.fromkeys(
        ("型号", "版本", "驱动版本号", "编号", "邮编", "手机号", "机型", "错误码", "rfc", "ISBN"), 10115
    ),
    **dict.fromkeys(("Part number", "server_port", "Id", "chip_id", "编号", "芯片型号", "端口"), 8080),
}
QUANTITIES: dict[str, int] = {
    **dict.fromkeys(("parts", "port_count", "ports", "bytes_per_port", "Number of parts", "number"), 8080),
    **dict.fromkeys(
        ("models", "version_count", "tokens per model", "每版本", "版本数", "lines of code"), 4090
    ),
    **dict.fromkeys(("year_count", "year_total", "years of training", "Year span"), 1500),
    **dict.fromkeys(("tokens_per_year", "papers_released", "devices launched", "发布数", "每端口"), 1998),
    **dict.fromkeys(("founded", "released", "成立", "start", "end", "to"), 2500),
    **dict.fromkeys(("tokens_from_start", "startup", "ended_tokens", "max", "起始词元"), 2024),
    **dict.fromkeys(
        ("update", "tokens", "year", "yield", "端口数", "型号数量", "个端口", "每秒词元 / 端口", "GB/s/port"),
        20240101,
    ),
    "date of launch": 20241301,
}


def test_numbers_of_events_days_and_labels_are_names() -> None:
    shown = {name for name, value in NAMES.items() if are_named((value,), naming_of(name))}
    assert shown == {*NAMES}
    assert [name for name, value in QUANTITIES.items() if are_named((value,), naming_of(name))] == []
    assert not any(are_named(values, "label") for values in ([], [True], ["1"], [None], [1.5], [-1]))
    assert not are_named([math.nan, math.inf], "label")


def test_years_are_whole_numbers_of_four_digits() -> None:
    assert are_years([1999, 2024.0, 2999])
    assert are_years([1900, 2100], recent=True)
    for values in ([], [2024.5], [999], [3000], ["2024"], [True], [2024, None], [float("nan")]):
        assert not are_years(values), values
    assert not are_years([1899], recent=True)


def test_a_year_stays_one_when_years_are_added() -> None:
    later = Year(2024) + 2, 2 + Year(2024), Year(2028) - 2
    assert [(type(year), int(year)) for year in later] == [(Year, 2026)] * 3
    assert type(Year(2026) - Year(2024)) is int
    assert Year(2024) + 0.5 == 2024.5


def test_names_have_no_commas() -> None:
    shown = [ungrouped(value) for value in (2026, 8080, -2026, 13800138000, 2026.0, 1.5)]
    assert shown == ["2026", "8080", "\N{MINUS SIGN}2026", "13800138000", "2026", "1.5"]


def test_fields_of_forms_and_controls_show_years_as_names() -> None:
    fields = [
        FormField(name=name, label=Bilingual(zh, en), values=values, digits=digits)
        for name, zh, en, values, digits in (
            ("year", "年份", "Year", (2022, 2026), 0),
            ("n", "上市年份", "Year of launch", (2022, 2026), 0),
            ("batch", "批量", "Batch", (1024, 2048), 0),
            ("price", "单价", "Price", (791, 2000), 2),
        )
    ]
    preset = FormPreset(label=Bilingual("甲", "a"), values=(2022, 2022, 1024, 791))
    form = FormTable(fields=tuple(fields), answers=(), presets=(preset,), first=(), file=b"", digest="")
    views = form_view(form, "en", url="").fields
    assert [(view.value, view.high) for view in views] == [
        ("2022", "2026"),
        ("2022", "2026"),
        ("1,024", "2,048"),
        ("7.91", "20.00"),
    ]
    year, batch = (Domain(name=name, kind="range", default="2024") for name in ("year", "batch"))
    assert [value_text(domain, "2024", "zh") for domain in (year, batch)] == ["2024", "2,024"]
