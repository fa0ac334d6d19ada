"""Finds the posts and pages of Jekyll, Hugo and Hexo, and reads their files."""
