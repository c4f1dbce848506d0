from __future__ import annotations

from service import Answer, Request, Service

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
            {"action": "WRITE_TABLE", "allowed": False, "via": [], "reason": "no grant gives it"},
        ],
        "note": None,
    }
    with Service(lambda _: Answer(body)) as service, client(service) as made:
        answer = made.principals.permissions("ann/b", environment="dev", namespace="a.b", table="t")
    assert service.requests[0].target == "/api/v1/principals/ann%2Fb/permissions"
    assert service.requests[0].query == {"environment": ["dev"], "namespace": ["a.b"], "table": ["t"]}
    read, write = answer.permissions
    assert (read.allowed, read.via[0].group, read.via[0].scope.table) == (True, "readers", None)
    assert (write.via, write.reason, answer.scope.table) == ((), "no grant gives it", "t")


def test_lists_come_whole_by_page_and_one_by_one() -> None:
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
