from __future__ import annotations

import re
from pathlib import Path

import svc


def test_the_module_and_its_package_have_one_version() -> None:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "(.*)"$', text, re.MULTILINE)
    assert found is not None
    assert svc.__version__ == found[1]


def test_the_module_lists_what_it_offers() -> None:
    assert set(svc.__all__) <= set(dir(svc))
    assert "PackageIndex" not in dir(svc)
