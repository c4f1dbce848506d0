"""The Spark session of a task, and how Spark writes the DataFrame that its function returned."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from svc._frames import BadResult

if TYPE_CHECKING:
    from pyspark.sql import SparkSession  # type: ignore[import-not-found, unused-ignore]

#: The name of the catalog in the session; the worker names tables with it.
CATALOG = "svc"


class Spark:
    """A session on the Spark Connect server of the operator, opened at its first use and closed with the task."""

    def __init__(self, server: Mapping[str, Any], *, run_id: str, environment: str) -> None:
        self._server = server
        self._run_id = run_id
        self._environment = environment

    @cached_property
    def session(self) -> SparkSession:
        if find_spec("pyspark") is None:
            raise ModuleNotFoundError(
                "ctx.spark needs the package pyspark-client, which is not installed; add it to the dependencies of the "
                "project, in the version of the Spark server, and lock again"
            )
        if self._server["proxied"]:
            # The sandbox has no other way out, and for gRPC the server can be at any address, also that of the worker.
            os.environ.update({"grpc_proxy": os.environ["HTTPS_PROXY"], "no_grpc_proxy": "none.invalid"})
        from pyspark.sql.connect.session import (  # type: ignore[import-not-found, unused-ignore]
            SparkSession,
        )

        session = SparkSession.builder.remote(self._address()).create()
        for name, value in self._settings().items():
            session.conf.set(name, value)
        session.catalog.setCurrentCatalog(CATALOG)
        return session

    def _address(self) -> str:
        address = str(self._server["url"]).rstrip(";/")
        separator = "" if "/;" in address else "/"
        return f"{address}{separator};user_id=svc-run-{self._run_id}"

    def _settings(self) -> dict[str, str]:
        prefix = f"spark.sql.catalog.{CATALOG}"
        return {
            "spark.sql.session.timeZone": "UTC",
            prefix: "org.apache.iceberg.spark.SparkCatalog",
            f"{prefix}.type": "rest",
            f"{prefix}.uri": self._server["catalog"],
            f"{prefix}.warehouse": self._environment,
            f"{prefix}.token": os.environ["SVC_TOKEN"],
            f"{prefix}.token-refresh-enabled": "false",
            f"{prefix}.header.X-Iceberg-Access-Delegation": "vended-credentials,remote-signing",
            # Tables can change while the task runs.
            f"{prefix}.cache-enabled": "false",
        }

    def write(self, frame: Any, table: str) -> None:
        """Writes the rows of a DataFrame to a table that has at least its columns; the others become null."""
        from pyspark.sql.connect.functions import (  # type: ignore[import-not-found, unused-ignore]
            lit,
        )

        present = {name.lower() for name in frame.columns}
        missing = [field for field in self.session.table(table).schema if field.name.lower() not in present]
        whole = frame.select("*", *[lit(None).cast(field.dataType).alias(field.name) for field in missing])
        whole.writeTo(table).option("write-format", "parquet").append()

    def close(self) -> None:
        if "session" in self.__dict__:
            # The server closes it otherwise, and the rows are written.
            with suppress(Exception):
                self.session.stop()


def frame_columns(frame: Any) -> list[dict[str, str]]:
    """The columns of a DataFrame with the types that a table has for them."""
    columns = []
    for field in frame.schema.jsonValue()["fields"]:
        kind = column_type(field["type"])
        if kind is None:
            raise BadResult(f"no table has a type for column {field['name']}, which is {field['type']}; cast it to one")
        columns.append({"name": field["name"], "type": kind})
    if not columns:
        raise BadResult("the DataFrame has no columns")
    return columns


_TYPES = {
    **dict.fromkeys(("byte", "short", "integer"), "int"),
    **{name: name for name in ("boolean", "long", "float", "double", "string", "binary", "date")},
    **{"timestamp": "timestamptz", "timestamp_ntz": "timestamp"},
}


def column_type(kind: Any) -> str | None:
    """The type of a column, from the JSON form of Spark's; None if no column has it."""
    if isinstance(kind, str):
        if kind.startswith("decimal("):
            return kind.replace(" ", "")
        return "string" if kind.startswith(("char(", "varchar(", "string ")) else _TYPES.get(kind)
    if kind["type"] == "array":
        element = column_type(kind["elementType"])
        return None if element is None else f"list<{element}>"
    if kind["type"] == "map":
        parts = [column_type(kind["keyType"]), column_type(kind["valueType"])]
        return None if None in parts else f"map<{parts[0]},{parts[1]}>"
    if kind["type"] != "struct":
        return None
    fields = []
    for field in kind["fields"]:
        nested = column_type(field["type"])
        if nested is None:
            return None
        name = field["name"].replace('"', '""')
        fields.append(f'"{name}": {nested}')
    return f"struct<{', '.join(fields)}>"
