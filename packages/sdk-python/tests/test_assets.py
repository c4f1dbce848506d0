from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import svc

SOURCE = Path(__file__).parent.parent / "src"


def listing(folder: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "svc._assets", str(folder)],
        env={"PYTHONPATH": str(SOURCE), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def one(tmp_path: Path, source: str) -> dict[str, Any]:
    (tmp_path / "a.py").write_text(source)
    return listing(tmp_path)


def test_reads_every_argument_without_running_anything(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "busy.py").write_text(
        "import svc\nimport does_not_exist\nraise SystemExit(9)\n\n"
        '@svc.asset(table="marts.busy", depends_on=["core.trips"], tags=("daily",), mode="append", watermark="day",\n'
        '  columns={"day": "UTC"}, checks=[{"name": "n", "sql": "SELECT 1"}])\n'
        'def busy(ctx):\n    """The busiest.\n\n    More."""\n'
    )
    assert listing(tmp_path) == {
        "assets": [
            {
                "table": "marts.busy",
                "kind": "table",
                "description": "The busiest.",
                "columns": {"day": "UTC"},
                "depends_on": ["core.trips"],
                "tags": ["daily"],
                "mode": "append",
                "key": [],
                "delete_when": None,
                "watermark": "day",
                "lookback": None,
                "engine": None,
                "checks": [{"name": "n", "sql": "SELECT 1"}],
                "file": "assets/busy.py",
                "line": 5,
                "function": "busy",
            }
        ],
        "problems": [],
    }


def test_reads_the_arguments_of_an_incremental_asset(tmp_path: Path) -> None:
    arguments = 'mode="merge", key="id", delete_when="gone", watermark="day", lookback="3 days"'
    [found] = one(tmp_path, f'import svc\n@svc.asset(table="a.b", {arguments})\ndef f(ctx): ...\n')["assets"]
    assert [found[name] for name in ("mode", "key", "delete_when", "lookback")] == ["merge", ["id"], "gone", "3 days"]
    problems = one(tmp_path, 'import svc\n@svc.asset(table="a.b", mode="merge", key=[1])\ndef f(ctx): ...\n')[
        "problems"
    ]
    assert [problem["message"] for problem in problems] == ["key must be a list of texts"]


def test_reads_the_engine(tmp_path: Path) -> None:
    [found] = one(tmp_path, 'import svc\n@svc.asset(table="a.b", engine="spark")\ndef f(ctx): ...\n')["assets"]
    assert found["engine"] == "spark"
    [problem] = one(tmp_path, 'import svc\n@svc.asset(table="a.b", engine="trino")\ndef f(ctx): ...\n')["problems"]
    assert (problem["message"], problem["remedy"]) == ("engine is 'trino'", "write spark, or leave it out")
    with pytest.raises(ValueError, match="write spark, or leave it out"):
        svc.asset(table="a.b", engine="trino")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("importing", "name"),
    [
        ("import svc", "svc.asset"),
        ("import svc as s", "s.asset"),
        ("from svc import asset", "asset"),
        ("from svc import asset as a", "a"),
    ],
)
def test_every_way_to_import_the_decorator(tmp_path: Path, importing: str, name: str) -> None:
    found = one(tmp_path, f'{importing}\n@{name}(table="a.b", kind="artifact")\ndef f(ctx): ...\n')
    assert [asset["kind"] for asset in found["assets"]] == ["artifact"]


def test_decorators_of_others_and_skipped_folders_do_not_count(tmp_path: Path) -> None:
    for folder in (".venv", "wheelhouse"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.py").write_text('import svc\n@svc.asset(table="a.b")\ndef f(ctx): ...\n')
    (tmp_path / "link.py").symlink_to(tmp_path / ".venv" / "x.py")
    found = one(tmp_path, 'from other import asset\nimport svc\n@asset(table="a.b")\ndef f(ctx): ...\n')
    assert found == {"assets": [], "problems": []}


@pytest.mark.parametrize(
    ("source", "line", "text"),
    [
        (
            "import svc\nNAME = 'a.b'\n@svc.asset(table=NAME)\ndef f(ctx): ...\n",
            3,
            "table of svc.asset is not a literal",
        ),
        ("import svc\n@svc.asset(\n  table='a.b',\n  tags=make())\ndef f(ctx): ...\n", 4, "not a literal"),
        ("import svc\n@svc.asset(table='a.b', cron='x')\ndef f(ctx): ...\n", 2, "no argument 'cron'"),
        ("import svc\n@svc.asset(**x)\ndef f(ctx): ...\n", 2, "** arguments"),
        ("import svc\n@svc.asset('a.b')\ndef f(ctx): ...\n", 2, "keyword arguments only"),
        ("import svc\n@svc.asset\ndef f(ctx): ...\n", 2, "has no arguments"),
        ("import svc\n@svc.asset()\ndef f(ctx): ...\n", 2, "needs table"),
        ("import svc\n@svc.asset(table='a.b', kind='view')\ndef f(ctx): ...\n", 2, "kind is 'view'"),
        ("import svc\n@svc.asset(table='a.b', tags='x')\ndef f(ctx): ...\n", 2, "tags must be a list"),
        (
            "import svc\n@svc.asset(table='a.b', checks=[{'name': 'x'}])\ndef f(ctx): ...\n",
            2,
            "must have a name and sql",
        ),
        ("import svc\n@svc.asset(table='a.b')\nasync def f(ctx): ...\n", 2, "not a plain function"),
        ("import svc\nclass C:\n  @svc.asset(table='a.b')\n  def f(ctx): ...\n", 3, "not a plain function"),
        ("import svc\n@svc.asset(table='a.b')\ndef f(): ...\n", 3, "must take one argument"),
        ("import svc\n@svc.asset(table='a.b')\ndef f(ctx, other): ...\n", 3, "must take one argument"),
        ("import svc\ndef f(:\n", 2, "not valid Python"),
        ("import svc\nx = '\0'\n", 1, "not valid Python"),
    ],
)
def test_what_is_refused_names_file_and_line(tmp_path: Path, source: str, line: int, text: str) -> None:
    found = one(tmp_path, source)
    assert found["assets"] == [] or "must take one argument" in text
    assert [(p["file"], p["line"]) for p in found["problems"]] == [("a.py", line)]
    assert text in found["problems"][0]["message"]


def test_deep_nesting_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    found = one(tmp_path, "import svc\nx = " + "(" * 5000 + ")" * 5000 + "\n")
    assert len(found["problems"]) == 1
