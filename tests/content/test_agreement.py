"""What has to be the same in both halves of an article, and what may differ."""

import pytest

from diglot.content.agreement import compare_contents, compare_front_matter
from diglot.content.document import parse_text
from diglot.content.front_matter import parse_front_matter
from diglot.content.pairs import pair_documents


def found_in(zh: str, en: str) -> list[tuple[str, str]]:
    """The rules and messages of the differences between two bodies."""
    matter = "---\ntitle: x\ndate: 2026-01-01\n---\n\n"
    left = parse_text(matter + zh, "content/posts/a/zh.md", "zh")
    right = parse_text(matter + en, "content/posts/a/en.md", "en")
    warnings = compare_contents(left.tree, right.tree, pair_documents(left.document, right.document))
    return [(one.rule, one.message.partition(" (its twin")[0]) for one in warnings]


@pytest.mark.parametrize(
    ("zh", "en", "rule", "message"),
    [
        (
            "峰值989 TFLOP/s。",
            "It peaks at 1,979 TFLOP/s.",
            "halves-quantity",
            "“989 TFLOP/s” here, “1,979 TFLOP/s”",
        ),
        ("只剩65%。", "Only 56% is left.", "halves-quantity", "“65%” here, “56%”"),
        ("快2.5倍。", "2.5% faster.", "halves-quantity", "“2.5倍” is not in the English half"),
        ("很快。", "Fast: 3 ms.", "halves-quantity", "“3 ms” is only in the English half"),
        ("两倍多。", "More than three times.", "halves-quantity", "“两倍” here, “three times”"),
        ("![占65%](a.png)", "![uses 55%](a.png)", "halves-quantity", "“65%” here, “55%”"),
        ("- 3 ms\n- 4 ms", "- 3 ms\n- 5 ms", "halves-quantity", "“4 ms” here, “5 ms”"),
        ("有脚注。[^a]\n\n[^a]: 65%。", "A note.[^a]\n\n[^a]: 55%.", "halves-quantity", "“65%” here, “55%”"),
        ("要24 ms。", "It takes 24.", "halves-quantity", "“24 ms” is not in"),
        ("差三倍。", "A factor of two apart.", "halves-quantity", "“三倍” here, “two” in"),
        ("三个模型。", "Four models.", "halves-quantity", "“三个” here, “Four” in"),
        ("四个脊点右移。", "The ridges move to the right.", "halves-quantity", "“四个” is not in"),
        ("脊点右移。", "All three outer ridges move.", "halves-quantity", "“three” is only in"),
        ("三个脊点左边。", "Below both ridges.", "halves-quantity", "“三个” here, “both ridges” in"),
        ("H200快，H100慢。", "An H200 is fast, another H200 slow.", "halves-name", "“H100” here, “H200” in"),
        ("v6e快，v6e慢，v5p贵。", "v6e, v5p and v5p.", "halves-name", "“v6e” here, “v5p” in"),
        (
            "到{eval}`a.ridge | number(0)` FLOP/B就拐平了。",
            "It bends at {eval}`a.ridge | number(0)`.",
            "halves-unit",
            "the value `a.ridge` is in “FLOP/B” here, “no unit” in the English half",
        ),
        (
            "涨到{eval}`a.growth | number(0)`%。",
            "It has grown by only {eval}`a.growth | number(0)`.",
            "halves-unit",
            "the value `a.growth` is in “%” here, “no unit” in the English half",
        ),
        ("三行代码。", "Four lines of code.", "halves-quantity", "“三行” here, “Four” in"),
        ("数百个内核。", "Dozens of kernels.", "halves-quantity", "“数百” here, “Dozens of” in"),
        ("有几千颗。", "A few hundred of them.", "halves-quantity", "“几千” here, “few hundred” in"),
        ("第三层最慢。", "The second layer is slowest.", "halves-quantity", "“第三” here, “The second” in"),
        ("第 4 次。", "The 5th time.", "halves-quantity", "“第 4” here, “The 5th” in"),
        (
            "每六个请求有一个落空。",
            "Every fifth request misses.",
            "halves-quantity",
            "“六个请求有一个” here, “fifth” in",
        ),
        (
            "从每小时4美元降到2美元。",
            "From $4 to $3 an hour.",
            "halves-quantity",
            "“2美元” is not in",
        ),
        ("2024年6月3日出货。", "It shipped on 3 May 2024.", "halves-quantity", "“6月3日” here, “3 May” in"),
        ("六月。", "On May 3rd.", "halves-quantity", "“六月” here, “May 3rd” in"),
        ("是峰值的¼。", "½ of the peak.", "halves-quantity", "“¼” here, “½” in"),
        ("最多需要64行。", "At least 64 rows.", "halves-quantity", "less than “64行” here, more than"),
        ("峰值197 TOPS。", "A peak of 197 TFLOP/s.", "halves-quantity", "“197 TOPS” here, “197 TFLOP/s” in"),
        ("中断四百一十七次。", "It failed 419 times.", "halves-quantity", "“419 times” is only in"),
        ("不到3 ms。", "More than 3 ms.", "halves-quantity", "less than “3 ms” here, more than “3 ms” in"),
        ("从不超过3 ms。", "At least 3 ms.", "halves-quantity", "less than “3 ms” here, more than"),
        ("每块卡留出60 GiB。", "It sets aside 60 MiB of each card.", "halves-quantity", "“60 GiB” is not in"),
        ("±3%以上。", "Within ±3%.", "halves-quantity", "more than “3%” here, less than “3%” in"),
        ("超过租金的百分之三。", "Less than three percent.", "halves-quantity", "more than “百分之三” here"),
        ("换成八个H200。", "Nine H200s instead.", "halves-quantity", "“八个” here, “Nine” in"),
        ("一万八千多张。", "More than sixteen thousand.", "halves-quantity", "“一万八千多张” here"),
        ("8个KV头。", "8 layers.", "halves-quantity", "“8个KV头” is not in"),
        ("批量翻倍。", "It takes half of that.", "halves-quantity", "“翻倍” here, “half” in"),
        ("八分之五。", "Seven eighths.", "halves-quantity", "“八分之五” here, “Seven eighths” in"),
        ("共3万个。", "There are 35,000 of them.", "halves-quantity", "“3万” here, “35,000” in"),
        ("2009年，14页。", "In 2010, 14 pages.", "halves-quantity", "“2009” here, “2010” in"),
        ("第6台机器，8块GPU。", "Machine 8 has 8 GPUs.", "halves-quantity", "“8” is only in"),
        ("见第389–412页。", "See pp. 389–421.", "halves-quantity", "“412” here, “389–421” in"),
        ("见3.1节。", "See section 3.2.", "halves-quantity", "“3.1” is not in"),
        ("从2.0 → 2.1版。", "Version 2.0 → 2.2.", "halves-quantity", "“2.1” here, “2.2” in"),
        ("第一季度卖得多。", "In Q2 it sold well.", "halves-quantity", "“第一” here, “Q2” in"),
        ("有4万、4000两档。", "There are 40k and 5k.", "halves-quantity", "“4000” here, “5k” in"),
        (
            "从180 ms涨到了1.2 s。",
            "From 180 ms to 1.3 s.",
            "halves-quantity",
            "“1.2 s” here, “180 ms to 1.3 s”",
        ),
        ("从180 ms涨到了1.2 s。", "From 180 s to 1.2 s.", "halves-quantity", "“180 ms” here, “180 s” in"),
        ("吞吐少了20%。", "Throughput: -30%.", "halves-quantity", "“20%” here, “-30%” in"),
        ("吞吐涨了20%。", "Throughput: -20%.", "halves-quantity", "“20%” here, “-20%” in"),
        ("每三小时一次。", "Once every four hours.", "halves-quantity", "“三小时” here, “four hours” in"),
        ("NVLink 900 GB/s。", "NVLink has 900 TB/s.", "halves-quantity", "“900 GB/s” here, “900 TB/s” in"),
        (
            "| a | b |\n|---|---|\n| 1.26 | 1 |",
            "| a | b |\n|---|---|\n| 1.25 | 1 |",
            "halves-quantity",
            "“1.26” here, “1.25” in",
        ),
        (
            "| a | b |\n|---|---|\n| 2 | 1 |",
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "halves-quantity",
            "in row 2, column 1, “2” here, “1” in",
        ),
        ("- 3 ms\n- 4 ms", "- 4 ms\n- 3 ms", "halves-quantity", "in item 1, “3 ms” here, “4 ms” in"),
        ("- 甲\n- 乙", "1. a\n2. b", "halves-list", "the list is not numbered here, and is in"),
        ("1. 甲\n2. 乙", "- a\n- b", "halves-list", "the list is numbered here, and is not in"),
        (
            "- TPU要大批量。\n- 给GPU数波次。\n- 先算强度。",
            "- Count waves for a GPU.\n- TPUs want large batches.\n- Compute the intensity first.",
            "halves-list",
            "item 1 and item 2 are in another order in",
        ),
        (
            "- 先算强度。\n- 峰值相差不到一成的两块芯片，同一个算子上也会差三倍，采购之前自己算一遍。",
            "- Chips within a tenth of each other may be a factor of three apart.\n- Intensity first.",
            "halves-list",
            "item 1 and item 2 are in another order in",
        ),
        ("![图](a.zh.png)", "![picture](b.en.png)", "halves-picture", "the picture a..png is not in"),
        (
            "一[^a]，二[^b]。\n\n三[^a]。\n\n[^a]: 注。\n\n[^b]: 注。",
            "One[^a] and two.[^b]\n\nThree.[^b]\n\n[^a]: A.\n\n[^b]: B.",
            "halves-note",
            "the footnote [^a] is not in",
        ),
        ("如[@a2017; @b]所述。", "As in [@a2017].", "halves-citation", "the English half does not cite b"),
        ("如所述。", "As in @bo2017.", "halves-citation", "the English half cites bo2017, and this"),
        (
            "{eval}`a.b`个，{eval}`a.b`行，{eval}`a.c`列。",
            "{eval}`a.b` of them, {eval}`a.c` rows and {eval}`a.c` columns.",
            "halves-value",
            "the value `a.b` is more often here than in",
        ),
        ("边长翻倍。", "The side is halved.", "halves-quantity", "“翻倍” here, “halved” in"),
        (
            "快{eval}`a.b | number(1)`倍。",
            "{eval}`a.b | number(1)`% faster.",
            "halves-unit",
            "the value `a.b` is in “倍” here, “%” in",
        ),
        (
            "占{eval}`a.b | percent`。",
            "It is {eval}`a.b | number(0)`.",
            "halves-unit",
            "the value `a.b` is in “%” here, “plain numbers” in",
        ),
        (
            "从{eval}`a.b`到{eval}`a.c`&nbsp;ms。",
            "From {eval}`a.b` to {eval}`a.c`&nbsp;µs.",
            "halves-unit",
            "the value `a.b` is in “ms” here, “µs” in",
        ),
        (
            "| 峰值，TFLOP/s |\n|---|\n| x |",
            "| Peak, GFLOP/s |\n|---|\n| x |",
            "halves-unit",
            "the unit “TFLOP/s” is here, “GFLOP/s” in",
        ),
        ("很快。", "Fast on H100.", "halves-name", "“H100” is only in the English half"),
        ("H100很快。", "It is fast.", "halves-name", "“H100” is nowhere in the English half"),
        ("到{control}`a.b`。", "To {control}`a.c`.", "halves-value", "the control `a.b` is not in"),
        (
            "两倍{assert}`a.b > 1`。",
            "Twice {assert}`a.b > 2`.",
            "halves-value",
            "the assertion `a.b>1` is not in",
        ),
        ("用H200。", "It uses H100.", "halves-name", "“H200” here, “H100”"),
        (
            "是{eval}`a.b | number(0)`。",
            "It is {eval}`a.c | number(0)`.",
            "halves-value",
            "the value `a.b` is not",
        ),
        (
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "| a |\n|---|\n| 1 |",
            "halves-table",
            "a table of 2 rows and 2 columns",
        ),
        ("- a\n- b", "- a", "halves-list", "2 items here, 1 in"),
        ("- a", "- a\n- b", "halves-list", "1 item here, 2 in"),
        ("读4.8 TB/s。", "It reads 4.8 TB.", "halves-quantity", "“4.8 TB/s” is not in the English half"),
        ("见[文](https://a.org/x)。", "See [it](https://a.org/y).", "halves-link", "the link a.org/x is not"),
        ("脚注[^a]。\n\n[^a]: 注。", "A note.", "halves-note", "1 footnote here, 0"),
        ("是$a+b$。", "It is $a-b$.", "halves-formula", "a formula is not"),
        (":::{note}\n文\n:::", ":::{warning}\ntext\n:::", "halves-admonition", "the note of kind note"),
        (
            ":::{note}\n先看左边，只比带宽。\n\n再看右边，只比峰值。\n:::",
            ":::{note}\nOn the left only bandwidth counts.\n:::",
            "halves-missing",
            "2 paragraphs here, 1 in",
        ),
        ("用`ceil`。", "It calls `floor`.", "halves-code", "“ceil” here, “floor” in"),
        (
            "```{figure} r\n说明。\n```",
            "```{figure} r\n```",
            "halves-missing",
            "the caption is missing from the English half",
        ),
        ("```python\nx = 1\n```", "```python\nx = 2\n```", "halves-code", "the code differs"),
    ],
)
def test_a_difference(zh: str, en: str, rule: str, message: str):
    found = found_in(zh, en)
    assert any(one == rule and told.startswith(message) for one, told in found), found


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("1.2 万个词元，占65%。", "12,000 tokens, or 65 %."),
        ("峰值从46升到2,307 TFLOP/s。", "The peak rises from 46 to 2,307 TFLOP/s."),
        ("用103 ms，其中网络24 ms。", "It takes 103 ms, 24 of them network."),
        ("5,050块TPU v5p，1,742块H100。", "5,050 TPU v5p and 1,742 H100."),
        ("TensorRT-LLM 98%。", "TRT-LLM: 98%."),
        ("要{eval}`(a.b_s * 1000) | number(1)`毫秒。", 'It takes {eval}`a.b_s | unit("ms", 1)`.'),
        ("{eval}`a.b`，9170000个词元，9175000行。", "{eval}`a.b`, 9170000 tokens, 9175000 rows."),
        ("边长128的阵列。", "An array of 128 × 128."),
        ("比例是3：1。", "The ratio is 3:1."),
        ("1/3的时间。", "A third of the time."),
        ("第7个周期，16个里有13个。", "In cycle 7, 13 of 16."),
        ("每卡每小时2.5美元。", "$2.50 per GPU-hour."),
        ("每比特0.6皮焦。", "It takes 0.6 pJ per bit."),
        ("每个参数2字节。", "A weight is 2 bytes."),
        ("延迟降低40%，吞吐提高到1.7倍。", "Latency falls by 40%, throughput rises 1.7-fold."),
        ("频率从1.1提到1.7 GHz。", "The clock rises from 1.1 to 1.7 GHz."),
        ("从97%掉到55%。", "It fell from 97% to 55%."),
        ("H200快一倍。", "The H200s are twice as fast."),
        ("这里有两个问题，一看就懂。", "There are questions that anyone understands."),
        ("2026年11月20日，见第3节。", "On 20 November 2026; see section 3."),
        ("`x = 1`，$N = 64$。", "`x = 1`, or $N = 64$; `y = 2`."),
        ("见[屋顶线](https://zh.wikipedia.org/wiki/x)。", "See [it](https://en.wikipedia.org/wiki/y)."),
        ("见[文](https://a.org/zh/x)。", "See [it](https://a.org/en/x)."),
        ("见[文](../roofline/zh.md#top)。", "See [it](../roofline/en.md#top)."),
        ("见[数据](roof.zh.csv)。", "See [the data](roof.en.csv)."),
        ("见[文](../roofline/index.md)。", "See [it](../roofline/index.en.md)."),
        ("$a_{\\text{峰值}}$", "$a_{\\text{peak}}$"),
        ("```python\nx = 1  # 一\n```", "```python\nx = 1  # one\n```"),
        ('```text title="摘自日志"\nx\n```', '```text title="from the log"\nx\n```'),
        ("是{eval}`a.b|number(0)`，{eval}`a.c`。", "{eval}`a.c`, and {eval}`a.b | number(1)`."),
        (
            ":::{note}\n先看左边，只比带宽。\n\n再看右边，只比峰值。\n:::",
            ":::{note}\nOn the left only bandwidth counts, and on the right only the peak.\n:::",
        ),
        ("有512个。", "It has 512 tokens."),
        ("一半时间，即0.5。", "Half of the time, or 0.5."),
        ("词表12.8万，上下文128K。", "A vocabulary of 128,000 and a context of 131,072."),
        ("三个模型，中断四百一十九次。", "3 models and 419 interruptions."),
        ("约3万个，最多17.3 MW。", "31,400 of them and up to 17.31 MW."),
        ("近一千万美元。", "Some $9.67 million."),
        ("第1周12次。", "Week 1 had 12."),
        ("见附录 49。第 6 台机器更慢。", "See appendix 49. Machine 6 is slower."),
        ("每度0.08美元，用了3084万GPU小时。", "It took 30.84 million GPU-hours at $0.08 per kWh."),
        ("19世纪90年代的8路主机。", "An 8-way host of the 1890s."),
        ("几十列，数百行，一两个。", "A few dozen columns, several hundred rows, one or two."),
        ("十六名成员，5个元素。", "Sixteen members and 5 elements."),
        ("几千次，第二层和首个都行。", "Thousands of times, the first and the second layer."),
        ("价格从每小时4美元降到2美元。", "It fell from $4 to $2 an hour."),
        ("在前三次迭代里，在第二台机器上再做一遍。", "In the first three iterations, on a second machine."),
        ("首先是它，第二项每秒一次。", "First this; the second item once a second, a third of the time."),
        ("2024年5月3日，五月，月均3次。", "On May 3, 2024, in May 2024, and 3 a month."),
        ("要20英镑或24欧元，二十五万个请求。", "£20 or €24, a quarter-million requests."),
        ("九成多，½。", "90-odd percent, a half."),
        ("成千上万，参数百万。", "Tens of thousands, with parameters."),
        ("两者都快，三者也是。", "Both are fast, and so are the others."),
        ("两种芯片，三个3，四块4。", "The chips: 3 and four of them, at four in the afternoon."),
        ("8张卡时要70 µs。", "With 8 cards it takes 70 µs."),
        ("v6e快，它的带宽也高。H200慢。", "The v6e is fast, and the v6e has bandwidth. The H200 is slow."),
        (
            "从{eval}`a.low | number(0)`移到{eval}`a.high | number(0)` FLOP/B。",
            "From {eval}`a.low | number(0)` FLOP/B to {eval}`a.high | number(0)` FLOP/B.",
        ),
        (
            "每搬一个字节，乘加{eval}`a.ridge | number(0)`个来回。",
            "At {eval}`a.ridge | number(0)` FLOP/B.",
        ),
        (
            "| 脊点，FLOP/B |\n|---|\n| {eval}`a.ridge \\| number(0)` |",
            "| Ridge, FLOP/B |\n|---|\n| {eval}`a.ridge \\| number(0)` FLOP/B |",
        ),
        ("权重为0时输出1。", "With zero weights it gives one."),
        ("![图](a.zh.png)", "![picture](a.en.png)"),
        ("一[^甲]。\n\n[^甲]: 注。", "One.[^a]\n\n[^a]: Note."),
        ("见第389–412页。", "See pp. 389–412."),
        ("见389–412页。", "See pages 389 to 412."),
        ("见3.1节。", "See section 3.1."),
        ("从2.0 → 2.1版。", "Version 2.0 → 2.1."),
        ("第一季度卖得多，二季度少。", "In Q1 it sold well, in Q2 less."),
        ("有4万、4000两档。", "There are 40k and 4k."),
        ("从180 ms涨到了1.2 s。", "It rose from 180 ms to 1.2 s."),
        ("吞吐少了20%。", "Throughput: -20%."),
        ("变化：-20%。", "It fell by 20%."),
        ("超过10%，不到20%。", "Less than 20% and more than 10%."),
        ("| a |\n|---|\n| 2 kW |", "| a (kW) |\n|---|\n| 2 |"),
    ],
)
def test_no_difference(zh: str, en: str):
    assert found_in(zh, en) == []


def test_a_paragraph_that_one_half_has_is_missed():
    ((rule, message),) = found_in("## 一 {#a}\n\n只有3 ms。\n\n## 二 {#b}", "## One {#a}\n\n## Two {#b}")
    assert rule == "halves-missing"
    assert message.startswith("this paragraph is missing from the English half (it belongs after ")


def test_a_paragraph_that_the_other_half_has_cut_in_two_is_told_as_cut_and_not_missed():
    zh = "先看左边，乘法器等数据，访存受限，只有带宽算数。再看右边，数据等乘法器，算力受限。"
    left = "Look at the left first: the multipliers wait for data, and only bandwidth counts."
    right = "Now look at the right: data wait for the multipliers, and only the peak counts."
    assert found_in(zh, f"{left} {right}") == []
    ((rule, message),) = found_in(zh, f"{left}\n\n{right}")
    assert (rule, message) == ("halves-split", "this paragraph is part of the one at content/posts/a/zh.md:6")
    ((rule, _),) = found_in(f"{zh}\n\n{zh}", f"{left} {right}")
    assert rule == "halves-missing"


SAID = (
    (
        "先看左边，乘法器等数据，访存受限，只有带宽算数，峰值高低都无关紧要。",
        "Look at the left: the multipliers wait for data, only bandwidth counts, and peaks do not matter.",
    ),
    (
        "再看右边，数据等乘法器，算力受限，这时加宽内存没有任何好处。",
        "On the right data wait for the multipliers, and a wider memory does no good at all.",
    ),
    (
        "代价是小块的数据复用少，片上流量大，模型没有计入这一笔，所以偏乐观。",
        "Small tiles reuse less data and cause more traffic on the chip, which the model leaves out.",
    ),
)
"""Sentences of about the same length in both languages."""


@pytest.mark.parametrize("block", ["{}", "```{{figure}} roof\n{}\n```"], ids=["paragraph", "caption"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_sentence_that_one_half_alone_has_is_told_by_its_length(language: str, block: str):
    said = [(SAID[n % 3], SAID[(n + 1) % 3]) for n in range(8)]
    zh = ["".join(sentence for sentence, _ in two) for two in said]
    en = [" ".join(sentence for _, sentence in two) for two in said]

    def found() -> list[tuple[str, str]]:
        last = block.format(zh[-1]), block.format(en[-1])
        return found_in("\n\n".join((*zh[:-1], last[0])), "\n\n".join((*en[:-1], last[1])))

    assert found() == []
    if language == "zh":
        zh[-1] += SAID[0][0]
    else:
        en[-1] += f" {SAID[0][1]}"
    ((rule, message),) = found()
    counts = ("3 sentences here, 2 in", "2 sentences here, 3 in")[language == "en"]
    assert rule == "halves-length"
    assert message.startswith(f"{counts} the English half: some seem to be missing ")


def test_lengths_say_nothing_where_an_article_has_no_usual_one():
    often = ((1, 2), (1, 1), (2, 1)) * 3
    zh, en = (
        "\n\n".join(
            f"## {{#s{n}}}\n\n{' '.join([SAID[n % 3][side]] * times[side])}" for n, times in enumerate(often)
        )
        for side in (0, 1)
    )
    assert found_in(zh, en) == []


def test_titles_and_descriptions_are_compared():
    zh, en = (
        parse_front_matter(f"---\ntitle: {title}\ndate: 2026-01-01\n---\n\nx", f"{language}.md", language)
        for title, language in (("快3倍", "zh"), ("4 times as fast", "en"))
    )
    (found,) = compare_front_matter(zh, en)
    assert (found.rule, found.message) == ("halves-quantity", "“3倍” here, “4 times” in the English half")


THE_SAME = {
    "an attribute with an angle bracket": (
        '<abbr title="时间 > 5 GB，大致">比值</abbr>很高。',
        'The <abbr title="roughly, time > 6 GB">ratio</abbr> is high.',
    ),
    "the number of a formula": ("$$x$$ (eq:a)", "$$x$$ (eq:a)"),
    "code in a list whose comments are translated": (
        "- 甲\n\n  ```python\n  x = 1  # 一\n  ```",
        "- A\n\n  ```python\n  x = 1  # one\n  ```",
    ),
    "a comment": ("<!-- 3 ms -->\n\n快。", "<!-- 4 ms, x > 1 -->\n\nFast."),
    "a picture whose attributes have single quotes": (
        "<img src='a.png' alt='占65%'>",
        '<img alt="uses 65%" src="a.png">',
    ),
}


def test_what_is_no_prose_makes_no_difference() -> None:
    assert {name: found_in(*halves) for name, halves in THE_SAME.items()} == {name: [] for name in THE_SAME}


def test_text_behind_a_list_inside_an_item_belongs_to_this_item() -> None:
    zh = "- 甲3 ms：\n\n  - 乙4 ms。\n\n  丙5 ms。\n- 丁6 ms。"
    en = "- A 3 ms:\n\n  - B 5 ms.\n\n  C 4 ms.\n- D 6 ms."
    [(rule, message)] = found_in(zh, en)
    assert (rule, message.partition(",")[0]) == ("halves-quantity", "in item 1")
