"""Errors of deployment."""


class CannotDeploy(Exception):
    """The site was not deployed, and nothing was changed."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
