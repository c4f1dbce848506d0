"""ADBC's driver for PostgreSQL, and Polars through ConnectorX."""

import adbc_driver_postgresql.dbapi
import polars
from client import URI, check, finish

with adbc_driver_postgresql.dbapi.connect(URI, autocommit=True) as conn, conn.cursor() as cur:

    def table(sql, values=None):
        cur.execute(sql, values)
        return cur.fetch_arrow_table()

    check("ADBC: rows", lambda: table("SELECT id, buyer FROM shop.orders ORDER BY id LIMIT 2").to_pydict(), {"id": [1, 2], "buyer": ["Ann", None]})
    check("ADBC: all rows", lambda: table("SELECT * FROM shop.numbers").num_rows, 100_000)
    check("ADBC: a parameter", lambda: table("SELECT name FROM shop.numbers WHERE id = $1", (7,)).to_pydict(), {"name": ["row 7"]})
    kinds = "small, whole, large, single, double, exact, words, flag, day, hour, moment, instant, bytes, list, texts"
    check("ADBC: types", lambda: [str(f.type) for f in table(f"SELECT {kinds} FROM shop.kinds").schema][:3], ["int32", "int32", "int64"])
    check("ADBC: tables", lambda: "shop" in str(conn.adbc_get_objects(depth="tables").read_all().to_pydict()), True)
    check("ADBC: schema of a table", lambda: conn.adbc_get_table_schema("orders", db_schema_filter="shop").names, ["id", "buyer", "amount", "placed", "day", "paid"])
    check("ADBC: ingest", lambda: cur.adbc_ingest("written", table("SELECT id, buyer FROM shop.orders"), mode="append", db_schema_name="shop"), 3)
    check("ADBC: ingested rows", lambda: table("SELECT count(buyer) AS n FROM shop.written").to_pydict(), table("SELECT count(buyer) AS n FROM shop.orders").to_pydict())
    cur.execute("TRUNCATE shop.written")

read = lambda sql, **more: polars.read_database_uri(sql, URI, engine="connectorx", **more)  # noqa: E731
check("ConnectorX: rows", lambda: read("SELECT id, buyer, day, paid FROM shop.orders ORDER BY id LIMIT 2").rows(), [(1, "Ann", __import__("datetime").date(2026, 3, 1), True), (2, None, None, None)])
check("ConnectorX: all rows", lambda: read("SELECT * FROM shop.numbers").height, 100_000)
check("ConnectorX: partitions", lambda: read("SELECT * FROM shop.numbers", partition_on="id", partition_num=2).height, 100_000)
check("Polars through ADBC", lambda: polars.read_database_uri("SELECT count(*) AS n FROM shop.orders", URI, engine="adbc").rows(), [(3,)])
finish("ADBC and ConnectorX")
