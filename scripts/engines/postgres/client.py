"""What the scripts of PostgreSQL clients share. Their arguments: the endpoint's port and a token."""

import sys

PORT, TOKEN = int(sys.argv[1]), sys.argv[2]
HOST, USER, DATABASE = "127.0.0.1", "admin", "dev"
URI = f"postgresql://{USER}:{TOKEN}@{HOST}:{PORT}/{DATABASE}"
FAILED = []


def check(what, found, expected):
    """Holds that a value, or the result of a function, is the expected one."""
    try:
        value = found() if callable(found) else found
    except Exception as error:  # noqa: BLE001
        value = f"{type(error).__name__}: {error}"
    if value == expected:
        print(f"  passed      {what}")
    else:
        FAILED.append(what)
        print(f"  FAILED      {what}: {value!r} is not {expected!r}")


def finish(client):
    print(f"{client}: {'all passed' if not FAILED else f'{len(FAILED)} failed'}.")
    sys.exit(1 if FAILED else 0)
