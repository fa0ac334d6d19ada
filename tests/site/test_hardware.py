"""The list of chips and the page of each, for two chips: one of the catalogue, one of the project's own."""

import json
import re
from collections.abc import Iterator

import pytest

from diglot.figures import catalogue_sheets
from tests.browser import axe_violations, has_no_horizontal_scroll, served
from tests.few_chips import two_chips
from tests.hardware.test_catalogue import SMALL
from tests.space import SITE_YAML, Space, errors, ran, told

NUMBERS = '''\
"""What a chip reaches."""

from diglot.figures import make_table
from diglot.hardware import load_catalogue

TITLE = {"zh": "一块芯片", "en": "One chip"}


def compute():
    peak = load_catalogue()["one"].peak_flops_per_s("bf16")
    return {"peak": peak, "double": double(peak)}


def double(rate):
    return 2 * rate


def table(data, t):
    return make_table(("peak",), [(data["peak"],)])
'''


@pytest.fixture(scope="module")
def hardware(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    """A built site with the pages of two chips."""
    space = Space(tmp_path_factory.mktemp("project"))
    space.write("site/site.yaml", f"{SITE_YAML}gallery: true\nhardware: true\n")
    space.write("site/hardware/mine.yaml", SMALL)
    space.write("figures/numbers.py", NUMBERS)
    shown = "\n\n```{table} numbers\n```"
    space.post("one", zh=f"[芯片](/hardware/one/)。{shown}", en=f"[chips](/hardware/){shown}")
    space.post("two", zh='峰值是{eval}`numbers.peak | si("FLOP/s")`。不引用它。', en="No value here.")
    space.post("three", zh="{eval}`numbers.double | number`。", en="{eval}`numbers.double | number`.")
    slide = '## A\n\n- {eval}`numbers.peak | si("FLOP/s")`'
    space.write("content/talks/t/en.md", f"---\ntitle: T\nonly: en\n---\n\n{slide}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue_sheets, "read_catalogue_texts", two_chips)
        assert told(space.build()) == ""
        yield space


def test_notes_are_in_the_language_of_the_page_or_say_in_which_they_are(hardware: Space) -> None:
    zh, en = (hardware.page(f"{language}/hardware/h200-sxm") for language in ("zh", "en"))
    assert "<span>微基准测试所得，并非规格值。</span>" in zh
    assert "<span>Micro-benchmark figure, not a specification.</span>" in en
    assert "<span>经4个NVSwitch全互连；8块一域</span>" in zh
    assert "<span>all to all through 4 NVSwitches; domain of 8</span>" in en
    zh, en = (hardware.page(f"{language}/hardware/one") for language in ("zh", "en"))
    assert '<span lang="en">Rounded.</span>' in zh
    assert "<span>Rounded.</span>" in en


def test_the_list_has_every_chip(hardware: Space) -> None:
    page = hardware.page("en/hardware")
    row = page.partition('<a class="chip circle gpu3" href="/en/hardware/h200-sxm/">H200</a>')[2]
    assert row.startswith(
        '</td><td>NVIDIA</td><td class="r">2024</td>'
        '<td class="r" data-of="16-bit peak" data-in="TFLOP/s">989</td>'
    )
    assert 'width="100%" height="10" aria-hidden="true">' in row.partition("</tr>")[0], "the highest ridge"
    assert '<a class="chip triangle up' in page
    chips = re.findall(r"</a></td><td>(\w+)</td><td class=\"r\">(\d{4})</td>", page)
    assert chips == sorted(chips, key=lambda chip: (chip[0] != "NVIDIA", chip[1]))


def test_the_page_of_a_chip_gives_every_fact_with_its_source(hardware: Space) -> None:
    page = hardware.page("en/hardware/one")
    assert "Roofline of One: the bandwidth" in page
    assert (
        'aria-label="Roofline of One with 4,800 GB/s of memory bandwidth: bf16 989 TFLOP/s, ridge 206 FLOP/B.'
        in page
    )
    assert '<p class="message">With 989.4\N{NO-BREAK SPACE}TFLOP/s in bf16 and 4,800' in page
    row = page.partition('<tr data-fact="memory.bandwidth" data-value="4800">')[2].partition("</tr>")[0]
    assert '<th scope="row">Bandwidth&#8288;<sup class="mark"><a href="#_source-1"' in row
    assert '<td class="unit">GB/s</td><td class="r"><span title="approximate">≈ </span>4,800</td>' in row
    assert row.count('<td class="r"></td>') == 2
    assert " (no source)&nbsp;· " in page, "nobody says when it came"
    ridge = page.partition('<tr data-fact="ridge.bf16"')[2].partition("</tr>")[0]
    assert "≈ </span>206" in ridge, "it follows from the bandwidth"
    assert 'data-in="GB/s">≈4,800</td>' in hardware.page("en/hardware")
    assert "The source prints 192 GiB." not in page, "it is shown so"
    assert "Rounded.</span>" in page
    assert '<tr data-fact="ridge.bf16"' in page
    conflict = page.partition("<b>Sources disagree</b>")[2].partition("</tr>")[0]
    assert "4.8 TB/s&#8288;<sup" in conflict
    assert "used here: 4.8 TB/s" in conflict
    assert '<li id="_source-1"><a href="https://example.org/" lang="en">' in page
    assert '<a href="/en/figures/numbers/">One chip</a>' in page
    assert '<a href="/zh/hardware/h200-sxm/">H200</a>' in hardware.page("zh/hardware/one")


def test_pages_lead_to_each_other(hardware: Space) -> None:
    page = hardware.page("en/figures/numbers")
    assert '<a href="/en/hardware/one/">One</a>' in page.partition('id="_inputs"')[2]
    fact = page.partition('<a href="https://example.org/" lang="en">Data sheet</a>')[2].partition("</li>")[0]
    assert '<span class="under">One bf16 peak 989.4 TFLOP/s</span>' in fact
    assert '<span class="num">2024-05</span>' in fact
    assert "Bandwidth" not in page, "the figure has not read it"
    below = hardware.page("en/posts/one").partition('<div class="below">')[2].partition("</div>")[0]
    assert (
        '<span class="under">Chips: <a href="/en/hardware/one/">One</a>; '
        '<a href="/en/figures/numbers/#_inputs">the numbers with their sources</a></span>'
    ) in below
    assert '<a href="/zh/hardware/one/">芯片</a>' in hardware.page("zh/posts/one")
    assert '<a href="/en/hardware/">chips</a>' in hardware.page("en/posts/one")
    sitemap = (hardware.root / "public/sitemap.xml").read_text("utf-8")
    assert all(
        f"<loc>https://example.org/en/hardware/{one}</loc>" in sitemap for one in ("", "one/", "h200-sxm/")
    )
    facts = json.loads((hardware.root / "public/hardware/one.json").read_text("utf-8"))["facts"]
    assert facts["memory.bandwidth"] == {
        "value": 4800.0,
        "text": "≈ 4,800",
        "unit": "GB/s",
        "zh": "带宽",
        "en": "Bandwidth",
    }


def test_the_page_of_a_chip_lists_the_sentences_that_rest_on_it(hardware: Space) -> None:
    page = hardware.page("zh/hardware/one")
    assert "<summary>以它为依据的句子：" in page
    assert '<h3><a href="/zh/posts/two/">文章two</a></h3>' in page
    sentence = '<li><a href="/zh/posts/two/#top-1">峰值是989\N{NO-BREAK SPACE}TFLOP/s。</a>'
    assert f'{sentence}<span class="under">bf16 峰值</span></li>' in page
    perhaps = '<span class="under">图表读取了 bf16 峰值，不一定用在这个数里</span>'
    assert page.partition('href="/zh/posts/three/#top-1"')[2].partition("</li>")[0].endswith(perhaps)
    assert "不引用它" not in page
    assert "/en/posts/two/" not in hardware.page("en/hardware/one"), "its English text quotes nothing"
    assert "_quotes" not in hardware.page("zh/hardware/h200-sxm"), "the figure has not read its row"
    assert 'id="top-1"' in hardware.page("zh/posts/two")


def test_a_slide_is_such_a_sentence_and_a_talk_has_a_file_of_values(hardware: Space) -> None:
    slide = 'href="/en/talks/t/#a-1">989\N{NO-BREAK SPACE}TFLOP/s</a>'
    assert slide in hardware.page("en/hardware/one")
    assert 'id="a-1"' in hardware.page("en/talks/t")
    values = json.loads((hardware.root / "public/en/talks/t/values.json").read_text("utf-8"))["values"]
    assert [(one["reach"], one["chips"]) for one in values] == [("fact", {"one": ["peak_dense.bf16"]})]


def test_a_file_says_what_all_figures_rest_on(hardware: Space) -> None:
    found = json.loads((hardware.root / "public/en/figures/figures.json").read_text("utf-8"))
    assert found["language"] == "en"
    assert found["figures"]["numbers"] == {
        "title": "One chip",
        "message": "",
        "script": "figures/numbers.py",
        "page": "numbers/",
        "parameters": {},
        "digest": found["figures"]["numbers"]["digest"],
        "files": found["figures"]["numbers"]["files"],
        "chips": {"one": ["peak_dense.bf16"]},
    }
    assert "site/hardware/mine.yaml" in found["figures"]["numbers"]["files"]
    assert found["chips"]["one"]["page"] == "../hardware/one/"
    assert [one["field"] for one in found["chips"]["one"]["facts"]] == ["peak_dense.bf16"]
    assert found["chips"]["one"]["conflicts"] == []
    values = json.loads((hardware.root / "public/zh/posts/two/values.json").read_text("utf-8"))
    assert values["figures"]["numbers"]["page"] == "../../figures/numbers/"


def test_a_new_sentence_makes_only_the_page_of_its_chip_again(hardware: Space) -> None:
    with hardware.site() as site:
        site.build()
        hardware.change("content/posts/two/zh.md", "峰值是", "它的峰值是")
        assert [one for one in ran(site.build()) if one.startswith("chip-page")] == ["chip-page one@zh"]
        hardware.change("content/posts/two/zh.md", "它的峰值是", "峰值是")
        site.build()


def test_a_new_number_makes_only_the_pages_that_show_it(hardware: Space) -> None:
    def made(old: str, new: str) -> set[str]:
        hardware.change("site/hardware/mine.yaml", old, new)
        found = {one for one in ran(site.build()) if one.split()[0] in kinds}
        hardware.change("site/hardware/mine.yaml", new, old)
        site.build()
        return found

    kinds = {"chip-page", "chip-drawing", "chip-data", "hardware-page", "figure-page"}
    with hardware.site() as site:
        assert ran(site.build()) == []
        before = hardware.outputs()
        of_chip = {
            "chip-data one",
            *(f"{kind} one@{one}" for kind in ("chip-page", "chip-drawing") for one in ("zh", "en")),
        }
        lists = {"hardware-page zh", "hardware-page en"}
        using = {"figure-page numbers@zh", "figure-page numbers@en"}
        assert made("value: 192", "value: 193") == of_chip | lists | using
        assert made("{value: 4.9, source", "{value: 4.7, source") == of_chip | using
        assert hardware.outputs() == before


def test_mistakes_and_clashes_are_told(hardware: Space, space: Space) -> None:
    space.copied_from(hardware)
    space.change("site/hardware/mine.yaml", "unit: GiB", "unit: GIB")
    found = space.build()
    assert {one.rule for one in errors(found)} == {"chip-file"}
    space.change("site/hardware/mine.yaml", "unit: GIB", "unit: GiB")
    space.post("one", zh="[芯片](/hardware/on/)。", en="")
    space.write("content/pages/hardware/talks/en.md", "---\ntitle: x\nonly: en\n---\n\nMine.\n")
    found = {(one.rule, one.fix) for one in errors(space.build())}
    assert ("link-missing", 'did you mean "/hardware/one/"?') in found
    assert "page-clash" in {rule for rule, _ in found}


@pytest.mark.layout
@pytest.mark.browser
def test_another_chip_can_be_laid_beside_the_first(hardware: Space, open_page) -> None:
    with served(hardware.root / "public") as address:
        page = open_page(f"{address}/en/hardware/h200-sxm/", width=720)
        row = page.locator('tr[data-fact="memory.bandwidth"]')
        place = row.locator("td").nth(1).bounding_box()
        page.get_by_label("Compare with").select_option("One")
        page.wait_for_selector("tbody .chip.triangle, thead .chip.triangle")
        assert row.locator("td").all_inner_texts() == ["GB/s", "4,800", "≈ 4,800", "1.00"]
        assert row.locator("td").nth(1).bounding_box() == place
        assert page.url.endswith("?with=one")
        page.set_viewport_size({"width": 360, "height": 800})
        assert axe_violations(page) == []
        assert has_no_horizontal_scroll(page)
        page.reload()
        page.wait_for_selector("thead .chip.triangle")
        page.click(".langs [data-word=zh]")
        page.wait_for_selector("html[lang=zh-Hans] thead .chip.triangle")
        assert page.url.endswith("/zh/hardware/h200-sxm/?with=one")
        page.get_by_label("对比").select_option("")
        assert page.locator("thead .chip").count() == 1
        table, value = (page.locator(one).first.bounding_box() for one in (".facts", ".facts tbody td.r"))
        assert round(value["x"] + value["width"]) == round(table["x"] + table["width"]) == 340, (
            "no empty columns on a phone"
        )
        assert page.url.endswith("/zh/hardware/h200-sxm/")
        plain = open_page(f"{address}/en/hardware/h200-sxm/", width=1440, java_script_enabled=False)
        assert plain.get_by_role("link", name="One").get_attribute("href") == "/en/hardware/one/"


@pytest.mark.layout
@pytest.mark.browser
def test_the_list_of_chips_fits_a_sheet_of_paper(hardware: Space, open_page) -> None:
    with served(hardware.root / "public") as address:
        page = open_page(f"{address}/zh/hardware/", width=627)  # A4 without its margins
        page.emulate_media(media="print")
        assert page.locator(".vendors").first.bounding_box()["width"] <= 627
        assert has_no_horizontal_scroll(page)
        open_page.leave()


@pytest.mark.browser
def test_chips_are_compared_without_a_server(hardware: Space, open_page) -> None:
    hardware.build(output="files", relative=True)
    page = open_page((hardware.root / "files/en/hardware/h200-sxm/index.html").as_uri())
    page.get_by_label("Compare with").select_option("One")
    page.wait_for_selector("thead .chip.triangle")
    assert page.url.endswith("/index.html?with=one")
