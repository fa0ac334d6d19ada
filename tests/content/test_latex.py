"""LaTeX is set as it is written, or refused with what to write instead."""

from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.content.document import read_document
from diglot.content.formulas import formula_html
from diglot.content.latex import FormulaError

SAME = (
    (r"\begin{aligned}a&=b\\[4pt]c&=d\end{aligned}", r"\begin{aligned}a&=b\\c&=d\end{aligned}"),
    (r"\begin{cases}a\\[-.5em]b\end{cases}", r"\begin{cases}a\\b\end{cases}"),
    (r"\begin{pmatrix}a\\ [2 mm] b\end{pmatrix}", r"\begin{pmatrix}a\\b\end{pmatrix}"),
    (r"\begin{matrix}a\\[\jot]b\end{matrix}", r"\begin{matrix}a\\b\end{matrix}"),
    (r"\begin{aligned}a\\*b\end{aligned}", r"\begin{aligned}a\\b\end{aligned}"),
    (r"\begin{aligned}a\\*[1ex]b\end{aligned}", r"\begin{aligned}a\\b\end{aligned}"),
    (r"\begin{matrix}a\cr b\end{matrix}", r"\begin{matrix}a\\ b\end{matrix}"),
    (r"\begin{matrix}a\newline b\end{matrix}", r"\begin{matrix}a\\ b\end{matrix}"),
    (r"\begin{aligned}[t]a&=b\end{aligned}", r"\begin{aligned}a&=b\end{aligned}"),
    (r"\begin{array}[b]{c|c}a&b\end{array}", r"\begin{array}{c|c}a&b\end{array}"),
    (r"a = b \\", "a = b"),
    (r"a\vspace{1em}b", "a b"),
    (r"a\hspace*{1em}b", r"a\hspace{1em}b"),
    (r"\mbox{if }x", r"\text{if }x"),
    (r"\hbox{if }x", r"\text{if }x"),
    (r"\text{if $x$ holds}", r"\text{if }{x}\text{ holds}"),
    (r"\text{$x_1$}", "{x_1}"),
    (r"\text{5\$ and \$6}", r"\text{5\$ and \$}\text{6}"),
)
"""LaTeX, and LaTeX that is set as it is."""

REFUSED = (
    (r"a\\b", r"\begin{aligned}"),
    (r"a \\[4pt] b", r"\begin{aligned}"),
    (r"\left[a\\b\right]", r"\begin{aligned}"),
    (r"a\newline b", r"\begin{aligned}"),
    (r"\eqref{eq:peak}", "[](#eq:peak)"),
    (r"\ref{eq:peak} + 1", "[](#eq:peak)"),
    (r"\begin{tabular}{c}a\end{tabular}", "array"),
    (r"\text{a_b}", r"\_"),
    (r"\text{a $b}", r"\$"),
    (r"\textcolor{#f00}{x}", r"\textcolor{red}"),
    (r"带宽", r"\text{带宽}"),
    (r"\text{带\textbf{宽}}度", r"\text{度}"),
    (r"90%", r"\%"),
)
"""LaTeX that is refused, and what the fix says."""


def plain(latex: str) -> str:
    """The formula without groups around single things, which change nothing that is seen."""
    html = formula_html(latex, display=True).replace("<mrow>", "").replace("</mrow>", "")
    return unescape(html).replace("</mtext><mtext>", "")


def test_latex_is_set_as_what_it_means() -> None:
    wrong = [(latex, meant) for latex, meant in SAME if plain(latex) != plain(meant)]
    assert not wrong


def test_what_cannot_be_set_is_refused_with_what_to_write() -> None:
    for latex, written in REFUSED:
        with pytest.raises(FormulaError) as caught:
            formula_html(latex, display=True)
        assert written in (caught.value.fix or ""), latex


def test_words_in_words_are_words() -> None:
    assert "带" in formula_html(r"\text{带\textbf{宽}}", display=False)
    assert "宽" in formula_html(r"x_{\text{设 $\text{带宽}$}}", display=False)


@pytest.mark.parametrize(
    ("markdown", "formulas"),
    [
        (r"$\text{if $x$ holds}$ and $y$", 2),
        (r"$\text{设$x$为}$，$y$", 2),
        (r"$a$和$b$", 2),
        (r"$\{a$ 与 $b\}$", 2),
        ("共$5和$6元", 0),
    ],
)
def test_a_formula_ends_behind_its_words(markdown: str, formulas: int) -> None:
    document, mistakes = read_document(f"---\n---\n{markdown}\n", "zh.md", "zh")
    assert not mistakes.errors
    assert "".join(map(str, document.blocks[0].parts)).count("<math") == formulas


def test_a_description_says_the_formulas_of_its_sentence() -> None:
    text = "---\n---\nIt takes $O(n^2)$ steps if $a < b$ & $\\frac{a}{b} \\ge x_1$.\n"
    assert read_document(text, "en.md", "en")[0].first_text == (
        "It takes O(n^2) steps if a < b & a/b ≥ x_1.",
    )


LENGTH = st.from_regex(r"-?[0-9]{0,2}\.?[0-9]{1,2} ?(?:pt|em|ex|mm|cm|mu)", fullmatch=True)


@settings(max_examples=60)
@given(st.sampled_from(["aligned", "cases", "pmatrix", "gathered"]), LENGTH, st.sampled_from(["", "*"]))
def test_no_row_spacing_is_shown(environment: str, length: str, star: str) -> None:
    rows = rf"\begin{{{environment}}}a\\{star}[{length}]b\end{{{environment}}}"
    assert plain(rows) == plain(rf"\begin{{{environment}}}a\\b\end{{{environment}}}")


MENDED = (
    (r"\SI{3}{ms}", r"write 3\,\mathrm{ms}.", r"3\,\mathrm{ms}"),
    (r"\SI{40}{\giga\byte}", r"write 40\,\mathrm{GB}.", r"40\,\mathrm{GB}"),
    (r"\qty[a=b]{1e3}{m.s^{-1}}", r"write 10^{3}\,\mathrm{m.s^{-1}}.", r"10^{3}\,\mathrm{m.s^{-1}}"),
    (r"\si{\metre\per\second}", r"write \mathrm{m/s}.", r"\mathrm{m/s}"),
    (r"\SI{3}{\foo}", r"the number and the unit: 3\,\mathrm{m}", r"3\,\mathrm{m}"),
    (r"\num{2e-10}", r"write 2 \times 10^{-10}.", r"2 \times 10^{-10}"),
    (r"\ang{30}", r"30^\circ", r"30^\circ"),
    (r"\qtyrange{1}{5}{m}", r"1\text{–}5\,\mathrm{m}", r"1\text{–}5\,\mathrm{m}"),
    (r"a ≤ b，c", "write a ≤ b,c with ASCII marks.", "a ≤ b,c"),
    (r"\ce{H2O}", r"\mathrm{H_2O}", r"\mathrm{H_2O}"),
    (r"\DeclareMathOperator{\argmax}{argmax}", r"\operatorname{name}", r"\operatorname{argmax} x"),
    (r"\newcommand{\alpha}{x}\alpha", "choose another name", r"\newcommand{\alphax}{x}\alphax"),
    (r"\renewcommand{\foo}{x}", r"\newcommand", r"\newcommand{\foo}{x}\foo"),
    (r"\newcommand{foo}{x}", r"\newcommand{\name}", r"\newcommand{\foo}{x}\foo"),
    (r"a_b_c", "a_{b_c}, or {a_b}_c", r"a_{b_c} + {a_b}_c"),
    (r"a & b", r"\begin{aligned}", r"\begin{aligned} a & b \end{aligned} \&"),
    (r"\frac{a", "add } where", r"\frac{a}{b}"),
    (r"\left( a", r"add \right) where", r"\left( a \right)"),
    (r"a}", "write { before it", "{a}"),
    (r"a \right)", r"write \left( before it", r"\left( a \right)"),
    (r"x^", "in braces", r"x^{2}"),
    (r"\textcolor{foo}{x}", "such as red", r"\textcolor{red}{x}"),
    (r"\begin{array}{qq}a\end{array}", "{cc}", r"\begin{array}{cc}a & b\end{array}"),
    (r"\begin{foo}a\end{foo}", "aligned", r"\begin{aligned}a\end{aligned}"),
    (r"\left a", r"\left( … \right)", r"\left( a \right."),
)
"""LaTeX that is refused, a part of what is advised, and LaTeX that follows the advice."""


def test_advice_on_a_formula_can_be_followed() -> None:
    for wrong, advised, right in MENDED:
        with pytest.raises(FormulaError) as refused:
            formula_html(wrong, display=False)
        assert advised in (refused.value.fix or ""), (wrong, refused.value.fix)
        formula_html(right, display=False)


def test_a_command_that_exists_is_named() -> None:
    with pytest.raises(FormulaError, match=r"\\alpha is already a command"):
        formula_html(r"\newcommand{\alpha}{x}", display=False)


OTHER_COMMANDS = {
    r"\widetilde{AB}": r"\tilde{AB}",
    r"\mathbbm{1}_A": r"\mathbb{1}_A",
    r"\mathds{1}": r"\mathbb{1}",
    r"\pmb{x}": r"\boldsymbol{x}",
    r"\mathnormal{x}": "{x}",
    r"\varlimsup_n x": r"\overline{\lim}_n x",
    r"a\varpropto b": r"a\propto b",
    r"A\smallsetminus B": r"A\setminus B",
    r"1, 2, \dotsc, n": r"1, 2, \ldots , n",
    r"1 + \dotsb + n": r"1 + \cdots + n",
    r"\sum_{\substack{i<n\\j<m}} a_{ij}": r"\sum_{\begin{matrix}i<n\\j<m\end{matrix}} a_{ij}",
}


@pytest.mark.parametrize("latex", OTHER_COMMANDS)
def test_other_names_of_commands_look_the_same(latex: str) -> None:
    assert formula_html(latex, display=True) == formula_html(OTHER_COMMANDS[latex], display=True)
