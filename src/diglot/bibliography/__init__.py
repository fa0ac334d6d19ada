"""Cited works: reading `site/references.bib` and `.json`, marks in the text, entries of lists."""
