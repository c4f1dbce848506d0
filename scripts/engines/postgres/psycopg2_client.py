"""psycopg2."""

import datetime as dt
import decimal
import io

import psycopg2
import psycopg2.extras
from client import URI, check, finish


def state(work):
    """The SQLSTATE of the error that work raises."""
    try:
        work()
    except psycopg2.Error as error:
        return error.pgcode
    return None


conn = psycopg2.connect(URI)
conn.autocommit = True
cur = conn.cursor()


def rows(sql, values=None):
    cur.execute(sql, values)
    return cur.fetchall()


check("types", lambda: rows("SELECT whole, exact, words, flag, day, hour, moment, list, texts, bytes::BYTEA IS NULL FROM shop.kinds"), [(2, decimal.Decimal("12.345"), "text", True, dt.date(2026, 3, 1), dt.time(10, 11, 12, 500000), dt.datetime(2026, 3, 1, 10, 11, 12, 500000), [1, None, 3], ["a", None, 'b,"c"'], False)])
check("parameters", lambda: rows("SELECT %s, %s, %s, %s, %s", (1, "it's \\ %", decimal.Decimal("1.5"), dt.date(2026, 3, 1), None)), [(1, "it's \\ %", decimal.Decimal("1.5"), dt.date(2026, 3, 1), None)])
check("a list", lambda: rows("SELECT id FROM shop.orders WHERE id = ANY(%s) ORDER BY id", ([1, 3],)), [(1,), (3,)])
check("a tuple", lambda: rows("SELECT id FROM shop.orders WHERE id IN %s ORDER BY id", ((1, 3),)), [(1,), (3,)])
check("bytes", lambda: bytes(rows("SELECT %s::BYTEA", (psycopg2.Binary(b"\x00\xff'"),))[0][0]), b"\x00\xff'")
check("a moment", lambda: rows("SELECT %s", (dt.datetime(2026, 3, 1, 10, tzinfo=dt.timezone.utc),)), [(dt.datetime(2026, 3, 1, 10, tzinfo=dt.timezone.utc),)])
check("execute_values", lambda: psycopg2.extras.execute_values(cur, "INSERT INTO shop.written (id, buyer, day) VALUES %s", [(i, f"b{i}", dt.date(2026, 3, 1)) for i in range(250)]), None)
check("its rows", lambda: rows("SELECT count(*), max(buyer), min(day) FROM shop.written"), [(250, "b99", dt.date(2026, 3, 1))])
check("execute_batch", lambda: psycopg2.extras.execute_batch(cur, "DELETE FROM shop.written WHERE id = %s", [(1,), (2,)]), None)
check("rowcount", lambda: (cur.execute("DELETE FROM shop.written"), cur.rowcount)[1], 248)
check("copy_expert in", lambda: (cur.copy_expert("COPY shop.written (id, buyer) FROM STDIN WITH CSV HEADER", io.StringIO("id,buyer\n1,\"a,b\"\n2,\n")), cur.rowcount)[1], 2)
check("copy_from", lambda: cur.copy_expert("COPY shop.written (id, buyer) FROM STDIN", io.StringIO("3\t\\N\n")), None)
out = io.StringIO()
cur.copy_expert("COPY (SELECT id, buyer FROM shop.written ORDER BY id) TO STDOUT", out)
check("copy_expert out", out.getvalue(), "1\ta,b\n2\t\\N\n3\t\\N\n")
cur.execute("TRUNCATE shop.written")
dicts = conn.cursor(cursor_factory=psycopg2.extras.RealDictCursor)
dicts.execute("SELECT id, buyer FROM shop.orders WHERE id = 1")
check("rows as dictionaries", [dict(row) for row in dicts], [{"id": 1, "buyer": "Ann"}])
conn.autocommit = False
named = conn.cursor("part")
named.itersize = 10_000
named.execute("SELECT id FROM shop.numbers ORDER BY id")
check("named cursor", lambda: (named.fetchmany(2), sum(1 for _ in named)), ([(0,), (1,)], 99_998))
named.close()
conn.rollback()
check("a change in a transaction is refused", lambda: state(lambda: cur.execute("INSERT INTO shop.written (id) VALUES (1)")), "25006")
conn.rollback()
conn.set_session(readonly=True, autocommit=True)
check("a read-only session", lambda: rows("SELECT 1"), [(1,)])
conn.close()
finish(f"psycopg2 {psycopg2.__version__.split()[0]}")
