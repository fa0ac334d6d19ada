"""Admonitions: blocks of text set apart, in the spellings that writers know from other tools.

`:::{note}` or a fence (MyST), `:::note` (Docusaurus), `::: note` (VitePress), `:::{.callout-note}`
(Quarto), `> [!NOTE]` (GitHub, Obsidian) and `!!! note` (MkDocs) make the same tokens, and so the same node of
the tree. `kinds` says which kinds there are, `reading` what is next to a kind.
"""
