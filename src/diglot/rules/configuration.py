"""The configuration, read without the engine for what no task depends on, such as limits of figures."""

from typing import TYPE_CHECKING

from diglot.diagnostics import DiagnosticError
from diglot.rules.options import SiteOptions

if TYPE_CHECKING:
    from diglot.project import Project


def read_configuration(options: SiteOptions) -> "Project | None":
    """The configuration of a site; None if it cannot be read, which the task `read_project` reports."""
    from diglot.project import load_project  # noqa: PLC0415  (only figures and previews need it)

    try:
        text = (options.root / options.config).read_text("utf-8")
        return load_project(text, options.config, base_url=options.base_url)
    except (OSError, UnicodeDecodeError, DiagnosticError):
        return None
