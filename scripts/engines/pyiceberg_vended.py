"""PyIceberg on tables in a bucket whose key it doesn't have, with temporary credentials. Arguments: the service's URL and a token."""

from pyarrow.fs import FileSelector, S3FileSystem
from pyiceberg.catalog import load_catalog
from pyiceberg_bucket import use_tables
from service import TOKEN, URL, check


def catalog_of(token):
    return load_catalog("svc", type="rest", uri=f"{URL}/catalog", warehouse="dev", token=token)


def files_of(table):
    """The bucket with the credentials that PyIceberg received for the table."""
    properties = table.io.properties
    return S3FileSystem(
        access_key=properties["s3.access-key-id"],
        secret_key=properties["s3.secret-access-key"],
        session_token=properties["s3.session-token"],
        endpoint_override=properties["s3.endpoint"],
        region=properties["s3.region"],
    )


def attempt(act):
    try:
        act()
        return "allowed"
    except OSError as error:
        return "denied" if "ACCESS_DENIED" in str(error) else str(error)


table, held = use_tables(catalog_of, "vended")
own, other = (one.location().removeprefix("s3://") for one in (held, table))
files = files_of(held)
write = lambda name: attempt(lambda: files.open_output_stream(name).close())  # noqa: E731
check("and writes nothing", write(f"{own}/data/x"), "denied")
check("and lists its table", attempt(lambda: files.get_file_info(FileSelector(f"{own}/data"))), "allowed")
check("and no other", attempt(lambda: files.get_file_info(FileSelector(f"{other}/data"))), "denied")
files = files_of(catalog_of(TOKEN).load_table("vended.created"))
check("a writer writes into its table", write(f"{own}/data/x"), "allowed")
check("and no metadata", write(f"{own}/metadata/9.metadata.json"), "denied")
check("and into no other table", write(f"{other}/data/x"), "denied")
