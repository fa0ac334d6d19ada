"""Imports blogs of Jekyll, Hugo and Hexo: reads their files, and returns the files of a project.

Nothing of the source is executed. The reader of each system (`jekyll.py`, `hugo.py`, `hexo.py`) turns each
half into a neutral record (`records.py`). Small converters replace pieces of its body, and know which source
line each line came from (`body.py`). `pairing.py` joins halves, `targets.py` finds what links lead to,
`mending.py` checks the result with diglot's own parser, and `writing.py` writes it.
"""

from diglot.importing.records import Finding
from diglot.importing.report import report_name, report_text
from diglot.importing.site_file import lacking_terms
from diglot.importing.site_import import SYSTEMS, Import, System, import_site
from diglot.importing.writing import Batch, state_of, write_batches

__all__ = [
    "SYSTEMS",
    "Batch",
    "Finding",
    "Import",
    "System",
    "import_site",
    "lacking_terms",
    "report_name",
    "report_text",
    "state_of",
    "write_batches",
]
