"""Converts JSON to frozen records. Unknown fields of a newer server are ignored; missing ones become ``None``."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from svc._errors import Unavailable
from svc._values import _timestamp

T = TypeVar("T")
_Convert = Callable[[Any], Any]
_Fields = tuple[tuple[str, _Convert], ...]


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list; ``next_cursor`` is None on the last."""

    items: tuple[T, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class Failure:
    """Why the work failed; ``remedy`` is how to fix it, if known."""

    code: str
    detail: str
    remedy: str | None


def read(model: type[T], body: Any) -> T:
    """A record from its JSON form. Raises Unavailable for JSON that isn't an object."""
    if not isinstance(body, dict):
        what = f"A {model.__name__} in the response isn't an object, so it isn't from the service. Check the address."
        raise Unavailable(what, code="not-the-service")
    fields: _Fields = _fields(model)  # type: ignore[arg-type]
    return model(**{name: convert(body.get(name)) for name, convert in fields})


@functools.cache
def _fields(model: type[Any]) -> _Fields:
    hints = typing.get_type_hints(model)
    return tuple((field.name, _converter(hints[field.name])) for field in dataclasses.fields(model))


def _converter(hint: Any) -> _Convert:
    """Converts a JSON value to the type; values of another form stay as they are."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        hint = next((part for part in typing.get_args(hint) if part is not types.NoneType), Any)
    if typing.get_origin(hint) is tuple:
        item = _converter(typing.get_args(hint)[0])
        return lambda value: tuple(item(one) for one in value) if isinstance(value, list) else value
    if hint is datetime.datetime:
        return lambda value: _timestamp(value) if isinstance(value, str) else value
    if hint is datetime.date:
        return lambda value: datetime.date.fromisoformat(value) if isinstance(value, str) else value
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return lambda value: read(hint, value) if isinstance(value, dict) else value
    return lambda value: value
