"""How CSV files are written."""

from __future__ import annotations

from typing import Any, TypedDict


class CsvOptions(TypedDict, total=False):
    """How a CSV file is written.

    What is not set is as in RFC 4180, in UTF-8 with a header row; with ``detect=True``, it is detected.
    """

    detect: bool
    delimiter: str
    #: Empty if values are not quoted.
    quote: str
    header: bool
    null_text: str
    decimal_separator: str
    date_format: str
    timestamp_format: str
    encoding: str


def fields_of(csv: CsvOptions | None) -> dict[str, Any]:
    """The options as fields of a request."""
    return {name: value for name, value in (csv or {}).items()}
