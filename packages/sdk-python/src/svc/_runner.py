"""Runs one asset function as a task: ``python -m svc._runner``.

The process starts before its task is known, and reads it as one line of JSON from standard input. The task names
``project`` (folder), ``file``, ``function``, ``asset``, ``kind``, ``run_id``, ``environment``, ``output`` and
``scratch`` (folders), ``watermark``, ``is_first_run``, and the environment ``variables`` to set: ``SVC_URL`` and
``SVC_TOKEN`` say how to reach the service. For an asset of Spark, ``spark`` names the server. If its function returns a
DataFrame, ``frame.json`` gets its columns, a line with the ``marker`` announces it, and another line of standard input
names the table to write it to.
``result.json`` in the output folder says how it went; the exit code is 0, 1 when the function failed, or 2 when there
was no task to run.
"""

from __future__ import annotations

import errno
import importlib
import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TextIO

from svc._context import Context
from svc._frames import BadResult
from svc._output import ARTIFACT, NDJSON, is_spark_frame, write_artifact, write_table
from svc._parquet import PARQUET
from svc._values import read_watermark

if TYPE_CHECKING:
    from svc._spark import Spark
    from svc._sync.client import Client

RESULT = "result.json"
FRAME = "frame.json"

#: What a limit, or a disk that is full, makes the system answer.
_SYSTEM_ERRORS = (errno.EMFILE, errno.EFBIG, errno.ENOSPC, errno.EDQUOT)


def load_function(project: Path, file: str, name: str) -> Callable[[Context], Any]:
    """Imports a project file and returns the function with that name."""
    sys.path.insert(0, str(project))
    module = _import(project, file)
    function = getattr(module, name, None)
    if not callable(function):
        raise BadResult(f"{file} has no function {name} once it is imported")
    return function  # type: ignore[no-any-return]


def _import(project: Path, file: str) -> ModuleType:
    parts = file.removesuffix(".py").split("/")
    # Under its dotted name the file can use relative imports. Files whose path isn't a valid name are loaded by path.
    if all(part.isidentifier() for part in parts):
        module = importlib.import_module(".".join(parts))
        if Path(module.__file__ or "").resolve() == (project / file).resolve():
            return module
    spec = importlib.util.spec_from_file_location(f"svc_project_{abs(hash(file))}", project / file)
    if spec is None or spec.loader is None:
        raise BadResult(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run(task: dict[str, Any], answers: TextIO | None) -> dict[str, Any]:
    """Runs the task and returns what ``result.json`` holds. The worker names a table for Spark in ``answers``."""
    folder = Path(task["output"])
    function = load_function(Path(task["project"]), task["file"], task["function"])
    with ExitStack() as clients:

        def open_client() -> Client:
            # Importing the client takes longer than many tasks, which don't need one.
            from svc._sync.client import Client

            return clients.enter_context(Client())

        spark = _open_spark(task)
        if spark is not None:
            clients.callback(spark.close)
        context = Context(
            open_client,
            run_id=task["run_id"],
            environment=task["environment"],
            asset=task["asset"],
            scratch=Path(task["scratch"]),
            watermark=read_watermark(task.get("watermark"), task.get("watermark_type")),
            is_first_run=task.get("is_first_run", True),
            spark=spark,
        )
        value = function(context)
        kind = task["kind"]
        if spark is not None and answers is not None and kind == "table" and is_spark_frame(value):
            spark.write(value, _table_for(value, task, answers))
            return {"status": "succeeded", "kind": "staged"}
        # Rows of a generator are made while they are written, so the client stays open until then.
        written = write_artifact(value, folder) if kind == "artifact" else write_table(value, folder)
    return {"status": "succeeded", "kind": kind, **written}


def _open_spark(task: dict[str, Any]) -> Spark | None:
    server = task.get("spark")
    if server is None:
        return None
    from svc._spark import Spark

    return Spark(server, run_id=task["run_id"], environment=task["environment"])


def _table_for(frame: Any, task: dict[str, Any], answers: TextIO) -> str:
    """Announces a DataFrame to the worker; returns the name of the table that the worker opened for it."""
    from svc._spark import frame_columns

    columns = {"columns": frame_columns(frame)}
    Path(task["output"], FRAME).write_text(json.dumps(columns), encoding="utf-8")
    sys.stdout.flush()
    print(task["spark"]["marker"], file=sys.__stdout__, flush=True)
    table = answers.readline().strip()
    if not table:
        raise BadResult("the worker opened no table for its DataFrame")
    return table


def _failure(error: BaseException, asset: str, token: str = "") -> dict[str, Any]:
    name = type(error).__name__
    if isinstance(error, BadResult):
        detail = f"the function of {asset} cannot be stored: {error}"
    elif isinstance(error, SystemExit):
        detail = f"the function of {asset} left the process with sys.exit({error.code!r})"
    else:
        # Spark appends the frames of its server.
        text = str(error).split("\n\nJVM stacktrace:", 1)[0]
        detail = f"{name}: {text}" if text else name
    # Before the text is cut: the worker doesn't recognize a part of the token.
    shown = detail.replace(token, "***") if token else detail
    return {"status": "failed", "error": {"type": name, "detail": shown[:4000], "system": _system_error(error)}}


def _system_error(error: BaseException) -> str | None:
    """The name of the operating system error that caused the failure, such as EMFILE."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(cause, OSError) and cause.errno in _SYSTEM_ERRORS:
            return errno.errorcode[cause.errno]
        cause = cause.__cause__ or cause.__context__
    return None


def print_traceback(error: BaseException) -> None:
    """The traceback from the project's own code on, without the frames of this module."""
    if isinstance(error, BadResult):
        print(f"error: {error}", file=sys.stderr)
        return
    own = os.path.dirname(os.path.abspath(__file__))
    frames = error.__traceback__
    while frames is not None and _belongs(frames.tb_frame.f_code.co_filename, own):
        frames = frames.tb_next
    traceback.print_exception(type(error), error, frames or error.__traceback__, file=sys.stderr)


def _belongs(file: str, own: str) -> bool:
    return file.startswith((own, "<frozen importlib")) or os.sep + "importlib" + os.sep in file


def _store(result: dict[str, Any], folder: str) -> None:
    path = Path(folder, RESULT)
    draft = path.with_suffix(".tmp")
    try:
        draft.write_text(json.dumps(result), encoding="utf-8")
    except OSError:
        # The disk is full. The partial rows are useless, so they are deleted to make space for the result.
        for name in (PARQUET, NDJSON, ARTIFACT):
            Path(folder, name).unlink(missing_ok=True)
        if result["status"] == "succeeded":
            raise
        draft.write_text(json.dumps(result), encoding="utf-8")
    os.replace(draft, path)


def main() -> int:
    line = sys.stdin.readline()
    if not line:
        return 2
    task = json.loads(line)
    variables = task.pop("variables", {})
    os.environ.update(variables)
    # Only with Spark is there more to read. Whatever the project reads from standard input is empty.
    answers = os.fdopen(os.dup(0), encoding="utf-8") if task.get("spark") else None
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    try:
        result = run(task, answers)
    except BaseException as error:
        result = _failure(error, task["asset"], variables.get("SVC_TOKEN", ""))
        print_traceback(error)
    sys.stdout.flush()
    try:
        _store(result, task["output"])
    except OSError as error:
        result = _failure(error, task["asset"], variables.get("SVC_TOKEN", ""))
        print_traceback(error)
        _store(result, task["output"])
    return 0 if result["status"] == "succeeded" else 1


if __name__ == "__main__":
    sys.exit(main())
