"""What is behind, handed to a translator and taken back: nothing else of a half changes."""

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from diglot.diagnostics import DiagnosticError
from diglot.rules.sources import PostFiles
from diglot.scaffold.syncing import Compared
from diglot.scaffold.taking_back import TakenBack, take_back
from diglot.staleness.comparing import compare
from diglot.staleness.translation_markdown import read_markdown, write_markdown
from diglot.staleness.translations import Translation, TranslationFile, translations_of
from diglot.staleness.xliff import read_xliff, write_xliff
from tests.staleness.pairs import in_step, units

_FRONT = "---\ntitle: {} # said so\nslug: x\n---\n\n"
_ZH = _FRONT.format("一题") + "## 屋顶 {#roof}\n\n第一段。[^a]\n\n- 甲\n- 乙\n\n第二段。\n\n[^a]: 注。\n"
_EN = _FRONT.format("A title") + (
    "## Roof {#roof}\n\nThe first  \nparagraph.[^a]\n\n- A\n- B\n\nThe   second.\n\n[^a]: A note.\n"
)
_NEW_ZH = (
    _ZH.replace("一题", "新题")
    .replace("第一段", "改过的第一段")
    .replace("- 乙", "- 丙")
    .replace("注。", "新注。")
    .replace("第二段。", "第二段。\n\n第三段，1 < 2 & 3。")
)
_ENGLISH = {
    "_title": "A new title: “x”",
    "roof-1": "The first paragraph,\nchanged.[^a]",
    "^a": "[^a]: A new note.",
    "roof-2": "- A\n- C",
    "roof-4": "The third, 1 < 2 & 3.",
}
_WANTED = (
    _FRONT.format('"A new title: “x”"') + "## Roof {#roof}\n\nThe first paragraph,\nchanged.[^a]\n\n"
    "- A\n- C\n\nThe   second.\n\nThe third, 1 < 2 & 3.\n\n[^a]: A new note.\n"
)


def _compared(zh: str, en: str) -> Compared:
    now, entries = units(zh, en), in_step(_ZH, _EN)
    post = PostFiles(name="one", zh="zh.md", en="en.md", shared="meta.yaml")
    return Compared(post=post, units=now, entries=entries, comparison=compare(now, entries), remembered="")


def _file(zh: str, en: str) -> TranslationFile:
    return TranslationFile(
        article="one",
        source_language="zh",
        source_path="zh.md",
        target_path="en.md",
        translations=translations_of(_compared(zh, en).comparison.findings, "en"),
    )


def _translated(file: TranslationFile, texts: dict[str, str] = _ENGLISH) -> TranslationFile:
    done = (replace(one, target=texts.get(one.id, one.target)) for one in file.translations)
    return replace(file, translations=tuple(done))


def _taken(file: TranslationFile, zh: str = _NEW_ZH, en: str = _EN) -> TakenBack:
    return take_back(_compared(zh, en), file, en)


@pytest.mark.parametrize(
    ("write", "read"), [(write_xliff, read_xliff), (write_markdown, read_markdown)], ids=["xliff", "md"]
)
def test_files_are_read_as_they_were_written_and_filled_in(
    write: Callable[[TranslationFile], bytes], read: Callable[[bytes, str], TranslationFile]
) -> None:
    file = _file(_NEW_ZH, _EN)
    assert [one.id for one in file.translations] == ["_title", "roof-1", "^a", "roof-2", "roof-4"]
    assert "[-" not in file.translations[1].source
    assert "{+改过的+}第一段" in file.translations[1].note
    back = read(write(file), "file")
    assert replace(back, translations=tuple(replace(one, note="") for one in file.translations)) == back
    taken = _taken(read(write(_translated(file)), "file"))
    assert (taken.text, taken.open, taken.refused) == (_WANTED, (), ())
    assert [one.id for one in taken.done] == [one.id for one in file.translations if one.id in _ENGLISH]
    assert {one.id for one in _taken(back).open} == set(_ENGLISH)


def test_lines_end_as_they_did_and_only_translated_blocks_change() -> None:
    file = _translated(_file(_NEW_ZH, _EN), {"roof-2": "- A\n- C", "roof-4": "The third."})
    taken = _taken(file, en=_EN.replace("\n", "\r\n"))
    wanted = _EN.replace("- B", "- C").replace("The   second.", "The   second.\n\nThe third.")
    assert taken.text == wanted.replace("\n", "\r\n")
    assert {one.id for one in taken.open} == {"_title", "roof-1", "^a"}


def test_a_unit_is_refused_by_name_where_either_text_has_changed_since() -> None:
    file = _translated(_file(_NEW_ZH, _EN))
    zh, en = _NEW_ZH.replace("改过的第一段", "又改了的第一段"), _EN.replace("- B", "- B!!")
    taken = _taken(file, zh, en)
    assert [(one.rule, one.message, str(one.location)) for one in taken.refused] == [
        (
            "translation-refused",
            '"roof-1" was not taken back: its Chinese text has changed since it was handed out',
            "zh.md:8",
        ),
        (
            "translation-refused",
            '"roof-2" was not taken back: its English text has changed since it was handed out',
            "en.md:11",
        ),
    ]
    assert {one.id for one in taken.done} == {"_title", "^a", "roof-4"}
    assert "The first  \nparagraph" in taken.text


@pytest.mark.parametrize(
    "text",
    ["One.\n\nTwo.", "```\nnever closed", "## A heading", "# Too high", "text[^b]", "- a\n\n[^a]: again"],
)
def test_a_translation_that_is_not_one_block_is_refused(text: str) -> None:
    taken = _taken(_translated(_file(_NEW_ZH, _EN), {"roof-2": text}))
    assert (taken.text, [one.rule for one in taken.refused]) == (_EN, ["translation-refused"])


def test_a_block_is_found_although_others_were_inserted_above_it_meanwhile() -> None:
    file = _translated(_file(_NEW_ZH, _EN), {"roof-2": "- A\n- C"})
    zh, en = (text.replace("{#roof}\n", "{#roof}\n\n{}\n").replace("{}", "x") for text in (_NEW_ZH, _EN))
    taken = _taken(file, zh, en)
    assert taken.text == en.replace("- B", "- C")


@pytest.mark.parametrize(
    ("zh", "place"),
    [
        ("## 屋顶 {#roof}", "{}\n\n## Roof {#roof}"),  # the first block of all
        ("- 甲", "paragraph.[^a]\n\n{}\n\n- A"),  # behind one whose footnote stands at the end
        ("[^a]: 注", "The   second.\n\n{}\n\n[^a]: A"),
    ],
)
def test_a_new_block_stands_behind_the_one_that_it_follows(zh: str, place: str) -> None:
    file = _file(_ZH.replace(zh, f"新的一段。\n\n{zh}"), _EN)
    (new,) = file.translations
    taken = _taken(_translated(file, {new.id: "A new one."}), _ZH.replace(zh, f"新的一段。\n\n{zh}"))
    assert place.replace("{}", "A new one.", 1) in taken.text
    assert taken.text.replace("A new one.\n\n", "") == _EN


def test_a_new_block_keeps_its_distance_where_the_half_leaves_none() -> None:
    before = "## 一\n甲。\n", "## One\nA.\n"
    now = units("## 一\n新。\n\n甲。\n", before[1])
    entries = in_step(*before)
    post = PostFiles(name="one", zh="zh.md", en="en.md", shared="meta.yaml")
    comparison = compare(now, entries)
    compared = Compared(post=post, units=now, entries=entries, comparison=comparison, remembered="")
    file = replace(_file(_ZH, _EN), translations=translations_of(comparison.findings, "en"))
    (new,) = file.translations
    taken = take_back(compared, _translated(file, {new.id: "New."}), before[1])
    assert taken.text == "## One\n\nNew.\n\nA.\n"


def test_what_the_translator_confirms_is_done_although_it_is_the_same() -> None:
    file = _file(_NEW_ZH, _EN)
    content = write_xliff(file).replace(b'state="initial"', b'state="final"')
    taken = _taken(read_xliff(content, "file.xlf"))
    assert taken.text == _EN
    assert [one.id for one in taken.done] == ["_title", "roof-1", "^a", "roof-2"]


def test_units_of_xliff_are_in_the_order_that_its_schema_wants() -> None:
    root = ElementTree.fromstring(write_xliff(_file(_NEW_ZH, _EN)))
    assert (root.get("version"), root.get("srcLang"), root.get("trgLang")) == ("2.0", "zh-Hans", "en")
    (file,) = root
    names = [child.tag.partition("}")[2] for child in file]
    assert names == ["metadata", "notes", *["unit"] * 5]
    for unit in list(file)[2:]:
        assert [child.tag.partition("}")[2] for child in unit] == ["metadata", "notes", "segment"]
        texts = [child.tag.partition("}")[2] for child in unit[2]]
        assert texts == (["source"] if unit.get("name") == "roof-4" else ["source", "target"])
    assert len({unit.get("id") for unit in list(file)[2:]}) == 5


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [
        (read_xliff, b"<xliff", "this is not XML"),
        (read_xliff, b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "it has a document type"),
        (read_xliff, b"<x/>", "no file that `diglot status --export xliff` wrote"),
        (read_markdown, b"# Text", "no file that `diglot status --export md` wrote"),
    ],
)
def test_other_files_are_refused(
    read: Callable[[bytes, str], TranslationFile], content: bytes, message: str
) -> None:
    with pytest.raises(DiagnosticError, match=message):
        read(content, "file")


def test_marks_that_are_gone_are_missed() -> None:
    content = write_markdown(_file(_NEW_ZH, _EN)).replace(b"<!-- diglot: end -->", b"", 1)
    with pytest.raises(DiagnosticError, match="incomplete"):
        read_markdown(content, str(Path("file.md")))


def test_only_what_changed_or_is_new_is_handed_out() -> None:
    zh = _ZH.replace("- 甲\n- 乙\n\n", "")
    assert translations_of(_compared(zh, _EN).comparison.findings, "en") == ()
    assert (
        translations_of(_compared(_ZH, _EN.replace("The first", "A first")).comparison.findings, "en") == ()
    )
    both = _compared(_ZH.replace("- 甲", "- 丁"), _EN.replace("- A", "- D")).comparison.findings
    found: tuple[Translation, ...] = (*translations_of(both, "en"), *translations_of(both, "zh"))
    assert found == ()
