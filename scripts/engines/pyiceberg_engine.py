"""PyIceberg and the service on the same tables, both ways. Arguments: the service's URL and a token."""

import base64
import datetime
import time
import uuid

import pyarrow as pa
from pyiceberg.catalog import load_catalog
from pyiceberg.exceptions import CommitFailedException, NamespaceNotEmptyError, NoSuchTableError, ValidationException
from pyiceberg.schema import Schema
from pyiceberg.transforms import BucketTransform
from pyiceberg.types import FixedType, IntegerType, LongType, NestedField, TimeType, UUIDType
from service import TOKEN, URL, check, query, rest, sql

NS = "pyiceberg"

catalog = load_catalog("svc", type="rest", uri=f"{URL}/catalog", warehouse="dev", token=TOKEN)
everything = f"SELECT * FROM {NS}.orders ORDER BY id"

catalog.create_namespace(NS, {"comment": "of engines", "a": "1"})
catalog.update_namespace_properties(NS, removals={"a"}, updates={"b": "2"})
properties = catalog.load_namespace_properties(NS)
check("namespace properties", {k: v for k, v in properties.items() if k != "location"}, {"comment": "of engines", "b": "2"})

columns = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("name", pa.string())])
table = catalog.create_table(f"{NS}.orders", schema=columns)
rows = lambda **values: pa.table(values, schema=table.schema().as_arrow())  # noqa: E731
table.append(rows(id=[1, 2, 3], name=["a", "b", "c"]))
first = table.current_snapshot().snapshot_id
check("append", sql(everything), [[1, "a"], [2, "b"], [3, "c"]])
table.overwrite(rows(id=[4], name=["d"]), overwrite_filter="id = 2")
check("overwrite", sql(everything), [[1, "a"], [3, "c"], [4, "d"]])
table.delete("id = 1")
check("delete", sql(everything), [[3, "c"], [4, "d"]])
with table.update_schema() as update:
    update.add_column("n", IntegerType(), doc="a number")
    update.rename_column("name", "label")
    update.set_identifier_fields("id")
table.append(rows(id=[5], label=["?"], n=[0]))
table.upsert(rows(id=[4, 5], label=["D", "e"], n=[4, 5]))
check("schema evolution and upsert", sql(everything), [[3, "c", None], [4, "D", 4], [5, "e", 5]])
with table.update_spec() as spec:
    spec.add_field("id", BucketTransform(4))
table.append(rows(id=[6], label=["f"], n=[6]))
check("partition evolution", sql(everything)[-1], [6, "f", 6])
check("time travel", table.scan(snapshot_id=first).to_arrow().to_pydict(), {"id": [1, 2, 3], "name": ["a", "b", "c"]})
record = rest("GET", f"/environments/dev/namespaces/{NS}/tables/orders")
check("columns, docs and rows in the service", [record["row_count"], record["columns"][2]["description"]], [4, "a number"])

query("SELECT 7::BIGINT AS id, 'g' AS label, 7::INTEGER AS n", into=f"{NS}.orders", mode="append")
check("rows of the service in the engine", sorted(catalog.load_table(f"{NS}.orders").scan().to_arrow()["id"].to_pylist()), [3, 4, 5, 6, 7])
stale = catalog.load_table(f"{NS}.orders")
query("SELECT 8::BIGINT AS id, 'h' AS label, 8::INTEGER AS n", into=f"{NS}.orders", mode="append")
try:
    with stale.transaction() as tx:
        tx.overwrite(rows(id=[1], label=["x"], n=[1]))
    lost = sql(f"SELECT count(*) FROM {NS}.orders WHERE id = 8")[0][0] == 0 and len(sql(everything)) == 1
except (CommitFailedException, ValidationException):
    lost = False
check("a commit on an old state loses nothing silently", lost, False)

query(f"SELECT id FROM {NS}.orders", into=f"{NS}.ours", mode="create")
ours = catalog.load_table(f"{NS}.ours")
check("a table of the service has one id", str(ours.metadata.table_uuid), rest("GET", f"/environments/dev/namespaces/{NS}/tables/ours")["id"])
catalog.create_namespace((NS, "inner"))
catalog.rename_table(f"{NS}.ours", (NS, "inner", "moved"))
check("rename across namespaces", catalog.list_tables((NS, "inner")), [(NS, "inner", "moved")])
location = catalog.load_table((NS, "inner", "moved")).metadata_location
catalog.drop_table((NS, "inner", "moved"))
try:
    catalog.load_table((NS, "inner", "moved"))
    raise AssertionError("a dropped table was loaded")
except NoSuchTableError:
    pass
back = catalog.register_table((NS, "inner", "back"), location)
check("registering undoes a drop", back.metadata.table_uuid, ours.metadata.table_uuid)
with catalog.create_table_transaction(f"{NS}.created", schema=pa.schema([("id", pa.int64())])) as tx:
    tx.append(pa.table({"id": [1, 2]}))
check("create transaction", sql(f"SELECT count(*) FROM {NS}.created"), [[2]])
kinds = catalog.create_table(f"{NS}.kinds", schema=Schema(NestedField(1, "id", LongType()), NestedField(2, "u", UUIDType()), NestedField(3, "x", FixedType(4)), NestedField(4, "t", TimeType())))
nil, some, last = (uuid.UUID(int=n) for n in (0, 0x123456789ABCDEF0123456789ABCDEF0, 2**128 - 1))
held = {"id": [1, 2, 3, 4], "u": [nil.bytes, some.bytes, last.bytes, None], "x": [b"\0\0\0\0", b"ab\xff\0", b"\xff" * 4, None], "t": [datetime.time(0), datetime.time(23, 59, 59, 999999), datetime.time(1, 2, 3), None]}
kinds.append(pa.table(held, schema=kinds.schema().as_arrow()))
texts = lambda at: [base64.b64encode(at).decode() if at is not None else None]  # noqa: E731
expected = [[i, str(uuid.UUID(bytes=u)) if u else None, *texts(x)] for i, u, x in zip(held["id"], held["u"], held["x"])]
check("uuid and fixed of the engine, read here", sql(f"SELECT id, u, x FROM {NS}.kinds ORDER BY id"), expected)
check("a filter by uuid", sql(f"SELECT id FROM {NS}.kinds WHERE u = '{some}'"), [[2]])
try:
    query(f"SELECT id, u, x, t FROM {NS}.kinds", into=f"{NS}.kinds", mode="append")
    raise AssertionError("fixed was written, which PyIceberg would not read")
except AssertionError as refused:
    check("fixed is not written here", "fixed[n]" in str(refused), True)
query(f"SELECT id + 4 AS id, u, t FROM {NS}.kinds", into=f"{NS}.uuids", mode="create")
back = catalog.load_table(f"{NS}.uuids").scan().to_arrow().sort_by("id")
bare = lambda values: [v.bytes if isinstance(v, uuid.UUID) else v for v in values]  # noqa: E731
check("uuid and time written here, in the engine", [bare(back["u"].to_pylist()), back["t"].to_pylist()], [held["u"], held["t"]])
catalog.purge_table(f"{NS}.uuids")
catalog.purge_table(f"{NS}.kinds")
catalog.purge_table(f"{NS}.created")
try:
    catalog.drop_namespace(NS)
    raise AssertionError("a namespace that is not empty was dropped")
except NamespaceNotEmptyError:
    print("  passed      a namespace that is not empty stays")
print(f"PyIceberg: all passed at {time.strftime('%H:%M:%S')}.")
