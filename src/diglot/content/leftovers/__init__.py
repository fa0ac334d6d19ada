"""Finds syntax that parsing has left in the text: Markdown that one wrong character has spoilt.

Nothing here looks at the lines of a file. What is looked at is the text that is left when code, formulas,
HTML, links and escaped characters are known, so that none of these is taken for a mistake. A text without
any sign of leftovers costs one search; others are parsed once more, into a `Remainder`.
"""
