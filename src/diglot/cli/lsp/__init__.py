"""`diglot lsp`."""

from diglot.cli.command import Command

command = Command(
    name="lsp",
    about="help in an editor: mistakes while you type, names and numbers",
    group="write",
    run="diglot.cli.lsp.running:run",
    detail=(
        "Speak the Language Server Protocol over standard input and output; editors start this command\n"
        "themselves. It marks mistakes in unsaved texts, completes and explains figures, values, labels,\n"
        "works, chips, terms and settings, leads to where they are given, renames labels in both halves,\n"
        "and shows the twin of a block. It needs `pip install 'diglot[lsp]'`."
    ),
)
