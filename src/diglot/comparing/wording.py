"""How the reports of a comparison name what has changed."""

from collections.abc import Iterator

from diglot.comparing.changes import ChangedFigure, ChangedSlide, ChangedValue, Changes

SECTIONS = {
    "doubts": "Words that may no longer hold",
    "values": "Values",
    "figures": "Figures",
    "sentences": "Sentences",
    "slides": "Slides",
    "inputs": "Inputs",
}
"""The parts of a report, in their order."""


def summary(changes: Changes) -> str:
    """How much has changed, in one line."""
    sentences = sum(len(one) for block in changes.blocks for one in block.sentences.values())
    counts = (
        (len(changes.doubts), "doubtful sentence"),
        (len(changes.values), "value"),
        (len(changes.figures), "figure"),
        (sentences, "sentence"),
        (len(changes.slides), "slide"),
        (len(changes.inputs), "input"),
    )
    said = ", ".join(f"{n:,} {what}{'' if n == 1 else 's'}" for n, what in counts if n)
    return f"changed: {said}" if said else "nothing has changed"


def share_text(share: float | None) -> str:
    """How much a value has grown: `+3.9%`; empty where that is not known."""
    if share is None:
        return ""
    digits = 0 if abs(share) >= 0.1 else 1 if abs(share) >= 0.001 else 3
    return f"{round(share, 9):+.{digits}%}".replace("-", "\N{MINUS SIGN}")


def value_texts(value: ChangedValue) -> str:
    """A value before and after; in each language if the texts differ."""
    texts = {f"{old} → {new}": language for language, (old, new) in value.texts.items()}
    if len(texts) == 1:
        return next(iter(texts))
    return "; ".join(f"{language}: {text}" for text, language in texts.items())


def figure_facts(figure: ChangedFigure) -> Iterator[str]:
    """What is different about a figure."""
    if figure.kind != "changed":
        yield figure.kind
    if figure.data:
        yield f"{len(figure.data):,} value{'' if len(figure.data) == 1 else 's'}"
    if figure.pictures and figure.kind == "changed":
        yield f"picture in {' and '.join(figure.pictures)}"
    if figure.rests_on:
        yield f"depends on {', '.join(figure.rests_on)}"
    if not figure.shown_in:
        yield "in no text, only on its own page"


def slide_name(slide: ChangedSlide) -> str:
    """A slide with its number and title."""
    title = f" “{slide.title}”" if slide.title else ""
    return f"{slide.talk}, slide {slide.number}{title}"


def slide_facts(slide: ChangedSlide) -> str:
    """What is different on a slide."""
    facts = [f"text in {' and '.join(slide.languages)}"] if slide.languages else []
    facts += [f"figure {one}" for one in slide.figures]
    return ", ".join(facts)
