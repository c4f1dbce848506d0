"""A client of the service for scripts that run an engine. Their arguments are its URL and a token."""

import json
import sys
import urllib.request

URL, TOKEN = sys.argv[1:]


def rest(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{URL}/api/v1{path}", method=method, data=data, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")


def query(sql, **more):
    record = rest("POST", "/environments/dev/queries", {"sql": sql, **more})
    record = rest("GET", f"/environments/dev/queries/{record['id']}?wait=60")
    assert record["status"] == "SUCCEEDED", record["error"]
    return record


def sql(statement):
    return rest("GET", f"/environments/dev/queries/{query(statement)['id']}/results?format=json")["rows"]


def check(what, found, expected):
    assert found == expected, f"{what}: {found!r} is not {expected!r}"
    print(f"  passed      {what}")
