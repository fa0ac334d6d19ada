"""Renames labels, in both halves of their article and in the links of all others."""

from lsprotocol.types import Range, TextEdit, WorkspaceEdit

from diglot.diagnostics import Refusal
from diglot.lsp.asked import Asked
from diglot.lsp.labels import LabelAt, check_new_name, label_at, uses_of
from diglot.lsp.places import Text, uri_of


def renamed_range(asked: Asked) -> tuple[Range, str] | None:
    """The label under the cursor and where it is; None where there is no label."""
    mark, label = asked.mark, _label(asked)
    if mark is None or label is None:
        return None
    return asked.text.range(mark.end - len(label.name), mark.end), label.name


def rename(asked: Asked, new: str) -> WorkspaceEdit:
    """The edits that give the label under the cursor another name. Raises Refusal."""
    label = _label(asked)
    if label is None:
        raise Refusal(
            "there is no label here", "put the cursor on one, such as `fig-roofline` in a reference."
        )
    check_new_name(asked.known, label, new, asked.known.posts.articles.get(label.article))
    uses = uses_of(asked.known, label, asked.read)
    if not any(use.gives for use in uses):
        raise Refusal(
            f'"{label.name}" follows from the words of a heading',
            f"write `{{#{label.name}}}` behind the heading in both halves, then rename it.",
        )
    changes: dict[str, list[TextEdit]] = {}
    for path in dict.fromkeys(use.path for use in uses):
        text = Text(asked.read(path), asked.text.encoding)
        changes[uri_of(asked.root, path)] = [
            TextEdit(range=text.range(use.start, use.end), new_text=f"{use.before}{new}{use.after}")
            for use in uses
            if use.path == path
        ]
    return WorkspaceEdit(changes=changes)


def _label(asked: Asked) -> LabelAt | None:
    return label_at(asked.known, asked.path, asked.mark)
