"""A character that no bundled face has is an error, and never an empty box on a page.

A Chinese one is a warning on pages, where text is text and readers' systems have it, and an error in files.
"""

import pytest

from .conftest import Workshop


def test_in_plain_text(workshop: Workshop):
    script = workshop.drawing("rare", "figure.text_px(0, 20, 'ᚠ')")
    for found, language in zip(workshop.drawing_failure(script).diagnostics, ("zh", "en"), strict=True):
        assert found.rule == "figure-glyph"
        told = f'no bundled font has ᚠ (U+16A0), which is used in figure "rare" ({language})'
        assert found.message == told
        assert found.location.line == 4


def test_rare_names_are_on_pages_with_a_warning(workshop: Workshop):
    for name in ("喆", "堃", "犇", "玥", "旻", "昇", "珺", "龘", "𠮷"):
        script = workshop.drawing("rare_name", f"figure.text_px(0, 20, '作者{name}')")
        drawn = workshop.draw(script)
        assert f"作者{name}" in drawn.svgs[0][1]


def test_in_a_formula(workshop: Workshop):
    script = workshop.drawing("rare_formula", "figure.text_px(0, 20, t(zh=r'$x_龘$', en='$x$'))")
    (found,) = workshop.drawing_failure(script).diagnostics
    assert "龘 (U+9F98)" in found.message
    assert "formula" in found.fix


def test_all_of_them_at_once(workshop: Workshop):
    script = workshop.drawing("rare_many", "figure.text_px(0, 20, '☃')\nfigure.text_px(0, 40, 'ᚠ $x$')\n")
    assert {d.location.line for d in workshop.drawing_failure(script).diagnostics} == {4, 5}


def test_in_a_file_too(workshop: Workshop):
    from diglot.figures.scripts.failures import FigureFailed

    script = workshop.drawing("rare_file", "figure.text_px(0, 20, '龘')")
    with pytest.raises(FigureFailed, match="龘"):
        workshop.export(script, format="pdf")


def test_what_figures_need_is_there_in_both_languages(workshop: Workshop):
    text = "龙芯算力访存“‘×·–—°μΩ≤≥≈→−±∞²³⁻¹₂①·’”，。：；％αβγδλσ αé FLOP/s 1,024"
    script = workshop.drawing("common", f"figure.text_px(0, 20, {text!r}, small=True)")
    for language in ("zh", "en"):
        assert workshop.draw(script, language).svgs


def test_a_formula_that_cannot_be_read_is_an_error(workshop: Workshop):
    script = workshop.drawing("bad_formula", "figure.text_px(0, 20, r'$\\frac{1$')")
    (found,) = workshop.drawing_failure(script).diagnostics
    assert found.rule == "figure-script"
    assert r"Expected \frac{num}{den}" in found.message
    assert found.location.line == 4
