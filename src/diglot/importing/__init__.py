"""Imports blogs of Jekyll, Hugo and Hexo: reads their files, and returns the files of a project.

Nothing of the source is executed. The reader of each system (`readers`) turns each half into a neutral record
(`records`). Small converters (`text`) replace pieces of its body. `pairing` joins halves, `targets` finds
what links lead to, `text.mending` checks the result with diglot's own parser, and `writing` writes it.
"""
