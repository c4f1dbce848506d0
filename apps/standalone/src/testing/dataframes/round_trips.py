"""Writes frames to a service and reads them again. ``SVC_URL``, ``SVC_TOKEN`` and ``SVC_ENV`` say where."""

import asyncio
import datetime
import decimal
import threading

import numpy
import pandas
import polars
import pyarrow
from polars.testing import assert_frame_equal

import svc

client = svc.Client()
client.namespaces.create(client.env, "lab")
BERLIN = datetime.timezone(datetime.timedelta(hours=2))


def refused(kind: type[Exception], text: str, call: object) -> None:
    try:
        call()
    except kind as error:
        assert text in str(error), str(error)
    else:
        raise AssertionError(f"expected {kind.__name__}: {text}")


# polars: every type comes back as it was.
frame = polars.DataFrame(
    {
        "id": [1, 2, 3],
        "small": polars.Series([1, None, 3], dtype=polars.Int32),
        "price": polars.Series([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")], dtype=polars.Decimal(9, 2)),
        "at": polars.Series([datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone.utc), None, None]),
        "local": [datetime.datetime(2026, 1, 1, 12, 0, 0, 1), None, None],
        "day": [datetime.date(2026, 1, 1), None, datetime.date(1, 1, 1)],
        "name": ["ü𝄞", "", None],
        "raw": [b"\xff\x00", b"", None],
        "flag": [True, None, False],
        "ratio": [1.5, float("inf"), None],
        "list": [[1, None], [], None],
        "struct": [{"a": 1, "b": ["x"]}, {"a": None, "b": []}, {"a": 2, "b": None}],
    }
)
assert client.write("lab.types", frame, create=True).rows == 3
assert_frame_equal(client.sql("SELECT * FROM lab.types ORDER BY id").pl(), frame)

# pandas: nullable integers stay integers, decimals decimals, zones zones, categories keep their values.
people = pandas.DataFrame(
    {
        "n": pandas.array([2**60 + 1, None], dtype="Int64"),
        "price": [decimal.Decimal("1.50"), None],
        "at": pandas.to_datetime(["2026-03-29 01:30", None]).tz_localize("Europe/Berlin"),
        "kind": pandas.Categorical(["a", "b"]),
        "x": [1.5, float("nan")],
    },
    index=pandas.Index([7, 8], name="key"),
)
client.write("lab.people", people, create=True)
back = client.table("lab.people").df().sort_values("key", ignore_index=True)
assert back["n"].dtype == "Int64" and back["n"][0] == 2**60 + 1 and back["n"].isna()[1]
assert back["price"][0] == decimal.Decimal("1.50")
assert back["at"][0] == pandas.Timestamp("2026-03-29 00:30", tz="UTC")
assert list(back["kind"]) == ["a", "b"] and list(back["key"]) == [7, 8]
# A later frame may have larger decimals.
client.write("lab.people", people.assign(price=[decimal.Decimal("123456.7"), None]))

# Arrow: tables and readers.
table = pyarrow.table({"i": pyarrow.array(range(50_000)), "t": pyarrow.array(["x"] * 50_000)})
client.write("lab.arrow", table.to_reader(max_chunksize=1000), create=True, mode="replace")
assert client.table("lab.arrow").arrow().sort_by("i").equals(table)
rows = ({"i": i, "at": datetime.datetime(2026, 1, 1, tzinfo=BERLIN)} for i in range(3))
client.write("lab.rows", rows, create=True)
assert [row["i"] for row in client.sql("SELECT i FROM lab.rows ORDER BY i")] == [0, 1, 2]
assert client.write("lab.arrow", table.slice(0, 5), mode="replace").rows == 5
assert client.table("lab.arrow").arrow().num_rows == 5

# A large result arrives batch by batch, and can be left early.
large = client.sql("SELECT range AS i, repeat('x', 100) AS t FROM range(300000)")
with large.reader() as reader:
    batch = reader.read_next_batch()
    assert 0 < batch.num_rows < 300_000
assert sum(len(batch) for batch in large.reader()) == 300_000 == large.row_count

# Lazy frames read only what they need.
client.write("lab.wide", polars.DataFrame({f"c{i}": range(100) for i in range(20)}), create=True)
lazy = client.table("lab.wide").scan()
assert lazy.filter(polars.col("c3") >= 98).select("c3", "c7").collect().rows() == [(98, 98), (99, 99)]
assert lazy.head(2).collect().shape == (2, 20)
assert lazy.select(polars.len()).collect().item() == 100
texts = [query.sql_text for query in client.queries.list(client.env, include_ended=True)]
assert any('SELECT "c3", "c7" FROM' in text for text in texts), texts
assert any("LIMIT 2" in text for text in texts)

# Parameters keep their types.
values = {"day": datetime.date(2026, 1, 2), "price": decimal.Decimal("12.340"), "n": numpy.int64(3)}
row = next(iter(client.sql("SELECT $day AS day, $price AS price, $n AS n", values)))
assert row == {"day": datetime.date(2026, 1, 2), "price": decimal.Decimal("12.340"), "n": 3}

# What doesn't fit is refused, and nothing is written.
before = client.table("lab.types").arrow().num_rows
refused(
    svc.WorkFailed,
    'The column "id" has type double',
    lambda: client.write("lab.types", pandas.DataFrame({"id": [1, None]})),
)
refused(
    ValueError, "Conversion failed for column id", lambda: client.write("lab.types", pandas.DataFrame({"id": [1, "a"]}))
)
refused(svc.WorkFailed, '"other"', lambda: client.write("lab.types", frame.rename({"id": "other"})))
refused(ValueError, "mode is 'upsert'", lambda: client.write("lab.types", frame, mode="upsert"))
refused(ValueError, "goes with mode='merge'", lambda: client.write("lab.types", frame, key=["id"]))
refused(svc.InvalidRequest, "identifier fields", lambda: client.write("lab.types", frame, mode="merge"))
refused(svc.NotFound, "lab.missing", lambda: client.write("lab.missing", frame))
refused(ValueError, "without columns", lambda: client.write("lab.empty", [], create=True))
assert client.table("lab.types").arrow().num_rows == before

# A merge updates the columns of the frame, and appends rows with new keys.
client.write("lab.stock", polars.DataFrame({"id": [1, 2], "shop": ["a", "a"], "n": [10, 20]}), create=True)
merged = client.write("lab.stock", polars.DataFrame({"id": [2, 3], "n": [21, 30]}), mode="merge", key=["id"])
assert merged.rows == 2
assert client.sql("SELECT * FROM lab.stock ORDER BY id").pl().rows() == [(1, "a", 10), (2, "a", 21), (3, None, 30)]
twice = polars.DataFrame({"id": [1, 1], "n": [0, 0]})
refused(
    svc.WorkFailed,
    "1 rows of the file have the same key",
    lambda: client.write("lab.stock", twice, mode="merge", key="id"),
)
nulls = polars.DataFrame({"id": [None], "n": [0]}, schema={"id": polars.Int64, "n": polars.Int64})
refused(svc.WorkFailed, "no value in the key", lambda: client.write("lab.stock", nulls, mode="merge", key="id"))
refused(
    svc.WorkFailed,
    'The column "shop", which is part of the key, is missing',
    lambda: client.write("lab.stock", twice[:1], mode="merge", key=["id", "shop"]),
)
assert client.table("lab.stock").pl()["n"].sum() == 61

# Statements change rows; their result shows how many.
changed = client.sql("DELETE FROM lab.stock WHERE id = $id", {"id": 3})
assert changed.query.affected is not None and changed.query.affected.deleted == 1
assert changed._repr_html_() == "<small>1 row deleted</small>"

# Writers at the same time: nothing is lost, and one creates the table.
errors = []


def write(number: int) -> None:
    try:
        with svc.Client() as other:
            other.write("lab.shared", polars.DataFrame({"n": [number]}), create=True)
    except Exception as error:
        errors.append(error)


threads = [threading.Thread(target=write, args=(i,)) for i in range(20)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert errors == []
assert sorted(client.table("lab.shared").pl()["n"]) == list(range(20))

# A query that takes too long is cancelled.
endless = "SELECT count(*) AS n FROM range(10000000000) a(i) WHERE hash(i) % 3 = 1"
refused(svc.WorkFailed, "was cancelled", lambda: client.sql(endless, timeout=1.2))
running = next(query for query in client.queries.list(client.env, include_ended=True) if query.sql_text == endless)
assert client.queries.wait(client.env, running.id).status == "CANCELLED"


async def asynchronous() -> None:
    async with svc.AsyncClient() as other:
        await other.write("lab.later", polars.DataFrame({"n": [1, 2]}), create=True)
        assert (await other.table("lab.later").pl())["n"].sum() == 3
        result = await other.sql("SELECT n FROM lab.later ORDER BY n")
        assert [row["n"] async for row in result] == [1, 2]
        assert (await result.df())["n"].tolist() == [1, 2]
        assert (await result.arrow()).num_rows == 2


asyncio.run(asynchronous())
print("all round trips hold")
