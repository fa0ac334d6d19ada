"""The kinds of admonitions: how each looks, and what it is called where it has no title of its own."""

import re
from typing import NamedTuple

from diglot.languages import Bilingual


class Kind(NamedTuple):
    """A kind of admonition."""

    look: str
    """One of `LOOKS`, by which it is set."""
    title: Bilingual


def _kind(look: str, zh: str, en: str) -> Kind:
    return Kind(look, Bilingual(zh=zh, en=en))


LOOKS = ("note", "tip", "important", "warning", "caution")
"""GitHub's five, which all others look like."""

KINDS: dict[str, Kind] = {
    "note": _kind("note", "注意", "Note"),
    "tip": _kind("tip", "提示", "Tip"),
    "important": _kind("important", "重要", "Important"),
    "warning": _kind("warning", "警告", "Warning"),
    "caution": _kind("caution", "小心", "Caution"),
    "info": _kind("note", "信息", "Info"),
    "abstract": _kind("note", "摘要", "Abstract"),
    "summary": _kind("note", "小结", "Summary"),
    "tldr": _kind("note", "要点", "In short"),
    "todo": _kind("note", "待办", "To do"),
    "example": _kind("note", "例子", "Example"),
    "seealso": _kind("note", "另见", "See also"),
    "quote": _kind("note", "引文", "Quote"),
    "cite": _kind("note", "引文", "Quote"),
    **dict.fromkeys(("blockquote", "epigraph", "pull-quote"), _kind("note", "引文", "Quote")),
    **dict.fromkeys(("aside", "margin", "sidebar", "column-margin"), _kind("note", "旁注", "Aside")),
    "question": _kind("note", "问题", "Question"),
    "help": _kind("note", "问题", "Question"),
    "faq": _kind("note", "问题", "Question"),
    "admonition": _kind("note", "注意", "Note"),
    "callout": _kind("note", "注意", "Note"),
    "details": _kind("note", "详情", "Details"),
    "dropdown": _kind("note", "详情", "Details"),
    "hint": _kind("tip", "提示", "Hint"),
    "success": _kind("tip", "成功", "Success"),
    "check": _kind("tip", "检查", "Check"),
    "done": _kind("tip", "完成", "Done"),
    "attention": _kind("warning", "注意", "Attention"),
    "alert": _kind("warning", "警告", "Alert"),
    "warn": _kind("warning", "警告", "Warning"),
    "bug": _kind("warning", "缺陷", "Bug"),
    "danger": _kind("caution", "危险", "Danger"),
    "error": _kind("caution", "错误", "Error"),
    "failure": _kind("caution", "失败", "Failure"),
    "fail": _kind("caution", "失败", "Failure"),
    "missing": _kind("caution", "缺失", "Missing"),
    "theorem": _kind("important", "定理", "Theorem"),
    "lemma": _kind("important", "引理", "Lemma"),
    "corollary": _kind("important", "推论", "Corollary"),
    "proposition": _kind("important", "命题", "Proposition"),
    "definition": _kind("important", "定义", "Definition"),
    "axiom": _kind("important", "公理", "Axiom"),
    "conjecture": _kind("important", "猜想", "Conjecture"),
    "assumption": _kind("note", "假设", "Assumption"),
    "property": _kind("note", "性质", "Property"),
    "algorithm": _kind("note", "算法", "Algorithm"),
    "proof": _kind("note", "证明", "Proof"),
    "remark": _kind("note", "备注", "Remark"),
    "observation": _kind("note", "观察", "Observation"),
    "exercise": _kind("tip", "练习", "Exercise"),
    "solution": _kind("note", "解答", "Solution"),
}
"""The kinds of MyST, GitHub, Obsidian, Quarto, Docusaurus, VitePress and MkDocs, by the names there."""

FOLDED = ("details", "dropdown", "solution")
"""Kinds that readers unfold."""


QUARTO_KINDS = {
    **{"thm": "theorem", "lem": "lemma", "cor": "corollary", "prp": "proposition", "cnj": "conjecture"},
    **{"def": "definition", "exm": "example", "exr": "exercise", "alg": "algorithm", "sol": "solution"},
    "rem": "remark",
}
"""What the beginning of a name says in Quarto: `#thm-bound`."""
PICTURES = "figure"
"""A block of pictures side by side; with a name or a caption, they are the parts of one figure."""

TABLE = "table"
"""A block around a table of Markdown, with its caption."""

SETS_OF_TABS = ("tab-set", "tabset", "panel-tabset", "code-group")
TABS = ("tab-item", "tab")


GRIDS = {"grid": "grid", "columns": "grid", "card-set": "grid"}
PLACES = {"grid-item": "place", "column": "place", "grid-item-card": "card", "card": "card"}
PLACES |= dict.fromkeys(("div", "glossary", "incremental", "nonincremental"), "place")
"""What is in a grid in other tools, or only around other blocks, and what it is here."""
_COLUMN = re.compile(r"g-col-\d+")


def layout_named(name: str) -> str | None:
    """The part of a layout that a name stands for: a grid, a place in one or a card; None for others."""
    plain = name.removeprefix(".")
    return GRIDS.get(plain) or PLACES.get(plain) or ("place" if _COLUMN.fullmatch(plain) else None)


def begins_block(name: str) -> bool:
    """Whether an admonition, tabs, a tab, a grid or a card has this name."""
    plain = name.removeprefix(".")
    return kind_named(name) is not None or plain in (*SETS_OF_TABS, *TABS) or layout_named(plain) is not None


def kind_named(name: str) -> str | None:
    """The kind that a name stands for, as `callout-tip`, `prf:lemma`, `TIP` or 提示; None for others."""
    plain = name.casefold().removeprefix(".").removeprefix("callout-").removeprefix("prf:")
    if plain in KINDS:
        return plain
    return next((kind for kind in LOOKS if KINDS[kind].title.zh == plain), None)
