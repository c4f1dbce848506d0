"""What PyIceberg does with tables in a bucket whose key it doesn't have, with either kind of delegated access."""

import pyarrow as pa
from service import TOKEN, check, query, rest, sql


def use_tables(catalog_of, namespace):
    """Creates the tables `orders` and `created`. Returns the first, and the second as a reader without further rights loads it."""
    catalog = catalog_of(TOKEN)
    catalog.create_namespace(namespace)
    orders, created = f"{namespace}.orders", f"{namespace}.created"
    columns = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("name", pa.string())])
    table = catalog.create_table(orders, schema=columns)
    schema = table.schema().as_arrow()
    everything = f"SELECT * FROM {orders} ORDER BY id"
    table.append(pa.table({"id": [1, 2, 3], "name": ["a", "b", "c"]}, schema=schema))
    check("append", sql(everything), [[1, "a"], [2, "b"], [3, "c"]])
    table.overwrite(pa.table({"id": [4], "name": ["d"]}, schema=schema), overwrite_filter="id = 2")
    table.delete("id = 1")
    check("overwrite and delete", sql(everything), [[3, "c"], [4, "d"]])
    query("SELECT 5::BIGINT AS id, 'e' AS name", into=orders, mode="append")
    read = catalog.load_table(orders).scan().to_arrow()
    check("rows of the service in the engine", sorted(read["id"].to_pylist()), [3, 4, 5])
    # More than one part of an upload.
    many = 2_000_000
    names = pa.array([f"{i * 2654435761 % 2**32:x}-{i}" for i in range(many)])
    table.append(pa.table({"id": pa.array(range(many)), "name": names}).cast(schema))
    check("a file in parts", sql(f"SELECT count(*), count(DISTINCT name) FROM {orders}"), [[many + 3, many + 3]])
    with catalog.create_table_transaction(created, schema=pa.schema([("id", pa.int64())])) as tx:
        tx.append(pa.table({"id": pa.array([1, 2], pa.int64())}))
    check("a table written before it is committed", sql(f"SELECT sum(id)::INTEGER FROM {created}"), [[3]])

    rest("POST", "/principals", {"name": "reader", "type": "person"})
    scope = {"kind": "NAMESPACE", "environment": "dev", "namespace": namespace}
    rest("POST", "/grants", {"principal": "reader", "action": "READ_TABLE", **scope})
    reader = catalog_of(rest("POST", "/principals/reader/tokens", {"name": "t"})["token"])
    held = reader.load_table(created)
    check("a reader reads", held.scan().to_arrow()["id"].to_pylist(), [1, 2])
    return table, held
