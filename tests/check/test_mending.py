"""`diglot check --fix`: what one wrong character has spoilt is mended in the files of articles."""

import pytest

from diglot.cli import main
from tests.space import Space

ZH = """##标题

｀jit｀编译，见 [屋顶线] (#roof)。

```
##标题
```

{#roof}
-　甲
-　乙
"""
EN = """## Title

`jit` compiles, see [the roof](#roof).

```
##标题
```

{#roof}
- a
- b
"""


def fix(space: Space, capsys: pytest.CaptureFixture[str], *flags: str) -> list[str]:
    capsys.readouterr()
    main(["-C", str(space.root), "check", "--fix", "--twice", "0", *flags])
    return capsys.readouterr().err.splitlines()


def test_each_changed_line_is_said_and_a_second_run_changes_nothing(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    space.post("a", zh=ZH, en=EN)
    path = space.root / "content/posts/a/zh.md"
    head = path.read_text("utf-8").partition("##")[0]
    first = head.count("\n") + 1

    said = fix(space, capsys)
    place = "content/posts/a/zh.md"
    assert said[:5] == [
        f"{place}:{first}: ##标题 is now ## 标题",
        f"{place}:{first + 2}: ｀jit｀编译，见 [屋顶线] (#roof)。 is now `jit`编译，见 [屋顶线](#roof)。",
        f"{place}:{first + 9}: -　甲 is now - 甲",
        f"{place}:{first + 10}: -　乙 is now - 乙",
        "mended: 4 lines in 1 file",
    ]
    fixed = "## 标题\n\n`jit`编译，见 [屋顶线](#roof)。\n\n```\n##标题\n```\n\n{#roof}\n- 甲\n- 乙\n"
    assert path.read_text("utf-8").strip() == (head + fixed).strip()
    assert "left-over" not in "\n".join(said)

    assert fix(space, capsys)[0] == "mended: 0 lines in 0 files"
    assert path.read_text("utf-8").strip() == (head + fixed).strip()


def test_what_cannot_be_mended_or_read_stays_as_it_is(
    space: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    space.post("a", zh="：：：{note}\n\n甲", en="[a][nothing]")
    (space.root / "content/posts/b").mkdir()
    (space.root / "content/posts/b/zh.md").write_bytes(b"---\ntitle: \xff\n---\n##x\n")
    kept = [path.read_bytes() for path in sorted(space.root.glob("content/**/*.md"))]
    said = fix(space, capsys)
    assert said[0] == "mended: 0 lines in 0 files"
    assert [path.read_bytes() for path in sorted(space.root.glob("content/**/*.md"))] == kept
    assert any("full-width-mark" in line for line in said)


def test_line_ends_of_windows_are_kept(space: Space, capsys: pytest.CaptureFixture[str]) -> None:
    space.post("a", zh="##标题\n\n文\n", en="## Title\n\ntext\n")
    path = space.root / "content/posts/a/zh.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    fix(space, capsys)
    assert "## 标题\r\n\r\n文\r\n".encode() in path.read_bytes()
