"""Lists the assets of a project from its sources: ``python -m svc._assets FOLDER`` prints JSON.

Nothing of the project is imported or run, so a deploy can read untrusted code.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from svc._asset import ARGUMENTS, ENGINES, KINDS, MODES

#: Folders without project code.
SKIPPED = {"__pycache__", "node_modules", "wheelhouse", "venv", "site-packages"}
MAX_FILE_BYTES = 2_000_000
MAX_FILES = 10_000

#: Checks that need no SQL; the service knows their forms.
SHORTHANDS = ("unique", "not_null", "accepted_values", "relationships", "row_count", "freshness")


@dataclass
class Listing:
    """The listing, ordered by file and line."""

    assets: list[dict[str, Any]] = field(default_factory=list)
    problems: list[dict[str, Any]] = field(default_factory=list)

    def report(self, file: str, line: int | None, message: str, remedy: str | None) -> None:
        self.problems.append({"file": file, "line": line, "message": message, "remedy": remedy})


def read_folder(folder: Path) -> Listing:
    """The assets of every Python file below a folder, links not followed."""
    listing = Listing()
    for count, path in enumerate(_python_files(folder)):
        name = path.relative_to(folder).as_posix()
        if count >= MAX_FILES:
            listing.report(name, None, f"the project has more than {MAX_FILES} Python files", "leave vendored code out")
            break
        if path.stat().st_size > MAX_FILE_BYTES:
            listing.report(name, None, f"the file is larger than {MAX_FILE_BYTES} bytes", "split it")
            continue
        read_source(path.read_bytes(), name, listing)
    return listing


def _python_files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        found += [Path(root, name) for name in sorted(files) if name.endswith(".py")]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def read_source(source: bytes, file: str, listing: Listing) -> None:
    """Add one file's assets and problems to a listing."""
    if b"svc" not in source:
        return
    try:
        tree = ast.parse(source, filename=file)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        message = getattr(error, "msg", None) or str(error)
        listing.report(file, line, f"not valid Python {sys.version_info[0]}.{sys.version_info[1]}: {message}", None)
        return
    except (RecursionError, MemoryError):
        listing.report(file, 1, "the file is nested too deeply to be read", "split its expressions")
        return
    names = _Names(tree)
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for decorator in node.decorator_list:
            called = isinstance(decorator, ast.Call)
            if names.is_asset(decorator.func if isinstance(decorator, ast.Call) else decorator):
                _read_function(node, decorator, called, node in tree.body, file, listing)


class _Names:
    """The local names of the module ``svc`` and its decorator in one file."""

    def __init__(self, tree: ast.Module) -> None:
        self.modules: set[str] = set()
        self.decorators: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self.modules |= {alias.asname or alias.name for alias in node.names if alias.name == "svc"}
            elif isinstance(node, ast.ImportFrom) and node.module == "svc" and node.level == 0:
                self.decorators |= {alias.asname or alias.name for alias in node.names if alias.name == "asset"}

    def is_asset(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.decorators
        return (
            isinstance(node, ast.Attribute)
            and node.attr == "asset"
            and isinstance(node.value, ast.Name)
            and node.value.id in self.modules
        )


def _read_function(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    decorator: ast.expr,
    called: bool,
    top: bool,
    file: str,
    listing: Listing,
) -> None:
    line = decorator.lineno
    if not called or not isinstance(decorator, ast.Call):
        listing.report(file, line, "the decorator has no arguments", 'write @svc.asset(table="<namespace>.<table>")')
        return
    if not isinstance(node, ast.FunctionDef) or not top:
        listing.report(
            file, line, f"{node.name} is not a plain function of the module", "mark a top-level def with svc.asset"
        )
        return
    if _required_arguments(node) != 1:
        listing.report(file, node.lineno, f"{node.name} must take one argument, the context", f"def {node.name}(ctx):")
    values = _literals(decorator, file, listing)
    if values is None:
        return
    broken = _broken(values)
    for message, remedy in broken:
        listing.report(file, line, message, remedy)
    if broken:
        return
    docstring = (ast.get_docstring(node) or "").strip().split("\n")[0].strip()
    listing.assets.append(
        {
            "table": values["table"],
            "kind": values.get("kind", "table"),
            "description": values.get("description") or docstring or None,
            "columns": values.get("columns") or {},
            "depends_on": list(values.get("depends_on") or ()),
            "tags": list(values.get("tags") or ()),
            "mode": values.get("mode", "replace"),
            "key": _texts(values.get("key")),
            "delete_when": values.get("delete_when"),
            "watermark": values.get("watermark"),
            "lookback": values.get("lookback"),
            "engine": values.get("engine"),
            "checks": [dict(check) for check in values.get("checks") or ()],
            "file": file,
            "line": line,
            "function": node.name,
        }
    )


def _texts(value: str | list[str] | tuple[str, ...] | None) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def _required_arguments(node: ast.FunctionDef) -> int:
    positional = len(node.args.posonlyargs) + len(node.args.args) - len(node.args.defaults)
    if positional == 0 and (node.args.args or node.args.posonlyargs or node.args.vararg):
        positional = 1
    missing = sum(1 for default in node.args.kw_defaults if default is None)
    return positional + missing


def _literals(call: ast.Call, file: str, listing: Listing) -> dict[str, Any] | None:
    allowed = f"allowed: {', '.join(ARGUMENTS)}"
    values: dict[str, Any] = {}
    before = len(listing.problems)
    if call.args:
        listing.report(file, call.args[0].lineno, "svc.asset takes keyword arguments only", allowed)
    for keyword in call.keywords:
        line = keyword.value.lineno
        if keyword.arg is None:
            listing.report(file, line, "svc.asset is given ** arguments, which cannot be read", "write them out")
        elif keyword.arg not in ARGUMENTS:
            listing.report(file, line, f"svc.asset has no argument {keyword.arg!r}", allowed)
        else:
            try:
                values[keyword.arg] = ast.literal_eval(keyword.value)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                listing.report(
                    file,
                    line,
                    f"the argument {keyword.arg} of svc.asset is not a literal",
                    "write the text or list itself: the source is read, not run",
                )
    return values if len(listing.problems) == before else None


def _broken(values: dict[str, Any]) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []

    def need(holds: bool, message: str, remedy: str | None) -> None:
        if not holds:
            found.append((message, remedy))

    def texts(value: object) -> bool:
        return value is None or (isinstance(value, (list, tuple)) and all(isinstance(text, str) for text in value))

    def mapping(value: object) -> bool:
        return isinstance(value, dict) and all(isinstance(k, str) and isinstance(v, str) for k, v in value.items())

    def check(value: object) -> bool:
        if isinstance(value, dict) and any(kind in value for kind in SHORTHANDS):
            return all(isinstance(key, str) for key in value)
        return mapping(value) and {"name", "sql"} <= set(value) <= {"name", "sql", "severity"}  # type: ignore[call-overload]

    need(isinstance(values.get("table"), str), "svc.asset needs table, a text", 'table="<namespace>.<table>"')
    need(values.get("kind", "table") in KINDS, f"kind is {values.get('kind')!r}", f"write one of {', '.join(KINDS)}")
    need(values.get("mode", "replace") in MODES, f"mode is {values.get('mode')!r}", f"write one of {', '.join(MODES)}")
    engine = values.get("engine")
    allowed = f"write {' or '.join(ENGINES)}, or leave it out"
    need(engine is None or engine in ENGINES, f"engine is {engine!r}", allowed)
    for name in ("description", "watermark", "delete_when", "lookback"):
        need(values.get(name) is None or isinstance(values[name], str), f"{name} must be a string", None)
    for name in ("depends_on", "tags"):
        need(texts(values.get(name)), f"{name} must be a list of texts", f'{name}=["..."]')
    need(isinstance(values.get("key"), str) or texts(values.get("key")), "key must be a list of texts", 'key=["..."]')
    need(values.get("columns") is None or mapping(values["columns"]), "columns must map names to descriptions", None)
    checks = values.get("checks") or ()
    need(
        isinstance(checks, (list, tuple)) and all(check(c) for c in checks),
        "each of checks must have a name and sql, or be one of " + ", ".join(SHORTHANDS),
        'checks=[{"name": "...", "sql": "SELECT ..."}, {"unique": ["id"]}]',
    )
    return found


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not os.path.isdir(arguments[0]):
        print("usage: python -m svc._assets FOLDER", file=sys.stderr)
        return 2
    listing = read_folder(Path(arguments[0]))
    json.dump({"assets": listing.assets, "problems": listing.problems}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
