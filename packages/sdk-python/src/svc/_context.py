"""The context that asset functions receive."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from svc._sync.client import Client


class Log:
    """Writes lines into the run's log: ``ctx.log("text")``, or by level."""

    def __call__(self, message: object) -> None:
        self.info(message)

    def info(self, message: object) -> None:
        print(message, flush=True)

    def warning(self, message: object) -> None:
        print(f"warning: {message}", file=sys.stderr, flush=True)

    def error(self, message: object) -> None:
        print(f"error: {message}", file=sys.stderr, flush=True)


class Rows:
    """The result of a query. It is fetched on demand, in the requested form."""

    def __init__(self, client: Client, environment: str, sql: str, scratch: Path) -> None:
        self._client = client
        self._environment = environment
        self._scratch = scratch
        self.sql = sql

    def rows(self) -> Iterator[dict[str, Any]]:
        """Dictionaries, read page by page."""
        return self._client.queries.rows(self._environment, self.sql)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.rows()

    def arrow(self) -> Any:
        """A ``pyarrow.Table``; requires pyarrow in the project's lock file."""
        try:
            import pyarrow.parquet
        except ImportError as error:
            raise ModuleNotFoundError(
                "arrow() needs pyarrow: add it to the project's dependencies and lock again, or use rows()"
            ) from error
        query = self._client.queries.run(self._environment, self.sql)
        with tempfile.TemporaryDirectory(dir=self._scratch) as folder:
            path = str(Path(folder, "result.parquet"))
            self._client.queries.download(self._environment, query.id, path)
            return pyarrow.parquet.read_table(path, memory_map=False)

    def df(self) -> Any:
        """A ``pandas.DataFrame``; requires pandas and pyarrow in the project's lock file."""
        try:
            import pandas  # noqa: F401
        except ImportError as error:
            raise ModuleNotFoundError(
                "df() needs pandas: add it to the project's dependencies and lock again, or use rows()"
            ) from error
        return self.arrow().to_pandas()


class Context:
    """One task of a run: ``run_id``, ``environment``, ``asset``, ``log``, and the tables of the environment."""

    def __init__(
        self,
        open_client: Callable[[], Client],
        *,
        run_id: str,
        environment: str,
        asset: str,
        scratch: Path,
        watermark: Any = None,
    ) -> None:
        self._open_client = open_client
        self.run_id = run_id
        self.environment = environment
        self.asset = asset
        #: A folder for files of this task; it is removed afterwards.
        self.scratch = scratch
        #: Largest value of the watermark column so far, for an append asset, as a value of its type; None on the first
        #: build.
        self.watermark = watermark
        self.log = Log()

    @cached_property
    def client(self) -> Client:
        """The client of the task; it acts as the run's principal."""
        return self._open_client()

    def table(self, name: str) -> Rows:
        """The rows of ``<namespace>.<table>``, as the run's principal is allowed to see them."""
        namespace, dot, table = name.rpartition(".")
        if not dot:
            raise ValueError(f"{name!r} is not a table name: write '<namespace>.<table>'")
        # The namespace is quoted as one identifier, because SQL names have at most three parts.
        quoted = ".".join('"' + part.replace('"', '""') + '"' for part in (namespace, table))
        return self.sql(f"SELECT * FROM {quoted}")

    def sql(self, query: str) -> Rows:
        """The result of a SELECT."""
        return Rows(self.client, self.environment, query, self.scratch)
