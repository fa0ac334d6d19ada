"""Same chip, same colour and marker, everywhere."""

from pathlib import Path

import pytest

from diglot.figures.chips import CHIP_IDS, chip
from diglot.figures.palette import (
    DARK,
    LIGHT,
    SENTINELS,
    TOKENS,
    color,
    difference_token,
    sequence_token,
    text_token_on,
)
from diglot.hardware import load_catalogue
from scripts.chip_looks import MODULE, write_looks


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast of two colours."""

    def luminance(colour: str) -> float:
        shares = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_looks_are_those_of_the_catalogue():
    assert write_looks() == MODULE.read_text("utf-8"), "`python scripts/chip_looks.py` writes it again"


@pytest.mark.parametrize(
    ("chip_id", "token", "text_token", "marker"),
    [
        ("h200-sxm", "gpu3", "gpu3", "o"),
        ("a100-80", "gpu1", "gpu2", "o"),
        ("mi300x", "gpu2", "gpu2", "D"),
        ("tpu-v2", "tpu1", "tpu2", "s"),
        ("tpu-v7", "tpu4", "tpu4", "s"),
    ],
)
def test_hue_is_family_step_is_generation_marker_is_vendor(
    chip_id: str, token: str, text_token: str, marker: str
):
    look = chip(chip_id)
    assert (look.token, look.text_token, look.marker) == (token, text_token, marker)


def test_names_as_keys_of_data_write_them_are_understood():
    assert chip("tpu_v5p") == chip("v5p") == chip("tpu-v5p")
    assert chip("h200") == chip("H200-SXM") == chip("h200_sxm")


def test_an_unknown_chip_suggests_the_nearest():
    with pytest.raises(ValueError, match=r'there is no chip with the id "h900": did you mean "h800"\?'):
        chip("h900")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A function that writes a file of custom chips into the current project."""
    monkeypatch.chdir(tmp_path)
    folder = Path("site", "hardware")
    folder.mkdir(parents=True)

    def write(name: str, *chips: str) -> None:
        text = "".join(f"- {{{each}}}\n" for each in chips)
        (folder / name).write_text(f"schema: accelerators/1\nchips:\n{text}", "utf-8")

    return write


def test_a_chip_of_the_project_s_own_has_the_hue_of_its_kind_and_the_step_of_its_year(own):
    own("a.yaml", "id: acme_one, short_name: One, kind: gpu, year: 2024", "id: old, kind: tpu, year: 2019")
    one, old = chip("acme-one"), chip("OLD")
    assert (one.chip_id, one.label, one.token, one.text_token, one.marker) == (
        *("acme_one", "One"),
        *("gpu3", "gpu3", "^"),
    )
    assert (old.label, old.token, old.text_token, old.marker) == ("old", "tpu1", "tpu2", "^")


def test_own_chips_of_a_kind_take_the_next_marker_in_the_order_of_their_files(own):
    own("b.yaml", "id: third, kind: gpu, year: 2026", "id: tensor, kind: tpu, year: 2026")
    own("a.yaml", "id: first, kind: gpu, year: 2026", "id: second, kind: gpu, year: 2026")
    own("c.yaml", "id: fourth, kind: gpu, year: 2026", "id: fifth, kind: gpu, year: 2026")
    names = ("first", "second", "third", "fourth", "fifth", "tensor")
    assert [chip(name).marker for name in names] == ["^", "v", ">", "<", "^", "^"]
    assert {chip(name).token for name in names} == {"gpu4", "tpu4"}


def test_an_own_chip_does_not_change_the_looks_of_the_catalogue(own):
    before = [chip(name) for name in CHIP_IDS]
    own("a.yaml", "id: h200-sxm, kind: tpu, year: 2019")
    assert [chip(name) for name in CHIP_IDS] == before


def test_a_file_that_is_no_catalogue_gives_no_looks_and_is_the_catalogue_s_to_tell(own):
    own("a.yaml", "id: one, kind: gpu, year: 2026", "kind: gpu", "id: cpu, kind: [cpu]")
    Path("site", "hardware", "b.yaml").write_text("chips: [", "utf-8")
    Path("site", "hardware", "c.yaml").write_text("- chips", "utf-8")
    assert chip("one").marker == "^"
    with pytest.raises(
        ValueError, match=r'there is no chip with the id "cpu": known are: .*, one, .*, tpu-v1, .*'
    ):
        chip("cpu")


@pytest.mark.parametrize("written", ["no", "On", "1:30", "2026-05-01", "~x", "'no'", '"1e3"'])
def test_a_short_name_is_read_as_the_catalogue_reads_it(own, written):
    text = f"id: one, short_name: {written}, kind: gpu, year: 2026"
    figures = "memory: {type: HBM, capacity: {value: 1, unit: GB, source: s, as_of: x}"
    figures += ", bandwidth: {value: 1, unit: GB/s, source: s, as_of: x}}"
    figures += ", peak_dense: {bf16: {value: 1, unit: TFLOP/s, source: s, as_of: x}}"
    own("a.yaml", f"{text}, vendor: A, name: A, {figures}, interconnect: {{kind: none, topology: none}}")
    file = Path("site", "hardware", "a.yaml")
    source = "sources: {s: {title: t, url: 'https://example.org/', as_of: x, tier: official}}"
    file.write_text(f"{file.read_text('utf-8')}{source}\n", "utf-8")
    assert chip("one").label == load_catalogue()["one"].short_name


def test_an_unknown_colour_gets_the_nearest_name():
    assert color("gpu3") == "gpu3"
    with pytest.raises(ValueError, match='did you mean "mute"'):
        color("muted")


def test_both_themes_and_the_stand_ins_cover_the_same_tokens():
    assert set(LIGHT) == set(DARK) == set(SENTINELS)
    assert len(set(SENTINELS.values())) == len(SENTINELS)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_labels_of_chips_can_be_read_and_lines_seen(theme: dict[str, str]):
    for chip_id in CHIP_IDS:
        look = chip(chip_id)
        assert contrast(theme[look.text_token], theme["paper"]) >= 4.3, chip_id
        assert contrast(theme[look.token], theme["paper"]) >= 3, chip_id


def test_text_on_a_fill_has_the_colour_that_can_be_read_in_both_themes():
    for fill in TOKENS:
        least = {
            token: min(contrast(theme[fill], theme[token]) for theme in (LIGHT, DARK))
            for token in ("ink", "paper")
        }
        if fill != "idle":  # a hatch on paper
            assert text_token_on(fill) == max(least, key=least.__getitem__), fill
    assert text_token_on("idle") == "ink"


def test_a_share_falls_into_one_of_ten_steps():
    assert [sequence_token(share) for share in (-1, 0, 0.09, 0.1, 0.55, 0.99, 1, 2)] == [
        *("seq0", "seq0", "seq0", "seq1", "seq5", "seq9", "seq9", "seq9")
    ]


def test_a_difference_leans_to_one_family_or_is_paper():
    assert [difference_token(share) for share in (-1, -0.3, 0.05, 0.5, 1)] == [
        "tpu4",
        "tpu1",
        "paper",
        "gpu2",
        "gpu4",
    ]
