"""Diagrams in articles, drawn at build: those in Mermaid in Chromium, those in DOT by Graphviz.

`svg` makes either one an element of a page, in the site's type and in the colours of its themes.
"""
