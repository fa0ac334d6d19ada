"""Where lines of text may break, and where there is a gap that no one types. Nothing is measured here."""

import re

from diglot.languages import HAN

GAP_EM = 0.125
"""Width of the gap between Chinese and Latin letters or digits, as in CSS Text 4 and in Chromium."""
_LATIN = r"[^\W_\u3000-\u30ff\u31f0-\u31ff\uac00-\ud7af\uff00-\uffef" + HAN + "]"
"""A letter or digit, neither full width nor of an East Asian script: µ and α are some, % and / are none."""
_GAP = re.compile(f"(?<=[{HAN}])(?={_LATIN})|(?<={_LATIN})(?=[{HAN}])")
_NEVER_FIRST = "，。、；：！？）》」』”’%·"
_PART = re.compile(rf"[{HAN}][{_NEVER_FIRST}]*|[^ {HAN}]+ *[{_NEVER_FIRST}]*| +")


def pieces_of(text: str) -> list[str]:
    """The text, split where gaps are: `["在", "H200", "上"]`."""
    return [text] if text.isascii() else _GAP.split(text)


def parts_of(text: str) -> list[str]:
    """Pieces of a text between which a line may break."""
    return _PART.findall(text) or [text]
