"""The context that asset functions receive."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession  # type: ignore[import-not-found, unused-ignore]

    from svc._spark import Spark
    from svc._sync.client import Client
    from svc._sync.result import Relation


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
        is_first_run: bool = True,
        spark: Spark | None = None,
    ) -> None:
        self._open_client = open_client
        self.run_id = run_id
        self.environment = environment
        self.asset = asset
        #: A folder for files of this task; it is removed afterwards.
        self.scratch = scratch
        #: Largest value of the watermark column so far, for an incremental asset, as a value of its type, minus the
        #: lookback; None on the first build.
        self.watermark = watermark
        #: Whether an incremental asset has no earlier build to continue from; always true for other assets.
        self.is_first_run = is_first_run
        self.log = Log()
        self._spark = spark

    @cached_property
    def client(self) -> Client:
        """The client of the task; it acts as the run's principal."""
        return self._open_client()

    @property
    def spark(self) -> SparkSession:
        """A Spark session for an asset with ``engine="spark"``: its tables are those of the environment."""
        if self._spark is None:
            raise RuntimeError(f'ctx.spark needs engine="spark" in the decorator of {self.asset}')
        return self._spark.session

    def table(self, name: str) -> Relation:
        """The rows of ``<namespace>.<table>``, as the run's principal is allowed to see them."""
        return self.client.table(name, env=self.environment)

    def sql(self, query: str) -> Relation:
        """The result of a SELECT."""
        from svc._sync.result import Relation

        return Relation(self.client, self.environment, query)
