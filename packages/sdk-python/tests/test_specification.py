"""Names, arguments and defaults as the specification defines them, of both clients."""

from __future__ import annotations

import dataclasses
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import svc
from svc._models import Job, PackageIndex, Run

SPECIFIED = json.loads((Path(__file__).parents[3] / "vectors" / "specified.json").read_text(encoding="utf-8"))
CLIENTS = [svc.Client("http://svc.test", "t"), svc.AsyncClient("http://svc.test", "t")]


@pytest.mark.parametrize("client", CLIENTS, ids=["blocking", "asynchronous"])
@pytest.mark.parametrize("method", [pytest.param(one, id=one["python"]) for one in SPECIFIED])
def test_method_is_there_with_its_arguments(client: Any, method: dict[str, str]) -> None:
    resource, name = method["python"].split(".")
    parameters = inspect.signature(getattr(getattr(client, resource), name)).parameters
    for parameter in method["takes"].split():
        if parameter.startswith("**"):
            assert parameters[parameter[2:]].kind is inspect.Parameter.VAR_KEYWORD
            continue
        argument, _, default = parameter.partition("=")
        assert argument in parameters, f"{name} lacks {argument}: it takes {', '.join(parameters)}"
        if default:
            assert repr(parameters[argument].default) == default


def test_arguments_that_stand_first_are_given_by_place() -> None:
    for resource, name, count in [
        ("package_indexes", "create", 2),
        ("jobs", "get", 3),
        ("tables", "delete", 3),
        ("tables", "undrop", 3),
        ("environments", "delete", 2),
        ("environments", "set_retention", 2),
        ("tables", "expiring", 2),
    ]:
        parameters = inspect.signature(getattr(getattr(CLIENTS[0], resource), name)).parameters.values()
        placed = [one for one in parameters if one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        assert len(placed) == count, f"{resource}.{name}"


def test_a_package_index_is_not_exported_by_name() -> None:
    assert not hasattr(svc, "PackageIndex")
    fields = ["id", "name", "url", "credential_secret", "created_by", "created_at", "updated_at"]
    assert [field.name for field in dataclasses.fields(PackageIndex)] == fields


def test_a_run_ends_with_job_trigger_scheduled_for_and_missed() -> None:
    """Proves RUN-2."""
    assert [field.name for field in dataclasses.fields(Run)][-4:] == ["job", "trigger", "scheduled_for", "missed"]


def test_a_trigger_and_a_job_have_the_specified_fields() -> None:
    trigger = ["kind", "cron", "timezone", "paused", "next_run_at"]
    assert [field.name for field in dataclasses.fields(svc.Trigger)] == trigger
    assert svc.Trigger("on_demand") == svc.Trigger("on_demand", None, None, None, None)
    job = (
        "name environment repository select upstream downstream cron timezone state paused next_run_at next_run_local "
        "waiting_for waits_for_run_id last_run_id last_run_status last_run_trigger last_run_at triggers"
    )
    assert [field.name for field in dataclasses.fields(Job)] == job.split()


def test_a_page_has_items_and_next_cursor() -> None:
    assert [field.name for field in dataclasses.fields(svc.Page)] == ["items", "next_cursor"]


def test_every_name_that_is_told_is_there() -> None:
    for name in svc.__all__:
        assert getattr(svc, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        svc.nothing  # noqa: B018
