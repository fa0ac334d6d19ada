"""Syntax that parsing leaves in the text is reported where it is, with a fix that works when applied."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.content.document import read_document
from diglot.content.leftovers.addresses import bare_address
from diglot.content.leftovers.remainder import NO_TEXT
from diglot.content.mending import mended
from diglot.diagnostics import Diagnostic
from diglot.languages import Language

HEAD = "---\ntitle: x\n---\n"
FIRST_LINE = HEAD.count("\n") + 1

INLINE = (
    (
        "link-left-over",
        "![图](Screenshot 2026-01-01 at 10.00.00.png)",
        "![图](<Screenshot 2026-01-01 at 10.00.00.png>)",
    ),
    ("link-left-over", "![图](截图 (1).png)", "![图](<截图 (1).png>)"),
    ("link-left-over", "![图](图\u00a0 片.png)", "![图](<图\u00a0 片.png>)"),
    ("link-left-over", "![图](a.png =100x50)", "![图](a.png){width=100 height=50}"),
    ("link-left-over", "![图](a.png =100x*)", "![图](a.png){width=100}"),
    ("link-left-over", "![图](a.png =50%x)", "![图](a.png){width=50%}"),
    ("link-left-over", '![图](a b.png "名" =x50)', '![图](<a b.png> "名"){height=50}'),
    ("link-left-over", "[乙] (https://example.org/b)", "[乙](https://example.org/b)"),
    ("link-left-over", "[乙]\u3000(../b/zh.md)", "[乙](../b/zh.md)"),
    ("link-left-over", "[乙]\u200b(#roof)", "[乙](#roof)"),
    ("link-left-over", "[乙](https://example.org/b “名”)", '[乙](https://example.org/b "名")'),
    ("link-left-over", "(乙)[https://example.org/b]", "[乙](https://example.org/b)"),
    ("link-left-over", "（乙）[../b/zh.md]", "[乙](../b/zh.md)"),
    ("link-left-over", "[乙][没有]", None),
    ("link-left-over", "![图][没有]", None),
    ("link-left-over", "[乙](https://example.org/b", None),
    ("link-left-over", "![图]", None),
    ("full-width-link", "［乙］（https://example.org/b）", "[乙](https://example.org/b)"),
    ("full-width-link", "[乙](https://example.org/b）", "[乙](https://example.org/b)"),
    ("full-width-link", "[乙]（../b/zh.md）", "[乙](../b/zh.md)"),
    ("full-width-link", "【乙】（https://example.org/b）", "[乙](https://example.org/b)"),
    ("full-width-link", "！［图］（a.png）", "![图](a.png)"),
    ("full-width-mark", "！[图](a.png)", "![图](a.png)"),
    ("full-width-mark", "｀jit｀", "`jit`"),
    ("full-width-mark", "·jax.jit()·", "`jax.jit()`"),
    ("full-width-mark", "＊＊粗＊＊", "**粗**"),
    ("full-width-mark", "～～删～～", "~~删~~"),
    ("full-width-mark", "＿＿粗＿＿", "__粗__"),
    ("full-width-mark", "￥x￥", "$x$"),
    ("full-width-mark", "＄E=mc^2$", "$E=mc^2$"),
    ("full-width-mark", "＜br＞", "<br>"),
    ("full-width-mark", "［^a］", None),
    ("full-width-mark", "[^ a]", None),
    ("attributes-broken", "![图](a.png) {width=50%}", "![图](a.png){width=50%}"),
    ("attributes-broken", "![图](a.png)\u3000{.wide}", "![图](a.png){.wide}"),
    ("attributes-broken", "`jit` {.unit}", "`jit`{.unit}"),
    (
        "attributes-broken",
        "[甲](https://example.org/) {rel=nofollow}",
        "[甲](https://example.org/){rel=nofollow}",
    ),
    ("attributes-broken", "![图](a.png)｛width=50%｝", "![图](a.png){width=50%}"),
    ("attributes-broken", "![图](a.png){width: 50%}", "![图](a.png){width=50%}"),
    ("attributes-broken", "![图](a.png){width=“50%”}", '![图](a.png){width="50%"}'),
    ("attributes-broken", "文字{.red}", None),
    ("emphasis-left-over", "** 重点**", "**重点**"),
    ("emphasis-left-over", "**重点 **", "**重点**"),
    ("emphasis-left-over", "**重点", None),
    ("emphasis-left-over", "this is **bold and", None),
    ("emphasis-left-over", "~~ 删~~", "~~删~~"),
    ("code-left-over", "`jit 编译", None),
    ("emphasis-left-over", "**重点*", None),
    ("formula-left-over", "$\\alpha 与", None),
    ("formula-left-over", "$x $", "$x$"),
    ("formula-left-over", "共$10^3和$10^4$。", None),
    ("formula-left-over", "共 $10^3 和更多", None),
    ("formula-left-over", "参数$x_i。", None),
    ("formula-left-over", "数$x^2 和 $ 乙", None),
    ("formula-left-over", "有10^3$。", None),
    ("formula-left-over", "甲\\[x^2\\]乙", None),
    ("formula-left-over", "甲 \\[x_i + y\\] 乙", None),
    ("formula-left-over", "甲 \\[E = mc\\] 乙", None),
    ("formula-left-over", "$ a_1 + b$", "$a_1 + b$"),
    ("full-width-mark", "https：//example.org/a", "<https://example.org/a>"),
    ("syntax-left-over", "甲&nbsp；乙", "甲&nbsp;乙"),
    ("comment-left-over", "甲<!-- 私", None),
    ("comment-left-over", "甲 <! -- x --> 乙", None),
    ("comment-left-over", "‹！-- x --›", None),
    ("comment-left-over", "《!-- x --》", None),
    ("comment-left-over", "<!- x ->", None),
    ("link-left-over", "甲[1^]", None),
    ("role-broken", "{eval]`m.x` 甲", None),
    ("link-bare", "见 www.example.com/a。", None),
    ("role-broken", "eval`m.x` 甲", None),
    ("emphasis-swallowed", "见 __init__.py 一文件", None),
    ("emphasis-swallowed", "共 2*3*4 个", None),
    ("emphasis-left-over", "this is ** very bold ** text", "this is **very bold** text"),
    ("emphasis-left-over", "this is __ very bold __ text", "this is __very bold__ text"),
    ("syntax-left-over", "++inserted++ 甲", None),
    ("number-noise", "共 0.30000000000000004 倍", "共 0.3 倍"),
    ("number-noise", "共0.30000000000000004倍", "共0.3倍"),
    ("number-noise", "about 2.6999999999999997, as", "about 2.7, as"),
    ("syntax-left-over", "H~abc~O 与 x^(2)^", None),
    ("syntax-left-over", "甲 &#xzz; 乙", None),
    ("link-bare", "见https://example.org/x》", "见<https://example.org/x>》"),
)
"""A rule, a text, and the text that its author meant, if there is no doubt about it."""

BLOCKS = (
    ("mark-left-over", "##标题", "## 标题"),
    ("mark-left-over", "##\u3000标题", "## 标题"),
    ("mark-left-over", "##\u00a0标题", "## 标题"),
    ("mark-left-over", "##\u200b 标题", "## 标题"),
    ("mark-left-over", "\u200b## 标题", "## 标题"),
    ("mark-left-over", "###Title", "### Title"),
    ("mark-left-over", "#标题", "## 标题"),
    ("mark-left-over", "####### 标题", None),
    ("mark-left-over", "\u3000## 标题", None),
    ("mark-left-over", "-\u3000甲", "- 甲"),
    ("mark-left-over", "*\u00a0甲", "* 甲"),
    ("mark-left-over", "1.\u3000甲", "1. 甲"),
    ("mark-left-over", "-[ ] 甲", "- [ ] 甲"),
    ("mark-left-over", "- [ ]甲", "- [ ] 甲"),
    ("mark-left-over", "- [x]甲", "- [x] 甲"),
    ("mark-left-over", "- [\u3000] 甲", "- [ ] 甲"),
    ("mark-left-over", "::{note}\n甲\n:::", ":::{note}\n甲\n:::"),
    ("full-width-mark", "＃＃ 标题", "## 标题"),
    ("full-width-mark", "＃＃标题", "## 标题"),
    ("full-width-mark", "－ 甲", "- 甲"),
    ("full-width-mark", "＞ 引用", "> 引用"),
    ("full-width-mark", "＞引用", "> 引用"),
    ("full-width-mark", "》 引用", "> 引用"),
    ("full-width-mark", "１. 甲", "1. 甲"),
    ("full-width-mark", "１．甲", "1. 甲"),
    ("full-width-mark", "：：：{note}\n甲\n：：：", ":::{note}\n甲\n:::"),
    ("full-width-mark", "————", "---"),
    ("full-width-mark", "标题\n＝＝＝", None),
    ("full-width-mark", "术语\n：解释", "术语\n: 解释"),
    ("full-width-mark", "···\nx = 1\n···", "```\nx = 1\n```"),
    ("full-width-mark", "`´´\nx = 1\n´´´", "```\nx = 1\n```"),
    ("full-width-mark", "甲＼\n乙", "甲\\\n乙"),
    ("full-width-mark", "｀｀｀python\nx = 1\n｀｀｀", "```python\nx = 1\n```"),
    ("full-width-mark", "'''\nx = 1\n'''", "```\nx = 1\n```"),
    ("full-width-mark", "～～～\nx = 1\n～～～", "~~~\nx = 1\n~~~"),
    ("full-width-mark", "￥￥\nx\n￥￥", "$$\nx\n$$"),
    ("list-left-over", "-甲\n-乙", "- 甲\n- 乙"),
    ("list-left-over", "•\u3000甲\n•\u3000乙", "- 甲\n- 乙"),
    ("list-left-over", "--甲\n-- 乙", "- 甲\n- 乙"),
    ("list-left-over", "1.甲\n2.乙", "1. 甲\n2. 乙"),
    ("list-left-over", "1、甲\n2、乙\n3、丙", "1. 甲\n2. 乙\n3. 丙"),
    ("list-left-over", "1）甲\n2）乙", "1. 甲\n2. 乙"),
    ("list-left-over", "①甲\n②乙", "1. 甲\n2. 乙"),
    ("table-left-over", "| a | b |\n|——|——|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
    ("table-left-over", "| a | b |\n|:—:|——:|\n| 1 | 2 |", "| a | b |\n|:---:|---:|\n| 1 | 2 |"),
    ("table-left-over", "| a | b |\n|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
    ("table-left-over", "| a | b |\n|---|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
    ("table-left-over", "｜a｜b｜\n｜---｜---｜\n｜1｜2｜", "|a|b|\n|---|---|\n|1|2|"),
    ("table-left-over", "a | b\n－－ | －－\n1 | 2", "a | b\n|---|---|\n1 | 2"),
    ("table-left-over", "| a | b |\n| 1 | 2 |", None),
    ("table-left-over", "+---+---+\n| a | b |\n+---+---+", None),
    ("table-left-over", "| a | b |\n|---+---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
    ("table-left-over", "| 1 | 2 |", None),
    ("table-left-over", "Name | Value\n1 | 2", None),
    ("table-left-over", "| e | f\n| 1 | 2", None),
    ("list-left-over", "(1) 甲\n(2) 乙", None),
    ("list-left-over", "（1）甲\n（2）乙", None),
    ("mark-left-over", "Term\n:definition", "Term\n: definition"),
    ("mark-left-over", "- 甲\n-乙", "- 甲\n- 乙"),
    ("mark-left-over", "1. 甲\n2.乙", "1. 甲\n2. 乙"),
    ("attributes-broken", "![图](a.png)\n{width=50%}", None),
    ("full-width-mark", "！！！ note\n    甲", "!!! note\n    甲"),
    ("full-width-mark", "！！！tip", "!!! tip"),
    ("full-width-mark", "【^a】：注", "[^a]: 注"),
)

PLAIN = (
    "文字 #tag 中间，issue#5，C#和F#，#1",
    "#tag1 #tag2",
    "#1 号方案",
    "1、只有一条",
    "US$ and A$, the $HOME and $PATH variables",
    "5 * 3 * 2 与 *斜体* 与 2*3",
    "见 \\[3\\]、\\[注\\] 与 \\[a=b.png\\]，$HOME/$MY_VAR，太好了！！！好",
    "数组 a[0][1]、x[i][j] 与 [1][2]",
    "术语 [1] (见下) and [2] (page 3)",
    "[1]（见下）、[注]（作者注）、[...]（见[3]）、太好了！[注]（见下）",
    "| 甲 | 价 | 价 |\n|---|---|---|\n| A | $2 | $1,440 |\n| B | 5$ | $x = 5$ |\n| `$A` | US$5 | $/h |",
    "a <- b, x <!-5, 正则 [a-z^] 与 x[1^]，《!》",
    "【注】（见下） 5～10 好呀～～",
    "价格￥100和￥200，约￥3.5，$5 and $6",
    "约翰·F·肯尼迪，N·m·s",
    "In 2**10, (a+b)**2 and a ** b ** c",
    "{1, 2} and {x} and {.a} and {.b}",
    "太好了！[链接](https://example.org/)",
    "—— 鲁迅",
    "……",
    "绝对值 |x| 与 |y|",
    "a --> b, 5 < 6 && 7 > 3, AT&T",
    "1.5 倍\n2.5 倍",
    "in the year\n2014. It was",
    "--help 显示\n--version 也显示",
    "\\## 标题 \\[x](a b.png) \\{#id} \\`x \\*\\*粗\\*\\*",
    "`![x](a b.png)` 与 <code>[a] (../b.md)</code> 与 <kbd>＊＊</kbd>",
    "从5~10~15，a==b==c，C++ and C++, i++ and ++i, x^2 与 2^10, 10^-3^",
    "he said (1) this and (2) that\nand (3) so on",
    "un*frigging*believable, snake_case_name, the ref `x` and the eval `y`",
    "Python 的 `__init__.py`，&#x2014; 与 &#8212;",
    "awww.com, x@www.example.com",
    "A | B 二选一",
    "x=\"https://example.org\" 与 y='https://example.org'",
    "π 是 3.141592653589793，0.000000000000001，1.00000000，v1.2.30000000000000",
    "&lt;tag&gt; &copy; 2024 &amp;nbsp",
)

AROUND = (
    "{}",
    "“{}”",
    "（{}）",
    "甲{}乙",
    "**甲** {}",
    "- {}",
    "> {}",
    "| 甲 |\n|---|\n| {} |",
    "## {}",
    ":::{{note}} {}\n甲\n:::",
)


def findings(text: str, language: Language) -> Sequence[Diagnostic]:
    _, mistakes = read_document(HEAD + text, f"{language}.md", language)
    return mistakes.errors + mistakes.warnings


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_left_over_is_reported_on_its_line(language: Language) -> None:
    silent = []
    for rule, text, _ in (*INLINE, *BLOCKS):
        lines = range(FIRST_LINE + 2, FIRST_LINE + 3 + text.count("\n"))
        found = findings(f"段落\n\n{text}\n", language)
        if not any(one.rule == rule and one.location and one.location.line in lines for one in found):
            silent.append((rule, text, [*map(str, found)]))
    assert not silent


def test_the_fix_of_each_that_is_beyond_doubt_is_what_its_author_meant() -> None:
    outcomes = {text: mended(f"{HEAD}{text}\n", "zh.md", "zh").text for _, text, _ in (*INLINE, *BLOCKS)}
    right = {text: f"{HEAD}{text if meant is None else meant}\n" for _, text, meant in (*INLINE, *BLOCKS)}
    assert outcomes == right


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("甲[^ 2] 乙\n\n[^ 2]: 注", "write [^2]: …, and the same mark in the text, without spaces."),
        (
            "[z](javascript:alert(1))",
            "link to a page or a file; to show the brackets, put a backslash before",
        ),
        (
            "[z](data:text/html,x)",
            "link to a page or a file; to show the brackets, put a backslash before them.",
        ),
        ("甲**粗体 **后面 and ** 粗体**", "remove spaces just inside **, keep both in one paragraph"),
        ("[`f`](a b)", "write […](<a b>)."),
        ("返回 List<String> 的值", "write List<String> as code: `List<String>`"),
        ("> [! NOTE]\n> 甲", "write [!NOTE]."),
        ("> [!NOTE ]\n> 甲", "write [!NOTE]."),
        ("甲[1^] 乙", "write [^1]."),
        ("返回<b>粗", "add </b> in the same paragraph."),
        ("要5 $。也就是5-10$，或者$150-$300。", "write \\$ for each dollar sign."),
        ("$带宽$", "write \\text{带宽}; for money, write \\$ for each dollar sign."),
        ("$a = 带宽$", "write \\text{带宽}."),
    ],
)
def test_the_fix_says_what_helps(text: str, fix: str) -> None:
    fixes = [finding.fix or "" for finding in findings(text, "zh")]
    assert any(one.startswith(fix) for one in fixes), fixes
    assert not any(sign in one for one in fixes for sign in NO_TEXT)


FOREIGN = (
    *('{{< figure src="a.png" >}}', "{{< youtube 'abc' >}}", '{% include "a" %}', '%%a "b" c%%', '[[a "b"]]'),
    '!!! note "T"',
)


def test_quotation_marks_hide_no_foreign_syntax_in_either_language() -> None:
    rules = {text: {one.rule for one in findings(f"x\n\n{text}\n", "zh")} for text in FOREIGN}
    assert all(rules.values())
    assert {text: {one.rule for one in findings(f"x\n\n{text}\n", "en")} for text in FOREIGN} == rules
    for text in ('A \\[[a “b”]] and `[[a "b"]]`', 'He said "==" and "%%"'):
        assert not findings(f"{text}\n", "en")


def test_a_year_that_begins_a_list_is_reported() -> None:
    (year,) = findings("甲\n\n1986. What a year!\n", "en")
    assert (year.rule, year.fix) == ("list-number", "put a backslash before its point: 1986\\.")
    assert not findings("1986\\. What a year!\n\n3. third\n\n2.5 GB\n", "en")


def test_nothing_is_mended_that_would_lead_nowhere() -> None:
    text = f"{HEAD}见 [甲] (a.md) 与 [乙] (b.md)\n\n![图]（c.png）\n"
    half = mended(text, "zh.md", "zh", leads_somewhere=lambda target: target == "a.md")
    assert half.text == text.replace("[甲] (a.md)", "[甲](a.md)")


def test_it_is_reported_wherever_it_is() -> None:
    silent = [
        (frame, text)
        for rule, text, _ in INLINE
        for frame in AROUND
        if not (frame == "## {}" and rule == "attributes-broken")  # they are the heading's
        and not (frame == "（{}）" and not text.endswith(")") and "](" in text)  # which closes it
        and rule not in {finding.rule for finding in findings(frame.format(text), "zh")}
    ]
    assert not silent


@pytest.mark.parametrize("frame", ["> {}", "- {}", "1. {}", ":::{{note}}\n{}\n:::", "甲[^n]\n\n[^n]: {}"])
def test_so_is_what_begins_a_line(frame: str) -> None:
    inner = {"> {}": "\n> ", "- {}": "\n  ", "1. {}": "\n   ", "甲[^n]\n\n[^n]: {}": "\n    "}.get(
        frame, "\n"
    )
    silent = [
        text
        for rule, text, _ in BLOCKS
        if "{note}" not in text
        and not (frame in ("- {}", "1. {}") and "|---|---|---|" in text)  # the marker is a cell
        and rule not in {finding.rule for finding in findings(frame.format(text.replace("\n", inner)), "zh")}
    ]
    assert not silent


def test_plain_text_is_left_alone() -> None:
    noisy = {text: [str(finding) for finding in found] for text in PLAIN if (found := findings(text, "zh"))}
    assert not noisy


def test_mending_twice_changes_nothing_more() -> None:
    whole = HEAD + "\n\n".join(
        text for _, text, _ in (*BLOCKS, *INLINE) if "：：：" not in text and "::" not in text
    )
    once = mended(whole, "zh.md", "zh")
    assert once.done
    assert not mended(once.text, "zh.md", "zh").done


def test_code_is_never_changed() -> None:
    code = "```\n##标题\n[a] (b.md)\n```\n\n`＊＊粗＊＊` 与 <code>｀x｀</code>\n"
    assert mended(HEAD + code, "zh.md", "zh").text == HEAD + code
    beside = "`[a] (b.md)` 与 [a] (b.md)\n"
    assert mended(HEAD + beside, "zh.md", "zh").text == f"{HEAD}`[a] (b.md)` 与 [a](b.md)\n"


ADDRESS = st.from_regex(
    r"https?://[a-z0-9]{1,8}\.[a-z]{2,3}(?:/[A-Za-z0-9_~%+-]{1,6}){0,3}(?:\?[a-z]=[0-9]{1,3})?",
    fullmatch=True,
)
ENDS = st.sampled_from(
    [
        *"。，、；：！？》」』”’）】〉…—“《（ \n\"'<>`|",
        "的",
        "在中文里",
        "한",
        ".",
        ",",
        ";",
        ")",
        "]",
        ").",
        "**",
        "。”",
    ]
)


@settings(max_examples=300)
@given(st.sampled_from(["", "见", "（", "“", "(see ", "《", "**"]), ADDRESS, ENDS)
def test_an_address_ends_where_a_reader_would_end_it(before: str, address: str, after: str) -> None:
    span = bare_address(before + address + after)
    assert span is not None
    assert (before + address + after)[slice(*span)] == address


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/a_(b)",
        "https://example.org/a_(b)_[c]",
        "http://localhost:8000/x",
        "https://bücher.example/ä",
    ],
)
def test_brackets_and_letters_that_belong_to_an_address_stay(text: str) -> None:
    assert bare_address(f"（{text}）") == (1, 1 + len(text))
