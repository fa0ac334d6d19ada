"""Results in sentences that are worked out again, and what is left alone."""

import pytest

from diglot.languages import Language
from diglot.quantities.arithmetic import wrong_sums


@pytest.mark.parametrize(
    ("text", "language", "result", "right"),
    [
        ("It fell from 97% to 55%, a drop of 43 points.", "en", "43 points", "42 points"),
        ("from 97 to 55, a drop of 52", "en", "52", "42"),
        (
            "It fell by 32 percentage points, from 97% to 55%.",
            "en",
            "32 percentage points",
            "42 percentage points",
        ),
        ("3 × 4 = 13", "en", "13", "12"),
        ("doubles from 40 to 90", "en", "doubles", "2.25"),
        ("20 % of 50 is 12", "en", "12", "10"),
        ("Latency doubles from 40 to 100 ms.", "en", "doubles", "2.5"),
        ("The batch grows from 32 to 256, a factor of 6.", "en", "6", "8"),
        ("Costs fall from $4 to $3, a 30% drop.", "en", "30%", "25%"),
        ("Half of 132 is 64.", "en", "64", "66"),
        ("132 × 2 = 246 tiles", "en", "246 tiles", "264 tiles"),
        ("8 × 16 GB = 182 GB", "en", "182 GB", "128 GB"),
        ("It halves from 80 to 50 ms.", "en", "halves", "0.625"),
        ("from 40 to 60 ms, 30 ms more", "en", "30 ms", "20 ms"),
        ("from 40 to 100 ms, doubling", "en", "doubling", "2.5"),
        ("从97%降到55%，降了43个百分点。", "zh", "43个百分点", "42个百分点"),
        ("从 97 降到 55，降了 32 个百分点", "zh", "32 个百分点", "42 个百分点"),
        ("3 × 4 = 13", "zh", "13", "12"),
        ("从40翻倍到90", "zh", "翻倍", "2.25"),
        ("50的20%是12", "zh", "12", "10"),
        ("从40涨到100，翻了一番", "zh", "翻了一番", "2.5"),
        ("从40涨到120，涨了4倍", "zh", "4倍", "3倍"),
        ("从80毫秒减到50毫秒，减半", "zh", "减半", "0.625"),
        ("132块的一半是64块", "zh", "64块", "66块"),
        ("从4美元降到3美元，降了35%", "zh", "35%", "25%"),
        ("3000×4=1.3万", "zh", "1.3万", "12,000"),
        ("从40到60毫秒，多了30毫秒", "zh", "30毫秒", "20毫秒"),
        ("降了52个百分点（从97%到55%）", "zh", "52个百分点", "42个百分点"),
    ],
)
def test_a_wrong_result(text: str, language: Language, result: str, right: str):
    ((_, written, worked_out),) = wrong_sums(text, language)
    assert (written, worked_out) == (result, right)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("It fell from 97% to 55%, a drop of 42 points.", "en"),
        ("from 97 to 55, a drop of 42", "en"),
        ("It fell by 42 percentage points, from 97% to 55%.", "en"),
        ("3 × 4 = 12", "en"),
        ("doubles from 40 to 80", "en"),
        ("20 % of 50 is 10", "en"),
        ("Latency doubles from 40 to 80 ms.", "en"),
        ("The batch grows from 32 to 256, a factor of 8.", "en"),
        ("Costs fall from $4 to $3, a 25% drop.", "en"),
        ("Half of 132 is 66.", "en"),
        ("132 × 2 = 264 tiles", "en"),
        ("8 × 16 GB = 128 GB", "en"),
        ("700 W × 24 h = 16.8 kWh", "en"),
        ("It rises from 40 to 60 ms, up by 50%.", "en"),
        ("from 1.5 to 3 times", "en"),
        ("Going from 64 to 128 doubles it.", "en"),
        ("From 2017 to 2025 the peak grew 10-fold.", "en"),
        ("989 / 4.8 = 206", "en"),
        ("3000 × 4 = 12K", "en"),
        ("from 40 to 60 ms, 20 ms more", "en"),
        ("from 10% to 12%, a 20% increase", "en"),
        ("From 8 to 16, twice as many", "en"),
        ("1 + 2 + 3 = 6", "en"),
        ("It halves from 80 to 40 ms.", "en"),
        ("Page 3 - 4 = nothing", "en"),
        ("n = 3, m = 4", "en"),
        ("The side grows from 128 to 256, doubling the cost.", "en"),
        ("Going from 1 to 8 chips brings a speed-up of 6.", "en"),
        ("From 1 to 8 chips, a speed-up of 6.", "en"),
        ("He went from 2 to 3 pm, a walk of 40 minutes.", "en"),
        ("fp6-3 = 8-bit", "en"),
        ("10% of the 50 users pay.", "en"),
        ("From 40 to 60 ms, about 48% more.", "en"),
        ("From 32 to 256, more than 7 times.", "en"),
        ("f(3) = 4, 2 + 3 × 4 = 14", "en"),
        ("1.5-2.5 = a range", "en"),
        ("从97%降到55%，降了42个百分点。", "zh"),
        ("从 97 降到 55，降了 42 个百分点", "zh"),
        ("3 × 4 = 12", "zh"),
        ("从40翻倍到80", "zh"),
        ("50的20%是10", "zh"),
        ("从40涨到80，翻了一番", "zh"),
        ("从40涨到120，涨了2倍", "zh"),
        ("从40涨到120，涨到3倍", "zh"),
        ("批量从32加到256，多了7倍", "zh"),
        ("从80毫秒减到40毫秒，减半", "zh"),
        ("132块的一半是66块", "zh"),
        ("从4美元降到3美元，降了25%", "zh"),
        ("H200从97%掉到55%，一下子掉了42个百分点", "zh"),
        ("2017年到2025年", "zh"),
        ("3000×4=1.2万", "zh"),
        ("从40到60毫秒，多了20毫秒", "zh"),
        ("降了42个百分点（从97%到55%）", "zh"),
        ("从1到8块GPU，快了6倍", "zh"),
        ("50的20%是付费用户", "zh"),
        ("从2017年的3颗到8颗，多了近两倍", "zh"),
        ("从40到61毫秒，约多了50%", "zh"),
    ],
)
def test_what_is_right_or_no_arithmetic(text: str, language: Language):
    assert [*wrong_sums(text, language)] == []


@pytest.mark.parametrize(
    "text",
    [
        "1e999 × 2 = 3",
        "0 / 0 = 1",
        "1 / 0 = 5",
        "2 × " * 5000 + "2 = 7",
        f"0.{'0' * 400}1 × 2 = 3",
        "from 0 to 5, a 20% rise",
        "from 5 to 0, a factor of 3",
    ],
)
def test_impossible_arithmetic_breaks_nothing(text: str):
    for rounded in ((), range(len(text))):
        assert len([*wrong_sums(text, "en", rounded=rounded)]) <= 1


def test_rounded_values_need_not_add_up_to_the_last_digit():
    text = "It falls from 97% to 55%, a drop of 43 points."
    values = (text.index("97"), text.index("55"))
    assert [*wrong_sums(text, "en", rounded=values)] == []
    assert [one.right for one in wrong_sums(text, "en")] == ["42 points"]
    assert len([*wrong_sums(text.replace("43", "44"), "en", rounded=values)]) == 1
