"""What a blog keeps from its readers is not published by an import: hidden, expired and later articles."""

import datetime

import pytest

from diglot.importing.readers.source_files import split_matter
from diglot.importing.records import Findings, Half
from diglot.importing.writing.matter import map_matter

DRAFTS = (
    "draft: true",
    "draft: 1",
    "draft: maybe",
    'draft: "yes"',
    "published: false",
    "published: no",
    "hidden: true",
    "hidden: 1",
    "headless: true",
    "unlisted: true",
    "_build: {render: never}",
    "build: {list: never, render: always}",
    "_build: {render: false}",
    "expiryDate: next week",
)
PUBLISHED = (
    "draft: false",
    "draft: 0",
    'draft: ""',
    "published: true",
    "hidden: false",
    "headless: no",
    "build: {render: always}",
    "expiryDate: 2031-01-01",
)


def half(keys: str, *, is_page: bool = False) -> Half:
    matter = split_matter(f"---\ntitle: A\ndate: 2020-01-01\n{keys}\n---\n\nText.\n")
    return Half(source="a.md", matter=matter, key="a", name="a", language="en", is_page=is_page)


@pytest.mark.parametrize(("rows", "is_draft"), [(DRAFTS, True), (PUBLISHED, False)])
def test_what_readers_do_not_see_is_a_draft(rows: tuple[str, ...], is_draft: bool) -> None:
    made = {keys: map_matter(half(keys), Findings()) for keys in rows}
    assert [keys for keys, matter in made.items() if matter.is_draft is not is_draft] == []
    assert [keys for keys, matter in made.items() if matter.rest] == []


def test_what_is_no_draft_by_name_is_said() -> None:
    silent = []
    for keys in DRAFTS:
        findings = Findings()
        map_matter(half(keys), findings)
        if not findings and keys not in ("draft: true", 'draft: "yes"', "published: false", "published: no"):
            silent.append(keys)
    assert silent == []


def test_days_on_which_an_article_appears_and_expires_are_kept() -> None:
    matter = map_matter(half("expiryDate: 2021-03-04T10:00:00+08:00"), Findings())
    assert (matter.date, matter.expires) == (datetime.date(2020, 1, 1), datetime.date(2021, 3, 4))
    assert map_matter(half("expires: 2021-03-04", is_page=True), Findings()).is_draft
    later = datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=400)
    assert map_matter(half(f"publishDate: {later}"), Findings()).date == later
    assert map_matter(half("publishDate: 2020-02-02"), Findings()).date == datetime.date(2020, 1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "title: 一\ndate: 2019-07-08 09:10:11\ntags:\n- 前端\n---\n正文。\n",
        "title: 一\ndate: 2019-07-08\ncategories:\n  - [a, b]\ntags: [前端]\n---\n正文。\n",
        "title: 一\ndate: 2019-07-08\ntags:\n  - 前端\n;;;\n正文。\n",
        '{\n"title": "一", "date": "2019-07-08",\n"tags": ["前端"]\n}\n;;;\n正文。\n',
        "---\ntitle: 一\ndate: 2019-07-08\ntags: 前端\n---\n正文。\n",
    ],
)
def test_front_matter_of_hexo_needs_no_first_line(text: str) -> None:
    matter = split_matter(text)
    assert matter.values["title"] == "一"
    assert "前端" in matter.values["tags"]
    assert matter.body.strip() == "正文。"


@pytest.mark.parametrize("text", ["Note:\n- a\n- b\n---\nText.\n", "Text: this\n\n---\n\ntitle: x\n"])
def test_a_text_that_begins_with_a_colon_is_no_front_matter(text: str) -> None:
    assert split_matter(text).values == {}
