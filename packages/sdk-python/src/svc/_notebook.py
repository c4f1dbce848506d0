"""The magics of notebooks: ``%load_ext svc`` defines ``%sql`` and ``%%sql``."""

from __future__ import annotations

import re
from functools import wraps
from typing import TYPE_CHECKING, Any

from svc._errors import SvcError

if TYPE_CHECKING:
    from svc._sync.client import Client

_ENV = r"--env(?:=|\s+)"
_OPTIONS = re.compile(
    rf"\s*(?:{_ENV}(?P<env>\S+)\s*)?"
    rf"(?:(?P<name>[A-Za-z_]\w*)\s*<<\s*(?:{_ENV}(?P<after>\S+)\s*)?)?"
    r"(?P<rest>.*)",
    re.DOTALL,
)
#: For SQL it is a comment, so the query would run in the default environment.
_MISPLACED_ENV = re.compile(r"(?<!\S)--env(?!\w)")
_QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
#: Texts, quoted names and comments, in which a ``$name`` isn't a parameter.
_IGNORED = re.compile(_QUOTED + r"|--[^\n]*|/\*.*?\*/|\$(?P<tag>(?:[A-Za-z_]\w*)?)\$.*?\$(?P=tag)\$", re.DOTALL)
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")


class Magics:
    """``%sql SELECT 1`` or a cell ``%%sql [--env ENV] [NAME <<]`` with the query below.

    A parameter ``$name`` has the value of the variable ``name``. ``NAME <<`` stores the result in a variable instead of
    showing it.
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._client: Client | None = None

    def sql(self, line: str, cell: str | None = None) -> Any:
        """Runs a query and shows its first rows. Usage: ``%%sql [--env ENV] [NAME <<]``, with the query below."""
        options = _OPTIONS.fullmatch(line)
        assert options is not None
        if (options["env"] and options["after"]) or _MISPLACED_ENV.search(re.sub(_QUOTED, " ", options["rest"])):
            raise SvcError("write --env ENV once, before the query: %%sql [--env ENV] [NAME <<]")
        env = options["env"] or options["after"]
        query = "\n".join(part for part in (options["rest"], cell) if part)
        variables = self._shell.user_ns
        names = set(_PARAMETER.findall(_IGNORED.sub(" ", query)))
        missing = sorted(name for name in names if name not in variables)
        if missing:
            raise SvcError(f"the query needs ${missing[0]}, and there is no variable {missing[0]}: define it first")
        if self._client is None:
            from svc._sync.client import Client

            self._client = Client()
        result = self._client.sql(query, {name: variables[name] for name in names} or None, env=env)
        if options["name"] is None:
            return result
        variables[options["name"]] = result
        return None


def load(shell: Any) -> None:
    """Defines the magics in an IPython shell."""
    from IPython.core.magic import no_var_expand

    magics = Magics(shell)

    # Otherwise, IPython writes the values of ``$name`` and ``{name}`` in the line into the statement.
    @no_var_expand  # type: ignore[untyped-decorator, unused-ignore]
    @wraps(magics.sql)
    def sql(line: str, cell: str | None = None) -> Any:
        return magics.sql(line, cell)

    shell.register_magic_function(sql, magic_kind="line_cell", magic_name="sql")
