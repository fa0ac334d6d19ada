"""Writes talks as PowerPoint files. Needs python-pptx, which `pip install 'diglot[slides]'` brings."""
