"""Served models of other people against the ideal and calibrated steps."""

from pathlib import Path

import pytest

from tests.reference.published_serving import deploy_row, find_ratio, is_near, read_rows, write_table

VALIDATION = Path(__file__).parents[2] / "docs" / "measurements.md"


@pytest.fixture(scope="module")
def rows():
    return read_rows()


def test_nothing_that_was_served_is_quicker_than_the_ideal(rows):
    quicker = []
    for row in rows:
        ratio = find_ratio(row, timing="ideal")
        if ratio > 1 if row.quantity.endswith("_ms") else ratio < 1:
            quicker.append((str(row), ratio))
    assert quicker == []


def test_four_of_five_rows_are_within_a_quarter_though_nothing_was_fitted_to_them(rows):
    near = [is_near(find_ratio(row)) for row in rows]
    assert len(rows) == 107
    assert sum(near) >= 0.8 * len(rows)


@pytest.mark.parametrize(("batch", "excess_ms", "rereading_ms"), [(480, 42, 47), (64, 31, 34)])
def test_the_old_engine_took_as_long_as_a_read_for_every_head(rows, batch, excess_ms, rereading_ms):
    """Long answers of Llama 2 70B on H100, where eight heads share keys and values."""
    (row,) = [each for each in rows if (each.model, each.batch_count) == ("llama-2-70b", batch)]
    deployment = deploy_row(row.model, row.chip, row.tensor_count, row.dtype, "calibrated", row.launches)
    answered = row.batch_count * row.output_tokens / row.tensor_count
    excess_s = answered / row.measured - answered / (row.measured * find_ratio(row))
    context = row.prompt_tokens + row.output_tokens // 2
    caches = row.batch_count * deployment.kv_bytes_per_chip(context)
    assert 1e3 * excess_s / row.output_tokens == pytest.approx(excess_ms, rel=0.02)
    assert 7e3 * caches / deployment.roofline.memory_bandwidth_bytes_per_s == pytest.approx(
        rereading_ms, rel=0.02
    )


def test_the_table_of_the_docs_is_what_the_models_give():
    text = VALIDATION.read_text(encoding="utf-8")
    assert text.partition("<!-- served -->\n")[2].partition("\n<!-- end -->")[0] == write_table()
