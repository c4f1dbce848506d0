import datetime as d, pyarrow as pa, pyarrow.parquet as pq, sys
rows = {
  "2024-01-01": ([1, 2], ["a", None], [["x", None], []], [d.datetime(2024,1,1,1), None], [{"x": 1}, None]),
  "2024-01-02": ([3, None], ["c", "ü"], [None, ["y"]], [None, d.datetime(1960,1,1)], [{"x": None}, {"x": 5}]),
  "__HIVE_DEFAULT_PARTITION__": ([5, 6], ["e", "f"], [["z"], None], [d.datetime(2024,6,1,12,30,1,500), None], [None, None]),
}
for day, (i, n, t, a, s) in rows.items():
  table = pa.table({"id": pa.array(i, pa.int64()), "name": n, "tags": pa.array(t, pa.list_(pa.string())),
    "at": pa.array(a, pa.timestamp("us", "UTC")), "s": pa.array(s, pa.struct([("x", pa.int32())]))})
  pq.write_table(table, f"{sys.argv[1]}/{day}.parquet", use_deprecated_int96_timestamps=(day == "2024-01-02"))
