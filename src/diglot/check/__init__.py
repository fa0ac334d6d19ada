"""Checks of finished sites: pages, feeds, unused files, names in prose, links to other sites."""
