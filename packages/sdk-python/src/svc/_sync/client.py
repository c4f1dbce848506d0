# Written out of svc/_aio by "npm run generate". Do not edit.
"""The client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType

import httpx

from svc._access_models import Me, MintedToken, Worker
from svc._sync.audit import Audit
from svc._sync.deploys import Deploys
from svc._sync.events import Events
from svc._sync.frames import write_frame
from svc._sync.generated.access import Access
from svc._sync.generated.access_requests import AccessRequests
from svc._sync.generated.column_masks import ColumnMasks
from svc._sync.generated.deployments import Deployments
from svc._sync.generated.environments import Environments
from svc._sync.generated.groups import Groups
from svc._sync.generated.identity_providers import IdentityProviders
from svc._sync.generated.lineage import Lineage
from svc._sync.generated.maintenance import Maintenances
from svc._sync.generated.namespaces import Namespaces
from svc._sync.generated.package_indexes import PackageIndexes
from svc._sync.generated.principals import Principals
from svc._sync.generated.project_versions import ProjectVersions
from svc._sync.generated.query_tabs import QueryTabs
from svc._sync.generated.repositories import Repositories
from svc._sync.generated.row_filters import RowFilters
from svc._sync.generated.saved_queries import SavedQueries
from svc._sync.generated.search import Search
from svc._sync.generated.second_factors import SecondFactors
from svc._sync.generated.sql_endpoint import SqlEndpoint
from svc._sync.generated.tokens import Tokens
from svc._sync.generated.workload_identities import WorkloadIdentities
from svc._sync.grants import Grants
from svc._sync.jobs import Jobs
from svc._sync.queries import Queries
from svc._sync.result import Relation, Result
from svc._sync.runs import Runs
from svc._sync.secrets import Secrets
from svc._sync.session import begin_session
from svc._sync.tables import Tables
from svc._sync.transport import Transport
from svc._sync.uploads import Uploads
from svc._sync.writes import Writes
from svc._frames import qualified
from svc._profiles import settings
from svc._project_models import Write
from svc._records import read
from svc._values import Params


class Client:
    """Connects to a service as a principal.

    ``url``, ``token`` and ``env`` (the default environment) come from the arguments, from ``SVC_URL``, ``SVC_TOKEN``
    and ``SVC_ENV``, or from the profile that ``svc login`` has saved. ``timeout`` is in seconds for one request;
    ``transport`` replaces the network in tests. ``allow_insecure`` sends the token over http to other machines
    (default: ``SVC_ALLOW_INSECURE``, else the profile's, else false); without it, requests raise InsecureAddress. Use
    it in a ``with`` block, or close it. Every call raises a ServiceError of the class of its status.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        env: str | None = None,
        profile: str | None = None,
        timeout: float = 60.0,
        allow_insecure: bool | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        chosen = settings(url, token, env, profile, allow_insecure)
        self._transport = Transport(
            chosen.url, chosen.token, timeout=timeout, allow_insecure=chosen.allow_insecure, transport=transport
        )
        #: The default environment, if one is set.
        self.env = chosen.env
        #: The token and its expiry from ``sign_in``; ``None`` for a client that was created with a token.
        self.session: MintedToken | None = None
        self.environments = Environments(self._transport)
        self.namespaces = Namespaces(self._transport)
        self.tables = Tables(self._transport)
        self.search = Search(self._transport)
        self.lineage = Lineage(self._transport)
        self.writes = Writes(self._transport)
        self.uploads = Uploads(self._transport)
        self.maintenance = Maintenances(self._transport)
        self.queries = Queries(self._transport)
        self.saved_queries = SavedQueries(self._transport)
        self.query_tabs = QueryTabs(self._transport)
        self.sql_endpoint = SqlEndpoint(self._transport)
        self.repositories = Repositories(self._transport)
        self.deploys = Deploys(self._transport)
        self.deployments = Deployments(self._transport)
        self.project_versions = ProjectVersions(self._transport)
        self.jobs = Jobs(self._transport)
        self.runs = Runs(self._transport)
        self.events = Events(self._transport)
        self.principals = Principals(self._transport)
        self.groups = Groups(self._transport)
        self.grants = Grants(self._transport)
        self.access_requests = AccessRequests(self._transport)
        self.tokens = Tokens(self._transport)
        self.access = Access(self._transport)
        self.second_factors = SecondFactors(self._transport)
        self.identity_providers = IdentityProviders(self._transport)
        self.workload_identities = WorkloadIdentities(self._transport)
        self.row_filters = RowFilters(self._transport)
        self.column_masks = ColumnMasks(self._transport)
        self.package_indexes = PackageIndexes(self._transport)
        self.secrets = Secrets(self._transport)
        self.audit = Audit(self._transport)

    @classmethod
    def sign_in(
        cls,
        name: str,
        password: str,
        *,
        code: str | Callable[[], str] | None = None,
        url: str | None = None,
        env: str | None = None,
        timeout: float = 60.0,
        allow_insecure: bool | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> Client:
        """Signs in with a person's name and password. The returned client works until ``session.expires_at``.

        ``code`` is the code of an authenticator app or a recovery code, for people with a second factor; a function is
        only called if it is needed. Raises NotSignedIn for a wrong name, password or code, and TooManyRequests after
        too many of them.
        """
        chosen = settings(url, allow_insecure=allow_insecure)
        insecure = chosen.allow_insecure
        session = begin_session(
            chosen.url,
            name,
            password,
            code=code,
            timeout=timeout,
            allow_insecure=insecure,
            transport=transport,
        )
        client = cls(chosen.url, session.token, env=env, timeout=timeout, allow_insecure=insecure, transport=transport)
        client.session = session
        return client

    @property
    def url(self) -> str:
        return self._transport.url

    def sql(
        self,
        query: str,
        params: Params = None,
        *,
        env: str | None = None,
        timeout: float | None = None,
        cache: bool | None = None,
        progress: bool | None = None,
    ) -> Result:
        """Runs a query and returns its result, which you read as a DataFrame, an Arrow table or rows.

        ``params`` are the values of its parameters: a list for ``?`` and ``$1``, a dictionary for ``$name``. After
        ``timeout`` seconds the query is cancelled and WorkFailed is raised, as it is if the query fails. ``progress``
        shows a bar if the query takes longer than a second (default: in a notebook or terminal with tqdm installed).
        """
        environment = self._environment(env)
        record = self.queries.run_or_cancel(
            environment, query, params=params, timeout=timeout, cache=cache, progress=progress
        )
        return Result(self, environment, record)

    def table(self, name: str, *, env: str | None = None) -> Relation:
        """The rows of ``<namespace>.<table>`` that you are allowed to see. Nothing runs until you read them."""
        return Relation(self, self._environment(env), f"SELECT * FROM {qualified(name)}")

    def write(
        self,
        table: str,
        frame: object,
        *,
        mode: str = "append",
        key: Sequence[str] | None = None,
        create: bool = False,
        env: str | None = None,
        description: str | None = None,
        break_glass: str | None = None,
        progress: bool | None = None,
    ) -> Write:
        """Writes rows to ``<namespace>.<table>`` and returns the finished write.

        ``frame`` is a pandas or polars DataFrame, an Arrow table or reader, or an iterable of dictionaries. ``mode`` is
        ``append``, ``replace`` or ``merge``, which updates the rows with the same values in the ``key`` columns (by
        default the identifier fields of the table) and appends the others. With ``create=True``, a table that doesn't
        exist is created with the columns of the frame, and dropped again if the rows are refused. Either all rows are
        written or none. Raises ValueError for a frame that can't be stored, and WorkFailed if its rows don't fit the
        table.
        """
        return write_frame(
            self,
            self._environment(env),
            table,
            frame,
            mode=mode,
            key=key,
            create=create,
            description=description,
            break_glass=break_glass,
            progress=progress,
        )

    def _environment(self, env: str | None) -> str:
        chosen = env or self.env
        if not chosen:
            raise ValueError("no environment: pass env= to the call or to the client, or set SVC_ENV")
        return chosen

    def me(self) -> Me:
        """The principal of the token."""
        return read(Me, self._transport.get("/api/v1/me"))

    def workers(self) -> list[Worker]:
        """The active workers by host, and the limits they enforce on Python tasks.

        Needs MANAGE_ENVIRONMENT on the instance.
        """
        return [read(Worker, item) for item in self._transport.items("/api/v1/workers")]

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<svc.Client {self.url}>"
