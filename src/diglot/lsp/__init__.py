"""The language server: what editors show of a site while its texts are written."""
