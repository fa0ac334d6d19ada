"""The tree of a half: its nodes, how they are built from Markdown, and what is written from them."""
