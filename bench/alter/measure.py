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


def measure(name: str, run: Callable[[], object], changes: int = 1) -> None:
    started = time.perf_counter()
    run()
    times.setdefault(name, []).append((time.perf_counter() - started) * 1000 / changes)


for alter, name in [(svc_alter, "svc"), (peer_alter, "PyIceberg")]:
    alter("small")
    for _ in range(rounds):
        for table in ["small", "large"]:
            measure(f"{name}, {table}", lambda: alter(table), changes=2)


def show(title: str) -> None:
    print(f"{title}, {rows:,} rows and 10 rows")
    for name, each in times.items():
        print(f"  {name:<20}{statistics.median(each):8.1f} ms   ({min(each):.1f} – {max(each):.1f}, {len(each)} runs)")
    times.clear()


show("one change of the columns")

# The peer has no clones; a copy by a query reads and writes the rows.
for n in range(rounds):
    for table in ["small", "large"]:
        target, source = f"bench.{table}_{n}", f"bench.{table}"
        measure(f"clone, {table}", lambda: client.tables.clone(client.env, source, target))
        client.tables.delete(client.env, target, purge=True)
        if n < 3:
            measure(f"copy, {table}", lambda: client.queries.run(client.env, f"FROM {source}", into=target))
            client.tables.delete(client.env, target, purge=True)

show("one clone")
