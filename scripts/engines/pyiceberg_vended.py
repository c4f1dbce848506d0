"""PyIceberg on tables in a bucket whose key it doesn't have, with temporary credentials. Arguments: the service's URL and a token."""

import pyarrow as pa
from pyarrow.fs import FileSelector, S3FileSystem
from pyiceberg.catalog import load_catalog
from service import TOKEN, URL, check, query, rest, sql

NS = "vended"


def catalog_of(token):
    return load_catalog("svc", type="rest", uri=f"{URL}/catalog", warehouse="dev", token=token)


def files_of(table):
    """The bucket with the credentials that PyIceberg received for the table."""
    properties = table.io.properties
    return S3FileSystem(
        access_key=properties["s3.access-key-id"],
        secret_key=properties["s3.secret-access-key"],
        session_token=properties["s3.session-token"],
        endpoint_override=properties["s3.endpoint"],
        region=properties["s3.region"],
    )


def attempt(act):
    try:
        act()
        return "allowed"
    except OSError as error:
        return "denied" if "ACCESS_DENIED" in str(error) else str(error)


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
own, other = (one.location().removeprefix("s3://") for one in (held, table))
files = files_of(held)
write = lambda name: attempt(lambda: files.open_output_stream(name).close())  # noqa: E731
check("and writes nothing", write(f"{own}/data/x"), "denied")
check("and lists its table", attempt(lambda: files.get_file_info(FileSelector(f"{own}/data"))), "allowed")
check("and no other", attempt(lambda: files.get_file_info(FileSelector(f"{other}/data"))), "denied")
files = files_of(catalog.load_table(f"{NS}.created"))
check("a writer writes into its table", write(f"{own}/data/x"), "allowed")
check("and no metadata", write(f"{own}/metadata/9.metadata.json"), "denied")
check("and into no other table", write(f"{other}/data/x"), "denied")
