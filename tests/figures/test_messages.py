"""The message of a figure: values of its data in both languages, in the figure, its files and mistakes."""

import io

from PIL import Image

from .conftest import Workshop, only

MESSAGE = """
MESSAGE = {
    "zh": "列数再多64，{name}从{full | percent}跌到{spill.share | percent}",
    "en": "With {{64}} more columns,\\n {name} falls from {full | percent} to {spill.share | percent}",
}
def compute(): return {"name": "H200", "full": 0.97, "spill": {"share": 0.5}}
def draw(figure, data, t): figure.text_px(0, 20, "x")
def describe(data, t): return "x"
"""


def test_a_message_quotes_the_data_in_both_languages_and_is_the_title_of_files(workshop: Workshop):
    script = workshop.script("said", MESSAGE)
    zh, en = workshop.compute(script).message
    assert zh == "列数再多64，H200从97%跌到50%"
    assert en == "With {64} more columns, H200 falls from 97% to 50%"
    drawn = workshop.draw(script, "en")
    assert (drawn.title, drawn.message) == ("Figure", en)
    with Image.open(io.BytesIO(workshop.export(script, format="png", size="300x200", dpi=96))) as picture:
        assert picture.info["Title"] == zh


def test_an_unknown_value_of_a_message_is_told_with_its_line_and_the_nearest_name(workshop: Workshop):
    script = workshop.script("misspelt", MESSAGE.replace("{spill.share", "{spil.share"))
    zh, en = workshop.failure(script).diagnostics
    assert str(zh) == (
        'figures/misspelt.py:4: error[figure-message]: figure "misspelt": MESSAGE["zh"]: '
        'the data has no value named "spil"\n'
        '    "zh": "列数再多64，{name}从{full | percent}跌到{spil.share | percent}",\n'
        '  fix: did you mean "spill"?'
    )
    assert str(en.location) == "figures/misspelt.py:5"


def test_other_mistakes_in_messages(workshop: Workshop):
    def told(name: str, old: str, new: str) -> str:
        found = only(workshop.failure(workshop.script(name, MESSAGE.replace(old, new, 1))))
        return str(found).split("error[figure-message]: ")[1]

    assert told("no_half", '"zh": "', '"cn": "') == (
        'MESSAGE has no text in "zh"\n    MESSAGE = {\n  fix: write MESSAGE = {"zh": "…", "en": "…"}.'
    )
    assert told("open_brace", "{full | percent}跌", "{full | percent跌").startswith(
        'figure "open_brace": MESSAGE["zh"]: a `{` has no counterpart\n    MESSAGE = {\n'
        "  fix: write {{ or }} for a brace that is part of the text."
    )
    assert "`full |` cannot be read: it ends too early" in told(
        "no_filter", "{full | percent}跌", "{full |}跌"
    )
    assert "0.97 is not a figure, so it has no parameters" in told(
        "called", "{full | percent}跌", "{full()}跌"
    )
