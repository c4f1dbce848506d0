"""Apache Superset, through its REST API in this process: a database, its schemas and tables, a dataset and a chart."""

import os
import pathlib
import tempfile

from client import PORT, TOKEN, check, finish

folder = tempfile.TemporaryDirectory()
config = pathlib.Path(folder.name, "superset_config.py")
config.write_text(
    "SECRET_KEY = 'a key for this run only, of forty-two letters'\n"
    f"SQLALCHEMY_DATABASE_URI = 'sqlite:///{folder.name}/superset.db'\n"
    "TALISMAN_ENABLED = False\nWTF_CSRF_ENABLED = False\n"
)
os.environ["SUPERSET_CONFIG_PATH"] = str(config)

import flask_migrate  # noqa: E402
import superset  # noqa: E402
from superset.app import create_app  # noqa: E402

app = create_app()
with app.app_context():
    from superset import security_manager

    flask_migrate.upgrade(directory=str(pathlib.Path(superset.__file__).parent / "migrations"))
    security_manager.sync_role_definitions()
    security_manager.add_user("ann", "Ann", "Arbor", "ann@example.org", security_manager.find_role("Admin"), password="ann")

http = app.test_client()
login = http.post("/api/v1/security/login", json={"username": "ann", "password": "ann", "provider": "db"})
headers = {"Authorization": f"Bearer {login.json['access_token']}"}


def call(method, path, body=None):
    response = http.open(f"/api/v1{path}", method=method, json=body, headers=headers)
    if response.status_code >= 400:
        raise RuntimeError(f"{response.status_code} {response.text[:300]}")
    return response.json


uri = f"postgresql+psycopg2://admin:{TOKEN}@127.0.0.1:{PORT}/dev"
database = call("POST", "/database/", {"database_name": "svc", "sqlalchemy_uri": uri})["id"]
check("schemas", lambda: "shop" in call("GET", f"/database/{database}/schemas/")["result"], True)
tables = lambda: [table["value"] for table in call("GET", f"/database/{database}/tables/?q=(schema_name:shop)")["result"]]  # noqa: E731
check("tables", lambda: {"orders", "numbers"} <= set(tables()), True)
dataset = call("POST", "/dataset/", {"database": database, "schema": "shop", "table_name": "orders"})["id"]
columns = lambda: [column["column_name"] for column in call("GET", f"/dataset/{dataset}")["result"]["columns"]]  # noqa: E731
check("columns of a dataset", columns, ["id", "buyer", "amount", "placed", "day", "paid"])
metric = {"expressionType": "SIMPLE", "column": {"column_name": "id"}, "aggregate": "MAX", "label": "last"}
query = {"columns": ["paid"], "metrics": [metric], "orderby": [["last", True]], "row_limit": 10}
chart = {"datasource": {"id": dataset, "type": "table"}, "queries": [query], "result_format": "json", "result_type": "full"}
rows = lambda: call("POST", "/chart/data", chart)["result"][0]["data"]  # noqa: E731
check("a chart", lambda: sum(row["last"] > 0 for row in rows()) == len(rows()) > 0, True)
finish("Superset")
