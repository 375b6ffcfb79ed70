"""What the web answers instead of what was asked: a text's key, its facts and a status.

Problem
 ├── BadFormError      400  the words of a request make no sense
 ├── StrangerError     401  this device has not been let in
 ├── NotYoursError     403  somebody else's, or the host's
 ├── NotThereError     404  no such thing
 ├── ConflictError     409  the referee, or the state of the table, says no
 ├── WaitError         429  guessed too often
 └── AwayError         503  a part of the table does not answer
"""

from __future__ import annotations

from typing import Any


class Problem(Exception):  # noqa: N818 - the tree below names errors
    """Something a person is to be told, in the device's language."""

    status = 500

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


class BadFormError(Problem):
    status = 400


class StrangerError(Problem):
    status = 401


class NotYoursError(Problem):
    status = 403


class NotThereError(Problem):
    status = 404


class ConflictError(Problem):
    status = 409


class WaitError(Problem):
    status = 429


class AwayError(Problem):
    status = 503
