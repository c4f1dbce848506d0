"""asyncpg."""

import asyncio
import datetime as dt
import decimal
import io
import uuid

import asyncpg
from client import URI, check, finish

UTC = dt.timezone.utc
RECORD = (1, "tab\there", decimal.Decimal("1.50"), dt.datetime(2026, 3, 1, 10, 11, 12, tzinfo=UTC), dt.date(2026, 3, 1), True)


async def state(work):
    """The SQLSTATE of the error that work raises."""
    try:
        await work
    except asyncpg.PostgresError as error:
        return error.sqlstate
    return None


async def attempt(what, work, expected):
    try:
        value = await work
    except Exception as error:  # noqa: BLE001
        value = f"{type(error).__name__}: {error}"
    check(what, value, expected)


async def main():
    conn = await asyncpg.connect(URI)
    kinds = dict(await conn.fetchrow("SELECT * FROM shop.kinds"))
    check("types", list(kinds.values()), [1, 2, 3, 1.5, 2.5, decimal.Decimal("12.345"), "text", True, dt.date(2026, 3, 1), dt.time(10, 11, 12, 500000), dt.datetime(2026, 3, 1, 10, 11, 12, 500000), dt.datetime(2026, 3, 1, 10, 11, 12, 500000, tzinfo=UTC), b"\x00\xff", uuid.UUID("12345678-1234-1234-1234-123456789abc"), [1, None, 3], ["a", None, 'b,"c"'], '{"a":1}'])
    casts = {"SMALLINT": -5, "INT": 7, "BIGINT": 2**40, "REAL": 1.5, "DOUBLE PRECISION": 2.5, "NUMERIC": decimal.Decimal("-12.345"), "TEXT": "it's", "BOOLEAN": False, "DATE": dt.date(1969, 12, 31), "TIME": dt.time(1, 2, 3), "TIMESTAMP": dt.datetime(2026, 3, 1, 1, 2, 3, 4), "TIMESTAMPTZ": dt.datetime(1960, 3, 1, 1, 2, 3, 4, tzinfo=UTC), "BYTEA": b"\x00'", "UUID": uuid.UUID(int=2**127 + 1), "INT[]": [1, None], "TEXT[]": ["a", None, '"']}
    for kind, value in casts.items():
        await attempt(f"{kind} both ways", conn.fetchval(f"SELECT $1::{kind}", value), value)
        await attempt(f"{kind} null", conn.fetchval(f"SELECT $1::{kind}", None), None)
    await attempt("an interval", conn.fetchval("SELECT TIMESTAMP '2026-03-01' + $1::INTERVAL", dt.timedelta(days=2, seconds=3)), dt.datetime(2026, 3, 3, 0, 0, 3))
    statement = await conn.prepare("SELECT name FROM shop.numbers WHERE id = $1")
    check("parameters of a prepared statement", [p.name for p in statement.get_parameters()], ["int4"])
    check("columns of a prepared statement", [(a.name, a.type.name) for a in statement.get_attributes()], [("name", "text")])
    for i in range(3):
        await attempt(f"prepared, execution {i}", statement.fetchval(i), f"row {i}")
    await attempt("an array", conn.fetch("SELECT id FROM shop.orders WHERE id = ANY($1::BIGINT[]) ORDER BY id", [1, 3]), [(1,), (3,)])
    await attempt("all rows", count(conn), 100_000)
    async with conn.transaction():
        found = [row["id"] async for row in conn.cursor("SELECT id FROM shop.numbers WHERE id < $1 ORDER BY id", 200, prefetch=50)]
        check("cursor", found, list(range(200)))
        cursor = await conn.cursor("SELECT id FROM shop.numbers ORDER BY id")
        check("cursor by parts", [r[0] for r in await cursor.fetch(3)] + [(await cursor.fetchrow())[0]], [0, 1, 2, 3])
        await attempt("a cursor moves forwards", cursor.forward(10), 10)
    await attempt("a change", conn.execute("INSERT INTO shop.written (id, buyer, amount, placed, day, paid) VALUES ($1, $2, $3, $4, $5, $6)", *RECORD), "INSERT 0 1")
    await attempt("executemany", conn.executemany("INSERT INTO shop.written (id, buyer) VALUES ($1, $2)", [(2, "b"), (3, None)]), None)
    await attempt("its rows", conn.fetchval("SELECT count(*) FROM shop.written"), 3)
    await attempt("TRUNCATE", conn.execute("TRUNCATE shop.written"), "TRUNCATE TABLE")
    await attempt("copy_records_to_table", conn.copy_records_to_table("written", schema_name="shop", records=[RECORD, (2, *[None] * 5)]), "COPY 2")
    await attempt("its rows", conn.fetch("SELECT * FROM shop.written ORDER BY id"), [RECORD, (2, *[None] * 5)])
    await attempt("copy_to_table", conn.copy_to_table("written", schema_name="shop", columns=["id", "buyer"], format="csv", source=io.BytesIO(b"3,c\n")), "COPY 1")
    out = io.BytesIO()
    await attempt("copy_from_query", conn.copy_from_query("SELECT id, buyer FROM shop.written WHERE id > $1 ORDER BY id", 1, output=out, format="csv"), "COPY 2")
    check("its data", out.getvalue(), b"2,\n3,c\n")
    out = io.BytesIO()
    await attempt("copy_from_table", conn.copy_from_table("written", schema_name="shop", output=out, format="binary"), "COPY 3")
    check("its data", out.getvalue()[:11], b"PGCOPY\n\xff\r\n\x00")
    await conn.execute("TRUNCATE shop.written")
    await attempt("an error", state(conn.fetch("SELECT * FROM shop.nothing")), "42P01")
    await attempt("a change in a transaction", state(changed_in_transaction(conn)), "25006")
    slow = "SELECT sum(a.i * b.i % 7) FROM range(1000000) a(i), range(1000000) b(i)"
    try:
        await conn.fetch(slow, timeout=0.5)
        check("a timeout cancels", "no error", "TimeoutError")
    except asyncio.TimeoutError:
        check("a timeout cancels", True, True)
    await attempt("the connection works afterwards", conn.fetchval("SELECT 1"), 1)
    await attempt("reset", conn.reset(), None)
    await conn.close()
    pool = await asyncpg.create_pool(URI, min_size=2, max_size=4)
    await attempt("a pool", asyncio.gather(*[pool.fetchval("SELECT $1::INT", i) for i in range(30)]), list(range(30)))
    await pool.close()
    finish(f"asyncpg {asyncpg.__version__}")


async def count(conn):
    return len(await conn.fetch("SELECT * FROM shop.numbers"))


async def changed_in_transaction(conn):
    async with conn.transaction():
        await conn.execute("INSERT INTO shop.written (id) VALUES (1)")


asyncio.run(main())
