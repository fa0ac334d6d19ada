"""Signs of formulas, and what Office Math calls what is done with them."""

LARGE = frozenset("∑∏∐∫∬∭∮⋂⋃⋀⋁⨁⨂⨀")
ACCENTS = {
    **{"^": "\u0302", "\u02c6": "\u0302", "\u0302": "\u0302", "~": "\u0303", "\u02dc": "\u0303"},
    **{"\u02d9": "\u0307", ".": "\u0307", "\u00a8": "\u0308", "\u20db": "\u20db", "\u20dc": "\u20dc"},
    **{"\u02c7": "\u030c", "\u02d8": "\u0306", "\u00b4": "\u0301", "`": "\u0300", "\u02da": "\u030a"},
    **{"→": "\u20d7", "\u20d7": "\u20d7", "←": "\u20d6", "↔": "\u20e1"},
}
"""The combining character of an accent, as it is in MathML."""
BRACES = frozenset("⏞⏟⎴⎵⏜⏝⏠⏡")
BARS = frozenset("¯‾―_̲̅")
RELATIONS = frozenset("=≠≈≡<>≤≥≪≫∼≃≅∝→⇒⇔+-−±,;")
FENCES = frozenset(("\u2063", *"()[]{}|‖∥⟨⟩⌈⌉⌊⌋⟦⟧⟪⟫⟮⟯⎰⎱⌜⌝⌞⌟⦃⦄⦇⦈/\\↑↓↕⇑⇓⇕"))
INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064\ufe00\ufe01")
"""Characters for programs alone: how parts belong together, and variants of letters."""
SPACES = ((1.0, "\u2003"), (0.5, "\u2002"), (1 / 4, "\u2005"), (1 / 6, "\u2009"))
"""Spaces by their width in ems, from the widest."""
HIDDEN_SIDES = {
    "box": (),
    "roundedbox": (),
    "actuarial": ("hideBot", "hideLeft"),
    "top": ("hideBot", "hideLeft", "hideRight"),
    "bottom": ("hideTop", "hideLeft", "hideRight"),
    "left": ("hideTop", "hideBot", "hideRight"),
    "right": ("hideTop", "hideBot", "hideLeft"),
}
SIDES = ("hideTop", "hideBot", "hideLeft", "hideRight")
STRIKES = {
    "horizontalstrike": "strikeH",
    "verticalstrike": "strikeV",
    "updiagonalstrike": "strikeBLTR",
    "downdiagonalstrike": "strikeTLBR",
}
