"""The catalogue: guarantees for its readers, and error messages for its authors."""

import builtins
import contextlib
import math
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.hardware import (
    CatalogueError,
    MissingFigureError,
    UnknownChipError,
    data,
    load_catalogue,
    load_processors,
)
from diglot.hardware.chips import loading
from diglot.hardware.chips.catalogue import fold_name
from diglot.hardware.chips.loading import CATALOGUE_PATH, parse_catalogue, read_catalogue
from diglot.hardware.chips.units import SI_UNITS, convert_to_si
from diglot.hardware.data import read_text

CHIPS = load_catalogue()

SMALL = """\
schema: accelerators/1
sources:
  sheet: {title: Data sheet, url: 'https://example.org/', as_of: 2024-05, tier: official}
  other: {title: Another, url: 'https://example.org/2', as_of: '2025', tier: secondary}
chips:
- id: one
  vendor: Acme
  name: One X
  short_name: One
  year: 2024
  kind: gpu
  peak_dense:
    bf16: {value: 989.4, unit: TFLOP/s, source: sheet, as_of: 2024-05}
  memory:
    type: HBM3
    capacity: {value: 192, unit: GiB, source: sheet, as_of: 2024-05}
    bandwidth: {value: 4.8, unit: TB/s, source: sheet, as_of: 2024-05, approximate: true, note: Rounded.}
  interconnect: {kind: none, topology: none}
  conflicts:
  - field: memory.bandwidth
    values:
    - {value: 4.8, source: sheet}
    - {value: 4.9, source: other}
    used: 4.8
"""


def problems_of(text):
    with pytest.raises(CatalogueError) as caught:
        parse_catalogue(text, path="chips.yaml")
    return str(caught.value).splitlines()


def line_of(text):
    return next(number for number, line in enumerate(SMALL.splitlines(), 1) if text in line)


# Guarantees of the default catalogue


def test_all_chips_are_there():
    assert len(CHIPS) == 34
    assert {chip.kind for chip in CHIPS.chips} == {"gpu", "tpu", "npu"}
    assert {chip.vendor for chip in CHIPS.chips} == {"NVIDIA", "AMD", "Google", "AWS", "Intel"}


def test_figures_are_in_base_units():
    h200 = CHIPS["h200-sxm"]
    assert h200.peak_flops_per_s("bf16") == 989.4e12
    assert h200.memory_bandwidth_bytes_per_s == 4.8e12
    assert h200.memory_bytes == 141 * 2**30
    assert h200.clock_hz == 1.83e9
    assert h200.tdp_w == 700
    assert h200.processor_count == 132
    assert h200.ridge_flops_per_byte("bf16") == pytest.approx(206.125)
    assert h200.last_level_on_chip_bytes == 50 * 2**20
    assert h200.interconnect_bytes_per_s == 450e9


def test_memory_of_both_vendors_is_binary():
    assert CHIPS["tpu-v7"].memory_bytes == CHIPS["mi300x"].memory_bytes == 192 * 2**30


def test_every_figure_names_a_source_of_the_list_or_how_it_is_derived():
    for chip in CHIPS.chips:
        for quantity in chip.quantities:
            if quantity.source is None:
                assert quantity.note
            else:
                assert CHIPS.source_of(quantity) is CHIPS.sources[quantity.source]
                assert quantity.as_of
        assert all(price.source in CHIPS.sources for price in chip.prices)


def test_a_figure_keeps_its_doubts_and_the_page_its_source_cites():
    quantity = CHIPS["mi325x"].quantity("peak_dense.fp8")
    assert quantity.approximate
    assert quantity.printed == "2614.9 TFLOP/s"
    assert quantity.via is not None
    assert quantity.via.startswith("https://www.amd.com/")
    assert "2610" in str(quantity.note)


def test_every_figure_is_a_positive_number():
    for chip in CHIPS.chips:
        assert all(math.isfinite(quantity.value) and quantity.value > 0 for quantity in chip.quantities)


def test_disagreements_between_sources_are_kept():
    (conflict,) = CHIPS["tpu-v3"].conflicts_about("peak_dense.bf16")
    assert {claim.value for claim in conflict.claims} == {123, 140}
    assert conflict.used == 123
    assert len(CHIPS.conflicts) > 40


def test_the_power_that_a_tpu_is_designed_for_is_told_apart_from_what_was_measured():
    """TPU v3: design power 450 W; measured 220 W on average and 262 W at most."""
    v3 = CHIPS["tpu-v3"]
    assert v3.tdp_w == 450
    assert v3.quantity("power.mean").value < v3.quantity("power.max").value < v3.tdp_w
    assert v3.quantity("tdp").via == "https://doi.org/10.1109/ISCA52012.2021.00010"


def test_the_largest_pod_is_the_one_that_most_sources_describe():
    """16 x 24 x 24 = 9216 chips of TPU v7; the third source's shape has 2304."""
    (conflict,) = CHIPS["tpu-v7"].conflicts_about("pod.shape")
    assert conflict.used == CHIPS["tpu-v7"].pod_shape == "16x24x24"
    assert [claim.source for claim in conflict.claims if claim.value != conflict.used] == ["sb-pr115"]


def test_tpu_generations_come_in_order():
    names = [chip.short_name for chip in CHIPS.tpu_generations]
    assert names == [f"TPU {version}" for version in ("v1", "v2", "v3", "v4", "v5e", "v5p", "v6e", "v7")]


def test_peaks_follow_from_arrays_and_clock():
    """bf16 peak = 2 x MXUs x rows x columns x clock, for the TPUs whose clock is published."""
    for id_ in ("tpu-v5e", "tpu-v5p"):
        chip = CHIPS[id_]
        macs_per_cycle = chip.mxu_count * chip.mxu_rows_count * chip.mxu_columns_count
        assert 2 * macs_per_cycle * chip.clock_hz == pytest.approx(chip.peak_flops_per_s("bf16"), rel=2e-3)


@pytest.mark.parametrize("id_", ["tpu-v6e", "tpu-v7"])
def test_arrays_that_would_need_an_implausible_clock_have_none(id_):
    """Twice two arrays of 256 x 256 are published, and no clock: what follows is a rate of their cells."""
    chip = CHIPS[id_]
    cells = chip.mxu_count * chip.mxu_rows_count * chip.mxu_columns_count
    rate = chip.quantity("mxu.derived_cell_rate")
    assert 2 * cells * rate.value == pytest.approx(chip.peak_flops_per_s("bf16"), rel=2e-3)
    assert rate.value > 3e9
    with pytest.raises(MissingFigureError, match=r"has no clock: .* 256 x 256"):
        _ = chip.clock_hz


@pytest.mark.parametrize(
    ("id_", "driver_mib"), [("h100-sxm", 81_559), ("h200-sxm", 143_771), ("b200-sxm", 183_359)]
)
def test_memory_is_in_the_unit_that_is_meant(id_, driver_mib):
    """What vendors print as GB is GiB: drivers report that many, less what error correction takes.

    Source: output of nvidia-smi on these GPUs.
    """
    share = driver_mib * 2**20 / CHIPS[id_].memory_bytes
    assert 0.99 < share <= 1


def test_processors_beside_the_accelerators_have_sources_too():
    processors = load_processors()
    assert {chip.kind for chip in processors.chips} == {"cpu", "edge"}
    epyc = processors["epyc-9654"]
    cores, clock_hz = (epyc.quantity(name).value for name in ("compute_units.cores", "clock.base"))
    assert epyc.peak_flops_per_s("fp32") == pytest.approx(cores * clock_hz * 32)
    assert epyc.memory_bandwidth_bytes_per_s == 12 * 8 * 4.8e9
    for chip in processors.chips:
        for quantity in chip.quantities:
            assert processors.source_of(quantity).url.startswith("https://")
    assert not set(processors) & set(CHIPS)


def test_integers_are_slow_on_blackwell_ultra():
    assert CHIPS["b300-sxm"].peak_flops_per_s("int8") < CHIPS["b200-sxm"].peak_flops_per_s("int8") / 25
    (conflict,) = CHIPS["b300-sxm"].conflicts_about("peak_dense.int8")
    assert {claim.value for claim in conflict.claims} == {150, 153.5, 4500}


def test_vmem_of_all_tensor_cores_is_counted():
    assert CHIPS["tpu-v5p"].last_level_on_chip_bytes == 2 * 64 * 2**20


def test_one_direction_of_the_interconnect_is_found_however_it_is_printed():
    assert CHIPS["tpu-v5p"].interconnect_bytes_per_s == 6 * 90e9
    assert CHIPS["l40s"].interconnect_bytes_per_s == 32e9


def test_prices_are_kept_with_their_date():
    price = CHIPS["h200-sxm"].prices[0]
    assert price.usd_per_chip_s * 3600 == pytest.approx(7.912)
    assert (price.printed, price.date) == ("7.912 USD/h", "2026-01-21")


def test_a_peak_that_no_source_gives_is_missing_and_not_guessed():
    with pytest.raises(MissingFigureError, match="V100 has no bf16 peak; known: fp64, fp32, fp16"):
        CHIPS["v100-sxm2"].peak_flops_per_s("bf16")
    with pytest.raises(MissingFigureError, match=r"TPU v5e has no value 'tdp'"):
        _ = CHIPS["tpu-v5e"].tdp_w


def test_an_unknown_chip_is_a_key_error_with_the_nearest_name():
    with pytest.raises(KeyError) as caught:
        CHIPS["h200"]
    assert str(caught.value) == 'there is no chip "h200"; did you mean "h200-sxm"?'
    assert "h200" not in CHIPS
    assert CHIPS.get("h200") is None


@pytest.mark.parametrize("name", ["h200-sxm", "h200", "H200", "H 200"])
def test_a_person_may_write_the_short_name(name):
    assert CHIPS.find(name).id == "h200-sxm"


@pytest.mark.parametrize(
    ("name", "id_"),
    [("A100", "a100-80"), ("trillium", "tpu-v6e"), ("Ironwood", "tpu-v7"), ("v5e", "tpu-v5e")],
)
def test_a_person_may_write_another_name(name, id_):
    assert CHIPS.find(name).id == id_


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("NVIDIA H100 80GB", "h100-sxm"),
        ("H200 141 GB", "h200-sxm"),
        ("A100 80GiB", "a100-80"),
        ("A100 40GB", "a100-40"),
        ("L4 24GB", "l4"),
        ("MI300X 192 GB", "mi300x"),
        ("TPU v5e 16 GB", "tpu-v5e"),
        ("Rubin 288GB", "rubin"),
    ],
)
def test_the_capacity_of_the_memory_may_follow_a_name(name, id_):
    assert CHIPS.find(name).id == id_


@pytest.mark.parametrize("name", ["H100 40GB", "A100 24GB", "L4 0GB", "80GB", "H100 80"])
def test_a_wrong_capacity_is_no_name(name):
    with pytest.raises(UnknownChipError):
        CHIPS.find(name)


def test_a_chip_that_is_known_but_not_modelled_says_why():
    for name in ("NVIDIA H100 NVL", "A10G", "Ascend 910B", "WSE-3", "Apple M4 Max"):
        with pytest.raises(UnknownChipError, match=f'"{name}" is known, but not modelled: .*site/hardware'):
            CHIPS.find(name)
    with pytest.raises(UnknownChipError, match='did you mean "ascend-910c"'):
        CHIPS.find("asend 910c")
    modelled = {fold_name(name) for chip in (*CHIPS.chips, *CHIPS.provisional) for name in chip.names}
    assert not modelled & {fold_name(name) for chip in CHIPS.watched for name in (chip.id, *chip.aliases)}


def test_a_provisional_chip_is_found_by_name_and_in_no_list():
    names = "Rubin, NVIDIA Rubin, MI455X, TPU 8i, v8t, Maia, MTIA, 910C, Ascend 950, H20, a10, Groq"
    for name in names.split(", "):
        chip = CHIPS.find(name)
        assert chip.id in CHIPS
        assert chip not in CHIPS.chips
        assert chip not in CHIPS.of_kind(chip.kind)
        assert chip.provisional.zh != chip.provisional.en
        assert all(quantity.approximate for quantity in chip.quantities)
    assert all(chip.provisional is None for chip in CHIPS.chips)
    assert {chip.id for chip in CHIPS.provisional}.isdisjoint(CHIPS)


def test_a_provisional_chip_needs_a_note_on_where_its_figures_come_from(tmp_path):
    chip = """
- id: next-gen
  vendor: Acme
  name: Next
  short_name: Next
  year: 2027
  kind: npu
  peak_dense: {bf16: {value: 1, unit: TFLOP/s, source: gdoc-v2, as_of: '2026'}}
  memory:
    type: HBM4
    capacity: {value: 1, unit: GB, source: gdoc-v2, as_of: '2026'}
    bandwidth: {value: 1, unit: GB/s, source: gdoc-v2, as_of: '2026'}
"""
    own = tmp_path / "own.yaml"
    own.write_text(f"schema: accelerators/1\nprovisional:{chip}")
    with pytest.raises(CatalogueError, match=r"next-gen\.note: is missing"):
        load_catalogue(own, folder=None)
    own.write_text(f"schema: accelerators/1\nprovisional:{chip}  note: a rumour\n")
    assert load_catalogue(own, folder=None).find("next-gen").provisional.en == "a rumour"
    own.write_text(f"schema: accelerators/1\nchips:{chip}  note: a rumour\n")
    with pytest.raises(CatalogueError, match=r"next-gen\.note: unknown key"):
        load_catalogue(own, folder=None)


def test_finding_what_is_not_there_suggests_the_nearest():
    with pytest.raises(UnknownChipError, match='did you mean "tpu-v5p"'):
        CHIPS.find("tpu v5q")


def test_the_file_is_opened_at_every_load(monkeypatch):
    opened = []

    def watch(path, mode):
        opened.append(path)
        return builtins.open(path, mode)

    monkeypatch.setattr(data, "open", watch, raising=False)
    assert read_catalogue() is load_catalogue(folder=None)
    assert list(load_catalogue()) == list(read_catalogue())
    assert opened == [CATALOGUE_PATH] * 4


def test_every_note_of_the_catalogue_is_in_both_languages():
    noted = [
        *CHIPS.sources.values(),
        *(one for chip in CHIPS.chips for one in (*chip.quantities, *chip.prices, *chip.conflicts)),
    ]
    notes = [one.note for one in noted if one.note is not None]
    assert len(notes) > 100
    assert [note for note in notes if not (note.zh and note.en)] == []
    rate = CHIPS["tpu-v7"].quantity("mxu.derived_cell_rate")
    assert str(rate.note) == (
        "bf16 peak / (2 x MXUs x rows x cols). "
        "As on v6e, multiply-accumulates of a cell per second, which is no clock."
    )


@pytest.mark.parametrize(
    ("written", "zh", "en"),
    [
        ("Rounded.", "", "Rounded."),
        ("取整。", "取整。", ""),
        ("{zh: 取整。}", "取整。", ""),
        ("{zh: 取整。, en: Rounded.}", "取整。", "Rounded."),
    ],
)
def test_a_note_may_be_in_one_language_or_in_both(written, zh, en):
    note = (
        parse_catalogue(SMALL.replace("note: Rounded.", f"note: {written}"))["one"]
        .quantity("memory.bandwidth")
        .note
    )
    assert (note.zh, note.en) == (zh, en)


# What a file may contain


def test_a_small_catalogue_is_read_whole():
    chip = parse_catalogue(SMALL)["one"]
    bandwidth = chip.quantity("memory.bandwidth")
    assert (bandwidth.value, bandwidth.unit, bandwidth.printed) == (4.8e12, "B/s", "4.8 TB/s")
    assert (bandwidth.source, bandwidth.as_of, str(bandwidth.note)) == ("sheet", "2024-05", "Rounded.")
    assert bandwidth.approximate


@pytest.mark.parametrize(
    ("old", "new", "key", "problem"),
    [
        (
            "989.4, unit: TFLOP/s",
            "989.4, unit: TFLOPS",
            "one.peak_dense.bf16.unit",
            'did you mean "TFLOP/s"?',
        ),
        (
            "989.4, unit: TFLOP/s",
            "989.4, unit: GB",
            "one.peak_dense.bf16.unit",
            '"GB" cannot be the unit of bf16',
        ),
        ("value: 989.4", "value: 0", "one.peak_dense.bf16.value", "must be above zero and finite, not 0"),
        ("value: 989.4", "value: -1.5", "one.peak_dense.bf16.value", "must be above zero and finite"),
        ("value: 989.4", "value: 1e999", "one.peak_dense.bf16.value", "must be above zero and finite"),
        ("value: 989.4", "value: .nan", "one.peak_dense.bf16.value", 'must be a number, not ".nan"'),
        ("value: 989.4", "value: 16:30", "one.peak_dense.bf16.value", 'must be a number, not "16:30"'),
        ("bf16:", "bf61:", "one.peak_dense.bf61", 'unknown key; did you mean "bf16"?'),
        ("year: 2024", "year: 24", "one.year", "must be a year, not 24"),
        ("year: 2024", "year: 2024.5", "one.year", "must be a year, not 2024.5"),
        ("kind: gpu", "kind: gppu", "one.kind", '"gppu" is not known; known: gpu, tpu, npu'),
        ("vendor: Acme", "vendor: 7", "one.vendor", "must be text, not 7"),
        ("vendor: Acme", "vender: Acme", "one.vender", 'unknown key; did you mean "vendor"?'),
        (
            "approximate: true",
            "approximate: yes",
            "one.memory.bandwidth.approximate",
            "must be true or false",
        ),
        ("type: HBM3", "kind: HBM3", "one.memory.type", "is missing"),
        (
            "TFLOP/s, source: sheet",
            "TFLOP/s, source: shet",
            "one.peak_dense.bf16.source",
            "known: sheet, other",
        ),
        ("used: 4.8", "used: 5", "one.conflicts[0].used", "5 is not one of the values"),
        (
            "field: memory.bandwidth",
            "field: memory.speed",
            "one.conflicts[0].field",
            'this chip has no "memory.speed"',
        ),
        (
            "url: 'https://example.org/2'",
            "url: 'javascript:x'",
            "sources.other.url",
            "begin it with https://",
        ),
        ("tier: official", "tier: rumour", "sources.sheet.tier", "known: official, secondary"),
        ("accelerators/1", "accelerators/2", "schema", "known: accelerators/1"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_key(old, new, key, problem):
    text = SMALL.replace(old, new, 1)
    line = text[: text.index(new)].count("\n") + 1
    told = [told for told in problems_of(text) if told.startswith(f"chips.yaml:{line}: {key}: ")]
    assert len(told) == 1
    assert problem in told[0]


def test_a_wrong_figure_and_a_wrong_source_cause_no_further_complaints():
    assert len(problems_of(SMALL.replace("value: 4.8, unit: TB/s", "value: 4.8, unit: TBs"))) == 1
    assert len(problems_of(SMALL.replace("tier: official", "tier: rumour"))) == 1


def test_all_mistakes_are_told_at_once():
    text = SMALL.replace("kind: gpu", "kind: gppu").replace("989.4", "fast").replace("unit: GiB", "unit: gib")
    assert [line.split(": ")[1] for line in problems_of(text)] == [
        "one.kind",
        "one.peak_dense.bf16.value",
        "one.memory.capacity.unit",
    ]


def test_a_repeated_key_is_told_with_both_lines():
    text = SMALL.replace("  kind: gpu\n", "  kind: gpu\n  year: 2025\n")
    assert problems_of(text) == [
        f'chips.yaml:{line_of("kind: gpu") + 1}: "year" is already defined on line {line_of("year: 2024")}'
    ]


def test_a_repeated_chip_is_told():
    chip = SMALL[SMALL.index("- id: one") :]
    assert any('"one" is already defined on line 6' in line for line in problems_of(SMALL + chip))


def test_text_that_is_no_yaml_is_told_with_its_line():
    assert problems_of(SMALL.replace("kind: gpu", "kind: [gpu"))[0].startswith("chips.yaml:")


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a\n", "7\n"])
def test_a_file_that_is_no_mapping_is_told(text):
    assert problems_of(text)


@settings(deadline=None)
@given(
    st.integers(0, SMALL.count("\n") - 1),
    st.sampled_from(["", "- x", "  a: {b: c}", "!!", "kind:", "{", "a: &b", "*c", "  - {}", "\x00"]),
)
def test_whatever_one_line_turns_into_is_read_or_complained_about(line, replacement):
    lines = SMALL.splitlines()
    lines[line] = replacement
    with contextlib.suppress(CatalogueError):
        assert list(parse_catalogue("\n".join(lines))) == ["one"]


def test_conversion_does_not_add_rounding():
    assert convert_to_si(989.4, "TFLOP/s") == (989400000000000.0, "FLOP/s")
    assert convert_to_si(3, "MiB") == (3 * 2**20, "B")
    assert convert_to_si(1, "us") == (1e-6, "s")
    assert set(dict(SI_UNITS.values())) >= {"FLOP/s", "B", "B/s", "Hz", "W", "s"}


# The command line


def run_command(*arguments):
    command = [sys.executable, "-m", "diglot.hardware", *arguments]
    paths = {"PYTHONPATH": str(Path(loading.__file__).parents[3])}
    return subprocess.run(command, env=paths, capture_output=True, text=True, check=False)


def test_the_command_lists_every_chip():
    done = run_command("list")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == [*CHIPS, *(chip.id for chip in CHIPS.provisional)]
    assert [line.split()[0] for line in lines if line.endswith("  provisional")] == [
        chip.id for chip in CHIPS.provisional
    ]
    assert "years have no source, but for h200-sxm, tpu-v4" in done.stderr


def test_the_command_bears_a_reader_that_leaves():
    command = f"{shlex.quote(sys.executable)} -m diglot.hardware show h200 | head -1"
    paths = {"PYTHONPATH": str(Path(loading.__file__).parents[3]), "PATH": os.environ["PATH"]}
    done = subprocess.run(["sh", "-c", command], env=paths, capture_output=True, text=True, check=False)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


def test_the_command_shows_figures_with_sources():
    done = run_command("show", "h200")
    assert done.returncode == 0
    assert "989.4 TFLOP/s" in done.stdout
    assert CHIPS.sources["gl-h100"].url in done.stdout


def test_the_command_answers_an_unknown_chip_with_a_suggestion():
    done = run_command("show", "h200x")
    assert (done.returncode, done.stderr.strip()) == (2, 'there is no chip "h200x"; did you mean "h200-sxm"?')


def test_a_file_of_the_library_is_decoded_again_only_after_a_change(tmp_path, monkeypatch):
    monkeypatch.setattr("diglot.hardware.data.FOLDER", tmp_path)
    path = tmp_path / "chips.yaml"
    path.write_text("a: 1\n", "utf-8")
    first = read_text(path)
    assert read_text(path) is first
    path.write_text("a: 10\n", "utf-8")
    assert read_text(path) == "a: 10\n"


def test_a_catalogue_that_is_loaded_again_is_opened_again_and_reports_its_rows_once(monkeypatch):
    loading._telling_once.cache_clear()
    heard: list[tuple[object, ...]] = []
    monkeypatch.setattr(sys, "audit", lambda *event: heard.append(event))
    for _ in range(2):
        load_catalogue().find("h200")
    assert [event[0] for event in heard].count("diglot.dataset.begin") == 2
    rows = [event[2] for event in heard if event[0] == "diglot.dataset.row"]
    assert rows == ["valid", "names", "chip:h200-sxm"]
