"""Decks that show figures: which pictures of figures they hold, and the same decks with other pictures.

`decks` opens presentations of PowerPoint and LibreOffice, texts that refer to exported files, and pictures;
the readers of each kind give records. `archives` and `replacing` write what changes and nothing else.
"""
