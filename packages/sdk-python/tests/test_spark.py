"""What a task needs of Spark without a Spark: types of columns, the address, the settings of the session."""

from __future__ import annotations

from typing import Any

import pytest

from svc._context import Context
from svc._frames import BadResult
from svc._output import is_spark_frame
from svc._spark import Spark, column_type, frame_columns

SERVER = {"url": "sc://spark:15002", "catalog": "http://svc/catalog", "marker": "m", "proxied": True}


def struct(**fields: Any) -> dict[str, Any]:
    return {"type": "struct", "fields": [{"name": name, "type": kind} for name, kind in fields.items()]}


@pytest.mark.parametrize(
    ("spark", "column"),
    [
        ("byte", "int"),
        ("integer", "int"),
        ("long", "long"),
        ("decimal(10,2)", "decimal(10,2)"),
        ("string", "string"),
        ("varchar(5)", "string"),
        ("timestamp", "timestamptz"),
        ("timestamp_ntz", "timestamp"),
        ({"type": "array", "elementType": "short"}, "list<int>"),
        ({"type": "map", "keyType": "string", "valueType": "date"}, "map<string,date>"),
        (struct(a="long", **{'b "c"': "binary"}), 'struct<"a": long, "b ""c""": binary>'),
        ("void", None),
        ("interval", None),
        ({"type": "array", "elementType": "void"}, None),
        ({"type": "map", "keyType": "void", "valueType": "date"}, None),
        (struct(a="variant"), None),
        ({"type": "udt"}, None),
    ],
)
def test_types_of_columns(spark: Any, column: str | None) -> None:
    assert column_type(spark) == column


class Frame:
    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = self
        self.json = schema

    def jsonValue(self) -> dict[str, Any]:
        return self.json


def test_columns_of_a_frame() -> None:
    assert frame_columns(Frame(struct(id="long"))) == [{"name": "id", "type": "long"}]
    with pytest.raises(BadResult, match="no table has a type for column x"):
        frame_columns(Frame(struct(x="void")))
    with pytest.raises(BadResult, match="no columns"):
        frame_columns(Frame(struct()))
    assert not is_spark_frame(Frame(struct()))


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("sc://spark:15002", "sc://spark:15002/;user_id=svc-run-r1"),
        ("sc://spark:15002/", "sc://spark:15002/;user_id=svc-run-r1"),
        ("sc://spark:443/;use_ssl=true", "sc://spark:443/;use_ssl=true;user_id=svc-run-r1"),
    ],
)
def test_the_address_names_the_run(url: str, address: str) -> None:
    assert Spark({**SERVER, "url": url}, run_id="r1", environment="dev")._address() == address


def test_the_session_authenticates_with_the_token_of_the_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVC_TOKEN", "svc_task_x")
    settings = Spark(SERVER, run_id="r1", environment="dev")._settings()
    assert settings["spark.sql.catalog.svc.token"] == "svc_task_x"
    assert settings["spark.sql.catalog.svc.warehouse"] == "dev"


def test_a_session_that_was_never_used_needs_no_closing() -> None:
    Spark(SERVER, run_id="r1", environment="dev").close()


def test_other_assets_have_no_session(tmp_path: Any) -> None:
    context = Context(lambda: None, run_id="r", environment="dev", asset="a.b", scratch=tmp_path)  # type: ignore[arg-type, return-value]
    with pytest.raises(RuntimeError, match=r'engine="spark" in the decorator of a\.b'):
        _ = context.spark
