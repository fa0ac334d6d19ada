"""What became of blocks since both halves were in step: either half first, inserted, moved, deleted."""

import random

import pytest

from diglot.languages import Language
from diglot.staleness.comparing import Finding
from tests.staleness.pairs import FRONT, compared, findings, in_step

_ZH = (
    "屋顶线说速率至多是多少。",
    "脊点左边访存受限，右边算力受限。",
    "批量越大，每个词元越便宜。",
    "权重先装进阵列，然后留在原地。",
)
_EN = (
    "The roofline says how fast a kernel can be.",
    "Left of the ridge it is memory-bound, right of it compute-bound.",
    "The larger the batch, the cheaper each token.",
    "Weights are loaded first and then stay put.",
)


def _half(*blocks: str) -> str:
    return FRONT.format(title="T") + "\n\n".join(blocks) + "\n"


_PAIR = _half(*_ZH), _half(*_EN)


def _told(found: tuple[Finding, ...]) -> list[tuple[str, str, Language | None]]:
    return [(one.id, one.change, one.behind) for one in found]


def test_a_pair_that_nobody_touched_is_in_step() -> None:
    assert findings(_PAIR, _PAIR) == ()


@pytest.mark.parametrize(("first", "behind"), [("zh", "en"), ("en", "zh")])
def test_either_half_may_be_edited_first(first: Language, behind: Language) -> None:
    zh = [*_ZH[:2], "批量越大，每个词元越贵。", _ZH[3]] if first == "zh" else _ZH
    en = [*_EN[:2], "The larger the batch, the dearer each token.", _EN[3]] if first == "en" else _EN
    (found,) = findings(_PAIR, (_half(*zh), _half(*en)))
    assert (found.id, found.change, found.behind) == ("top-3", "changed", behind)
    assert found.of(first).before == (_ZH[2] if first == "zh" else _EN[2])


def test_blocks_below_an_insertion_are_found_again() -> None:
    zh = _half(_ZH[0], "新的一段。", "又是一段。", *_ZH[1:])
    (one, other) = findings(_PAIR, (zh, _PAIR[1]))
    assert [(found.change, found.behind) for found in (one, other)] == [("added", "en")] * 2
    assert one.zh.unit is not None
    assert one.zh.unit.text == "新的一段。"
    assert one.after is not None
    assert one.after.text == _EN[0]
    assert one.after_row == "top-1"


def test_a_block_that_only_one_half_dropped_is_behind_in_the_other() -> None:
    (found,) = findings(_PAIR, (_half(_ZH[0], *_ZH[2:]), _PAIR[1]))
    assert (found.change, found.behind) == ("removed", "en")
    assert found.en.unit is not None
    assert found.en.unit.text == _EN[1]


def test_a_block_that_both_halves_dropped_is_in_step() -> None:
    assert findings(_PAIR, (_half(_ZH[0], *_ZH[2:]), _half(_EN[0], *_EN[2:]))) == ()


def test_a_block_that_moved_in_one_half_is_behind_in_the_other() -> None:
    en = _half(_EN[3], *_EN[:3])
    (found,) = findings(_PAIR, (_PAIR[0], en))
    assert (found.change, found.behind) == ("moved", "zh")
    assert found.zh.unit is not None
    assert found.zh.unit.text == _ZH[3]


def test_of_two_neighbours_that_changed_places_the_untouched_half_is_behind() -> None:
    for first, behind in (("zh", "en"), ("en", "zh")):
        halves = {"zh": [*_ZH], "en": [*_EN]}
        halves[first][1:3] = reversed(halves[first][1:3])
        (found,) = findings(_PAIR, (_half(*halves["zh"]), _half(*halves["en"])))
        assert (found.change, found.behind) == ("moved", behind)


def test_a_block_that_moved_in_both_halves_is_in_step() -> None:
    assert findings(_PAIR, (_half(_ZH[3], *_ZH[:3]), _half(_EN[3], *_EN[:3]))) == ()


def test_a_moved_block_that_changed_too_is_found_again() -> None:
    zh = _half("权重先装进阵列，然后一直留在原地。", *_ZH[:3])
    (found,) = findings(_PAIR, (zh, _PAIR[1]))
    assert (found.change, found.behind, found.zh.before) == ("changed", "en", _ZH[3])


def test_where_both_halves_changed_neither_is_known_to_be_behind() -> None:
    zh, en = _half("速率有上限。", *_ZH[1:]), _half("A kernel has a limit.", *_EN[1:])
    assert _told(findings(_PAIR, (zh, en))) == [("top-1", "both", None)]


def test_a_block_that_is_new_in_both_halves_waits_for_a_word() -> None:
    zh, en = _half("新的一段，讲42。", *_ZH), _half("A new one, on 42.", *_EN)
    assert _told(findings(_PAIR, (zh, en))) == [("top-1", "both", None)]


def test_what_only_one_half_has_may_change_there() -> None:
    before = _half(*_ZH, "给中文读者的话。"), _PAIR[1]
    assert findings(before, (_half(*_ZH, "给中文读者的另一句话。"), _PAIR[1])) == ()
    assert findings(before, _PAIR) == ()


def test_a_named_block_is_found_by_its_name_whatever_it_says() -> None:
    before = _half("{#law}\n甲。", *_ZH), _half("{#law}\nA.", *_EN)
    now = _half(*_ZH, "{#law}\n完全不同的一句话，放在最后。"), before[1]
    assert [(one.id, one.change, one.behind) for one in findings(before, now)] == [("law", "changed", "en")]


def test_footnotes_and_titles_are_counted_by_themselves() -> None:
    zh, en = _half("话。[^a]", "[^a]: 注。"), _half("Text.[^a]", "[^a]: Note.")
    changed = zh.replace("注。", "另一个注。").replace("title: T", "title: 新题")
    assert _told(findings((zh, en), (changed, en))) == [("_title", "changed", "en"), ("^a", "changed", "en")]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("前者是后者的2.9倍，所以，H200更快。", "前者是后者的 2.9 倍, 所以, H200 更快."),
        ("他说“快”。", "他说「快」。"),
        ("20%的时间（约两小时）", "20 %的时间(约两小时)"),
        ("一行\n接着一行。", "一行接着一行。"),
        ("ＨＢＭ带宽１００GB/s。", "HBM带宽100 GB/s。"),
        ('The "roof" isn\'t flat ... it bends.', "The “roof” isn’t flat… it bends."),
        ("It takes\n10 ms\nin all.", "It takes 10&nbsp;ms in all."),
        ("pages 3-5, not less", "pages 3–5, not less"),
        ("| a | b |\n| --- | --- |\n| 1 | 2 |", "|a|b|\n|-----|:---|\n|1|2|".replace(":", "")),
        ("```python\nx = 1  \n```", "```python\nx = 1\n```"),
        ("## Roof", "## Roof {#roof}"),
    ],
)
def test_typography_does_not_count(before: str, now: str) -> None:
    assert findings((_half(before), _PAIR[1]), (_half(now), _PAIR[1])) == ()
    assert findings((_half(before), _half(before)), (_half(now), _half(before))) == ()


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("降到55%。", "降到56%。"),
        ("10² times", "102 times"),
        ("every day", "everyday"),
        ("1 2", "12"),
        ("`H100`", "`H200`"),
        ("它**很**快。", "它很快。"),
        ("[a](/en/)", "[a](/zh/)"),
        ("```python\nif x:\n    y\n```", "```python\nif x:\n  y\n```"),
        ("{eval}`a.b`", "{eval}`a.c`"),
    ],
)
def test_words_numbers_links_and_code_count(before: str, now: str) -> None:
    (found,) = findings((_half(before), _half(before)), (_half(now), _half(before)))
    assert (found.change, found.behind) == ("changed", "en")


def _edited(blocks: list[str], chance: random.Random, new: str) -> list[str]:
    at = chance.randrange(len(blocks)) if blocks else 0
    match chance.choice(("insert", "delete", "move", "change")):
        case "insert":
            blocks.insert(at, new)
        case "delete" if blocks:
            del blocks[at]
        case "move" if blocks:
            blocks.insert(chance.randrange(len(blocks)), blocks.pop(at))
        case _ if blocks:
            blocks[at] += f" {new}"
    return blocks


def test_after_any_edits_a_sync_leaves_nothing_to_say_and_another_changes_nothing() -> None:
    chance = random.Random(3)
    zh, en = [*_ZH, "---", "## 节", "---"], [*_EN, "---", "## Part", "---"]
    entries = in_step(_half(*zh), _half(*en))
    for step in range(60):
        for _ in range(chance.randint(1, 3)):
            if chance.random() < 0.5:
                zh = _edited(zh, chance, f"第{step}句，别的话。")
            else:
                en = _edited(en, chance, f"Sentence {step}, of other words.")
        texts = _half(*zh), _half(*en)
        entries = in_step(*texts, entries)
        assert compared(entries, *texts).findings == ()
        assert in_step(*texts, entries) == entries
