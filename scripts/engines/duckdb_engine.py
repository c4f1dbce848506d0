"""DuckDB with its iceberg extension and the service on the same tables. Arguments: the service's URL and a token."""

import glob
import os

import duckdb
import service
from service import TOKEN, URL, check, query, rest


def sql(statement):
    return [tuple(row) for row in service.sql(statement)]


engine = duckdb.connect(config={"allow_unsigned_extensions": "true"})
folder = os.path.dirname(duckdb.__path__[0])
for name in ("httpfs", "avro", "iceberg"):
    engine.load_extension(glob.glob(f"{folder}/duckdb_ext*/extensions/**/{name}.duckdb_extension", recursive=True)[0])
engine.execute("CREATE SECRET svc (TYPE iceberg, TOKEN ?)", [TOKEN])
engine.execute(f"ATTACH 'dev' AS lake (TYPE iceberg, ENDPOINT '{URL}/catalog', SECRET svc)")
run = lambda statement: engine.execute(statement).fetchall()  # noqa: E731

rest("POST", "/environments/dev/namespaces", {"path": "duck"})
run("CREATE TABLE lake.duck.orders (id BIGINT, name VARCHAR, amount DECIMAL(10, 2), moment TIMESTAMPTZ)")
run("INSERT INTO lake.duck.orders VALUES (1, 'a', 1.50, '2026-01-01 00:00:00+00'), (2, NULL, NULL, NULL), (3, 'ø', 3, NULL)")
rows = "SELECT id, name FROM {}duck.orders ORDER BY id"
check("rows of the engine, read here", sql(rows.format("")), [(1, "a"), (2, None), (3, "ø")])
query("SELECT 4::BIGINT AS id, 'here' AS name, 4::DECIMAL(10,2) AS amount, NULL::TIMESTAMPTZ AS moment", into="duck.orders", mode="append")
check("rows of both, in the engine", run(rows.format("lake.")), [(1, "a"), (2, None), (3, "ø"), (4, "here")])
run("UPDATE lake.duck.orders SET name = 'b' WHERE id = 2")
run("DELETE FROM lake.duck.orders WHERE id = 1")
check("UPDATE and DELETE", sql(rows.format("")), [(2, "b"), (3, "ø"), (4, "here")])
query("SELECT * FROM (VALUES (1, 'x', DATE '2026-01-01', [1, NULL], {'a': 1}), (NULL, NULL, NULL, NULL, NULL)) t(i, s, d, l, st)", into="duck.kinds", mode="create")
check("types written here", run("SELECT * FROM lake.duck.kinds ORDER BY i NULLS LAST")[0][3:], ([1, None], {"a": 1}))
run("CREATE TABLE lake.duck.made AS SELECT 1 AS id, 'a' AS name UNION ALL SELECT 2, NULL")
check("a table made of a SELECT", sql("SELECT id, name FROM duck.made ORDER BY id"), [(1, "a"), (2, None)])
run("DROP TABLE lake.duck.orders")
dropped = [entry["name"] for entry in rest("GET", "/environments/dev/namespaces/duck/dropped-tables")]
check("a drop of the engine", dropped, ["orders"])
print(f"DuckDB {duckdb.__version__}: all passed.")
