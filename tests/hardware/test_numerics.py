"""Number formats against their specifications, blocks, 2:4 sparsity, and weights narrower than products."""

import math

import numpy as np
import pytest

from diglot.hardware import (
    BLOCK_FORMATS,
    NUMBER_FORMATS,
    Dequantisation,
    MissingFigureError,
    estimate_sparse_gemm,
    estimate_weight_only_gemm,
    find_bits_per_element,
    find_block_format,
    find_number_format,
    find_sparse_bits_per_weight,
    find_sparse_peak_flops_per_s,
    find_weight_only_break_even_rows,
    find_weight_only_limit_rows,
    load_catalogue,
    measure_signal_to_noise_db,
)
from diglot.hardware.dtypes import DTYPES, bytes_per_element

CHIPS = load_catalogue(folder=None)
H100 = CHIPS["h100-sxm"]


@pytest.mark.parametrize("name", ["fp64", "fp32", "fp16"])
def test_ieee_formats_are_those_of_numpy(name):
    found = find_number_format(name)
    numpy = np.finfo(f"float{name.removeprefix('fp')}")
    assert found.largest == float(numpy.max)
    assert found.smallest_normal == float(numpy.smallest_normal)
    assert found.smallest == float(numpy.smallest_subnormal)
    assert found.epsilon == float(numpy.eps)


@pytest.mark.parametrize(
    ("name", "largest", "smallest_normal", "smallest"),
    [
        ("fp8_e4m3", 448, 2**-6, 2**-9),
        ("fp8_e5m2", 57344, 2**-14, 2**-16),
        ("fp6_e3m2", 28, 0.25, 0.0625),
        ("fp6_e2m3", 7.5, 1, 0.125),
        ("fp4_e2m1", 6, 1, 0.5),
        ("e8m0", 2.0**127, 2.0**-127, 2.0**-127),
        ("int8", 127, 1, 1),
        ("int4", 7, 1, 1),
    ],
)
def test_narrow_formats_are_those_of_the_specification(name, largest, smallest_normal, smallest):
    """Open Compute Project, "Microscaling Formats (MX) Specification" 1.0, tables 1 to 7."""
    found = find_number_format(name)
    assert (found.largest, found.smallest_normal, found.smallest) == (largest, smallest_normal, smallest)


def test_bf16_has_the_range_of_fp32_with_less_precision():
    """Its values are those of fp32 whose last 16 bits are 0, which gives its ends without our formulas."""
    largest, smallest = (np.uint32(code << 16).view(np.float32) for code in (0x7F7F, 0x0001))
    bf16, fp32 = find_number_format("bf16"), find_number_format("fp32")
    assert (bf16.largest, bf16.smallest) == (float(largest), float(smallest))
    assert bf16.smallest_normal == fp32.smallest_normal
    assert bf16.decades == pytest.approx(fp32.decades, rel=1e-4)
    assert bf16.epsilon == 2**16 * fp32.epsilon


def test_rounding_to_bf16_and_fp16_is_that_of_the_bits():
    values = np.random.default_rng(1).normal(size=4000) * np.exp2(np.linspace(-30, 15, 4000))
    kept = values[np.abs(values) < 65504]
    np.testing.assert_array_equal(find_number_format("fp16").round(kept), kept.astype(np.float16))
    codes = kept.astype(np.float32).view(np.uint32).astype(np.uint64)
    even = ((codes + 0x7FFF + (codes >> np.uint64(16) & np.uint64(1))) >> np.uint64(16)) << np.uint64(16)
    singles = kept.astype(np.float32).astype(np.float64)
    rounded = find_number_format("bf16").round(singles)
    np.testing.assert_array_equal(rounded, even.astype(np.uint32).view(np.float32))


@pytest.mark.parametrize("name", ["fp8_e4m3", "fp8_e5m2", "fp6_e3m2", "fp6_e2m3", "fp4_e2m1", "int8", "int4"])
def test_rounding_gives_the_nearest_of_all_values(name):
    found = find_number_format(name)
    values = list_values(found)
    assert (values[1], values[-1]) == (found.smallest, found.largest)
    rng = np.random.default_rng(2)
    for value in rng.uniform(-found.largest, found.largest, 200):
        assert abs(found.round(value) - value) == np.min(np.abs(np.abs(value) - values))
    ties = (values[1:] + values[:-1]) / 2  # go to the value whose last bit is 0
    assert not np.any(np.isin(found.round(ties), values[1::2]))


def list_values(found):
    """All values from 0 upwards, from their codes."""
    codes = np.arange(2 ** (found.exponent_bits + found.mantissa_bits))
    if found.is_integer:
        return codes.astype(float)
    fractions = 2**found.mantissa_bits
    exponents, rest = np.divmod(codes, fractions)
    significands = np.where(exponents == 0, rest, rest + fractions)
    values = significands * np.exp2(np.maximum(exponents, 1) - found.bias - found.mantissa_bits)
    return values[: {"ieee": -fractions, "one_nan": -1}.get(found.specials)]


def test_a_number_format_is_asked_for_by_its_own_name():
    assert find_number_format("fp4").name == "fp4_e2m1"
    with pytest.raises(ValueError, match="unknown number format 'fp8'; fp8 is fp8_e5m2 or fp8_e4m3"):
        find_number_format("fp8")
    with pytest.raises(ValueError, match="unknown number format 'float16'; known: fp64"):
        find_number_format("float16")
    with pytest.raises(ValueError, match="values must be finite"):
        find_number_format("fp8_e4m3").round(math.nan)
    with pytest.raises(ValueError, match="no sign and no zero"):
        find_number_format("e8m0").round(0)


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("mxfp8", 8.25),
        ("mxfp6", 6.25),
        ("mxfp4", 4.25),
        ("nvfp4", 4.5),
        ("fp8_tile", 8.25),
        ("int4_g128", 4.125),
    ],
)
def test_scales_cost_bits(name, bits):
    assert find_bits_per_element(name) == bits
    assert find_block_format(name).count_bytes(4096, 4096) == math.ceil(
        (4096 * 4096 * bits + find_block_format(name).array_scale_bits) / 8
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_have_the_bits_of_their_bytes(dtype):
    assert find_bits_per_element(dtype) == 8 * bytes_per_element(dtype)


def test_a_block_at_an_edge_has_a_scale_of_its_own():
    assert find_block_format("mxfp4").count_bytes(1, 33) == math.ceil((33 * 4 + 2 * 8) / 8)
    assert find_block_format("fp8_block").count_bytes(129, 1) == 129 + 2 * 4


def test_smaller_blocks_and_finer_scales_round_better():
    """NVFP4 keeps more of a normal sample than MXFP4, and both less than formats of more bits."""
    values = np.random.default_rng(3).normal(size=2**15)
    noise = {
        name: measure_signal_to_noise_db(values, each.round(values))
        for name, each in BLOCK_FORMATS.items()
        if len(each.block_shape) == 1
    }
    assert noise["mxfp4"] < noise["nvfp4"] < noise["mxfp6"] < noise["mxfp8"] + 3
    assert 17 < noise["mxfp4"] < 20 < noise["nvfp4"] < 23
    assert noise["int8_g128"] > noise["fp8_tile"] > 30


def test_a_block_of_zeros_stays_zero_and_outliers_cost_their_neighbours():
    mxfp4 = find_block_format("mxfp4")
    assert not np.any(mxfp4.round(np.zeros(64)))
    values = np.ones(32)
    values[0] = 600
    assert list(mxfp4.round(values)[:2]) == [512, 0]  # 600 lies above 6 x 64... and saturates at 6 x 2**7


@pytest.mark.parametrize(
    ("values", "message"),
    [(np.ones(33), "whole blocks of 32"), (np.ones((2, 32)), "a vector"), ([math.inf] * 32, "finite")],
)
def test_values_that_make_no_blocks_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        find_block_format("mxfp4").round(values)


def test_unknown_block_formats_are_refused():
    with pytest.raises(ValueError, match="unknown block format 'mxfp5'; known: mxfp8"):
        find_block_format("mxfp5")
    with pytest.raises(ValueError, match="must not all be 0"):
        measure_signal_to_noise_db([0.0], [0.0])
    with pytest.raises(ValueError, match="shape of values"):
        measure_signal_to_noise_db([1.0], [1.0, 2.0])


def test_sparse_weights_take_9_of_16_bits_and_5_of_8():
    assert [find_sparse_bits_per_weight(dtype) for dtype in ("bf16", "fp8", "fp4")] == [9, 5, 2.5]
    with pytest.raises(ValueError, match="dtype 'fp64' has no products"):
        find_sparse_bits_per_weight("fp64")


def test_sparse_peaks_are_those_of_the_data_sheets():
    """H100: 1,979 TFLOP/s of bf16 with sparsity; B300: 18 PFLOP/s of fp4."""
    assert find_sparse_peak_flops_per_s(H100, "bf16") == pytest.approx(1979e12, rel=1e-3)
    assert find_sparse_peak_flops_per_s(CHIPS["b300-sxm"], "fp4") == pytest.approx(18e15, rel=1e-3)
    for id_ in ("tpu-v6e", "v100-sxm2"):
        with pytest.raises(MissingFigureError, match=r"no value 'sparsity\.ratio'"):
            find_sparse_peak_flops_per_s(CHIPS[id_], "bf16")
    with pytest.raises(MissingFigureError, match="no fp64 products"):
        find_sparse_peak_flops_per_s(H100, "fp64")


def test_sparsity_gives_between_the_ratio_of_bytes_and_that_of_peaks():
    run = estimate_sparse_gemm([1, 64, 8192], 8192, 8192, chip=H100, dtype="bf16")
    assert run.speedup[0] == pytest.approx(16 / 9, rel=1e-3)
    assert run.speedup[-1] == pytest.approx(2)
    assert np.all((run.speedup > 1.7) & (run.speedup <= 2))
    with pytest.raises(ValueError, match="k must be a multiple of 4"):
        estimate_sparse_gemm(1, 8190, 8192, chip=H100, dtype="bf16")


@pytest.mark.parametrize(("ridge", "rows"), [(100, 25), (200, 50)])
def test_rows_with_the_whole_gain_as_marlin_has_them(ridge, rows):
    """ "Ratios of around 100-200: less than 25-50 multiply-accumulates per 4-bit weight" keep the gain.

    Source: https://github.com/IST-DASLab/marlin, README, "Techniques".
    """
    found = find_weight_only_limit_rows(H100, weights="int4") * ridge / H100.ridge_flops_per_byte("bf16")
    assert found == pytest.approx(rows)


def test_narrow_weights_give_their_ratio_of_bits_to_few_rows_and_nothing_to_many():
    gain = estimate_weight_only_gemm([1, 4096], 16384, 16384, chip=H100)
    assert gain.speedup[0] == pytest.approx(16 / 4.125, rel=1e-3)
    assert gain.speedup[1] == pytest.approx(1)
    assert np.all(np.diff(gain.narrow_s) > 0)


def test_widening_that_does_not_overlap_costs_more_than_it_saves_from_some_row_on():
    after = Dequantisation(overlapped=False)
    rows = find_weight_only_break_even_rows(16384, 16384, chip=H100, dequantisation=after)
    assert find_weight_only_limit_rows(H100) < rows < H100.ridge_flops_per_byte("bf16")
    before, behind = (
        estimate_weight_only_gemm(int(m), 16384, 16384, chip=H100, dequantisation=after).speedup
        for m in (rows - 1, rows)
    )
    assert before >= 1 > behind
    assert find_weight_only_break_even_rows(16384, 16384, chip=H100) == math.inf


def test_chips_without_an_fp32_peak_need_the_rate_of_their_vector_units():
    """A TPU v6e has 8 x 128 lanes of 4 units; its clock is not published, so that the rate is given."""
    v6e = CHIPS["tpu-v6e"]
    with pytest.raises(MissingFigureError, match="no fp32 peak"):
        estimate_weight_only_gemm(1, 4096, 4096, chip=v6e)
    slow = Dequantisation(operations_per_s=5e12)
    assert estimate_weight_only_gemm(1, 4096, 4096, chip=v6e, dequantisation=slow).speedup > 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": "bf16"}, "weights must be narrower than bf16, not 'bf16'"),
        ({"weights": "int3"}, "unknown number format 'int3'"),
        ({"m": 0}, "m must be at least 1"),
    ],
)
def test_impossible_weights_are_refused(changes, message):
    arguments = {"m": 1, "k": 64, "n": 64, "chip": H100, **changes}
    with pytest.raises(ValueError, match=message):
        estimate_weight_only_gemm(arguments.pop("m"), arguments.pop("k"), arguments.pop("n"), **arguments)


@pytest.mark.parametrize(
    "changes", [{"vector_operations_per_weight_count": 0}, {"tile_rows_count": 0}, {"operations_per_s": -1.0}]
)
def test_impossible_dequantisation_is_refused(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        Dequantisation(**changes)


def test_every_format_has_a_positive_span():
    for each in NUMBER_FORMATS.values():
        assert 0 < each.smallest <= each.smallest_normal < each.largest < math.inf
        assert 0 < each.decades < 700
        assert each.decimal_digits > 0
