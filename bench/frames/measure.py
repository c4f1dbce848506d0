"""Measures frames from svc and from DuckDB in turn. Arguments: the data file of bench.rows, the rounds."""

import resource
import statistics
import sys
import time
from collections.abc import Callable

import duckdb

import svc

file, rounds = sys.argv[1], int(sys.argv[2])
client = svc.Client()
database = duckdb.connect()
SQL = "SELECT * FROM bench.rows"


def result() -> svc.Result:
    return client.sql(SQL, cache=False)


fixed = result()


def transfer() -> None:
    for _ in client.queries.stream(client.env, fixed.query.id, format="parquet"):
        pass


contestants: dict[str, Callable[[], object]] = {
    "DuckDB to pandas": lambda: database.sql(f"SELECT * FROM '{file}'").df(),
    "svc to pandas": lambda: result().df(),
    "DuckDB to polars": lambda: database.sql(f"SELECT * FROM '{file}'").pl(),
    "svc to polars": lambda: result().pl(),
    "DuckDB to Arrow": lambda: database.sql(f"SELECT * FROM '{file}'").to_arrow_table(),
    "svc to Arrow": lambda: result().arrow(),
    "transfer of the file": transfer,
}
times: dict[str, list[float]] = {name: [] for name in contestants}
for number in range(rounds + 1):
    for name, run in contestants.items():
        started = time.perf_counter()
        run()
        if number > 0:
            times[name].append((time.perf_counter() - started) * 1000)

print("200,000 rows × 10 columns")
medians = {name: statistics.median(each) for name, each in times.items()}
for name, each in times.items():
    print(f"  {name:<22}{medians[name]:6.0f} ms   ({min(each):.0f} – {max(each):.0f}, {len(each)} runs)")
aim = 1.5 * medians["DuckDB to pandas"] + medians["transfer of the file"]
print(f"  svc to pandas: aim ≤ {aim:.0f} ms (1.5 × DuckDB + transfer)")


def stream(rows: int) -> tuple[float, float]:
    """Reads so many rows batch by batch; seconds, and the peak of this process's memory in MB."""
    large = client.sql(f"SELECT range AS id, repeat('x', 40) AS text, range * 0.5::DOUBLE AS amount FROM range({rows})")
    started = time.perf_counter()
    with large.reader() as reader:
        assert sum(batch.num_rows for batch in reader) == rows
    return time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


print("rows streamed with .reader()")
for rows in (1_000_000, 10_000_000):
    seconds, peak = stream(rows)
    print(f"  {rows:>10,} rows        {seconds:6.1f} s    peak of the process {peak:.0f} MB")
