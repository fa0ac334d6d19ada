"""The article on GPUs and TPUs: parallel halves, numbers from figures, code that agrees with the library."""

import json
import re
from pathlib import Path

import pytest
import yaml

from diglot.hardware import load_catalogue, run_mxu
from diglot.languages import LANGUAGES, Language
from diglot.render.values import Values
from tests.site_figures.scripts import ARTICLE, FENCE, FIGURES, run_script

EVAL = re.compile(r"\{eval\}`([^`]+)`")
UNITS = (
    "TFLOP/s TOP/s GB/s TB/s FLOP/B FLOPs? GiB GB MiB GHz MHz ms µs us % 倍 times cycles 拍 周期 SMs? 个SM"
)
UNIT = f"(?:{UNITS.replace(' ', '|')})"
NUMBER_WITH_UNIT = re.compile(rf"\d[\d,.]*(?:&nbsp;|\s|\u00a0)*{UNIT}(?![A-Za-z])")
ALLOWED: dict[str, str] = {}
"""Numbers with a unit that may be typed by hand, and why. None is needed so far."""
ALLOWED_BARE = {
    r"H200|H100|v\d[ep]?|bf16|Llama 3 70B|FlashAttention-3|\d:\d": "names, and a sparsity pattern",
    r"@\w+": "keys of cited works",
}


def read(language: str) -> str:
    return (ARTICLE / f"{language}.md").read_text("utf-8")


def body(language: str) -> str:
    """The half without front matter, scripts and code, which are not prose."""
    text = read(language).split("---\n", 2)[2]
    text = FENCE.sub("", text)
    return re.sub(r"^```python\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def prose(language: str) -> str:
    """The text that authors typed for readers: without values, formulas, ids and references."""
    text = EVAL.sub("", read(language).split("---\n", 2)[1].partition("description:")[2] + body(language))
    text = re.sub(
        r"\{(?:ref|assert|control)\}`[^`]+`|\{#[\w-]+\}|\]\([^)]+\)|^```.*$|^:explore: .*$|^:::.*$",
        "",
        text,
        flags=re.MULTILINE,
    )
    return re.sub(r"\$\$.*?\$\$|\$[^$\n]+\$", "", text, flags=re.DOTALL)


def outline(language: str) -> list[str]:
    """Headings with their ids and the blocks between them, in reading order."""
    pattern = (
        r"^#+ .*\{(#[\w-]+)\}$|^```\{(figure|table)\} (\w+)$|^(```python|:::\{note\}|\$\$|\[\^\w+\]:|- )"
    )
    found = re.finditer(pattern, FENCE.sub("", read(language)), re.MULTILINE)
    return [" ".join(part for part in match.groups() if part) for match in found]


def values(language: Language) -> Values:
    """The values that the article may quote, as a page shows them."""
    found = {name: json.dumps(figure.data()).encode() for name, figure in FIGURES.items()}
    # Values that do not follow the reader's choice name the state they are of: here the default one.
    return Values(language, {**found, "roofline?dtype=bf16": found["roofline"]})


def test_both_halves_run_in_parallel() -> None:
    assert outline("zh") == outline("en")
    assert len(outline("zh")) > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_in_the_text_exists_and_is_shown_as_a_number(language: Language) -> None:
    known = values(language)
    expressions = EVAL.findall(read(language))
    assert len(expressions) > 40
    for expression in expressions:
        shown = known.text(expression, path=f"{language}.md", line=1)
        assert re.fullmatch(r"[\d,]+(\.\d+)?%?|\d+\s×\s\d+", shown), expression


def test_both_halves_quote_the_same_values() -> None:
    # The order may differ within a sentence; a value in one half only would be missing in the other.
    assert sorted(EVAL.findall(read("zh"))) == sorted(EVAL.findall(read("en")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_with_a_unit_is_typed_by_hand(language: str) -> None:
    typed = [match[0] for match in NUMBER_WITH_UNIT.finditer(prose(language))]
    assert [number for number in typed if number not in ALLOWED] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_other_number_is_typed_by_hand_either(language: str) -> None:
    text = prose(language)
    for names in ALLOWED_BARE:
        text = re.sub(names, "", text)
    assert re.findall(r".{0,12}\d[\d,.]*.{0,6}", text) == []


def test_the_lint_would_notice_a_number_typed_by_hand() -> None:
    assert NUMBER_WITH_UNIT.search("H200在206&nbsp;FLOP/B处拐弯")
    assert NUMBER_WITH_UNIT.search("it reaches 97% of peak")
    assert not NUMBER_WITH_UNIT.search(EVAL.sub("", "{eval}`roofline.h200.ridge | number(0)`&nbsp;FLOP/B"))


def test_the_article_is_as_long_as_it_should_be() -> None:
    han = len(re.findall(r"[\u4e00-\u9fff]", body("zh")))
    words = len(re.findall(r"[A-Za-z][\w’'-]*", prose("en")))
    assert 1500 <= han <= 2500
    assert 0.6 <= words / han <= 0.9  # about as much content: English needs two words for three characters


def test_chinese_is_set_without_typed_spaces_and_with_full_width_punctuation() -> None:
    text = re.sub(r"\$[^$\n]+\$|&nbsp;", "", prose("zh"))
    assert re.findall(r"[\u4e00-\u9fff] [A-Za-z\d]|[A-Za-z\d] [\u4e00-\u9fff]", text) == []
    assert re.findall(r"[\u4e00-\u9fff][,;:?!()]", text) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_in_the_article_agrees_with_the_library(language: str) -> None:
    code = re.search(r"^```python\n(.*?)^```$", read(language), re.MULTILINE | re.DOTALL)
    assert code is not None
    utilisation = run_script("listing", code[1]).mxu_utilisation
    for m, k, n, side in [(8, 8192, 512, 128), (2048, 8192, 288, 128), (300, 100, 700, 256), (1, 1, 1, 128)]:
        run = run_mxu(m, k, n, rows=side, cols=side)
        assert utilisation(m, k, n, side) == pytest.approx(run.steady_utilisation_fraction)


def test_both_halves_show_the_same_code_each_with_its_comments() -> None:
    listings = [
        [
            re.sub(r"#.*", "#", code)
            for code in re.findall(r"^```python\n(.*?)^```$", read(half), re.MULTILINE | re.DOTALL)
        ]
        for half in LANGUAGES
    ]
    assert listings[0] == listings[1]


def test_shared_keys_name_the_date_and_the_tags() -> None:
    meta = yaml.safe_load((ARTICLE / "meta.yaml").read_text("utf-8"))
    assert str(meta["date"]) == "2026-11-20"
    assert meta["tags"] == ["roofline", "systolic-array", "gpu", "tpu"]


def test_figures_are_embedded_from_fences_and_scripts() -> None:
    embedded = set(re.findall(r"^```\{(?:figure|table)\} (\w+)$", read("zh"), re.MULTILINE))
    assert embedded <= set(FIGURES)  # other figures are for articles of their own
    fenced = {name for half in LANGUAGES for name, _ in FENCE.findall(read(half))}
    assert fenced == {"attention_time"}
    shared = {
        *("chips", "gemm_fill", "mxu_utilisation", "roofline", "serving_breakdown", "tpu_generations"),
        *("systolic_flow", "wave_quantisation"),
    }
    assert embedded == fenced | shared
    assert not fenced & {path.stem for path in Path(ARTICLE.parents[2] / "figures").glob("*.py")}


class TestWhatTheProseClaimsInWords:
    """Comparisons that the article makes without a number."""

    def test_peaks_within_a_tenth_and_a_kernel_about_a_factor_of_three_apart(self) -> None:
        data = FIGURES["roofline"].data()
        assert 0 < data["peak_gap"] < 0.1
        attainable = data["kernels"]["decode_1"]["rate"]
        assert attainable["h200"] / attainable["v6e"] == pytest.approx(3, rel=0.05)

    def test_v5p_has_about_half_the_peak_of_the_others_and_the_lowest_ridge(self) -> None:
        data = FIGURES["roofline"].data()
        for other in ("h200", "v6e"):
            ratio = data["v5p"]["peak"] / data[other]["peak"]
            assert ratio == pytest.approx(0.5, abs=0.05)
            assert data["v5p"]["ridge"] < data[other]["ridge"]

    def test_from_v3_on_every_ridge_lies_above_the_side_of_the_array(self) -> None:
        for chip in load_catalogue().tpu_generations:
            if chip.id not in ("tpu-v1", "tpu-v2"):
                assert chip.ridge_flops_per_byte("bf16") > chip.mxu_rows_count
        v2 = load_catalogue()["tpu-v2"]
        assert v2.ridge_flops_per_byte("bf16") < v2.mxu_rows_count

    def test_v6e_doubled_the_side_of_the_array(self) -> None:
        sides = [chip.mxu_rows_count for chip in load_catalogue().tpu_generations if chip.id != "tpu-v1"]
        assert sides == [128, 128, 128, 128, 128, 256, 256]

    def test_v5p_and_v7_have_a_lower_ridge_than_the_generation_before(self) -> None:
        ridges = [row["ridge"] for row in FIGURES["tpu_generations"].data()["generations"].values()]
        assert ridges[4] < ridges[3]
        assert ridges[6] < ridges[5]

    def test_unfused_attention_is_on_every_slope_and_fused_beyond_every_ridge(self) -> None:
        kernels = FIGURES["roofline"].data()["kernels"]
        assert set(kernels["materialised"]["bound"].values()) == {"memory"}
        assert set(kernels["flash"]["bound"].values()) == {"compute"}

    def test_a_prefill_is_arithmetic_and_network_and_a_decode_step_mostly_memory_at_every_batch(self) -> None:
        for batch in (1, 2, 4, 8, 16, 32, 64):
            for row in FIGURES["serving_breakdown"].data(batch=batch)["slices"].values():
                assert row["prefill"]["mem"] < 0.12 * row["prefill"]["all"]
                assert row["decode"]["mem"] > 0.7 * row["decode"]["all"]

    def test_the_step_grows_far_more_slowly_than_the_batch_and_the_rate_with_it(self) -> None:
        small, large = (FIGURES["serving_breakdown"].data(batch=one)["slices"]["h200_8"] for one in (1, 64))
        assert large["decode"]["all"] < 2 * small["decode"]["all"]
        assert large["tokens_per_s"] == pytest.approx(64e3 / large["decode"]["all"])
        assert large["tokens_per_s"] > 32 * small["tokens_per_s"]

    def test_small_batch_decoding_waits_for_memory_on_all_three_chips(self) -> None:
        kernels = FIGURES["roofline"].data()["kernels"]
        for batch in (1, 32):
            assert set(kernels[f"decode_{batch}"]["bound"].values()) == {"memory"}

    def test_h100_has_the_peak_of_h200(self) -> None:
        catalogue = load_catalogue()
        peaks = {catalogue[chip].peak_flops_per_s("bf16") for chip in ("h100-sxm", "h200-sxm")}
        assert len(peaks) == 1

    def test_a_partial_tile_costs_as_much_as_a_whole_one(self) -> None:
        data = FIGURES["mxu_utilisation"].data()
        cycles = {
            run_mxu(2048, 8192, n, rows=128, cols=128).total_cycles
            for n in (data["spills_n"], data["next_n"])
        }
        assert len(cycles) == 1
