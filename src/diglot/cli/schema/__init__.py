"""`diglot schema`."""

from diglot.cli.command import Command, option

SCHEMAS = ("site", "front-matter", "meta", "chips")


command = Command(
    name="schema",
    about="print a JSON Schema, for editors",
    group="adapt and tidy",
    run="diglot.cli.schema.running:run",
    detail=(
        "Print the JSON Schema of a kind of file, with which an editor completes keys, explains them and\n"
        "marks mistakes: site (site/site.yaml), front-matter (of one half), meta (meta.yaml), chips\n"
        "(site/hardware/*.yaml). `diglot init` writes them to .vscode/, with the settings that use them."
    ),
    epilog="example:\n  diglot schema site > .vscode/diglot/site.json   # after an update of diglot",
    options={
        "kind KIND": option(", ".join(SCHEMAS), choices=SCHEMAS),
    },
)
