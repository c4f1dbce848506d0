from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from service import Service, query_service

SOURCE = Path(__file__).parent.parent / "src"
COLUMNS = [{"name": "id", "type": "long"}, {"name": "day", "type": "date"}, {"name": "price", "type": "decimal(9,2)"}]
ROWS = [["9007199254740993", "2026-01-02", "1.50"], [2, None, "2.25"], [3, "2026-01-04", None]]


class Task:
    """A project of one file, and what became of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output = folder / "out"
        self.result: dict[str, Any] = {}
        self.stdout = ""
        self.stderr = ""

    def run(
        self,
        source: str,
        *,
        kind: str = "table",
        url: str = "http://127.0.0.1:9",
        file: str = "assets/a.py",
        watermark: tuple[str, str | None] | None = None,
    ) -> int:
        project = self.folder / "project"
        for path in (project / Path(file).parent, self.output, self.folder / "scratch"):
            path.mkdir(parents=True, exist_ok=True)
        (project / file).write_text(source)
        task = {
            "project": str(project),
            "file": file,
            "function": "build",
            "asset": "marts.t",
            "kind": kind,
            "run_id": "run-1",
            "environment": "dev",
            "output": str(self.output),
            "scratch": str(self.folder / "scratch"),
            "watermark": watermark and watermark[0],
            "watermark_type": watermark and watermark[1],
        }
        variables = {"SVC_URL": url, "SVC_TOKEN": "svc_task_secret"}
        done = subprocess.run(
            [sys.executable, "-m", "svc._runner"],
            input=json.dumps({**task, "variables": variables}) + "\n",
            env={"PYTHONPATH": str(SOURCE), "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
        )
        self.stdout, self.stderr = done.stdout, done.stderr
        path = self.output / "result.json"
        self.result = json.loads(path.read_text()) if path.exists() else {}
        return done.returncode

    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.output / "data.ndjson").read_text().splitlines()]


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return Task(tmp_path)


def head(body: str) -> str:
    return f'import svc\n\n@svc.asset(table="marts.t")\ndef build(ctx):\n{body}\n'


def test_rows_become_lines_with_the_types_they_had(task: Task) -> None:
    body = """
    import datetime, decimal
    ctx.log(f"run {ctx.run_id} in {ctx.environment}")
    yield {"n": 1, "x": 1, "when": datetime.datetime(2026, 1, 2, 3), "price": decimal.Decimal("1.5"), "raw": b"ab"}
    yield {"n": None, "x": 2.5, "price": decimal.Decimal("2.125"), "ok": True, "nan": float("nan")}
    """
    assert task.run(head(body)) == 0
    assert task.stdout == "run run-1 in dev\n"
    assert task.result == {
        "status": "succeeded",
        "kind": "table",
        "file": "data.ndjson",
        "format": "ndjson",
        "rows": 2,
        "columns": [
            {"name": "n", "type": "long"},
            {"name": "x", "type": "double"},
            {"name": "when", "type": "timestamp"},
            {"name": "price", "type": "decimal(38,3)"},
            {"name": "raw", "type": "binary"},
            {"name": "ok", "type": "boolean"},
            {"name": "nan", "type": "string", "untyped": True},
        ],
    }
    assert task.rows()[0] == {"n": 1, "x": 1, "when": "2026-01-02T03:00:00", "price": "1.5", "raw": "YWI="}


def test_a_table_is_read_from_the_service_with_the_task_token(task: Task) -> None:
    with query_service(COLUMNS, ROWS) as service:
        assert task.run(head('    return ctx.table("core.trips").rows()'), url=service.url) == 0
    assert task.rows() == [
        {"id": 9007199254740993, "day": "2026-01-02", "price": "1.50"},
        {"id": 2, "day": None, "price": "2.25"},
        {"id": 3, "day": "2026-01-04", "price": None},
    ]
    first = service.requests[0]
    assert first.body == {"sql": 'SELECT * FROM "core"."trips"'}
    assert first.headers["Authorization"] == "Bearer svc_task_secret"


def test_arrow_and_data_frames_become_parquet(task: Task) -> None:
    table = pa.table({"id": [1, 2, 3], "name": ["a", "b", None]})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    with query_service([], [], sink.getvalue().to_pybytes()) as service:
        assert task.run(head('    return ctx.table("a.b").arrow()'), url=service.url) == 0, task.stderr
        assert pq.read_table(task.output / "data.parquet").equals(table)
        assert (
            task.run(head('    return ctx.table("a.b").df().query("id > 1").reset_index(drop=True)'), url=service.url)
            == 0
        ), task.stderr
    assert pq.read_table(task.output / "data.parquet").to_pydict() == {"id": [2, 3], "name": ["b", None]}
    assert task.result["rows"] == 2
    assert task.result["format"] == "parquet"


FRAME = """    import pandas
    df = pandas.DataFrame({"country": ["fr", "de", "fr"], "shop": [1, 1, 2], "amount": [1, 2, 3]})
"""


@pytest.mark.parametrize(
    ("result", "stored"),
    [
        ("df.groupby('country').agg({'amount': 'sum'})", {"country": ["de", "fr"], "amount": [2, 4]}),
        (
            "df.groupby(['country', 'shop']).sum()",
            {"country": ["de", "fr", "fr"], "shop": [1, 1, 2], "amount": [2, 1, 3]},
        ),
        (
            "df[['country', 'amount']].groupby('country').agg(['min', 'max'])",
            {"country": ["de", "fr"], "('amount', 'min')": [2, 1], "('amount', 'max')": [2, 3]},
        ),
        ("df[['amount']].rename_axis('line')", {"line": [0, 1, 2], "amount": [1, 2, 3]}),
        ("df[['amount']]", {"amount": [1, 2, 3]}),
        ("df[['amount']].sort_values('amount', ascending=False, ignore_index=True)", {"amount": [3, 2, 1]}),
        ("df[['amount']].iloc[:0]", {"amount": []}),
    ],
)
def test_a_named_index_of_a_data_frame_becomes_columns(task: Task, result: str, stored: dict[str, Any]) -> None:
    assert task.run(head(f"{FRAME}    return {result}")) == 0, task.stderr
    assert pq.read_table(task.output / "data.parquet").to_pydict() == stored


@pytest.mark.parametrize(
    ("result", "detail"),
    [
        ("df.set_axis(['a', 'b', 'c'])", "has an index without a name, which would be lost"),
        ("df[df.amount != 2]", "drop it with .reset_index(drop=True)"),
        ("df.set_index(['country', [7, 8, 9]])", "level 1 of the DataFrame's index has no name"),
        ("df.set_index('country', drop=False)", "has an index and a column named 'country'"),
        ("df['amount']", "a Series is a column; use a DataFrame"),
    ],
)
def test_an_index_that_cannot_become_columns_fails_the_task(task: Task, result: str, detail: str) -> None:
    assert task.run(head(f"{FRAME}    return {result}")) == 1
    assert task.result["status"] == "failed"
    assert detail in task.result["error"]["detail"]


def test_an_artifact_is_the_file_whose_path_is_returned(task: Task) -> None:
    body = '    path = ctx.scratch / "r\\u00e9port.txt"\n    path.write_text("hello")\n    return path'
    assert task.run(head(body), kind="artifact") == 0
    assert task.result == {
        "status": "succeeded",
        "kind": "artifact",
        "file": "artifact.bin",
        "name": "réport.txt",
        "bytes": 5,
    }
    assert (task.output / "artifact.bin").read_text() == "hello"


def test_a_project_may_import_its_neighbours_and_have_odd_names(task: Task) -> None:
    project = task.folder / "project"
    (project / "assets").mkdir(parents=True)
    (project / "shared.py").write_text("N = 4\n")
    (project / "assets" / "near.py").write_text("M = 5\n")
    assert (
        task.run("import shared\nfrom . import near\nimport svc\n" + head('    return [{"n": shared.N + near.M}]')) == 0
    )
    assert task.rows() == [{"n": 9}]
    assert task.run(head('    return [{"n": 1}]'), file="assets/01-first.py") == 0, task.stderr


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("    return None", "the value is None"),
        ("    return [{}]", "its rows have no columns"),
        ("    return 4", "a int has no rows"),
        ("    return 'rows'", "a str has no rows"),
        ("    return [[1]]", "row 1 is a list"),
        ("    return [{'a': 1}, {'a': 'x'}]", "column a has string in row 2 and long in earlier rows"),
        ("    return [{'a': object()}]", "column a holds a object in row 1"),
        ("    return [{'a': 2**70}]", "more than 64 bits"),
        ("    return [{'a': float('inf')}]", "column a is infinite in row 1"),
        ("    raise SystemExit(0)", "sys.exit(0)"),
    ],
)
def test_what_cannot_be_stored_fails_with_a_sentence(task: Task, body: str, detail: str) -> None:
    assert task.run(head(body)) == 1
    assert task.result["status"] == "failed"
    assert detail in task.result["error"]["detail"]


def test_a_failure_shows_the_projects_own_frames(task: Task) -> None:
    assert task.run(head("    boom = 1 / 0\n    return boom")) == 1
    error = {"type": "ZeroDivisionError", "detail": "ZeroDivisionError: division by zero", "system": None}
    assert task.result["error"] == error
    assert "boom = 1 / 0" in task.stderr
    assert "_runner" not in task.stderr and "importlib" not in task.stderr
    assert task.run("import nothing_of_that_name\n" + head("    return []")) == 1
    assert "nothing_of_that_name" in task.stderr
    assert "_runner" not in task.stderr and "importlib" not in task.stderr


def test_a_missing_artifact_and_a_refused_query_say_so(task: Task) -> None:
    assert task.run(head('    return "/nowhere"'), kind="artifact") == 1
    assert "there is no file '/nowhere'" in task.result["error"]["detail"]
    from service import problem

    with Service(lambda _: problem(403, "forbidden", "READ_TABLE is missing on a.b")) as service:
        assert task.run(head('    return ctx.table("a.b")'), url=service.url) == 1
    assert task.result["error"]["detail"] == "NotAllowed: READ_TABLE is missing on a.b"
    assert "svc_task_secret" not in task.stderr + json.dumps(task.result)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("41", "long", "41"),
        ("1.5", "double", "1.5"),
        ("1.50", "decimal(9,2)", "Decimal('1.50')"),
        ("2026-01-02", "date", "datetime.date(2026, 1, 2)"),
        ("2026-01-02 03:04:05.5", "timestamp", "datetime.datetime(2026, 1, 2, 3, 4, 5, 500000)"),
        (
            "2026-01-02 03:04:05+00",
            "timestamptz",
            "datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)",
        ),
        ("b", "string", "'b'"),
        ("b", None, "'b'"),
    ],
)
def test_a_watermark_is_a_value_of_its_column(task: Task, text: str, kind: str | None, value: str) -> None:
    assert task.run(head('    return [{"seen": repr(ctx.watermark)}]'), watermark=(text, kind)) == 0, task.stderr
    assert task.rows() == [{"seen": value}]


def test_the_first_run_is_known(task: Task) -> None:
    assert task.run(head('    return [{"first": ctx.is_first_run}]')) == 0, task.stderr
    assert task.rows() == [{"first": True}]


LIMIT = "resource.setrlimit(resource.RLIMIT_"


@pytest.mark.parametrize(
    ("lines", "system"),
    [
        (f"{LIMIT}FSIZE, (10_000, 10_000))\n    return [{{'n': i}} for i in range(10_000)]", "EFBIG"),
        (f"{LIMIT}NOFILE, (20, 20))\n    files = [open('/dev/null') for _ in range(50)]", "EMFILE"),
        ("try:\n        open('/dev/full', 'w').write('x' * 99_999)\n    finally:\n        raise KeyError", "ENOSPC"),
        ("raise ValueError('x')", None),
    ],
)
def test_what_the_system_refused_is_named(task: Task, lines: str, system: str | None) -> None:
    head = 'import resource\nimport svc\n\n\n@svc.asset(table="marts.t")\ndef build(ctx):\n    '
    assert task.run(f"{head}{lines}\n") == 1
    assert task.result["status"] == "failed"
    assert task.result["error"]["system"] == system


def test_a_result_that_finds_the_disk_full_takes_the_place_of_the_rows(task: Task) -> None:
    # The file of the rows fits, and the result with a long column name does not.
    source = (
        "import resource\nimport svc\n\n\n"
        '@svc.asset(table="marts.t")\ndef build(ctx):\n'
        '    yield {"x" * 3000: 1}\n'
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (3050, 3050))\n"
    )
    assert task.run(source) == 1
    assert task.result["error"]["system"] == "EFBIG"
    assert [path.name for path in task.output.iterdir()] == ["result.json"]
