"""PyIceberg on tables in a bucket whose key it does not have: the service signs. Arguments: its URL and a token."""

import os

# Each of its threads takes the signer from the connection all share before it puts its own there: one at a time.
os.environ["PYICEBERG_MAX_WORKERS"] = "1"

from pyiceberg.catalog import load_catalog
from pyiceberg_bucket import use_tables
from service import URL, check

signing = {"header.X-Iceberg-Access-Delegation": "remote-signing"}


def catalog_of(token):
    return load_catalog("svc", type="rest", uri=f"{URL}/catalog", warehouse="dev", token=token, **signing)


_, held = use_tables(catalog_of, "signed")
try:
    with held.io.new_output(f"{held.location()}/data/x").create() as file:
        file.write(b"x")
    written = True
except Exception as error:
    written = type(error).__name__
check("and writes nothing", written, "SignError")
