"""`diglot hardware`."""

from diglot.cli.command import Command

command = Command(
    name="hardware",
    about="list chips, show one with its sources, plan how to serve a model",
    group="ask the models",
    run="diglot.cli.hardware.running:run",
    hands_on=True,
)
