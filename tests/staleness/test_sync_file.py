"""`sync.txt`: read as it was written, quiet in diffs, merged by git."""

import datetime
import shutil
import subprocess
from pathlib import Path

import pytest

from diglot.diagnostics import DiagnosticError
from diglot.staleness.comparing import compare
from diglot.staleness.declaring import declare
from diglot.staleness.sync_file import read_sync_file, written
from diglot.staleness.words import explained
from tests.staleness.pairs import ARTICLE, DAY, FRONT, TALK, halves_of, in_step, units

_LATER = datetime.date(2027, 1, 2)


def _half(*blocks: str) -> str:
    return FRONT.format(title="T") + "\n\n".join(blocks) + "\n"


def test_entries_are_read_as_they_were_written() -> None:
    for folder in (ARTICLE, TALK):
        entries = in_step(*halves_of(folder))
        assert read_sync_file(written(entries), "sync.txt") == entries


def test_spaces_that_an_editor_removes_and_other_line_ends_do_no_harm() -> None:
    zh, en = _half("- 甲\n\n- 乙"), _half("- A\n\n- B")
    text = written(in_step(zh, en))
    assert not any(line != line.rstrip() for line in text.splitlines())
    assert read_sync_file(text.replace("\n", "\r\n"), "sync.txt") == read_sync_file(text, "sync.txt")


def test_an_insertion_adds_lines_and_changes_none() -> None:
    zh, en = ["## 一", "甲。", "乙。"], ["## One", "A.", "B."]
    before = in_step(_half(*zh), _half(*en))
    zh.insert(1, "新。")
    en.insert(1, "New.")
    after = written(in_step(_half(*zh), _half(*en), before, _LATER)).splitlines()
    old = written(before).splitlines()
    added = ["paragraph 2027-01-02", "| 新。", "| New."]
    assert [line for line in after if line in added] == added
    assert [line for line in after if line in old or not line] == [
        *old[: old.index("paragraph 2026-11-23")],
        *[""],
        *old[old.index("paragraph 2026-11-23") :],
    ]


def test_one_block_is_declared_and_the_others_keep_what_they_had() -> None:
    before = in_step(_half("甲。", "乙。"), _half("A.", "B."))
    now = units(_half("甲！！", "乙！！"), _half("A.", "B."))
    comparison = compare(now, before)
    declared = declare(now, before, comparison, _LATER, ["top-2"])
    assert [entry.day for entry in declared.entries] == [DAY, DAY, _LATER]
    assert [one.id for one in declared.findings] == ["top-2"]
    assert [one.id for one in compare(now, declared.entries).findings] == ["top-1"]


@pytest.mark.skipif(shutil.which("git") is None, reason="merges with git")
def test_two_people_bring_different_blocks_into_step_and_merge(tmp_path: Path) -> None:
    zh, en = ["甲。", "乙。", "丙。"], ["A.", "B.", "C."]
    base = in_step(_half(*zh), _half(*en))
    ours, theirs = [*zh], [*zh]
    ours[0], theirs[1] = "甲甲。", "乙乙。"
    files = {
        "base": base,
        "ours": in_step(_half(*ours), _half(*en), base, _LATER),
        "theirs": in_step(_half(*theirs), _half(*en), base, _LATER),
    }
    for name, entries in files.items():
        (tmp_path / name).write_text(written(entries), "utf-8")
    command = ["git", "merge-file", "-p", "ours", "base", "theirs"]
    merged = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout.decode()
    both = read_sync_file(merged, "sync.txt")
    assert compare(units(_half("甲甲。", "乙乙。", "丙。"), _half(*en)), both).findings == ()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, 'should be "diglot sync 1"'),
        ("diglot sync 2\n", 1, 'should be "diglot sync 1"'),
        ("diglot sync 1\n\n<<<<<<< ours\n", 3, "a merge was left unfinished here"),
        ("diglot sync 1\n\nparagraph 2026-02-30\n", 3, "begins no entry"),
        ("diglot sync 1\n\nparagraph 2026-11-23\n", 4, "belongs to no entry"),
        ("diglot sync 1\n\nparagraph 2026-11-23\nzh 0123456789ab\n| a\nb\n", 6, "belongs to no entry"),
        ("diglot sync 1\n\nparagraph 2026-11-23\nzh 0123456789ab\n| a\n=======\n", 6, "unfinished"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(text: str, line: int, message: str) -> None:
    with pytest.raises(DiagnosticError) as refused:
        read_sync_file(text, "sync.txt")
    (mistake,) = refused.value.diagnostics
    assert mistake.location is not None
    assert (mistake.location.line, message in mistake.message) == (line, True)
    assert mistake.fix


def test_the_words_that_changed_are_told_as_git_tells_them() -> None:
    long = "前面有很长很长的一段话。" * 20
    assert explained("降到55%，很慢。", "降到56%，很慢。") == "降到[-55-]{+56+}%，很慢。"
    assert explained("It’s one.", "It's two.") == "It's [-one-]{+two+}."
    assert explained("他说“快”。", "他说「快」。") == ""
    told = explained(f"{long}旧{long}", f"{long}新{long}")
    assert (len(told), "[-旧-]{+新+}" in told, told.startswith("… "), told.endswith(" …")) == (
        134,
        True,
        True,
        True,
    )
