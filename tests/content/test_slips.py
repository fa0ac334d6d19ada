"""Slips of people who write Markdown for other tools, and ordinary texts that only look like slips."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.content.mending import mended
from diglot.languages import LANGUAGES, Language
from tests.content.test_leftovers import BLOCKS, HEAD, INLINE, findings

SLIPS = (
    # a mark that is missing, or one too many
    ("[架构](a.md", "write [架构](a.md), with both brackets closed.", None),
    ("![架构](p.png", "write ![架构](p.png), with both brackets closed.", None),
    ("[架构](<a b.md>", "write [架构](<a b.md>), with both brackets closed.", None),
    ("[a](<https://example.org/>", "write [a](https://example.org/), with both brackets closed.", None),
    ("(甲)(https://example.org/)", "write [甲](https://example.org/).", "[甲](https://example.org/)"),
    ("[甲]<https://example.org/>", "write [甲](https://example.org/).", None),
    ("![甲][p.png]", "write ![甲](p.png).", None),
    ("![甲](p.png)[width=50%]", "write {width=50%},", "![甲](p.png){width=50%}"),
    ("{.class＝x}\n段", "write {class=x},", "{class=x}\n段"),
    ("｛#id｝\n段", "write {#id},", "{#id}\n段"),
    ("{#中文 id}\n段", "write {#中文-id},", "{#中文-id}\n段"),
    ("{.wide .lead #a#b}\n段", "write {.wide .lead #a-b},", "{.wide .lead #a-b}\n段"),
    ("{.a.b}\n段", "write {.a .b},", "{.a .b}\n段"),
    ("## A {#b.c}", "write {#b .c},", "## A {#b .c}"),
    ("## A {＃id2}", "write {#id2},", "## A {#id2}"),
    ("## A {.b, .c}", "write {.b .c},", "## A {.b .c}"),
    ('{.c title="it\'s \\"x\\""}\n段', 'write {.c title="it\'s “x”"},', None),
    ("![甲](p.png){.c title='它\\'s'}", 'write {.c title="它\'s"},', None),
    ("## A {#b", "write {#b},", "## A {#b}"),
    ("{.wide\n段", "write {.wide},", "{.wide}\n段"),
    (
        "![甲](p.png){width=5px，height=3px}",
        "write {width=5px height=3px},",
        "![甲](p.png){width=5px height=3px}",
    ),
    (
        '[a](https://example.org/ "t)',
        'write [a](https://example.org/ "t").',
        '[a](https://example.org/ "t")',
    ),
    ("[a](https://example.org/ t)", 'write [a](https://example.org/ "title") for a title', None),
    ('![a](b.png "t){width=1}', 'write ![a](b.png "t").', '![a](b.png "t"){width=1}'),
    ("$$x^2$", "write one dollar on each side", None),
    ("$x^2$$", "write one dollar on each side", None),
    ("$x^2 的", "end the formula with a $ in the same paragraph", None),
    ("一句话。 \\", "delete it.", "一句话。"),
    ("[^1] 注", "if the note itself begins here, write a colon: `[^1]: …`.", None),
    ("^^^python\nx\n^^^", "write ``` above the code and below it.", "```python\nx\n```"),
    ("··· python\nx\n···", "write ``` above the code and below it.", "``` python\nx\n```"),
    ("``python\nx = 1\ny = 2\n``", "write ``` above the code and below it.", "```python\nx = 1\ny = 2\n```"),
    ("[m](<vbscript:x>)", "link to a page or a file", None),
    ("[m] (javascript:x)", "link to a page or a file", None),
    ("(m)[javascript:x]", "link to a page or a file", None),
    ("[m](javascript:x", "link to a page or a file", None),
    ("[x](https://exa mple.com/)", "write [x](https://example.com/).", None),
    ("[x](https://www.exa mple.com/a b)", "write [x](https://www.example.com/a%20b).", None),
    ("<https://example .com>", "write <https://example.com>.", None),
    (
        "见 <https://example.com/x 一文。",
        "write <https://example.com/x>",
        "见 <https://example.com/x> 一文。",
    ),
    ("见＜https://example.com/x＞。", "write <https://example.com/x>", "见<https://example.com/x>。"),
    ('见 {ref}"fig-x"', "write {ref}`fig-x`.", "见 {ref}`fig-x`"),
    ("见 {ref}‘fig-x’", "write {ref}`fig-x`.", "见 {ref}`fig-x`"),
    ("见 {ref}（fig-x）", "write {ref}`fig-x`.", "见 {ref}`fig-x`"),
    ("见 {ref}", "write it with ASCII braces, backticks and no space: {ref}`fig-name`.", None),
    ("甲 < i>乙</i>", "write <i>.", None),
    ("甲 <i＞乙</i>", "write <i>.", None),
    # a twin, or a space that is missing or one too many
    ("！[架构](p.png)", "write ![架构](p.png).", "![架构](p.png)"),
    ("！[[a.png]]", "write ![what it shows](a.png).", None),
    ("#标题#", "write ## 标题, or \\#标题\\# if it is a topic.", None),
    ("´jit´", "write `jit`.", "`jit`"),
    ("https:/example.org/a", "write https://.", "<https://example.org/a>"),
    ("https;//example.org/a", "write https://.", "<https://example.org/a>"),
    ("htps://example.org/a", "write https://.", "<https://example.org/a>"),
    ("<www.example.com>", "write [www.example.com](https://www.example.com)", None),
    ("甲< br >乙", "write <br>.", "甲<br>乙"),
    ("<!—注—>", "write <!-- … -->, without spaces in its marks.", None),
    ("{eval:a.b}", "write it with ASCII braces, backticks and no space: {eval}`name.key`.", None),
    ("1. 甲\n\u30002. 乙", "write 2. 乙", "1. 甲\n2. 乙"),
    ("＆nbsp;甲", "write &nbsp;.", "&nbsp;甲"),
    ("{eval}`a.b｜percent`", "write a.b|percent in ASCII.", None),
    ("$a＝b$", "write a=b in ASCII.", None),
    ("甲<span class=“a”>乙</span>", 'write class="a".', '甲<span class="a">乙</span>'),
    ("<p lang=‘en’>a</p>", 'write lang="en".', '<p lang="en">a</p>'),
    ("```python title=“a.py”\nx\n```", 'write title="a.py".', None),
    ("1．First thing", "write 1. First thing", "1. First thing"),
    ("[x] 已完成", 'write "- [x] "', "- [x] 已完成"),
    ("[X] done without a dash", 'write "- [x] "', "- [x] done without a dash"),
    ("[√] 已完成", 'write "- [x] "', "- [x] 已完成"),
    ("Some ~~deleted~ words.", "write ~~deleted~~.", "Some ~~deleted~~ words."),
    ("Some ~deleted~~ words.", "write ~~deleted~~.", "Some ~~deleted~~ words."),
    ("一些~~删除~文字。", "write ~~删除~~.", "一些~~删除~~文字。"),
    ("Some ~~deleted words.", "write ~~ before the deleted words and after them.", None),
    ("> 【!NOTE】\n> 甲", "write [!NOTE].", "> [!NOTE]\n> 甲"),
    ("> [！NOTE]\n> 甲", "write [!NOTE].", "> [!NOTE]\n> 甲"),
    ("> ［!tip］\n> 甲", "write [!TIP].", "> [!TIP]\n> 甲"),
    ("> [！警告]\n> 甲", "write [!WARNING].", "> [!WARNING]\n> 甲"),
    ("*word *here", "write *word*.", None),
    ("*重点 *，后面", "write *重点*.", None),
    ("一些*字 *在此", "write *字*.", None),
    ("** bold.", "remove spaces just inside **", None),
    ("与__粗。", "write __ before the words and after them", None),
    ("$1，000$", "write 1{,}000 in ASCII.", None),
    ("$1，234，567．5$", "write 1{,}234{,}567.5 in ASCII.", None),
    ("$2（a+b）$", "write 2(a+b) in ASCII.", None),
    ("$E = mc^2", "end the formula with a $ in the same paragraph", None),
    ("The sum $x_1 + 2 is", "end the formula with a $ in the same paragraph", None),
    ("E = mc^2$ 是", "begin the formula with a $ in the same paragraph", None),
    ("看[链接]【https://x.org/a】", "write [链接](https://x.org/a).", "看[链接](https://x.org/a)"),
    ("【链接】【../b/zh.md】", "write [链接](../b/zh.md).", "[链接](../b/zh.md)"),
    ("![图]{/a.png}", "write ![图](/a.png).", "![图](/a.png)"),
    ("见[链接]「https://x.org/」。", "write [链接](https://x.org/).", "见[链接](https://x.org/)。"),
    ("[甲](&#106;avascript:x)", "link to a page or a file", None),
    ("[甲](java\tscript:x)", "link to a page or a file", None),
    ("[ ](https://x.org/)", "write what it leads to", None),
    ("[&nbsp;](#a)", "write what it leads to", None),
    ("5$y$ 与 10$x_i$", "write $", None),
    ("$n$2 与 $x^2$3", "write $", None),
    ("2$\\alpha$", "write $2\\alpha$.", None),
    ("令 $x = y + 1", "end the formula with a $ in the same paragraph", None),
    ("$n≤5 时", "end the formula with a $ in the same paragraph", None),
    # names that are nearly right, and tags that are none
    ("![甲](p.png){widht=50}", 'write width="50".', None),
    ("{clas=wide}\n段", 'write class="wide".', None),
    ("[甲](https://x.org/){tagret=_blank}", 'write target="_blank".', None),
    ('<a herf="https://x.org/">甲</a>', "write href instead.", None),
    ('<td colpsan="2">甲</td>', "write colspan instead.", None),
    ("<div/>", "write <div></div>, or delete it.", None),
    ('甲<a id="x" />乙', 'write <a id="x"></a>, or delete it.', None),
    ("if a<b then c>d", "for the sign, write &lt;", None),
    # lists of other programs
    ("・第一\n・第二", 'write "- " at the beginning of each line.', "- 第一\n- 第二"),
    ("→ 甲\n→ 乙", 'write "- " at the beginning of each line.', "- → 甲\n- → 乙"),
    ("1. 甲\n3. 乙\n7. 丙", "write 2.; to keep the number, put <!-- -->", None),
    ("-甲\n-乙", 'write "- " at the beginning of each line.', "- 甲\n- 乙"),
    ("\uf0b7 甲\n\uf0b7 乙", 'write "- " at the beginning of each line.', "- 甲\n- 乙"),
    ("◆甲\n◆乙", 'write "- " at the beginning of each line.', "- 甲\n- 乙"),
    ("☐ 甲\n☑ 乙", 'write "- [ ] " at the beginning of each line.', "- [ ] 甲\n- [x] 乙"),
    ("一、甲\n二、乙\n三、丙", "put an empty line between them", None),
    ("（一）甲\n（二）乙", "put an empty line between them", None),
    ("a. one\nb. two", "put an empty line between them", None),
    ("(a) one\n(b) two", "put an empty line between them", None),
    ("A、甲\nB、乙", "put an empty line between them", None),
    ("- [-] half", 'write "- [ ] " or "- [x] "', None),
    ("- [√] 甲", 'write "- [x] "', "- [x] 甲"),
    ("[ ] todo", 'write "- [ ] "', "- [ ] todo"),
    # marks of another tool: Pandoc, LaTeX, Obsidian, MyST, Hugo, MkDocs, Typora, Notion, forums, WordPress
    ("见 \\cite{a}。", "write a link, or a footnote: [^key] here", None),
    ("\\textbf{粗}", "write **粗**.", "**粗**"),
    ("\\emph{斜}", "write *斜*.", "*斜*"),
    ("\\newpage", "delete it.", None),
    ("共 \\frac{a}{b} 份", "write $…$ around the formula.", None),
    ("变量 x_{i} 与", "write $…$ around the formula", None),
    ("甲^[1]^", "write [^1].", None),
    ("甲 ''斜'' 乙", "write *斜*, or “…” for a quotation.", None),
    ("'''粗'''", "write **粗**.", "**粗**"),
    ("h2. 标题", "write ## 标题", "## 标题"),
    (
        "| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n: 说明",
        "write it without the colon",
        "| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n说明",
    ),
    ("| 床前明月光\n| 疑是地上霜", "delete the bars", "床前明月光\\\n疑是地上霜"),
    ("```{.python}\nx\n```", "write ```python without braces.", None),
    ("```python:a.py\nx\n```", 'write ```python title="a.py".', None),
    ("```mermaid\nx\n```", "draw it with a figure script, or show a picture.", None),
    ("一段话。 ^block-1", "write {#name} on the line above the block, or delete it.", None),
    ("!!!note\n甲", "indent its text by four spaces", None),
    ("/// note", "write :::{note}, the text, and ::: on lines of their own.", None),
    ('--8<-- "a.md"', "write the text itself", None),
    ("@[toc]", "delete it, or write a list of links to sections", None),
    ("<% if x %>", "write the text, Markdown or HTML itself", None),
    ("{{% x %}}", "write the text, Markdown or HTML itself", None),
    ("<?php x ?>", "write the text, Markdown or HTML itself", None),
    ("[b]粗[/b]", "write **bold**.", None),
    ("{code}x{code}", "put the code between lines of ```", None),
    ("#+BEGIN_SRC python", "write ``` above code and below it", None),
    ('import X from "@site/x"', "write Markdown or HTML itself", None),
    ("甲{/* 注 */}", "write Markdown or HTML itself", None),
    ("`words <https://example.org/>`_", "write [text](address).", None),
    ("[[https://example.org/][甲]]", "write [甲](https://example.org/).", "[甲](https://example.org/)"),
    ("[https://example.org/ 甲]", "write [甲](https://example.org/).", "[甲](https://example.org/)"),
    ("![甲|100](b.png)", "write ![甲](b.png){width=100}.", None),
    ('<img data-src="a.png" alt="甲">', "write src instead of data-src.", None),
    ('[gallery ids="1"]', "write ![what it shows](file.png).", None),
)
"""A text, the beginning of each fix that is reported, and what its author meant if that is certain."""

ORDINARY = (
    "1．5 倍，2．3 GB；好呀~~真的，好~~真的~，~~",
    "[x] 表示不超过 x 的最大整数",
    "[x] is the floor of x, [y] too",
    "int *p and *queue; char *name, *other; *args and *rest; *nix and *BSD; f(*a, *list)",
    "首都是__。填空：__，T__T，__init，snake__case",
    "$PATH=/usr/bin:$HOME/bin, $my_var and $x, costs $5 for x^2, a regex such as ^abc$",
    "1. 甲\n1. 乙\n1. 丙",
    "3. 甲\n4. 乙\n\n   1. 丙\n   2. 丁\n5. 戊",
    "1. 甲\n2. 乙\n\n<!-- -->\n\n7. 丙",
    "★★★ 好",
    "【！注意】正文",
    "C++ 与 C#、F# 和 .NET，foo() || bar() && baz()",
    "用 ls -la | grep x 和 cat a > b && echo $HOME 查看",
    "if (a < b && c > d) x = y; a << 2, b >> 3, a <= b, a <- b, x => y, a -> b",
    "数组 x[i]、f(x)[0]、g[a](b) 与 [x, y] (2 维)",
    "正则 \\d+、\\w*、[a-z]+ 与 ^abc$、\\n 和 \\t",
    "路径 C:\\temp\\new 与 D:\\alpha\\beta、\\\\server\\share，结尾的 C:\\",
    "价格 ￥5、¥100、$5、US$3.50、5$、$5/月、$1,000–$2,000",
    "共 5~10 个，约 10%～20%，2024~2026，3-5 天，A–B",
    "好呀~ 真的~~ 嗯～～ (^_^) ^_^ (>_<) orz T_T :-) :) ;-) :D ~_~ (╯°□°)╯",
    "《论语》《孟子》与〈学而〉、「引号」『书名』、“双引号”‘单引号’，《书名：副题》",
    "他说：“你好，‘世界’。”（见《诗经·小雅》），约翰·冯·诺依曼，N·m，kg·m²",
    "见 [1]、[2,3]、[4]–[6]；参考 [Smith 2020] (p. 5)，(B)[1]，[图 1]，[完]",
    "注：[1]（见下）、[注]（作者注）、【注】（略），图 1：[甲]",
    "p < 0.05 *, p < 0.01 **",
    "a * b * c，x ** 2，2**10，3 * 4 and 5 * 6",
    "Use *args and **kwargs; pointer char **argv, int *p",
    "x^2 + y^2 = z^2，10^-3，2^n，a_1、snake_case、__init__、_private、HEAD^、x^",
    "@user、user@example.com、@Override，#1、#tag、issue #5、#include",
    "1.5 倍；3.14；1.2.3 版；1) 与 2)；(1) 和 (2)；① 与 ②；一、二、三",
    "第一、甲；第二、乙；A、B、C 三类；a、b 与 c",
    "时间 12:30:45，比例 16:9，端口 :8080，::1，a:b::c，key: value",
    "=====> 与 ----> 与 <====，== 与 ===，!= 与 !==，a == b == c",
    "50% 与 100%，%d、%s，100 % 左右，{a, b}、{x: 1}、{} 与 { }",
    "“a” and 'b' and \"c\", it's, 5' 10\", rock 'n' roll, the 1990s, '90s",
    "--help、-v、-Wall、--no-cache，a -- b，—— 鲁迅",
    "HTTP/1.1、HTTP/2、TCP/IP、and/or、n/a，km/h，/etc/hosts、~/.bashrc、./a.sh、../b",
    "以 http:// 开头，http 或 https；R&D、AT&T、a & b",
    "[ ] 与 [x] 是方框，[0, 1) 是区间，(0, 1]、[a, b]，[x] 表示取整",
    "☑ 已支持",
    "✓ 支持，✗ 不支持，★ ● ■ → ⇒ 😀 👍🏽",
    "| x | 是绝对值，P(A|B)，a || b",
    "- [1] 甲，2020。\n- [甲](https://example.org/) 乙\n- (a) 丙",
    "``x`` 与 `` `x` ``",
    "\\* 与 \\_ 与 \\` 与 \\# 与 \\$5 与 \\[x\\](y) 与 \\[b]x",
    "Version ^1.2.3, ~1.2, >=1.0,<2.0, ^C, Ctrl+C",
    "by A. Smith,\nC. Brown and D. Jones",
    "born in May\nb. 1950 in Paris",
    "有三点：\n一是甲\n二是乙",
    "其一，甲\n其二，乙",
    "我 ^^ 你 ^^^ 他",
    "$5 and $6, not $x$; $x_1$ and $y^2$, $\\frac{a}{b}$, `\\cite{a}`",
    "参数为 -1、+1、±1\n-5 度到 +5 度",
    "Hello, world!\n!important",
    "1、只有一项",
    "a' = b'，f'(x)，f''(x)，5′ 10″",
    "一行\\\n两行",
    "`很长的命令 --flag\n--other`",
    "术语\n: 解释\n\n术语\n\n: 解释",
    "f''(x) 与 g''(x)，空串 '' 与 ''，rock 'n' roll",
    "价格 5$、6$，$5 = 35 元，US$5，$a = $b，$1$2，h2.x 版，在 h2. 处",
    "见[1]《论语》、[甲]「乙」、[注]{a}、a[0]{x}",
    '{size=3 note=a data-x=1 columns=2 caption="x" foo=bar}\n段',
    '<br/><hr/><img src="a.png" alt="x" border=0 hspace=2/>甲<Foo/>，a<b&&c>d，若 a<b 且 c>d',
    "一集 {#a 与 {.b} 和 body{width: 3",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slip_is_reported_with_a_fix_and_without_consequences(language: Language) -> None:
    fixes = {text: {one.fix or "" for one in findings(f"段落\n\n{text}\n", language)} for text, _, _ in SLIPS}
    wrong = {
        text: fixes[text]
        for text, fix, _ in SLIPS
        if not fixes[text] or not all(one.startswith(fix) for one in fixes[text])
    }
    assert not wrong


def test_what_is_certain_is_mended_and_all_else_stays() -> None:
    outcomes = {text: mended(f"{HEAD}{text}\n", "zh.md", "zh").text for text, _, _ in SLIPS}
    assert outcomes == {text: f"{HEAD}{meant or text}\n" for text, _, meant in SLIPS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_ordinary_texts_are_quiet(language: Language) -> None:
    noisy = {text: [*map(str, found)] for text in ORDINARY if (found := findings(f"{text}\n", language))}
    assert not noisy


TEXTS = [text for text, _, _ in SLIPS] + [text for _, text, _ in (*INLINE, *BLOCKS)] + [*ORDINARY]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4), st.sampled_from(LANGUAGES))
def test_mending_never_makes_more_findings(texts: list[str], language: Language) -> None:
    text = "\n\n".join(texts) + "\n"
    half = mended(HEAD + text, f"{language}.md", language)
    assert len(findings(half.text.removeprefix(HEAD), language)) <= len(findings(text, language))
