from __future__ import annotations

import pytest
from service import Answer, Request, Service, problem

import svc


def client(service: Service) -> svc.Client:
    return svc.Client(service.url, "svc_pat_secret")


SCOPE = {"kind": "TABLE", "environment": "dev", "namespace": "a.b", "table": "t"}


def test_permissions_name_what_allows_and_why_not() -> None:
    via = {"kind": "group", "grant_id": "g", "group": "readers", "role": None, "scope": {**SCOPE, "table": None}}
    body = {
        "principal": "ann",
        "active": True,
        "scope": SCOPE,
        "permissions": [
            {"action": "READ_TABLE", "allowed": True, "via": [via], "reason": None},
            {"action": "WRITE_TABLE", "allowed": False, "via": [], "reason": "no grant allows it"},
        ],
        "note": None,
    }
    with Service(lambda _: Answer(body)) as service, client(service) as made:
        answer = made.principals.permissions("ann/b", environment="dev", namespace="a.b", table="t")
    assert service.requests[0].target == "/api/v1/principals/ann%2Fb/permissions"
    assert service.requests[0].query == {"environment": ["dev"], "namespace": ["a.b"], "table": ["t"]}
    read, write = answer.permissions
    assert (read.allowed, read.via[0].group, read.via[0].scope.table) == (True, "readers", None)
    assert (write.via, write.reason, answer.scope.table) == ((), "no grant allows it", "t")


def test_lists_come_whole_by_page_and_one_by_one() -> None:
    """Proves SDK-2."""

    def answer(request: Request) -> Answer:
        last = "cursor" in request.query
        return Answer([{"id": "2" if last else "1"}], headers={} if last else {"X-Next-Cursor": "c"})

    with Service(answer) as service, client(service) as made:
        for resource in (made.principals, made.groups):
            assert [item.id for item in resource.list(search="a%")] == ["1"]
            assert resource.list_page(search="a%").next_cursor == "c"
            assert [item.id for item in resource.iter(search="a%")] == ["1", "2"]
        assert [grant.id for grant in made.grants.list(principal_name="ann", action="run")] == ["1"]
        assert made.grants.list_page(group_name="crew", limit=1).next_cursor == "c"
        assert [grant.id for grant in made.grants.iter(environment="dev", namespace="a")] == ["1", "2"]
        assert [query.id for query in made.queries.list("dev", status=["failed", "RUNNING"])] == ["1"]
        assert made.queries.list_page("dev", include_ended=True, submitter="ann").next_cursor == "c"
        assert [deploy.id for deploy in made.deploys.list("dev", repository="shop")] == ["1"]
        assert made.deploys.list_page("dev").next_cursor == "c"
        assert [holder.via for holder in made.access.who("RUN", environment="dev")] == [None, None]
    asked = [(request.target, request.query) for request in service.requests]
    assert asked[0] == ("/api/v1/principals", {"q": ["a%"]})
    assert ("/api/v1/grants", {"principal_name": ["ann"], "action": ["run"]}) in asked
    assert ("/api/v1/environments/dev/queries", {"include_ended": ["true"], "submitter": ["ann"]}) in asked
    assert ("/api/v1/environments/dev/queries", {"status": ["failed,RUNNING"]}) in asked
    assert ("/api/v1/environments/dev/deploys", {"repository": ["shop"]}) in asked
    assert ("/api/v1/access/who", {"action": ["RUN"], "environment": ["dev"]}) in asked


def test_grants_are_made_and_ended() -> None:
    with Service(lambda _: Answer({"id": "g-1", "role": None, "action": "RUN"}, 201)) as service:
        with client(service) as made:
            grant = made.grants.create("ENVIRONMENT", principal="ann", action="RUN", environment="dev")
            made.grants.create("INSTANCE", group="crew", role="ADMIN")
            for wrong in (
                {"role": "ADMIN"},
                {"principal": "a", "group": "b", "role": "ADMIN"},
                {"principal": "a"},
                {"principal": "a", "role": "ADMIN", "action": "RUN"},
                {"principal": "a", "role": "ADMIN", "env": "dev"},
            ):
                with pytest.raises(TypeError):
                    made.grants.create("INSTANCE", **wrong)
    assert (grant.id, grant.action, grant.role) == ("g-1", "RUN", None)
    assert [request.body for request in service.requests] == [
        {"kind": "ENVIRONMENT", "principal": "ann", "action": "RUN", "environment": "dev"},
        {"kind": "INSTANCE", "group": "crew", "role": "ADMIN"},
    ]
    with Service(lambda _: Answer(b"", 204)) as service, client(service) as made:
        made.grants.revoke("g/1")
    assert (service.requests[0].method, service.requests[0].target) == ("DELETE", "/api/v1/grants/g%2F1")
    with Service(lambda _: problem(404, "not-found", "There is no such grant.")) as service, client(service) as made:
        with pytest.raises(svc.NotFound):
            made.grants.revoke("g-1")


def test_principals_are_created_changed_and_deleted() -> None:
    record = {"id": "p", "name": "ci", "type": "service-account", "active": True}
    with Service(lambda r: Answer(b"", 204) if r.method == "DELETE" else Answer(record)) as service:
        with client(service) as made:
            assert made.principals.create("ci", type="service-account").type == "service-account"
            made.principals.create("ann", password="a long password")
            assert made.principals.get("ci").active is True
            made.principals.update("ci", active=False)
            made.principals.update("ann", password=None)
            made.principals.delete("a/b")
            with pytest.raises(TypeError, match="only active and password"):
                made.principals.update("ci", type="person")
    assert [(request.method, request.target, request.body) for request in service.requests] == [
        ("POST", "/api/v1/principals", {"name": "ci", "type": "service-account"}),
        ("POST", "/api/v1/principals", {"name": "ann", "type": "person", "password": "a long password"}),
        ("GET", "/api/v1/principals/ci", None),
        ("PATCH", "/api/v1/principals/ci", {"active": False}),
        ("PATCH", "/api/v1/principals/ann", {"password": None}),
        ("DELETE", "/api/v1/principals/a%2Fb", None),
    ]


def test_groups_have_members() -> None:
    def answer(request: Request) -> Answer:
        if request.method in ("PUT", "DELETE"):
            return Answer(b"", 204)
        if request.target.endswith("/members"):
            last = "cursor" in request.query
            return Answer([{"id": "2" if last else "1"}], headers={} if last else {"X-Next-Cursor": "c"})
        return Answer({"id": "g", "name": "crew"})

    with Service(answer) as service, client(service) as made:
        assert made.groups.create("crew").name == "crew"
        assert made.groups.get("crew").id == "g"
        made.groups.add_member("crew", "ann")
        assert [member.id for member in made.groups.members("crew")] == ["1", "2"]
        made.groups.remove_member("crew", "ann")
        made.groups.delete("crew")
    assert [(request.method, request.target) for request in service.requests] == [
        ("POST", "/api/v1/groups"),
        ("GET", "/api/v1/groups/crew"),
        ("PUT", "/api/v1/groups/crew/members/ann"),
        ("GET", "/api/v1/groups/crew/members"),
        ("GET", "/api/v1/groups/crew/members"),
        ("DELETE", "/api/v1/groups/crew/members/ann"),
        ("DELETE", "/api/v1/groups/crew"),
    ]
