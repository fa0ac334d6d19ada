"""Articles as PDF files."""

import shutil
import subprocess
from pathlib import Path

import pytest

from diglot.check.chromium import find_chromium
from diglot.cli.main import main
from tests.space import Space

BODY = """Opening.

:::{tip} Folded
:class: dropdown
Hidden words.
:::

=== "First"

    Tab one.

=== "Second"

    Tab two.

<details markdown="1">
<summary>Own</summary>

Raw words.

</details>

```{code-cell} python
:tags: [hide-input]
x = 1
x
```
"""


@pytest.mark.skipif(
    find_chromium() is None or not shutil.which("pdftotext"), reason="needs Chromium and poppler-utils"
)
def test_an_article_is_printed_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    space = Space(tmp_path)
    space.post("a", zh=BODY.replace("Opening.", "开头。"), en=BODY)
    folder = tmp_path / "papers"
    assert main(["-C", str(space.root), "-q", "export", "article", "posts/a", "-o", str(folder)]) == 0
    assert main(["-C", str(space.root), "-q", "export", "article", "a", "--both", "-o", str(folder)]) == 0
    files = [folder / f"a.{name}.pdf" for name in ("zh", "en", "both")]
    assert capsys.readouterr().out.split() == [str(file) for file in files]
    zh, en, both = (
        subprocess.run(["pdftotext", str(file), "-"], check=True, capture_output=True, text=True).stdout
        for file in files
    )
    for words in ("Hidden words.", "Tab one.", "Tab two.", "Raw words.", "x = 1", "1/1"):
        assert words in en, words
    assert "开头。" in zh
    assert "开头。" in both
    assert "Opening." in both
    assert b"/Outlines" in files[1].read_bytes()
    assert not (space.root / "public").exists()


def test_what_cannot_be_printed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if find_chromium() is None:
        pytest.skip("needs Chromium")
    space = Space(tmp_path)
    space.post("roofline", zh="开头。", en=None, only="zh")
    for arguments, message, fix in (
        (["rofline"], 'there is no article named "rofline"', 'did you mean "roofline"?'),
        (["roofline", "--both"], '"roofline" has no page with both languages', "leave out --both."),
        (["roofline", "--lang", "en"], '"roofline" has no half in "en"', "use --lang zh."),
        (["roofline", "--lang", "zh-hant"], "no pages in traditional characters", "traditional: taiwan"),
    ):
        assert main(["-C", str(space.root), "-q", "export", "article", *arguments]) == 2, arguments
        said = capsys.readouterr().err
        assert message in said
        assert fix in said
