"""The files of the project: front matter, configuration, addresses, and putting them into place."""
