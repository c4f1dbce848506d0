"""The PostgreSQL extension of DuckDB."""

import importlib.util
from pathlib import Path

import duckdb
from client import DATABASE, HOST, PORT, TOKEN, USER, check, finish

package = Path(importlib.util.find_spec("duckdb_extension_postgres_scanner").origin).parent
(extension,) = package.glob("extensions/*/postgres_scanner.duckdb_extension")
conn = duckdb.connect(config={"allow_unsigned_extensions": "true"})
conn.execute(f"LOAD '{extension}'")
conn.execute(f"ATTACH 'host={HOST} port={PORT} dbname={DATABASE} user={USER} password={TOKEN}' AS svc (TYPE postgres)")


def rows(sql):
    return lambda: conn.execute(sql).fetchall()


check("rows", rows("SELECT id, buyer FROM svc.shop.orders ORDER BY id LIMIT 2"), [(1, "Ann"), (2, None)])
check("all rows", rows("SELECT count(*), count(DISTINCT id) FROM svc.shop.numbers"), [(100_000, 100_000)])
check("a filter", rows("SELECT name FROM svc.shop.numbers WHERE id = 7"), [("row 7",)])
check("a list and bytes", rows("SELECT list, texts, bytes FROM svc.shop.kinds"), [([1, None, 3], ["a", None, 'b,"c"'], b"\x00\xff")])
check("a whole statement", rows("SELECT * FROM postgres_query('svc', 'SELECT count(*) FROM shop.orders')"), [(3,)])
for change in ("INSERT INTO shop.written (id) VALUES (1), (2)", "DELETE FROM shop.written WHERE id = 1"):
    conn.execute(f"CALL postgres_execute('svc', '{change}', use_transaction = false)")
check("changes", rows("SELECT id FROM svc.shop.written"), [(2,)])
conn.execute("CALL postgres_execute('svc', 'TRUNCATE shop.written', use_transaction = false)")
finish("DuckDB")
