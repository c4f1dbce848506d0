"""SQLAlchemy with psycopg and asyncpg: reflection and statements. pandas reads through it."""

import asyncio
import datetime as dt
import decimal

import pandas
import sqlalchemy as sa
from client import URI, check, finish
from sqlalchemy.ext.asyncio import create_async_engine

COLUMNS = [("id", "BIGINT", False, "Number of the order"), ("buyer", "TEXT", True, None), ("amount", "NUMERIC(10, 2)", True, "In euros"), ("placed", "TIMESTAMP", True, None), ("day", "DATE", True, None), ("paid", "BOOLEAN", True, None)]


def reflect(connection):
    found = sa.inspect(connection)
    check("get_schema_names", lambda: "shop" in found.get_schema_names(), True)
    check("get_table_names", lambda: sorted(found.get_table_names("shop")), ["kinds", "numbers", "orders", "written"])
    check("get_view_names", lambda: found.get_view_names("shop"), ["paid"])
    check("get_view_definition", lambda: "shop.orders" in found.get_view_definition("paid", "shop"), True)
    check("get_columns", lambda: [(c["name"], str(c["type"]), c["nullable"], c["comment"]) for c in found.get_columns("orders", "shop")], COLUMNS)
    check("get_pk_constraint", lambda: found.get_pk_constraint("orders", "shop")["constrained_columns"], ["id"])
    check("get_indexes", lambda: found.get_indexes("orders", "shop"), [])
    check("get_foreign_keys", lambda: found.get_foreign_keys("orders", "shop"), [])
    check("get_unique_constraints", lambda: found.get_unique_constraints("orders", "shop"), [])
    check("get_check_constraints", lambda: found.get_check_constraints("orders", "shop"), [])
    check("get_table_comment", lambda: found.get_table_comment("orders", "shop"), {"text": "Orders of the shop"})
    check("get_sequence_names", lambda: found.get_sequence_names("shop"), [])
    check("get_enums", lambda: found.get_enums("shop"), [])
    check("has_table", lambda: [found.has_table(name, "shop") for name in ("orders", "paid", "nothing")], [True, True, False])
    check("get_multi_columns", lambda: sorted(name for _, name in found.get_multi_columns("shop")), ["kinds", "numbers", "orders", "written"])
    check("types of all kinds", lambda: [str(c["type"]) for c in found.get_columns("kinds", "shop")], ["INTEGER", "INTEGER", "BIGINT", "REAL", "DOUBLE PRECISION", "NUMERIC(20, 3)", "TEXT", "BOOLEAN", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP", "BYTEA", "UUID", "ARRAY", "ARRAY", "JSON"])
    meta = sa.MetaData()
    check("MetaData.reflect", lambda: (meta.reflect(connection, schema="shop"), sorted(meta.tables))[1], ["shop.kinds", "shop.numbers", "shop.orders", "shop.written"])
    orders = sa.Table("orders", sa.MetaData(), autoload_with=connection, schema="shop")
    wanted = sa.select(orders.c.id, orders.c.buyer, orders.c.amount).where(orders.c.placed > dt.datetime(2000, 1, 1, tzinfo=dt.timezone.utc), orders.c.buyer.in_(["Ann", "Bob"]))
    check("a statement", lambda: connection.execute(wanted.order_by(orders.c.id).limit(10)).fetchall(), [(1, "Ann", decimal.Decimal("10.50"))])
    check("a group", lambda: connection.execute(sa.select(orders.c.paid, sa.func.count()).group_by(orders.c.paid).order_by(orders.c.paid.nulls_last())).fetchall(), [(False, 1), (True, 1), (None, 1)])


def write(connection):
    written = sa.Table("written", sa.MetaData(), autoload_with=connection, schema="shop")
    day = dt.date(2026, 3, 1)
    check("an insert of many rows", lambda: connection.execute(written.insert(), [{"id": i, "buyer": f"b{i}", "day": day} for i in range(3)]).close(), None)
    check("its rows", lambda: connection.execute(sa.select(sa.func.count(written.c.buyer), sa.func.max(written.c.day))).fetchall(), [(3, day)])
    check("an update", lambda: connection.execute(written.update().where(written.c.id == 1).values(buyer=None)).rowcount, 1)
    check("a delete", lambda: connection.execute(written.delete()).rowcount, 3)


engine = sa.create_engine(URI.replace("postgresql:", "postgresql+psycopg:"))
for name in ("psycopg", "psycopg2"):
    engine = sa.create_engine(URI.replace("postgresql:", f"postgresql+{name}:"))
    print(f"  {name}:")
    with engine.connect() as connection:
        reflect(connection)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        write(connection)
    with engine.connect().execution_options(yield_per=1000) as connection:
        check("rows in parts", lambda: sum(1 for _ in connection.execute(sa.text("SELECT id FROM shop.numbers WHERE id < 5000"))), 5000)
    frame = pandas.read_sql("SELECT id, buyer, amount FROM shop.orders WHERE id = 1", engine)
    check("pandas.read_sql", frame.to_dict("records"), [{"id": 1, "buyer": "Ann", "amount": 10.5}])
    frame = pandas.read_sql_table("orders", engine, schema="shop")
    check("pandas.read_sql_table", (list(frame.columns), len(frame)), (["id", "buyer", "amount", "placed", "day", "paid"], 3))
    engine.dispose()


async def with_asyncpg():
    print("  asyncpg:")
    engine = create_async_engine(URI.replace("postgresql:", "postgresql+asyncpg:"))
    async with engine.connect() as connection:
        await connection.run_sync(reflect)
    options = {"isolation_level": "AUTOCOMMIT"}
    async with engine.connect() as connection:
        await (await connection.execution_options(**options)).run_sync(write)
    await engine.dispose()


asyncio.run(with_asyncpg())
finish(f"SQLAlchemy {sa.__version__}")
