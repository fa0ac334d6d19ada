"""Diagrams in the spellings of GitHub, MyST, Sphinx and Quarto, in both languages."""

from diglot.content.document import read_document
from diglot.languages import Language

FLOW = "flowchart LR\n  A --> B\n"
GRAPH = "digraph { a -> b }\n"

SPELLINGS = {
    "```mermaid\nflowchart LR\n  accDescr: 甲到乙\n  A --> B\n```": ("mermaid", "甲到乙", "", None),
    "```mermaid\nflowchart LR\n  accDescr {\n    A to\n    B\n  }\n```": ("mermaid", "A to B", "", None),
    f'```mermaid alt="甲到乙"\n{FLOW}```': ("mermaid", "甲到乙", "", None),
    f'```mermaid {{#fig-a alt="A to B" caption="Two *steps*"}}\n{FLOW}```': (
        "mermaid",
        "A to B",
        "Two steps",
        "fig-a",
    ),
    f"```{{mermaid}}\n:alt: 甲到乙\n{FLOW}```": ("mermaid", "甲到乙", "", None),
    f":::{{mermaid}}\n:alt: A to B\n:name: fig-a\n:caption: 两步\n\n{FLOW}:::": (
        "mermaid",
        "A to B",
        "两步",
        "fig-a",
    ),
    f'```{{mermaid}}\n%%| label: fig-a\n%%| fig-cap: "两步"\n{FLOW}```': ("mermaid", "两步", "两步", "fig-a"),
    f'```{{dot}}\n//| fig-cap: "Two steps"\n{GRAPH}```': ("dot", "Two steps", "Two steps", "fig-dot-1"),
    f"```{{graphviz}}\n:alt: 甲到乙\n{GRAPH}```": ("dot", "甲到乙", "", None),
    f"```dot\n//| alt: A to B\n{GRAPH}```": ("dot", "A to B", "", None),
    f'```graphviz alt="甲到乙"\n{GRAPH}```': ("dot", "甲到乙", "", None),
    f"> ```{{digraph}}\n> :alt: in a quotation\n> {GRAPH}> ```": ("dot", "in a quotation", "", None),
}


def test_every_spelling_is_the_same_diagram() -> None:
    languages: tuple[Language, ...] = ("zh", "en")
    for text, (kind, alt, caption, name) in SPELLINGS.items():
        for language in languages:
            document, mistakes = read_document(text, f"{language}.md", language)
            assert (mistakes.errors, mistakes.warnings) == ([], []), text
            (diagram,) = document.diagrams
            assert (diagram.kind, diagram.alt, "".join(map(str, diagram.caption))) == (kind, alt, caption), (
                text
            )
            assert diagram.source.endswith((FLOW, GRAPH, "A --> B\n", "  }\n")), text
            written = text.split("\n")[diagram.line - 1].removeprefix("> ")
            assert written == diagram.source.split("\n")[0], text
            (block,) = document.blocks
            assert [part.kind for part in block.parts if not isinstance(part, str)] == (
                ["diagram"] if name is None else ["diagram", "label"]
            ), text
            assert block.anchor == (name if name != "fig-dot-1" else None), text


MISTAKES = {
    f"```mermaid\n{FLOW}```": ("image-text", 1),
    f"```dot\n{GRAPH}```": ("image-text", 1),
    f"```{{graphviz}} file.dot\n:alt: a\n{GRAPH}```": ("diagram-option", 1),
    f"```{{mermaid}}\n:alt: a\n:captoin: b\n{FLOW}```": ("diagram-option", 3),
    f"```{{mermaid}}\n:alt: a\n:align: center\n{FLOW}```": ("syntax-unsupported", 3),
    f'```mermaid alt="a"\n%%{{init: {{"themeCSS": "* {{}}"}}}}%%\n{FLOW}```': ("diagram-style", 2),
    f'```mermaid alt="a"\n---\nconfig:\n  theme: dark\n---\n{FLOW}```': ("syntax-unsupported", 4),
    f"```{{mermaid}}\n:alt: a\n:name: 1 2\n{FLOW}```": ("anchor-invalid", 3),
    f"- a\n\n  ```{{mermaid}}\n  :caption: b\n  {FLOW}  ```": ("figure-nested", 3),
    f"```mermaid\n{FLOW}": ("fence-unclosed", 1),
}


def test_mistakes_are_told_at_their_lines() -> None:
    for text, (rule, line) in MISTAKES.items():
        _, mistakes = read_document(text, "zh.md", "zh")
        found = [
            (one.rule, one.location.line) for one in (*mistakes.errors, *mistakes.warnings) if one.location
        ]
        assert (rule, line) in found, (text, found)
