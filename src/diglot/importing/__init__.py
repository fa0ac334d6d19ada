"""Imports blogs of Jekyll, Hugo and Hexo: reads their files, and gives the files of a project.

Nothing of the source is run. Each half is read into a neutral record (`records.py`) by the reader of its
system (`jekyll.py`, `hugo.py`, `hexo.py`). Its body goes through small converters, which replace pieces of
text and know the line of the source that each line came from (`body.py`). `pairing.py` joins halves,
`targets.py` knows where links lead, `mending.py` has diglot's own parser look at the result, and `writing.py`
writes it.
"""

from diglot.importing.records import Failure, Finding
from diglot.importing.report import report_name, report_text
from diglot.importing.site_file import lacking_terms
from diglot.importing.site_import import SYSTEMS, Import, System, import_site
from diglot.importing.writing import Batch, state_of, write_batches

__all__ = [
    "SYSTEMS",
    "Batch",
    "Failure",
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
