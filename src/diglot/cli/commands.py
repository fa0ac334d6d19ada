"""All commands, in the order of `--help`."""

from diglot.cli import (
    building,
    checking,
    cleaning,
    comparing,
    creating,
    deploying,
    doctor,
    explaining,
    exporting,
    figures,
    hardware,
    importing,
    lsp,
    renaming,
    schema,
    serving,
    sharing,
    slides,
    starting,
    status,
    syncing,
    theme,
)

DEFAULT = building.command
"""What `diglot` does by itself."""
COMMANDS = tuple(
    module.command
    for module in (
        *(starting, creating, renaming, importing, lsp),
        *(building, serving, figures, explaining),
        *(checking, status, syncing, comparing),
        *(deploying, slides, exporting),
        hardware,
        *(theme, schema, doctor, sharing, cleaning),
    )
)
