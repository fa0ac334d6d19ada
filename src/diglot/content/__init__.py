"""Sources, front matter, Markdown and pairs: from an author's files to aligned articles."""
