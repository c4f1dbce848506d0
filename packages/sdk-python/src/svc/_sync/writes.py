# Written out of svc/_aio by "npm run generate". Do not edit.
"""Loads of rows into tables."""

from __future__ import annotations

import os

from svc._sync.generated.writes import Writes as GeneratedWrites
from svc._downloads import complete_file
from svc._requests import environment_path, segment


class Writes(GeneratedWrites):
    """Loads of rows into tables."""

    def rejected(self, environment: str, write_id: str, path: str | os.PathLike[str]) -> None:
        """Writes the lines that a load left out to a file, as CSV with file, line, column, reason and text.

        The lines are retained for a day.
        """
        where = f"{environment_path(environment)}/writes/{segment(write_id)}/rejected"
        with self._transport.stream(where) as response:
            with complete_file(path) as file:
                for piece in response.iter_bytes():
                    file.write(piece)
