"""The module as it is distributed: its types are valid, and its wheel contains exactly what it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]


def run(*command: str, **more: object) -> str:
    done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, **more)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def test_types_hold_strictly() -> None:
    assert "Success: no issues found" in run(sys.executable, "-m", "mypy")


def test_style() -> None:
    run(sys.executable, "-m", "ruff", "check", "src", "tests")
    run(sys.executable, "-m", "ruff", "format", "--check", "src", "tests")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    uv = os.environ.get("UV") or os.environ.get("SVC_RUN__UV") or shutil.which("uv")
    assert uv, "the wheel is built with uv"
    folder = tmp_path_factory.mktemp("wheel")
    run(uv, "build", "--quiet", "--wheel", "--out-dir", str(folder), "--python", sys.executable)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_module_with_its_types(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"svc/__init__.py", "svc/py.typed", "svc/_sync/client.py", "svc/_aio/client.py"} <= {*names}
    assert [name for name in names if not name.startswith(("svc/", "svc_sdk-"))] == []
    metadata = next(name for name in names if name.endswith("METADATA"))
    text = zipfile.ZipFile(wheel).read(metadata).decode()
    for line in ("License-Expression: Apache-2.0", "Requires-Python: >=3.10", "Requires-Dist: httpx<1,>=0.27"):
        assert line in text


def test_the_wheel_works_where_nothing_else_of_the_repository_is(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    program = (
        "import svc; print(svc.__file__, svc.Client('http://svc.test', 't'), svc.AsyncClient('http://svc.test', 't'))"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    said = run(sys.executable, "-c", program, env=environment)
    assert str(tmp_path) in said
    assert "<svc.Client http://svc.test> <svc.AsyncClient http://svc.test>" in said


def test_the_decorators_need_no_other_package() -> None:
    program = "import sys; import svc; svc.asset; assert 'httpx' not in sys.modules"
    run(sys.executable, "-c", program, env={**os.environ, "PYTHONPATH": str(PACKAGE / "src")})
