"""psycopg 3."""

import datetime as dt
import decimal
import threading
import uuid

import psycopg
from client import URI, check, finish
from psycopg.types.json import Json

UTC = dt.timezone.utc
KINDS = (
    1, 2, 3, 1.5, 2.5, decimal.Decimal("12.345"), "text", True, dt.date(2026, 3, 1), dt.time(10, 11, 12, 500000),
    dt.datetime(2026, 3, 1, 10, 11, 12, 500000), dt.datetime(2026, 3, 1, 10, 11, 12, 500000, tzinfo=UTC), b"\x00\xff",
    uuid.UUID("12345678-1234-1234-1234-123456789abc"), [1, None, 3], ["a", None, 'b,"c"'], {"a": 1},
)  # fmt: skip


def state(work):
    """The SQLSTATE of the error that work raises."""
    try:
        work()
    except psycopg.Error as error:
        return error.sqlstate
    return None


with psycopg.connect(URI, autocommit=True, application_name="engines") as conn:
    check("server version", conn.info.server_version >= 160000, True)
    for binary in (False, True):
        with conn.cursor(binary=binary) as cur:
            check(f"types, binary={binary}", lambda: cur.execute("SELECT * FROM shop.kinds").fetchone(), KINDS)
    values = [1, 2**40, 1.5, decimal.Decimal("12.345"), "it's", True, dt.date(2026, 3, 1), dt.time(1, 2), KINDS[10], KINDS[11], b"\x00\xff", KINDS[13]]
    for form in ("s", "t", "b"):
        for value in values:
            with conn.cursor(binary=form == "b") as cur:
                check(f"parameter %{form} {value!r}", lambda: cur.execute(f"SELECT %{form}", [value]).fetchone()[0], value)
    check("array parameter", lambda: conn.execute("SELECT count(*) FROM shop.orders WHERE id = ANY(%s)", [[1, 3, 9]]).fetchone(), (2,))
    check("null parameter", lambda: conn.execute("SELECT %s::INT", [None]).fetchone(), (None,))
    check("json parameter, which is a text", lambda: conn.execute("SELECT %s::JSON", [Json({"a": [1]})]).fetchone()[0], '{"a": [1]}')
    check("named parameters", lambda: conn.execute("SELECT id FROM shop.orders WHERE buyer = %(b)s AND amount > %(a)s", {"b": "Ann", "a": 1}).fetchall(), [(1,)])
    for i in range(8):
        check(f"prepared, execution {i}", lambda: conn.execute("SELECT name FROM shop.numbers WHERE id = %s", [i]).fetchone(), (f"row {i}",))
    check("explicitly prepared", lambda: conn.execute("SELECT %s::BIGINT + 1", [1], prepare=True).fetchone(), (2,))
    check("all rows", lambda: sum(1 for _ in conn.execute("SELECT * FROM shop.numbers")), 100_000)
    check("rows as a stream", lambda: sum(1 for _ in conn.cursor().stream("SELECT * FROM shop.numbers WHERE id < 5000")), 5000)
    check("description", lambda: [c.type_display for c in conn.execute("SELECT id, buyer, amount FROM shop.orders LIMIT 0").description], ["int8", "text", "numeric(10,2)"])
    check("executemany", lambda: conn.cursor().executemany("INSERT INTO shop.written (id, buyer) VALUES (%s, %s)", [(101, "a"), (102, None)]), None)
    check("its rows", lambda: conn.execute("SELECT id, buyer FROM shop.written ORDER BY id").fetchall(), [(101, "a"), (102, None)])
    check("rowcount of a change", lambda: conn.execute("UPDATE shop.written SET buyer = %s WHERE id = %s", ["b", 102]).rowcount, 1)
    check("DELETE", lambda: conn.execute("DELETE FROM shop.written WHERE id > %s", [100]).rowcount, 2)

    def copy_in(form, rows, types=("int8", "text", "numeric", "timestamptz", "date", "bool")):
        with conn.cursor() as cur, cur.copy(f"COPY shop.written FROM STDIN{form}") as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)

    rows = [(1, "tab\there", decimal.Decimal("1.50"), KINDS[11], KINDS[8], True), (2, None, None, None, None, None)]
    check("COPY FROM text", lambda: copy_in("", rows), None)
    check("its rows", lambda: conn.execute("SELECT * FROM shop.written ORDER BY id").fetchall(), rows)
    conn.execute("TRUNCATE shop.written")
    check("COPY FROM binary", lambda: copy_in(" (FORMAT BINARY)", rows), None)
    check("its rows", lambda: conn.execute("SELECT * FROM shop.written ORDER BY id").fetchall(), rows)
    check("COPY FROM of an error", lambda: state(lambda: copy_in("", [("x",)], ("text",))), "22P04")
    check("nothing was written", lambda: conn.execute("SELECT count(*) FROM shop.written").fetchone(), (2,))

    def copy_out(form, types):
        with conn.cursor() as cur, cur.copy(f"COPY (SELECT * FROM shop.written ORDER BY id) TO STDOUT{form}") as copy:
            copy.set_types(types)
            return list(copy.rows())

    types = ["int8", "text", "numeric", "timestamptz", "date", "bool"]
    check("COPY TO text", lambda: copy_out("", types), rows)
    check("COPY TO binary", lambda: copy_out(" (FORMAT BINARY)", types), rows)
    conn.execute("TRUNCATE shop.written")

    timer = threading.Timer(0.5, conn.cancel_safe)
    timer.start()
    check("cancel", lambda: state(lambda: conn.execute("SELECT sum(a.i * b.i % 7) FROM range(1000000) a(i), range(1000000) b(i)")), "57014")
    timer.join()
    check("the connection works afterwards", lambda: conn.execute("SELECT 1").fetchone(), (1,))
    conn.execute("SET statement_timeout = 300")
    check("statement_timeout", lambda: state(lambda: conn.execute("SELECT sum(a.i * b.i % 7) FROM range(1000000) a(i), range(1000000) b(i)")), "57014")
    conn.execute("RESET statement_timeout")

    def pipelined():
        with conn.pipeline():
            cursors = [conn.execute("SELECT %s::INT * 2", [i]) for i in range(20)]
            return [cur.fetchone()[0] for cur in cursors]

    check("pipeline", pipelined, [2 * i for i in range(20)])

    def pipelined_error():
        with conn.pipeline():
            conn.execute("SELECT 1")
            conn.execute("SELECT nothing")
            conn.execute("SELECT 2")

    check("an error in a pipeline", lambda: state(pipelined_error), "42703")
    check("the connection works afterwards", lambda: conn.execute("SELECT 1").fetchone(), (1,))
    check("an unknown table", lambda: state(lambda: conn.execute("SELECT * FROM shop.nothing")), "42P01")

with psycopg.connect(URI) as conn:
    with conn.cursor(name="part") as cur:
        cur.execute("SELECT id FROM shop.numbers ORDER BY id")
        check("server-side cursor", lambda: (cur.fetchone(), cur.fetchmany(3), sum(1 for _ in cur)), ((0,), [(1,), (2,), (3,)], 99_996))
    with conn.cursor(name="binary_part", binary=True) as cur:
        cur.execute("SELECT id FROM shop.orders WHERE id > %s ORDER BY id", [1])
        check("server-side cursor, binary, with a parameter", cur.fetchall, [(2,), (3,)])
    conn.rollback()
    check("a change in a transaction is refused", lambda: state(lambda: conn.execute("INSERT INTO shop.written (id) VALUES (1)")), "25006")
    check("the transaction is aborted", lambda: state(lambda: conn.execute("SELECT 1")), "25P02")
    conn.rollback()
    check("it can be rolled back", lambda: conn.execute("SELECT count(*) FROM shop.written").fetchone(), (0,))
    with conn.transaction():
        check("a savepoint", lambda: conn.execute("SELECT 1").fetchone(), (1,))

check("a wrong token", lambda: "authentication failed" in str(state(lambda: psycopg.connect(URI, password="x"))) or "refused", "refused")
finish(f"psycopg {psycopg.__version__}")
