"""Puts a site together: asks features for their files, and decides between those that clash."""
