"""Writes frames to tables."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc._answers import succeeded
from svc._errors import Conflict, InvalidRequest, SvcError, WorkFailed
from svc._frames import BadResult, columns_of
from svc._output import write_table
from svc._progress import progress_bar
from svc._project_models import Write
from svc._requests import table_path

if TYPE_CHECKING:
    from svc._aio.client import AsyncClient

_MODES = ("append", "replace", "merge")


async def write_frame(
    client: AsyncClient,
    environment: str,
    table: str,
    frame: object,
    *,
    mode: str,
    key: Sequence[str] | None,
    create: bool,
    description: str | None,
    break_glass: str | None,
    progress: bool | None,
) -> Write:
    """See ``AsyncClient.write``."""
    if mode not in _MODES:
        raise ValueError(f"mode is {mode!r}; write one of {', '.join(_MODES)}")
    if isinstance(key, str):
        key = [key]
    if key and mode != "merge":
        raise ValueError("key= goes with mode='merge'")
    table_path(environment, table)
    with tempfile.TemporaryDirectory(prefix="svc-") as folder:
        try:
            written = write_table(frame, Path(folder))
        except BadResult as error:
            raise ValueError(f"the frame can't be stored in {table}: {error}") from error
        file = Path(folder, written["file"])
        is_new = False
        if create:
            is_parquet = written["format"] == "parquet"
            columns = columns_of(_schema_of(file), frame) if is_parquet else _typed(written["columns"])
            is_new = await _create_unless_exists(client, environment, table, columns, description, break_glass)
        try:
            return await _load(client, environment, table, file, written["format"], mode, key, break_glass, progress)
        except (WorkFailed, InvalidRequest):
            if is_new:
                # Otherwise, the columns of the refused rows would also refuse corrected ones.
                await _drop_unless_written(client, environment, table, break_glass)
            raise


async def _load(
    client: AsyncClient,
    environment: str,
    table: str,
    file: Path,
    format: str,
    mode: str,
    key: Sequence[str] | None,
    break_glass: str | None,
    progress: bool | None,
) -> Write:
    with progress_bar(f"Upload to {table}", file.stat().st_size, unit="B", wanted=progress) as bar:
        write = await client.tables.load(
            environment,
            table,
            file,
            format=format,
            mode=mode,
            key=None if key is None else [*key],
            break_glass=break_glass,
            on_progress=bar.advance,
        )
    return succeeded("write", await client.writes.wait(environment, write.id))


def _typed(columns: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"name": column["name"], "type": column["type"]} for column in columns]


def _schema_of(file: Path) -> object:
    import pyarrow.parquet

    return pyarrow.parquet.read_schema(file)


async def _create_unless_exists(
    client: AsyncClient,
    environment: str,
    table: str,
    columns: list[dict[str, str]],
    description: str | None,
    break_glass: str | None,
) -> bool:
    """Returns whether the table is new."""
    if not columns:
        raise ValueError(f"{table} can't be created from rows without columns")
    try:
        await client.tables.create(environment, table, columns, description=description, break_glass=break_glass)
    except Conflict as error:
        if error.code != "already-exists":
            raise
        return False
    return True


async def _drop_unless_written(client: AsyncClient, environment: str, table: str, break_glass: str | None) -> None:
    with suppress(SvcError):
        # Another program may have written to it already.
        if not await client.tables.snapshots(environment, table):
            await client.tables.delete(environment, table, break_glass=break_glass)
