"""Adds and drops a column of a large table and of a small one in turn. Arguments: the data file of the large one, its rows, the rounds."""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable

import pyarrow
import pyarrow.parquet
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.types import StringType

import svc

file, rows, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
client = svc.Client()
folder = tempfile.TemporaryDirectory()
catalog = SqlCatalog("peer", uri=f"sqlite:///{folder.name}/catalog.db", warehouse=f"file://{folder.name}")
catalog.create_namespace("bench")


def peer_table(name: str, contents: pyarrow.Table) -> None:
    catalog.create_table(f"bench.{name}", schema=contents.schema).append(contents)


all_rows = pyarrow.parquet.read_table(file)
peer_table("large", all_rows)
peer_table("small", all_rows.slice(0, 10))
del all_rows


def svc_alter(table: str) -> None:
    client.tables.alter(client.env, f"bench.{table}", add=[{"name": "note", "type": "string"}])
    client.tables.alter(client.env, f"bench.{table}", drop=["note"])


def peer_alter(table: str) -> None:
    catalog.load_table(f"bench.{table}").update_schema().add_column("note", StringType()).commit()
    catalog.load_table(f"bench.{table}").update_schema().delete_column("note").commit()


times: dict[str, list[float]] = {}


def measure(name: str, run: Callable[[], object]) -> None:
    started = time.perf_counter()
    run()
    times.setdefault(name, []).append((time.perf_counter() - started) * 500)


for alter, name in [(svc_alter, "svc"), (peer_alter, "PyIceberg")]:
    alter("small")
    for _ in range(rounds):
        for table in ["small", "large"]:
            measure(f"{name}, {table}", lambda: alter(table))

print(f"one change of the columns, {rows:,} rows and 10 rows")
for name, each in times.items():
    print(f"  {name:<20}{statistics.median(each):8.1f} ms   ({min(each):.1f} – {max(each):.1f}, {len(each)} runs)")
for name in ["svc", "PyIceberg"]:
    ratios = [large / small for small, large in zip(times[f"{name}, small"], times[f"{name}, large"], strict=True)]
    print(f"  {name}, large : small  {statistics.median(ratios):.2f}")
