"""Frames, profiles, parameters and notebooks, without a service or with one that answers as the real one does."""

from __future__ import annotations

import datetime
import decimal
import json
import os
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from service import Answer, Request, Service, problem

import svc
from svc._display import as_html, as_text, changes
from svc._frames import BadResult, columns_of, qualified, stream_with_uuids, table_with_uuids, to_pandas, to_polars
from svc._models import AffectedRows
from svc._output import write_table
from svc._profiles import settings
from svc._table_models import Column
from svc._values import parameters

VARIABLES = ("SVC_URL", "SVC_TOKEN", "SVC_ENV", "SVC_PROFILE")


@pytest.fixture
def profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = tmp_path / "svc" / "profiles.json"
    file.parent.mkdir()
    saved = {
        "default": {"url": "http://a.test", "token": "ta", "env": "dev"},
        "b": {"url": "http://b.test", "token": "tb"},
    }
    file.write_text(json.dumps(saved))
    file.chmod(0o600)
    return file


def test_settings_come_from_arguments_then_variables_then_the_profile(
    profiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proves SDK-8."""
    chosen = settings()
    assert (chosen.url, chosen.token, chosen.env) == ("http://a.test", "ta", "dev")
    assert "ta" not in repr(chosen).replace("http://a.test", "")
    assert settings(profile="b").token == "tb"
    monkeypatch.setenv("SVC_ENV", "prod")
    monkeypatch.setenv("SVC_PROFILE", "b")
    assert (settings().env, settings(env="x").env, settings().url) == ("prod", "x", "http://b.test")
    assert settings(token="t").token == "t"


def test_the_token_of_a_profile_never_reaches_another_address(profiles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings("http://elsewhere.test").token == ""
    monkeypatch.setenv("SVC_URL", "http://elsewhere.test/")
    assert settings().token == ""
    monkeypatch.setenv("SVC_URL", "http://a.test/")
    assert settings().token == "ta"


def test_profiles_that_cannot_be_used(profiles: Path) -> None:
    with pytest.raises(svc.SvcError, match="there is no profile 'c'"):
        settings(profile="c")
    profiles.chmod(0o644)
    with pytest.raises(svc.SvcError, match="other users can read it"):
        settings()
    # Nothing of a profile is needed.
    assert settings("http://x.test", "t", "e").url == "http://x.test"
    profiles.chmod(0o600)
    profiles.write_text("{")
    with pytest.raises(svc.SvcError, match="not valid JSON"):
        settings()
    for text in ["null", "[]", '"default"', "1"]:
        profiles.write_text(text)
        with pytest.raises(svc.SvcError, match="must contain one object"):
            settings()
    for profile in [None, "http://a.test", [], {"url": 1}, {"token": None}, {"env": {}}]:
        profiles.write_text(json.dumps({"default": profile}))
        with pytest.raises(svc.SvcError, match="has a profile 'default' that isn't"):
            settings()
    profiles.unlink()
    assert settings().token == ""
    with pytest.raises(svc.NotSignedIn, match="svc login"):
        svc.Client()


#: The offset can't be stored in the type time.
ZONED_TIME = datetime.time(1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))


def test_parameters_are_sent_with_their_types() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=2))
    id_ = uuid.uuid4()
    sent = parameters(
        {
            "text": "x",
            "none": None,
            "flag": True,
            "small": 5,
            "large": 2**60,
            "huge": 2**70,
            "numpy": numpy.int64(7),
            "day": datetime.date(2026, 1, 2),
            "moment": datetime.datetime(2026, 1, 2, 3, tzinfo=zone),
            "local": datetime.datetime(2026, 1, 2, 3),
            "time": datetime.time(3, 4),
            "price": decimal.Decimal("12.340"),
            "thousands": decimal.Decimal("1E+3"),
            "id": id_,
            "raw": b"ab",
            "whole": 3.0,
            "long": 1e308,
            "infinite": numpy.float64("-inf"),
            "half": 0.5,
            "absent": pandas.NaT,
            "unknown": pandas.NA,
            "clock": numpy.datetime64("2026-01-02T03:04:05.000001", "ns"),
            "never": numpy.datetime64("NaT", "ns"),
            "named": {"type": "int", "value": "1"},
        }
    )
    assert sent == {
        "text": "x",
        "none": None,
        "flag": True,
        "small": 5,
        "large": {"type": "long", "value": str(2**60)},
        "huge": {"type": "decimal(22,0)", "value": str(2**70)},
        "numpy": 7,
        "day": {"type": "date", "value": "2026-01-02"},
        "moment": {"type": "timestamptz", "value": "2026-01-02T03:00:00+02:00"},
        "local": {"type": "timestamp", "value": "2026-01-02T03:00:00"},
        "time": {"type": "time", "value": "03:04:00"},
        "price": {"type": "decimal(5,3)", "value": "12.340"},
        "thousands": {"type": "decimal(4,0)", "value": "1000"},
        "id": {"type": "uuid", "value": str(id_)},
        "raw": {"type": "binary", "value": "YWI="},
        "whole": {"type": "double", "value": "3.0"},
        "long": {"type": "double", "value": "1e+308"},
        "infinite": {"type": "double", "value": "-inf"},
        "half": 0.5,
        "absent": None,
        "unknown": None,
        "clock": {"type": "timestamp", "value": "2026-01-02T03:04:05.000001"},
        "never": None,
        "named": {"type": "int", "value": "1"},
    }
    assert parameters((1, decimal.Decimal("0.05"))) == [1, {"type": "decimal(3,2)", "value": "0.05"}]
    assert parameters(None) is None
    with pytest.raises(ValueError, match="not a finite number"):
        parameters([decimal.Decimal("NaN")])
    with pytest.raises(ValueError, match="not a time in microseconds"):
        parameters([numpy.datetime64("2026-01-02T03:04:05.000000001", "ns")])
    with pytest.raises(ValueError, match="a timedelta64 is not a value"):
        parameters([numpy.timedelta64(1, "ns")])
    with pytest.raises(ValueError, match="a Timedelta is not a value"):
        parameters([pandas.Timedelta(5)])
    with pytest.raises(ValueError, match="a timedelta is not a value of a parameter"):
        parameters([datetime.timedelta(5)])


@pytest.mark.parametrize(
    ("value", "detail"),
    [
        (ZONED_TIME, "a time with a time zone is not a value"),
        (numpy.array([5]), "a ndarray is not a value of a parameter"),
        (numpy.array([1, 2]), "a ndarray is not a value of a parameter"),
        (10**38, "10{38} has more than 38 digits"),
        (decimal.Decimal("1E-39"), "1E-39 has more than 38 digits"),
        (decimal.Decimal("123456789012345678901.123456789012345678"), "more than 38 digits"),
    ],
)
def test_parameters_that_would_lose_something_are_rejected(value: object, detail: str) -> None:
    with pytest.raises(ValueError, match=detail):
        parameters([value])


def test_decimals_of_38_digits_are_parameters() -> None:
    for text, kind in [("1E-38", "decimal(38,38)"), ("0E-38", "decimal(38,38)"), ("9" * 38, "decimal(38,0)")]:
        value = decimal.Decimal(text)
        assert parameters([value]) == [{"type": kind, "value": format(value, "f")}]
    assert parameters([numpy.array(5), numpy.uint64(2**64 - 1)]) == [
        5,
        {"type": "decimal(20,0)", "value": str(2**64 - 1)},
    ]


@pytest.mark.parametrize("values", ["a", "ab", b"a", bytearray(b"a"), {1}, 5])
def test_parameters_are_a_list_or_a_dictionary(values: Any) -> None:
    with pytest.raises(TypeError, match=r"params is a \w+; use a list of values for \? and \$1, or a dictionary"):
        parameters(values)


def test_objects_of_pandas_with_exact_times_are_stored(tmp_path: Path) -> None:
    values = [None, pandas.NaT, datetime.datetime(2026, 1, 2, 5), pandas.Timestamp("2026-01-02")]
    frame = pandas.DataFrame(
        {"at": pandas.Series(values, dtype=object), "day": [None, *[datetime.date(2026, 1, 2)] * 3]}
    )
    written = write_table(frame, tmp_path)
    assert pq.read_table(tmp_path / written["file"])["at"].to_pylist() == [None, None, *values[2:]]


def test_nanoseconds_of_pandas_are_not_cut(tmp_path: Path) -> None:
    whole = pandas.Timestamp("2026-01-02T03:04:05.000001")
    assert parameters([whole]) == [{"type": "timestamp", "value": "2026-01-02T03:04:05.000001"}]
    for moment in (pandas.Timestamp(whole.value + 1), pandas.Timestamp(whole.value + 1, tz="UTC")):
        with pytest.raises(ValueError, match=r"000001001.* is not a time in microseconds.*\.round\('us'\)"):
            parameters([moment])
        with pytest.raises(BadResult, match=r"column at has a wrong value in row 2: .* is not a time in microseconds"):
            write_table([{"at": whole}, {"at": moment}], tmp_path)


@pytest.mark.parametrize("rows", [[{"a": 2**53 + 1}, {"a": 0.5}], [{"a": 0.5}, {"a": None}, {"a": 2**53 + 1}]])
def test_integers_beside_floats_lose_no_digits(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    row = 1 + rows.index({"a": 2**53 + 1})
    match = f"column a has the integer {2**53 + 1} in row {row}, .* use decimal.Decimal in all rows"
    with pytest.raises(BadResult, match=match):
        write_table(rows, tmp_path)
    exact = write_table([{"a": 2**53}, {"a": 0.5}, {"a": 2**60}], tmp_path)
    assert exact["columns"] == [{"name": "a", "type": "double"}]
    assert write_table([{"a": 2**53 + 1}], tmp_path)["columns"] == [{"name": "a", "type": "long"}]


def test_keys_that_are_one_name_lose_no_value(tmp_path: Path) -> None:
    with pytest.raises(BadResult, match="row 2 has two values for the column 1: its keys 1 and '1' are the same name"):
        write_table([{1: "a"}, {1: "a", "1": "b"}], tmp_path)
    with pytest.raises(BadResult, match="row 1 has two values for the column a: its keys 'a' and 'A'"):
        write_table([{"a": 1, "A": 2}], tmp_path)
    written = write_table([{"a": 1}, {"A": 2}], tmp_path)
    assert written["columns"] == [{"name": "a", "type": "long"}]
    assert [json.loads(line) for line in (tmp_path / "data.ndjson").read_text().splitlines()] == [{"a": 1}, {"a": 2}]


def test_rows_with_values_of_numpy_and_pandas(tmp_path: Path) -> None:
    moments = numpy.array(["2026-01-02T03:04:05.000001", "NaT"], dtype="datetime64[ns]")
    rows = [{"at": moment} for moment in [*moments, pandas.Timestamp("2026-01-02"), pandas.NaT, pandas.NA]]
    written = write_table(rows, tmp_path)
    assert written["columns"] == [{"name": "at", "type": "timestamp"}]
    assert [json.loads(line)["at"] for line in (tmp_path / "data.ndjson").read_text().splitlines()] == [
        "2026-01-02T03:04:05.000001",
        None,
        "2026-01-02T00:00:00",
        None,
        None,
    ]
    with pytest.raises(BadResult, match="column d has a wrong value in row 1: a timedelta64"):
        write_table([{"d": numpy.timedelta64(5, "ns")}], tmp_path)


def test_categories_of_polars_are_stored_as_text(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    for kind in (polars.Categorical, polars.Enum(["x", "y"])):
        frame = polars.DataFrame({"n": [1, 2, 3], "c": ["x", None, "y"]}, schema_overrides={"c": kind})
        assert write_table(frame, tmp_path)["rows"] == 3
        assert pq.read_table(tmp_path / "data.parquet").to_pylist() == [
            {"n": 1, "c": "x"},
            {"n": 2, "c": None},
            {"n": 3, "c": "y"},
        ]


def test_categories_of_polars_in_lists_and_structs_are_stored_as_text(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    category = polars.Categorical()
    rows = {"l": [["x", None], None], "s": [{"k": "x", "n": 1}, None], "a": [["x", "y"], None]}
    types = {
        "l": polars.List(category),
        "s": polars.Struct({"k": category, "n": polars.Int64}),
        "a": polars.Array(polars.Enum(["x", "y"]), 2),
    }
    assert write_table(polars.DataFrame(rows, schema=types), tmp_path)["rows"] == 2
    stored = pq.read_table(tmp_path / "data.parquet")
    assert stored.to_pydict() == rows
    assert [column["type"] for column in columns_of(stored.schema)] == [
        "list<string>",
        'struct<"k": string, "n": long>',
        "list<string>",
    ]


def test_results_have_the_type_of_arrow_for_uuids() -> None:
    if not hasattr(pa, "uuid"):
        pytest.skip("this version of pyarrow has no such type")
    id_ = uuid.uuid4()
    columns = [Column("id", "uuid", True, None), Column("t", "binary", True, None)]
    table = pa.table({name: pa.array([id_.bytes, None], pa.binary(16)) for name in ("id", "t")})
    expected = pa.schema([("id", pa.uuid()), ("t", pa.binary(16))])
    assert table_with_uuids(table, columns).schema == expected
    assert table_with_uuids(table, [columns[1], columns[1]]) is table
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    stream = sink.getvalue().to_pybytes()
    for size in (3, 1 << 20):
        pieces = (stream[at : at + size] for at in range(0, len(stream), size))
        read = pa.ipc.open_stream(b"".join(stream_with_uuids(pieces, columns))).read_all()
        assert read.schema == expected
        assert read["id"].to_pylist() == [id_, None]


INFINITE = pa.array([2**63 - 1], pa.int64())
DATES: list[tuple[Any, str | None, str | None]] = [
    (pa.array([86_400_000_000], pa.int64()).view(pa.time64("us")), "the time 24:00:00", "the time 24:00:00"),
    (pa.array([86_399_999_999], pa.int64()).view(pa.time64("us")), None, None),
    (pa.array([2**31 - 1], pa.int32()).view(pa.date32()), "the date infinity", "the date infinity"),
    (pa.array([1 - 2**31], pa.int32()).view(pa.date32()), "the date -infinity", "the date -infinity"),
    (INFINITE.view(pa.timestamp("us")), "the timestamp infinity", "the timestamp infinity"),
    (INFINITE.view(pa.timestamp("us", "UTC")), "the timestamp infinity", "the timestamp infinity"),
    (pa.array([3_663_389], pa.int32()).view(pa.date32()), "a date about 10030 years after 1970", None),
    (pa.array([datetime.date(1, 1, 1), None, datetime.date.max]), None, None),
    (pa.array([2**57], pa.int64()).view(pa.timestamp("us")), None, None),
]


@pytest.mark.parametrize(("array", "pandas_lacks", "polars_lacks"), DATES)
def test_dates_and_times_that_a_frame_cannot_represent(
    array: Any, pandas_lacks: str | None, polars_lacks: str | None
) -> None:
    pytest.importorskip("polars")
    as_list = pa.ListArray.from_arrays(pa.array([0, len(array)], pa.int32()), array)
    as_struct = pa.StructArray.from_arrays([array], ["x"])
    for values in (array, as_list):
        table = pa.table({"n": pa.nulls(len(values)), "a": values})
        for convert, lacks, library in ((to_pandas, pandas_lacks, "pandas"), (to_polars, polars_lacks, "polars")):
            if lacks is None:
                assert len(convert(table)) == len(values)
                continue
            with pytest.raises(
                svc.UnsupportedValue, match=f"column a has {lacks}, which {library} can't .* AS VARCHAR"
            ):
                convert(table)
    if polars_lacks is not None:
        with pytest.raises(svc.UnsupportedValue, match=polars_lacks):
            to_polars(pa.table({"a": as_struct}))


@pytest.mark.parametrize(
    ("kind", "value"),
    [("time", "24:00:00"), ("date", "infinity"), ("date", "0044-03-15 (BC)"), ("timestamptz", "-infinity")],
)
def test_dates_and_times_that_python_cannot_represent(kind: str, value: str) -> None:
    def answer(request: Request) -> Answer:
        columns = [{"name": "a", "type": kind, "nullable": True, "description": None}]
        if "/results" in request.path:
            return Answer({"columns": columns, "rows": [[None], [value]], "next_cursor": None})
        query = {"id": "q1", "status": "SUCCEEDED", "sql_text": "", "columns": columns, "row_count": 2}
        return Answer(query, 201)

    with Service(answer) as service, svc.Client(service.url, "t", env="dev") as client:
        result = client.sql("SELECT a")
        with pytest.raises(svc.UnsupportedValue) as raised:
            list(result.rows())
        assert str(raised.value).startswith(f"column a has the {kind} {value}, which Python can't represent; cast")
        assert raised.value.column == "a"
        assert isinstance(raised.value, ValueError)
        assert value in result._repr_html_()


def test_uuids_are_no_bytes_in_frames() -> None:
    polars = pytest.importorskip("polars")
    id_ = uuid.uuid4()
    types = [pa.binary(16), *([pa.uuid()] if hasattr(pa, "uuid") else [])]
    columns = [Column("n", "long", True, None), Column("id", "uuid", True, None), Column("t", "binary", True, None)]
    for kind in types:
        values = pa.array([id_.bytes, None], kind)
        table = pa.table({"n": pa.array([1, None]), "id": values, "t": pa.array([id_.bytes, None], pa.binary(16))})
        frame = to_pandas(table, columns)
        assert list(frame.columns) == ["n", "id", "t"]
        assert frame["id"].tolist() == [id_, None]
        assert frame["t"].tolist() == [id_.bytes, None]
        assert to_polars(table, columns)["id"].to_list() == [str(id_), None]
        assert to_polars(table, columns)["id"].dtype == polars.String
        assert to_polars(table, columns)["t"].dtype == polars.Binary
    assert to_polars(pa.table({"id": pa.array([], pa.binary(16))}), columns[1:])["id"].dtype == polars.String


def test_uuids_inside_of_values_are_no_bytes_in_frames() -> None:
    polars = pytest.importorskip("polars")
    id_ = uuid.uuid4()
    raw, text = pa.binary(16), polars.String
    kinds: list[tuple[Any, Any, str, Any]] = [
        (pa.list_(raw), [id_, None], "list<uuid>", polars.List(text)),
        (pa.struct([("u", raw), ("n", pa.int32())]), {"u": id_, "n": 1}, 'struct<"u": uuid, "n": int>', None),
        (pa.map_(pa.string(), raw), [("a", id_)], "map<string,uuid>", None),
        (pa.list_(pa.struct([("u", pa.list_(raw))])), [{"u": [id_]}], 'list<struct<"u": list<uuid>>>', None),
    ]

    def replaced(value: Any, of: Any) -> Any:
        if isinstance(value, uuid.UUID):
            return of(value)
        if isinstance(value, dict):
            return {key: replaced(each, of) for key, each in value.items()}
        if isinstance(value, (list, tuple, numpy.ndarray)):
            items = [replaced(each, of) for each in value]
            return tuple(items) if isinstance(value, tuple) else items
        return value

    for kind, value, column_type, polars_type in kinds:
        rows = [replaced(value, lambda each: each.bytes), None]
        table = pa.table({"n": [1, 2], "a": pa.array([*rows, rows[0]], kind).slice(1)})
        columns = [Column("n", "long", True, None), Column("a", column_type, True, None)]
        frame = to_pandas(table, columns)
        assert frame["n"].tolist() == [1, 2]
        assert [replaced(each, lambda each: each) for each in frame["a"]] == [None, value]
        in_polars = to_polars(table, columns)["a"]
        assert len(in_polars) == 2
        if polars_type is not None:
            assert in_polars.dtype == polars_type
            assert in_polars.to_list() == [None, replaced(value, str)]
        assert str(id_) in repr(in_polars.to_list())
        empty = pa.table({"a": pa.array([], kind)})
        assert len(to_pandas(empty, columns[1:])) == len(to_polars(empty, columns[1:])) == 0


@pytest.mark.parametrize("line", ["SELECT $least AS n", "SELECT $least AS n, '{least}' AS t, $$ $other $$ AS d"])
def test_a_magic_in_one_line_sends_variables_as_parameters(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    from svc._notebook import load

    sent: list[Any] = []
    monkeypatch.setattr(
        "svc._sync.client.Client", lambda: SimpleNamespace(sql=lambda query, params, env: sent.append((query, params)))
    )
    shell = InteractiveShell()
    load(shell)
    shell.user_ns["least"] = "1 OR true"
    shell.run_line_magic("sql", line)
    shell.run_cell_magic("sql", "", line)
    assert sent == [(line, {"least": "1 OR true"})] * 2


@pytest.mark.parametrize(
    ("line", "env"),
    [
        ("--env prod", "prod"),
        ("--env=prod", "prod"),
        ("found << --env prod", "prod"),
        ("--env prod found <<", "prod"),
        ("found <<", None),
        ("SELECT '--env prod' AS a --environment", None),
    ],
)
def test_a_magic_runs_in_the_environment_of_its_option(
    line: str, env: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(
        "svc._sync.client.Client", lambda: SimpleNamespace(sql=lambda query, params, env: sent.append(env))
    )
    shell = Shell()
    svc.load_ipython_extension(shell)
    shell.magics["line_cell sql"](line, ", 1 AS b" if line.startswith("SELECT") else "SELECT 1")
    assert sent == [env]


@pytest.mark.parametrize("line", ["SELECT 1 --env prod", "--env a found << --env b", "--env", "SELECT 1 --env=prod"])
def test_an_option_of_a_magic_that_sql_would_take_for_a_comment_is_refused(line: str) -> None:
    shell = Shell()
    svc.load_ipython_extension(shell)
    with pytest.raises(svc.SvcError, match="write --env ENV once, before the query"):
        shell.magics["line_cell sql"](line)


def test_every_arrow_type_that_a_table_can_store_has_a_column_type() -> None:
    schema = pa.schema(
        [
            ("a", pa.int8()),
            ("b", pa.uint32()),
            ("c", pa.uint64()),
            ("d", pa.decimal128(9, 2)),
            ("e", pa.timestamp("ns")),
            ("f", pa.timestamp("s", "Europe/Berlin")),
            ("g", pa.dictionary(pa.int32(), pa.large_string())),
            ("h", pa.list_(pa.struct([("x y", pa.float32())]))),
            ("i", pa.map_(pa.string(), pa.date32())),
            ("j", pa.binary(16)),
            ("k", pa.null()),
        ]
    )
    assert [column["type"] for column in columns_of(schema)] == [
        "int",
        "long",
        "decimal(20,0)",
        "decimal(9,2)",
        "timestamp",
        "timestamptz",
        "string",
        'list<struct<"x y": float>>',
        "map<string,date>",
        "binary",
        "string",
    ]
    with pytest.raises(ValueError, match="column x has the type duration"):
        columns_of(pa.schema([("x", pa.duration("s"))]))


def test_decimals_of_pandas_get_the_largest_precision() -> None:
    frame = pandas.DataFrame({"d": [decimal.Decimal("1.50")], "n": [1]})
    schema = pa.Table.from_pandas(frame).schema
    assert [column["type"] for column in columns_of(schema, frame)] == ["decimal(38,2)", "long"]


def test_integers_and_booleans_with_nulls_keep_their_type() -> None:
    inner = pa.array([{"n": 1}, {"n": None}], pa.struct([("n", pa.int64())]))
    table = pa.table({"i": pa.array([2**60 + 1, None]), "b": pa.array([True, None]), "n": [1, 2], "s": inner})
    frame = to_pandas(table)
    assert list(frame.columns) == ["i", "b", "n", "s"]
    assert [str(dtype) for dtype in frame.dtypes] == ["Int64", "boolean", "int64", "object"]
    assert frame["i"][0] == 2**60 + 1
    assert isinstance(frame["s"][0]["n"], int)


@pytest.mark.parametrize(
    ("frame", "detail"),
    [
        (pandas.DataFrame({"id": [1, "a"]}), "Conversion failed for column id.*Could not convert 'a'"),
        (pandas.DataFrame({"id": [1]})["id"], "a Series is a column"),
        (None, "the value is None"),
        ("rows", "a str has no rows"),
        (pandas.DataFrame({"id": [1, 2]}, index=[5, 6]), "an index without a name"),
        (pandas.DataFrame({"id": [1], "s": [{}]}), "column s has a struct .*without fields; put a field into it"),
        (pa.table({"l": pa.array([[{}]], pa.list_(pa.struct([])))}), "column l has a struct .*without fields"),
        (pandas.DataFrame({"c": [1j]}), "column c has complex numbers, .* use two columns"),
        (pandas.DataFrame({"c": pandas.arrays.SparseArray([0, 1])}), r"column c is sparse; .*\.sparse\.to_dense"),
        (
            pandas.DataFrame({"a": [1], "c": [2**70]}),
            "column c of the DataFrame has an integer beyond 64 bits; use dec",
        ),
        (pandas.DataFrame({"t": [ZONED_TIME, None]}), "column t has a wrong value: a time with a time zone"),
        (
            pandas.DataFrame({"d": [datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2, 5)]}, dtype=object),
            "column d has values of the types date and timestamp; use one type",
        ),
        (
            pandas.DataFrame({"d": [datetime.datetime(2026, 1, 2), pandas.Timestamp(0, tz="UTC")]}, dtype=object),
            "column d has values of the types timestamp and timestamptz; use one type",
        ),
        (pandas.DataFrame({"d": [pandas.Timestamp(1), None]}, dtype=object), r"column d has a wrong .*\.round\('us'\)"),
        (pandas.DataFrame({"t": [[ZONED_TIME]]}), "column t has a wrong value: a time with a time zone"),
        (pandas.DataFrame({"t": [{"a": [1, ZONED_TIME]}]}), "column t has a wrong value: a time with a time zone"),
        (
            pandas.DataFrame({"t": [numpy.array([ZONED_TIME], object)]}),
            "column t has a wrong value: a time with a time zone",
        ),
        (
            pandas.DataFrame({"d": [[datetime.date(2026, 1, 2)], [datetime.datetime(2026, 1, 2, 3)]]}),
            "column d has values of the types date and timestamp; use one type",
        ),
        ([{"t": ZONED_TIME}], "column t has a wrong value in row 1: a time with a time zone"),
        ([{"n": numpy.array([5])}], "column n holds a ndarray in row 1"),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "two columns named 'a'; rename one"),
        (
            pa.table({"u": pa.RunEndEncodedArray.from_arrays([2], [1])}),
            "column u has the type run_end_encoded.*convert",
        ),
    ],
)
def test_a_frame_that_cannot_be_stored_says_why(frame: Any, detail: str, tmp_path: Path) -> None:
    with pytest.raises(BadResult, match=detail):
        write_table(frame, tmp_path)


def test_a_frame_of_polars_that_cannot_be_stored_says_why(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    with pytest.raises(BadResult, match=r"column c has integers of 128 bits; cast them, .*Decimal\(38, 0\)"):
        write_table(polars.DataFrame({"c": [[2**70]]}, schema={"c": polars.List(polars.Int128)}), tmp_path)
    with pytest.raises(BadResult, match="column c has Python objects"):
        write_table(polars.DataFrame({"c": [object()]}), tmp_path)


COLUMNS = [Column("name", "string", False, None), Column("amount", "decimal(9,2)", False, None)]
ROWS = [{"name": "<b>&", "amount": decimal.Decimal("1.50")}, {"name": "x" * 60, "amount": None}]


def test_a_result_has_no_control_characters_on_a_terminal() -> None:
    column = Column("\x1b[2Jn\u202e", "string", True, None)
    text = as_text([column], [{column.name: "a\x1b]0;title\x07\x9b2J\r\nb"}], 1)
    assert text.split("\n")[0].rstrip() == "\\u001b[2Jn\\u202e"
    assert text.split("\n")[2] == "a\\u001b]0;title\\u0007\\u009b2J\\u000d⏎b"


def test_a_result_is_shown_as_text_and_as_escaped_html() -> None:
    text = as_text(COLUMNS, ROWS, 5)
    assert text.splitlines()[0].split() == ["name", "amount"]
    assert text.splitlines()[-1] == "2 of 5 rows"
    assert "…" in text and "NULL" in text
    html = as_html(COLUMNS, ROWS, 2)
    assert "&lt;b&gt;&amp;" in html and "<b>" not in html
    assert html.endswith("<small>2 rows</small>")


def test_a_statement_that_changes_rows_shows_how_many() -> None:
    assert changes(AffectedRows(1, 2, 0)) == "1 row inserted, 2 rows updated"
    assert changes(AffectedRows(0, 0, 0)) == "no row changed"


def test_names_are_quoted() -> None:
    assert qualified('a.b.c"d') == '"a.b"."c""d"'
    with pytest.raises(ValueError, match=r"write '<namespace>\.<table>'"):
        qualified("orders")


def test_the_environment_is_that_of_the_call_or_of_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVC_ENV", raising=False)
    with pytest.raises(ValueError, match="no environment: pass env="):
        svc.Client("http://x.test", "t").sql("SELECT 1")
    monkeypatch.setenv("SVC_ENV", "dev")
    assert svc.Client("http://x.test", "t").env == "dev"


def test_a_query_that_takes_too_long_is_cancelled() -> None:
    running = {"id": "q1", "status": "RUNNING", "sql_text": "SELECT 1"}

    def answer(request: Request) -> Answer:
        return Answer(running, 201 if request.path.endswith("/queries") else 200)

    with Service(answer) as service:
        with svc.Client(service.url, "t", env="dev") as client:
            with pytest.raises(svc.WorkFailed, match="was cancelled: it took longer than 0 seconds") as failed:
                client.sql("SELECT 1", timeout=0)
    assert failed.value.code == "not-ended-in-time"
    assert service.requests[-1].path == "/api/v1/environments/dev/queries/q1/cancel"


def test_a_connection_that_breaks_during_a_download_is_an_error_of_the_client() -> None:
    with svc.Client("http://127.0.0.1:1", "t", env="dev") as client:
        with pytest.raises(svc.Unavailable, match="could not be reached"):
            list(client.queries.stream("dev", "q1", format="arrow"))


class Shell:
    """What the magics need of IPython."""

    def __init__(self, **variables: Any) -> None:
        self.user_ns = variables
        self.magics: dict[str, Any] = {}

    def register_magic_function(self, function: Any, magic_kind: str, magic_name: str) -> None:
        self.magics[f"{magic_kind} {magic_name}"] = function


def test_the_magic_sends_variables_as_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(request: Request) -> Answer:
        return Answer({"id": "q1", "status": "SUCCEEDED", "sql_text": "", "columns": [], "row_count": 0}, 201)

    shell = Shell(country="DE", limit=3)
    svc.load_ipython_extension(shell)
    magic = shell.magics["line_cell sql"]
    with Service(answer) as service:
        monkeypatch.setenv("SVC_URL", service.url)
        monkeypatch.setenv("SVC_TOKEN", "t")
        monkeypatch.setenv("SVC_ENV", "dev")
        sql = "SELECT '$text', \"$name\" FROM t -- $comment\nWHERE c = $country /* $more */ LIMIT $limit"
        assert magic("--env prod found <<", sql) is None
        assert shell.user_ns["found"].query.id == "q1"
        request = service.requests[0]
        assert (request.path, request.body) == (
            "/api/v1/environments/prod/queries",
            {"sql": sql, "params": {"country": "DE", "limit": 3}},
        )
        assert magic("SELECT 1").row_count == 0
        assert service.requests[1].body == {"sql": "SELECT 1"}
        with pytest.raises(svc.SvcError, match="there is no variable city"):
            magic("SELECT $city")
    assert os.environ["SVC_ENV"] == "dev"


@pytest.mark.parametrize("exists", [False, True])
@pytest.mark.parametrize("snapshots", [[], [{"snapshot_id": "1"}]])
@pytest.mark.parametrize("refused_by", ["response", "record"])
def test_a_table_that_was_created_for_refused_rows_is_dropped(
    exists: bool, snapshots: list[dict[str, str]], refused_by: str
) -> None:
    table = {"id": "t1", "name": "x", "namespace": "lab", "kind": "managed", "columns": []}
    write = {"id": "w1", "table": "lab.x", "status": "FAILED", "mode": "append"}

    def answer(request: Request) -> Answer:
        last = request.path.rpartition("/")[2]
        if (request.method, last) == ("POST", "tables"):
            return problem(409, "already-exists", "it exists") if exists else Answer(table, 201)
        if (request.method, last) == ("POST", "writes"):
            return problem(422, "invalid-input", "no key") if refused_by == "response" else Answer(write, 201)
        if last == "w1":
            return Answer({**write, "error": {"code": "invalid-file", "detail": "no key"}})
        if last == "snapshots":
            return Answer(snapshots)
        return Answer({**table, "dropped_at": "2026-01-01T00:00:00Z"})

    with Service(answer) as service, svc.Client(service.url, "t", env="dev") as client:
        with pytest.raises(svc.SvcError, match="no key"):
            client.write("lab.x", [{"a": 1}], create=True, break_glass="why")
        dropped = [request for request in service.requests if request.method == "DELETE"]
    is_dropped = not exists and not snapshots
    assert [request.path.rpartition("/")[2] for request in dropped] == (["x"] if is_dropped else [])
    assert all(request.headers["Svc-Break-Glass"] == "why" for request in dropped)
