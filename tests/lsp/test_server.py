"""The language server as an editor meets it: a real process, over standard input and output."""

import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.conftest import EN, OTHER_EN, ROOFS_EN, ROOFS_ZH, ZH, write_site
from tests.lsp.editor import Editor
from tests.space import Space

OPEN = "\n\nMore {eval}`"


def test_a_site_without_mistakes_has_no_diagnostics(editor: Editor) -> None:
    assert (editor.rules(ROOFS_EN), editor.rules(ROOFS_ZH)) == ([], [])


def test_unsaved_text_is_judged_and_the_file_stays(editor: Editor, site: Space) -> None:
    editor.type(ROOFS_EN, EN.replace("h200.ridge | number(0)", "h200.rigde | number(0)"))
    try:
        (one,) = editor.said(ROOFS_EN)
        assert (one.code, one.source, one.severity) == (
            "value-unknown",
            "diglot",
            types.DiagnosticSeverity.Error,
        )
        assert "ridge" in one.message.partition("fix: ")[2]
        assert one.range.start.line == 6
        assert (site.root / ROOFS_EN).read_text("utf-8") == EN
    finally:
        editor.type(ROOFS_EN, EN)
    assert editor.rules(ROOFS_EN) == []


def test_columns_count_emoji_and_chinese_in_utf_16(editor: Editor) -> None:
    editor.type(ROOFS_EN, EN.replace("## The roof", "🚀🚀 屋顶 {ref}`fig-nowhere` ends.\n\n## The roof"))
    try:
        (one,) = [one for one in editor.said(ROOFS_EN) if one.code == "ref-unknown"]
        assert one.range.start == editor.at(ROOFS_EN, "|fig-nowhere")
        assert one.range.end == editor.at(ROOFS_EN, "fig-nowhere|")
    finally:
        editor.type(ROOFS_EN, EN)


def test_a_broken_half_still_completes_and_says_what_is_wrong(editor: Editor) -> None:
    editor.type(ROOFS_EN, EN.replace("date: 2026-11-01", "date: someday") + OPEN + "roofline.h200.")
    try:
        assert any("date" in one.message for one in editor.said(ROOFS_EN))
        assert {"ridge", "peak_tflops_per_s"} <= editor.complete_at_end(ROOFS_EN).keys()
    finally:
        editor.type(ROOFS_EN, EN)


@pytest.mark.parametrize(
    ("written", "offered"),
    [
        ("More {eval}`", {"roofline", "measured"}),
        ("More {eval}`roofline.", {"h200", "names"}),
        ("More {eval}`roofline.h200.ri", {"ridge"}),
        ("More {eval}`roofline(", {"dtype"}),
        ('More {eval}`roofline(dtype="', {"bf16", "fp8"}),
        ('More {eval}`roofline(dtype="fp8").h200.', {"ridge"}),
        ("More {eval}`roofline.h200.ridge | nu", {"number", "percent"}),
        ("More {ref}`", {"fig-peaks", "roof", "eq:one"}),
        ("More {ref}`the peaks <", {"fig-peaks"}),
        ("More [x](#", {"roof", "fig-peaks"}),
        ("More {cite}`", {"ada2017"}),
        ("More [@a", {"ada2017"}),
        ("More {", {"eval", "ref", "cite"}),
        ("```{", {"figure", "table"}),
        ("```{figure} ", {"roofline", "measured"}),
        ("```{table} roofline\n:", {"dtype", "name", "explore"}),
        ("```{table} roofline\n:dtype: ", {"bf16", "fp8"}),
        ("More [x](/en/hardware/h20", {"h200-sxm"}),
        ("More the ridge", {"ridge point"}),
    ],
)
def test_completion(editor: Editor, written: str, offered: set[str]) -> None:
    editor.type(ROOFS_EN, f"{EN}\n\n{written}")
    try:
        assert offered <= editor.complete_at_end(ROOFS_EN).keys()
    finally:
        editor.type(ROOFS_EN, EN)


def test_completed_values_show_their_numbers(editor: Editor) -> None:
    items = editor.complete(ROOFS_EN, "First words say 🚀🚀 {eval}`roofline.h200.|ridge")
    assert items["ridge"].detail == "206.0"


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("🚀🚀 {eval}`roofline.h200.rid|ge | number", ("**206**", "206.0")),
        ('roofline(dtype="fp8").h200.rid|ge', ("412.0",)),
        ("{eval}`roof|line.h200.ridge | number", ("Roofs of two chips.", "bf16, fp8", "figures/roofline.py")),
        ("```{table} roof|line", ("Roofs of two chips.",)),
        (":dty|pe: fp8", ("bf16, fp8",)),
        ("[@ada|2017]", ("On Roofs", "Ada Lovelace", "2017")),
        ("{ref}`fig-pe|aks`", ("fig-peaks", "roofline")),
        ("The ridge po|int decides", ("脊点", "Where both lines meet.")),
        ("ta|gs: [", ("tags",)),
        ("tags: [roof|line]", ("屋顶线", "Roofline")),
    ],
)
def test_hover(editor: Editor, marked: str, words: tuple[str, ...]) -> None:
    shown = editor.hover(ROOFS_EN, marked)
    assert all(word in shown for word in words), shown


def test_chips_in_scripts_and_links(editor: Editor) -> None:
    script = "figures/draft.py"
    editor.open(script, 'CHIP = "h200-sxm"\n')
    assert "H200" in editor.hover(script, '"h200|-sxm"')
    assert "h200-sxm" in editor.complete(script, 'CHIP = "h2|')
    editor.type(ROOFS_EN, f"{EN}\n\n[chip](/en/hardware/h200-sxm/)\n")
    assert "H200" in editor.hover(ROOFS_EN, "/hardware/h200|-sxm/")
    editor.type(ROOFS_EN, EN)


def test_settings_are_completed_and_explained(editor: Editor, site: Space) -> None:
    path = "site/site.yaml"
    text = (site.root / path).read_text("utf-8")
    editor.open(path, f"{text}feed_text: \nauthors:\n  ada:\n    na\n")
    assert {"full", "summary"} & editor.complete(path, "feed_text: |").keys()
    assert {"name", "url", "links"} <= editor.complete(path, "    na|").keys()
    assert "navigation" in editor.complete(path, "|title: {")
    assert "published" in editor.hover(path, "base_u|rl")
    editor.type(path, text)


@pytest.mark.parametrize(
    ("marked", "places"),
    [
        ("🚀🚀 {eval}`roofline.h200.rid|ge | number", [("figures/roofline.py", 15)]),
        ("{eval}`roof|line.h200.ridge | number", [("figures/roofline.py", 1)]),
        ("{eval}`measured.times_s.fir|st`", [("figures/times.json", 3), ("figures/measured.py", 9)]),
        ("```{table} roof|line", [("figures/roofline.py", 1)]),
        ("[@ada|2017]", [("site/references.bib", 3)]),
        ("{ref}`fig-pe|aks`", [(ROOFS_EN, 14)]),
        ("](#ro|of)", [(ROOFS_EN, 9)]),
        ("{ref}`eq:o|ne`", [(ROOFS_EN, 22)]),
        ("tags: [roof|line]", [("site/site.yaml", 4)]),
    ],
)
def test_definition(editor: Editor, marked: str, places: list[tuple[str, int]]) -> None:
    assert editor.define(ROOFS_EN, marked) == places


def test_a_link_leads_to_the_label_in_another_article(editor: Editor) -> None:
    editor.open(OTHER_EN)
    assert editor.define(OTHER_EN, "[it](../roofs/en.md#ro|of)") == [(ROOFS_EN, 9)]
    assert editor.define(OTHER_EN, "[it](../roo|fs/en.md#roof)") == [(ROOFS_EN, 9)]


def test_renaming_changes_both_halves_and_all_links(editor: Editor) -> None:
    after = editor.rename(ROOFS_EN, "](#ro|of)", "top-roof")
    assert after.keys() == {ROOFS_EN, ROOFS_ZH, OTHER_EN, "content/posts/other/zh.md"}
    assert after[ROOFS_EN] == EN.replace("{#roof}", "{#top-roof}").replace("(#roof)", "(#top-roof)")
    assert after[ROOFS_ZH] == ZH.replace("{#roof}", "{#top-roof}").replace("(#roof)", "(#top-roof)")
    assert after[OTHER_EN].count("#top-roof") == 2
    assert "#roof" not in after[OTHER_EN]
    formula = editor.rename(ROOFS_ZH, "{ref}`eq:o|ne`", "eq:two")
    assert formula == {ROOFS_EN: EN.replace("eq:one", "eq:two"), ROOFS_ZH: ZH.replace("eq:one", "eq:two")}


def test_a_figure_named_by_default_is_given_a_name(editor: Editor) -> None:
    bare = EN.replace(":name: fig-peaks\n", "").replace("fig-peaks", "tab-roofline")
    bare_zh = ZH.replace(":name: fig-peaks\n", "").replace("fig-peaks", "tab-roofline")
    editor.type(ROOFS_ZH, bare_zh)
    editor.type(ROOFS_EN, bare)
    after = editor.rename(ROOFS_EN, "{ref}`tab-ro|ofline`", "fig-peaks")
    assert after == {ROOFS_EN: EN, ROOFS_ZH: ZH}
    editor.type(ROOFS_ZH, ZH)
    editor.type(ROOFS_EN, EN)


@pytest.mark.parametrize("new", ["fig-peaks", "屋顶", "a b", ""])
def test_a_name_that_cannot_be_is_refused(editor: Editor, new: str) -> None:
    with pytest.raises(JsonRpcException, match="name"):
        editor.rename(ROOFS_EN, "](#ro|of)", new)


def test_actions_mend_what_check_fix_mends(editor: Editor) -> None:
    editor.type(ROOFS_EN, EN.replace("## The roof", "##The roof"))
    try:
        actions = editor.actions(ROOFS_EN, "##The| roof")
        assert editor.after(ROOFS_EN, actions["Write ## The roof {#roof}"]) == EN
        everything = next(one for one in actions.values() if one.kind == "source.fixAll")
        assert editor.after(ROOFS_EN, everything) == EN
    finally:
        editor.type(ROOFS_EN, EN)


def test_actions_write_the_name_that_was_meant(editor: Editor) -> None:
    editor.type(ROOFS_EN, EN.replace("{ref}`fig-peaks`", "🚀 {ref}`fig-peak`"))
    try:
        action = editor.actions(ROOFS_EN, "{ref}`fig-pe|ak`")["Write fig-peaks"]
        assert editor.after(ROOFS_EN, action) == EN.replace("{ref}`fig-peaks`", "🚀 {ref}`fig-peaks`")
    finally:
        editor.type(ROOFS_EN, EN)


def test_the_twin_of_a_block(editor: Editor) -> None:
    where = {"textDocument": {"uri": editor.uri(ROOFS_EN)}, "position": {"line": 23, "character": 3}}
    assert EN.split("\n")[23].startswith("The ridge point")
    twin = editor.ask("diglot/twin", where)
    assert (twin.uri.endswith("zh.md"), twin.range.start.line) == (True, 23)
    action = editor.actions(ROOFS_EN, "The ridge po|int")["Show the twin block"]
    arguments = [editor.uri(ROOFS_EN), {"line": 23, "character": 12}]
    assert "diglot.showTwin" in str(action.command)
    editor.ask(
        types.WORKSPACE_EXECUTE_COMMAND,
        types.ExecuteCommandParams(command="diglot.showTwin", arguments=arguments),
    )
    editor.wait_until(lambda: bool(editor.shown))
    assert editor.shown[-1].selection is not None
    assert editor.shown[-1].selection.start.line == 23
    page = editor.ask("diglot/page", where)
    assert page.path == "en/posts/roofs/"
    assert page.block.startswith("roof-")


def test_lenses_lead_from_heading_to_heading(editor: Editor) -> None:
    document = types.TextDocumentIdentifier(uri=editor.uri(ROOFS_EN))
    (lens,) = editor.ask(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(text_document=document))
    assert lens.command.title == "中文: 屋顶在哪里"
    assert lens.range.start.line == 8


def test_symbols(editor: Editor) -> None:
    document = types.TextDocumentIdentifier(uri=editor.uri(ROOFS_ZH))
    params = types.DocumentSymbolParams(text_document=document)
    (heading,) = editor.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, params)
    assert heading.name == "屋顶在哪里"
    assert [child.name for child in heading.children] == ["fig-peaks", "eq:one"]
    assert heading.range.end.line >= heading.children[-1].range.end.line


def test_a_changed_script_counts_when_it_is_saved(space: Space) -> None:
    write_site(space)
    editor = Editor(space.root)
    try:
        editor.open(ROOFS_EN)
        editor.wait_until(lambda: "206" in editor.hover(ROOFS_EN, "🚀🚀 {eval}`roofline.h200.rid|ge"))
        script = "figures/roofline.py"
        editor.open(script)
        editor.type(script, editor.texts[script].replace("206.0", "207.0"))
        assert "206" in editor.hover(ROOFS_EN, "🚀🚀 {eval}`roofline.h200.rid|ge")
        editor.save(script)
        editor.wait_until(lambda: "207" in editor.hover(ROOFS_EN, "🚀🚀 {eval}`roofline.h200.rid|ge"))
        assert not (space.root / "public").exists()
        assert not (space.root / ".diglot/store.sqlite").exists()
    finally:
        assert editor.close() == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-32"])
def test_another_unit_of_columns_is_used_where_the_editor_asks_for_it(space: Space, encoding: str) -> None:
    write_site(space)
    editor = Editor(space.root, encodings=(encoding,))
    try:
        assert editor.server.capabilities.position_encoding == encoding
        editor.open(ROOFS_EN, EN.replace("## The roof", "🚀🚀 屋顶 {ref}`fig-nowhere` ends.\n\n## The roof"))
        (one,) = [one for one in editor.said(ROOFS_EN) if one.code == "ref-unknown"]
        units = {"utf-8": "utf-8", "utf-32": "utf-32-le"}[encoding]
        assert one.range.start == editor.at(ROOFS_EN, "|fig-nowhere", units)
    finally:
        editor.close()


def test_without_the_extra_the_command_says_how_to_get_it(space: Space) -> None:
    hiding = (
        "import sys; sys.modules['pygls'] = None; from diglot.cli import run; sys.argv[0] = 'diglot'; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", hiding, "lsp", "--root", str(space.root)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 2
    assert "pip install 'diglot[lsp]'" in done.stderr
    assert done.stdout == ""


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JsonRpcException, match=r"there is no site/site.yaml"):
        Editor(tmp_path)


def test_the_site_is_found_above_the_folder_that_an_editor_opens(space: Space) -> None:
    write_site(space)
    editor = Editor(space.root / "content")
    try:
        editor.open("posts/roofs/en.md", EN.replace("fig-peaks`", "fig-peak`"))
        assert editor.rules("posts/roofs/en.md") == ["ref-unknown"]
    finally:
        editor.close()


def test_the_server_ends_with_its_input(space: Space) -> None:
    write_site(space)
    done = subprocess.run(
        [sys.executable, "-m", "diglot", "lsp", "--root", str(space.root)],
        input=b"",
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")
