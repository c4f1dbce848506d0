"""PostgreSQL's ODBC driver, which Excel and many BI tools use."""

import datetime as dt
import decimal
import sys

import pyodbc
from client import DATABASE, HOST, PORT, TOKEN, USER, check, finish

DRIVER = "PostgreSQL Unicode"
if DRIVER not in pyodbc.drivers():
    print(f"ODBC did not run: the driver {DRIVER} isn't installed (on Debian: odbc-postgresql)")
    sys.exit(0)

CONNECTION = f"Driver={{{DRIVER}}};Server={HOST};Port={PORT};Database={DATABASE};Uid={USER};Pwd={TOKEN};"


def state(work):
    """The SQLSTATE of the error that work raises."""
    try:
        work()
    except pyodbc.Error as error:
        return error.args[0]
    return None


for options in ["", "UseDeclareFetch=1;Fetch=1000;", "UseServerSidePrepare=0;"]:
    conn = pyodbc.connect(CONNECTION + options, autocommit=True)
    cur = conn.cursor()

    def rows(sql, *values):
        return [tuple(row) for row in cur.execute(sql, *values).fetchall()]  # noqa: B023

    def found(objects, *columns):
        return [tuple(getattr(one, column) for column in columns) for one in objects]

    def passed(what, value, expected):
        check(f"{what}{options and f' ({options})'}", value, expected)  # noqa: B023

    passed("types", lambda: rows("SELECT small, large, single, exact, words, day, hour, moment, bytes, id, list FROM shop.kinds"), [(1, 3, 1.5, decimal.Decimal("12.345"), "text", dt.date(2026, 3, 1), dt.time(10, 11, 12, 500000), dt.datetime(2026, 3, 1, 10, 11, 12, 500000), b"\x00\xff", "12345678-1234-1234-1234-123456789ABC", "{1,NULL,3}")])
    passed("nulls", lambda: rows("SELECT * FROM shop.orders WHERE id = 2"), [(2, None, None, None, None, None)])
    passed("an integer", lambda: rows("SELECT buyer FROM shop.orders WHERE id = ?", 1), [("Ann",)])
    passed("a text", lambda: rows("SELECT id FROM shop.orders WHERE buyer = ?", 'Zoë "the ø", it\'s'), [(3,)])
    passed("a decimal", lambda: rows("SELECT id FROM shop.orders WHERE amount = ?", decimal.Decimal("10.50")), [(1,)])
    passed("a date", lambda: rows("SELECT id FROM shop.orders WHERE day = ?", dt.date(2026, 3, 1)), [(1,)])
    passed("a time", lambda: rows("SELECT id FROM shop.orders WHERE placed > ?", dt.datetime(2026, 1, 1)), [(1,)])
    passed("an operand", lambda: rows("SELECT ? * 2", 1.25)[0][0], decimal.Decimal("2.5"))
    passed("many rows", lambda: (len(rows("SELECT * FROM shop.numbers")), rows("SELECT count(*) FROM shop.numbers")), (100_000, [(100_000,)]))
    passed("schemas", lambda: found(cur.tables(catalog="", schema="%", table=""), "table_schem"), [("shop",)])
    passed("tables", lambda: found(cur.tables(schema="shop", tableType="TABLE"), "table_name"), [("kinds",), ("numbers",), ("orders",), ("written",)])
    passed("views", lambda: found(cur.tables(tableType="VIEW"), "table_schem", "table_name"), [("shop", "paid")])
    passed("columns", lambda: found(cur.columns(table="orders", schema="shop"), "column_name", "type_name", "nullable"), [("id", "int8", 0), ("buyer", "text", 1), ("amount", "numeric", 1), ("placed", "timestamptz", 1), ("day", "date", 1), ("paid", "bool", 1)])
    passed("keys", lambda: found(cur.primaryKeys("orders", schema="shop"), "column_name", "pk_name"), [("id", "orders_pkey")])
    passed("indexes", lambda: found(cur.statistics("orders", schema="shop"), "index_name", "column_name"), [("orders_pkey", "id")])
    passed("changes", lambda: (cur.execute("INSERT INTO shop.written (id, buyer) VALUES (?, ?)", 7, "x").rowcount, cur.execute("DELETE FROM shop.written WHERE id = ?", 7).rowcount), (1, 1))
    passed("a mistake", lambda: (state(lambda: rows("SELECT nope FROM shop.orders")), rows("SELECT 1")), ("42703", [(1,)]))
    conn.close()

conn = pyodbc.connect(CONNECTION)
check("reads in a transaction", lambda: (conn.execute("SELECT count(*) FROM shop.orders").fetchval(), conn.commit()), (3, None))
check("changes in a transaction are rejected", lambda: state(lambda: conn.execute("DELETE FROM shop.written")), "25006")
conn.close()
finish("ODBC")
