"""Writes the tables of TPC-H or TPC-DS as Parquet files and the queries as queries.json into a folder.

Arguments: tpch or tpcds, the scale factor, the folder.
"""

import importlib.util
import json
import sys
from pathlib import Path

import duckdb

suite, scale, folder = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
package = importlib.util.find_spec(f"duckdb_extension_{suite}")
extension = next(Path(package.submodule_search_locations[0]).rglob("*.duckdb_extension"))
database = duckdb.connect(config={"allow_unsigned_extensions": "true", "temp_directory": str(folder / "spill")})
database.execute(f"LOAD '{extension}'")
database.execute(f"CALL {'dbgen' if suite == 'tpch' else 'dsdgen'}(sf = {scale})")
for (table,) in database.execute("SELECT table_name FROM duckdb_tables()").fetchall():
    database.execute(f"COPY {table} TO '{folder / table}.parquet' (FORMAT parquet)")
queries = database.execute(f"SELECT query FROM {suite}_queries() ORDER BY query_nr").fetchall()
(folder / "queries.json").write_text(json.dumps([query for (query,) in queries]))
