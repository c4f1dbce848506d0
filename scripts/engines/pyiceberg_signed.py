"""PyIceberg on tables in a bucket whose key it does not have: the service signs. Arguments: its URL and a token."""

import os

# Each of its threads takes the signer from the connection all share before it puts its own there: one at a time.
os.environ["PYICEBERG_MAX_WORKERS"] = "1"

import pyarrow as pa
from pyiceberg.catalog import load_catalog
from service import TOKEN, URL, check, query, rest, sql

NS = "signed"
signing = {"header.X-Iceberg-Access-Delegation": "remote-signing"}


def catalog_of(token):
    return load_catalog("svc", type="rest", uri=f"{URL}/catalog", warehouse="dev", token=token, **signing)


catalog = catalog_of(TOKEN)
catalog.create_namespace(NS)
columns = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("name", pa.string())])
table = catalog.create_table(f"{NS}.orders", schema=columns)
rows = lambda **values: pa.table(values, schema=table.schema().as_arrow())  # noqa: E731
everything = f"SELECT * FROM {NS}.orders ORDER BY id"
table.append(rows(id=[1, 2, 3], name=["a", "b", "c"]))
check("append", sql(everything), [[1, "a"], [2, "b"], [3, "c"]])
table.overwrite(rows(id=[4], name=["d"]), overwrite_filter="id = 2")
table.delete("id = 1")
check("overwrite and delete", sql(everything), [[3, "c"], [4, "d"]])
query("SELECT 5::BIGINT AS id, 'e' AS name", into=f"{NS}.orders", mode="append")
read = catalog.load_table(f"{NS}.orders").scan().to_arrow()
check("rows of the service in the engine", sorted(read["id"].to_pylist()), [3, 4, 5])
# More than one part of an upload.
many = 2_000_000
wide = pa.table({"id": pa.array(range(many)), "name": pa.array([f"{i * 2654435761 % 2**32:x}-{i}" for i in range(many)])})
table.append(wide.cast(table.schema().as_arrow()))
check("a file in parts", sql(f"SELECT count(*), count(DISTINCT name) FROM {NS}.orders"), [[many + 3, many + 3]])
with catalog.create_table_transaction(f"{NS}.created", schema=pa.schema([("id", pa.int64())])) as tx:
    tx.append(pa.table({"id": pa.array([1, 2], pa.int64())}))
check("a table written before it is committed", sql(f"SELECT sum(id)::INTEGER FROM {NS}.created"), [[3]])

rest("POST", "/principals", {"name": "reader", "type": "person"})
rest("POST", "/grants", {"principal": "reader", "action": "READ_TABLE", "kind": "NAMESPACE", "environment": "dev", "namespace": NS})
reader = catalog_of(rest("POST", "/principals/reader/tokens", {"name": "t"})["token"])
held = reader.load_table(f"{NS}.created")
check("a reader reads", held.scan().to_arrow()["id"].to_pylist(), [1, 2])
try:
    with held.io.new_output(f"{held.location()}/data/x").create() as file:
        file.write(b"x")
    written = True
except Exception as error:
    written = type(error).__name__
check("and writes nothing", written, "SignError")
