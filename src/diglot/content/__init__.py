"""Turns an author's files into aligned articles: sources, front matter, Markdown and pairs."""
