"""Merges 1 % of the rows of a table in turn, and then changes single rows. Arguments: the data file of bench.merged, its rows, the rounds."""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable

import duckdb
import pyarrow
import pyarrow.parquet
from pyiceberg.catalog.sql import SqlCatalog

import svc

file, rows, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
client = svc.Client()
folder = tempfile.TemporaryDirectory()
database = duckdb.connect(f"{folder.name}/peer.duckdb")
database.execute(f"CREATE TABLE merged AS SELECT * FROM '{file}'")

#: One row of a hundred, spread over the table; a tenth of them is new.
SOURCE = f"(SELECT (range * 100 * 10 / 9)::BIGINT AS id, range AS k, 'new' AS name, 0.0::DOUBLE AS amount FROM range({rows // 100}))"
MERGE = f"""MERGE INTO {{}} AS t USING {SOURCE} AS s ON t.id = s.id
    WHEN MATCHED THEN UPDATE SET k = s.k, name = s.name, amount = s.amount
    WHEN NOT MATCHED THEN INSERT (id, k, name, amount) VALUES (s.id, s.k, s.name, s.amount)"""


def update_frame(number: int) -> pyarrow.Table:
    return duckdb.sql(f"SELECT * REPLACE (k + {number} AS k) FROM {SOURCE}").to_arrow_table()


times: dict[str, list[float]] = {}


def measure(name: str, run: Callable[[], object]) -> None:
    started = time.perf_counter()
    run()
    times.setdefault(name, []).append(time.perf_counter() - started)


def duckdb_to_parquet() -> None:
    """What a table in files needs: the merged rows in a new file."""
    database.execute(MERGE.format("merged"))
    database.execute(f"COPY merged TO '{folder.name}/merged.parquet' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)")


for number in range(rounds):
    measure("svc, MERGE", lambda: client.queries.run(client.env, MERGE.format("bench.merged")))
    frame = update_frame(number)
    measure("svc, client.write(mode='merge')", lambda: client.write("bench.merged", frame, mode="merge", key=["id"]))
    measure("DuckDB, its own format", lambda: database.execute(MERGE.format("merged")))
    measure("DuckDB, and a Parquet file", duckdb_to_parquet)

ONE_ROW = "UPDATE {} SET amount = amount + 1 WHERE id = {}"
SUM = "SELECT sum(amount), sum(k) FROM bench.merged"

# Reads of the table after a change show what the position deletes cost.
client.maintenance.wait(client.env, client.tables.maintain(client.env, "bench.merged", compact=True).id)
measure("svc, sum of two columns before", lambda: client.queries.run(client.env, SUM, cache=False))
for number in range(3):
    row = rows // 2 + number
    measure("svc, UPDATE of one row", lambda row=row: client.queries.run(client.env, ONE_ROW.format("bench.merged", row)))
    measure("DuckDB, UPDATE of one row", lambda row=row: database.execute(ONE_ROW.format("merged", row)))
    measure("svc, sum of two columns after", lambda: client.queries.run(client.env, SUM, cache=False))

catalog = SqlCatalog("peer", uri=f"sqlite:///{folder.name}/catalog.db", warehouse=f"file://{folder.name}")
catalog.create_namespace("bench")
all_rows = pyarrow.parquet.read_table(file)
table = catalog.create_table("bench.merged", schema=all_rows.schema)
table.append(all_rows)
del all_rows
measure("PyIceberg, upsert", lambda: table.upsert(update_frame(0), join_cols=["id"]))

print(f"merge of {rows // 100:,} rows into {rows:,}")
for name, each in times.items():
    print(f"  {name:<34}{statistics.median(each):7.2f} s   ({min(each):.2f} – {max(each):.2f}, {len(each)} runs)")
