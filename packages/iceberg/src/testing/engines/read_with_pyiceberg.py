"""Reads a table by its metadata file with PyIceberg: its rows, and how many each column's filters find.

Prints JSON: ``rows`` as lists of texts, sorted; ``wrong``, filters that find another number of rows than a scan of all of them.
"""

import datetime
import decimal
import json
import math
import sys
import uuid

from pyiceberg.expressions import EqualTo, GreaterThanOrEqual, IsNull, LessThan
from pyiceberg.table import StaticTable


def text(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: text(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [text(inner) for inner in value]
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%fZ")
    return str(value)


def literal(value):
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    return value


table = StaticTable.from_metadata(sys.argv[1])
rows = table.scan().to_arrow().to_pylist()
wrong = []
for field in table.schema().fields:
    if not field.field_type.is_primitive:
        continue
    values = [row[field.name] for row in rows]
    known = [v for v in values if v is not None and not (isinstance(v, float) and math.isnan(v))]
    if str(field.field_type) == "float":
        # PyIceberg takes an infinite literal for one beyond a float's range.
        known = [v for v in known if not math.isinf(v)]
    if table.scan(row_filter=IsNull(field.name)).to_arrow().num_rows != sum(v is None for v in values):
        wrong.append([field.name, "is null"])
    if isinstance(values[0], uuid.UUID) or str(field.field_type) in ("uuid", "binary"):
        filters = [(EqualTo, lambda a, b: a == b)] if str(field.field_type) == "binary" else []
    else:
        filters = [
            (EqualTo, lambda a, b: a == b),
            (GreaterThanOrEqual, lambda a, b: a >= b),
            (LessThan, lambda a, b: a < b),
        ]
    for build, holds in filters:
        for value in known:
            # Of NaN engines disagree whether it is above everything.
            expected = sum(holds(v, value) for v in values if v is not None and v == v)
            found = table.scan(row_filter=build(field.name, literal(value))).to_arrow().to_pylist()
            if sum(not (isinstance(r[field.name], float) and math.isnan(r[field.name])) for r in found) != expected:
                wrong.append([field.name, build.__name__, text(value)])
print(json.dumps({"rows": sorted(json.dumps(text(row), sort_keys=True) for row in rows), "wrong": wrong}))
