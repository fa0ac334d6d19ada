"""Tasks, traces, store, scheduler. This package knows nothing of Markdown, figures or pages.

The words are those of "Build systems à la carte" (Mokhov, Mitchell, Peyton Jones, 2018). A *task* makes the
value of one *key*; it *fetches* the values it needs while it runs. What it fetched is its *trace*, kept in
the *store*. The *scheduler* suspends a task until the values it fetches are made. A task whose trace still
holds does not run again. If a task runs and makes the same value as before, the tasks above it need not run.
"""

from diglot.engine.building import build
from diglot.engine.explanation import Explanation, explain, format_explanation
from diglot.engine.fetch import Fetch, Unfinished, UpstreamFailed
from diglot.engine.keys import Key
from diglot.engine.packs import BlobReference, ObjectMissing, Packs, StoredBlob
from diglot.engine.pruning import forget, prune
from diglot.engine.reasons import Reason
from diglot.engine.reports import BuildReport, Progress, TaskRun
from diglot.engine.rules import LateRules, Rule
from diglot.engine.scheduler import DependencyCycle
from diglot.engine.session import Session
from diglot.engine.store import Store
from diglot.engine.surroundings import Surroundings
from diglot.engine.targets import (
    ENTRY,
    ENVIRONMENT,
    FILE,
    FOLDER,
    LISTING,
    UNREADABLE_LISTING,
    Given,
    Lazy,
    Target,
)
from diglot.engine.values import Encoded

__all__ = [
    "ENTRY",
    "ENVIRONMENT",
    "FILE",
    "FOLDER",
    "LISTING",
    "UNREADABLE_LISTING",
    "BlobReference",
    "BuildReport",
    "DependencyCycle",
    "Encoded",
    "Explanation",
    "Fetch",
    "Given",
    "Key",
    "LateRules",
    "Lazy",
    "ObjectMissing",
    "Packs",
    "Progress",
    "Reason",
    "Rule",
    "Session",
    "Store",
    "StoredBlob",
    "Surroundings",
    "Target",
    "TaskRun",
    "Unfinished",
    "UpstreamFailed",
    "build",
    "explain",
    "forget",
    "format_explanation",
    "prune",
]
