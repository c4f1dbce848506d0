import { type EffectiveGrant, nameKey, narrowGrants, type ObjectScope, type TokenScope } from '@svc/core/access';
import { batched, type Transaction } from '../connection/index.ts';
import { ENVIRONMENT_COLUMNS } from '../environments/columns.ts';
import type { StoredEnvironment } from '../environments/index.ts';
import { Prisma } from '../generated/client.ts';
import { type StoredGrant, toEffectiveGrant } from './effective-grants.ts';
import { GRANTS_ARRAY, GRANTS_ON_OBJECTS, INSTANCE_ID, namespaceChains } from './object-grants.ts';
import { SCOPE_OF_TOKEN } from './token-scope.ts';

/** How a person has opened a session. */
export type SignInMethod = 'password' | 'second-factor' | 'provider';

export interface Caller {
  id: string;
  name: string;
  type: 'person' | 'service-account';
  created_at: Date;
  /** Whether somebody else chose the password. */
  must_change_password: boolean;
  token: {
    id: string;
    name: string;
    kind: 'personal' | 'service-account' | 'session' | 'task';
    created_at: Date;
    expires_at: Date | null;
    environment_id: string | null;
    run_id: string | null;
    task_id: string | null;
    scope: TokenScope | null;
    /** How a session was opened; null for other tokens. */
    sign_in: SignInMethod | null;
    /** When the password was last entered again. */
    confirmed_at: Date | null;
  };
}

/** The objects that a request's names refer to; null if no such object exists. */
export interface ResolvedObject {
  environment: StoredEnvironment | null;
  namespace: { id: string; path: string } | null;
  table: { id: string; name: string; kind: string; owner_id: string | null; files?: TableFiles } | null;
}

/** The location of the table's files, and whether the caller may read them directly. */
export interface TableFiles {
  location: string | null;
  metadata_location: string | null;
  /** Whether a row filter or column mask binds the caller, directly or through a group. */
  bound: boolean;
}

export interface AuthorizedRequest {
  caller: Caller;
  object: ResolvedObject;
  /** The caller's active grants on the object and everything that contains it, as far as the token's scope includes them. */
  grants: EffectiveGrant[];
}

type Names = Pick<ObjectScope, 'environment' | 'namespace' | 'table'>;

interface AuthorizationRequest {
  tokenHash: Uint8Array;
  now: Date;
  names: Names;
  /** Also return the location of the table's files. */
  files?: boolean;
}

interface Row {
  /** Number of the request in the batch, from 1. */
  n: number;
  caller: Caller & {
    created_at: string;
    token: { created_at: string; expires_at: string | null; confirmed_at: string | null };
  };
  environment:
    | (StoredEnvironment & { created_at: string; deleted_at: string | null; purge_after: string | null })
    | null;
  namespaces: { id: string; path: string }[];
  tbl: ResolvedObject['table'];
  grants: StoredGrant[];
}

/** Kinds of statement. The more parts a request names, the more parts its statement has. */
type Kind = 'environment' | 'table' | 'table-files';

const kindOf = ({ names, files = false }: AuthorizationRequest): Kind =>
  names.namespace === null ? 'environment' : files ? 'table-files' : 'table';

/** Authorizes a single request. Returns null if the token isn't valid. */
export async function authorizeRequest(
  client: Transaction,
  request: AuthorizationRequest,
): Promise<AuthorizedRequest | null> {
  const [result] = await authorizeBatch(client, kindOf(request), [request]);
  return result!;
}

export type Authorize = (request: AuthorizationRequest) => Promise<AuthorizedRequest | null>;

/** Returns a function that batches concurrent requests while the database is busy. */
export function openAuthorizer(client: Transaction): Authorize {
  const of = (kind: Kind) =>
    batched((requests: readonly AuthorizationRequest[]) => authorizeBatch(client, kind, requests), {
      maxConcurrent: 2,
      maxSize: 32,
    });
  const byKind = { environment: of('environment'), table: of('table'), 'table-files': of('table-files') };
  return (request) => byKind[kindOf(request)](request);
}

/**
 * Resolves a batch of requests in one round trip: token, principal, object by names, and the grants on the object's
 * chain (direct ones and those of groups, each through an index). A request with an invalid token yields null.
 *
 * Two things keep it fast. The statement is prepared once per connection, because planning costs more than running it. And it
 * serves several requests, because starting it costs more than either. The arrays come from sub-selects so that the planner
 * can't see their length and plan again for each length.
 */
async function authorizeBatch(
  client: Transaction,
  kind: Kind,
  requests: readonly AuthorizationRequest[],
): Promise<(AuthorizedRequest | null)[]> {
  const lookup = kind === 'environment' ? ENVIRONMENT_ONLY : lookUpDescendants(kind, requests);
  const rows = await client.$queryRaw<Row[]>`${lookup.name}
    SELECT request.n::int, answer.*
    FROM unnest((SELECT ${requests.map(({ tokenHash }) => Buffer.from(tokenHash).toString('hex'))}::text[]),
                (SELECT ${requests.map(({ now }) => now.toISOString())}::timestamptz[]),
                (SELECT ${requests.map(({ names }) => names.environment)}::text[])${lookup.arrays})
         WITH ORDINALITY AS request(token_hash, now, environment${lookup.names}, n)
    CROSS JOIN LATERAL (
    WITH caller AS MATERIALIZED (
      SELECT p.id, p.name, p.type, p.created_at, p.must_change_password, t.sign_in, t.confirmed_at, t.id AS token_id,
             t.name AS token_name, t.kind AS token_kind, t.created_at AS token_created_at, t.expires_at, t.environment_id, t.run_id,
             t.task_id, ${SCOPE_OF_TOKEN} AS scope
      FROM tokens t JOIN principals p ON p.id = t.principal_id
      WHERE t.hash = decode(request.token_hash, 'hex') AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > request.now)
        AND p.active AND p.deleted_at IS NULL
    ), environment AS MATERIALIZED (
      SELECT ${ENVIRONMENT_COLUMNS} FROM environments WHERE name = request.environment AND purged_at IS NULL
    )${lookup.parts}, object AS MATERIALIZED (
      SELECT ${INSTANCE_ID}::uuid AS id, NULL::text AS namespace, NULL::text AS name
      UNION ALL SELECT id, NULL, NULL FROM environment WHERE deleted_at IS NULL
      ${lookup.objects}
    ), ${GRANTS_ON_OBJECTS}
    SELECT jsonb_build_object('id', c.id, 'name', c.name, 'type', c.type, 'created_at', c.created_at,
             'must_change_password', c.must_change_password, 'token',
             jsonb_build_object('id', c.token_id, 'name', c.token_name, 'kind', c.token_kind,
               'created_at', c.token_created_at, 'expires_at', c.expires_at, 'environment_id', c.environment_id,
               'run_id', c.run_id, 'task_id', c.task_id, 'scope', c.scope, 'sign_in', c.sign_in,
               'confirmed_at', c.confirmed_at)) AS caller,
           (SELECT to_jsonb(e) FROM environment e) AS environment,
           ${lookup.columns},
           ${GRANTS_ARRAY} AS grants
    FROM caller c
    ) answer`;
  const results = requests.map((): AuthorizedRequest | null => null);
  for (const row of rows) results[row.n - 1] = toAuthorizedRequest(row, requests[row.n - 1]!);
  return results;
}

function toAuthorizedRequest(row: Row, { names }: AuthorizationRequest): AuthorizedRequest {
  const innermost = keyOf(names.namespace);
  const { caller, environment } = row;
  return {
    caller: {
      ...caller,
      created_at: new Date(caller.created_at),
      token: {
        ...caller.token,
        created_at: new Date(caller.token.created_at),
        expires_at: dateOrNull(caller.token.expires_at),
        confirmed_at: dateOrNull(caller.token.confirmed_at),
      },
    },
    object: {
      environment: environment && {
        ...environment,
        created_at: new Date(environment.created_at),
        deleted_at: dateOrNull(environment.deleted_at),
        purge_after: dateOrNull(environment.purge_after),
      },
      namespace: row.namespaces.find((n) => nameKey(n.path) === innermost) ?? null,
      table: row.tbl,
    },
    grants: narrowGrants(
      row.grants.map((grant) => toEffectiveGrant(grant, names.environment)),
      caller.token.scope,
    ),
  };
}

/** The lookup below the environment. A statement with fewer parts starts faster. */
interface DescendantLookup {
  name: Prisma.Sql;
  /** Additional parameter arrays, and the names of their values. */
  arrays: Prisma.Sql;
  names: Prisma.Sql;
  parts: Prisma.Sql;
  objects: Prisma.Sql;
  columns: Prisma.Sql;
}

const ENVIRONMENT_ONLY: DescendantLookup = {
  name: Prisma.raw('/* prepared authorize-environment */'),
  arrays: Prisma.empty,
  names: Prisma.empty,
  parts: Prisma.empty,
  objects: Prisma.empty,
  columns: Prisma.raw("'[]'::jsonb AS namespaces, NULL::jsonb AS tbl"),
};

const descendantColumns = (table: string) =>
  Prisma.raw(`
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'path', n.path)), '[]') FROM namespace n) AS namespaces,
  (SELECT jsonb_build_object('id', t.id, 'name', t.name, 'kind', t.kind, 'owner_id', t.owner_id${table}) FROM tbl t) AS tbl`);

const policies = (kind: 'row_filters' | 'column_masks') =>
  `EXISTS (SELECT 1 FROM ${kind} x WHERE x.table_id = t.id AND x.ended_at IS NULL AND (x.principal_id = c.id
     OR x.group_id IN (SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id AND g.deleted_at IS NULL
                       WHERE m.principal_id = c.id AND m.removed_at IS NULL)))`;

const TABLE_STATEMENT = { name: Prisma.raw('/* prepared authorize-table */'), columns: descendantColumns('') };
const TABLE_FILES_STATEMENT = {
  name: Prisma.raw('/* prepared authorize-table-files */'),
  columns:
    descendantColumns(`, 'files', jsonb_build_object('location', t.location, 'metadata_location', t.metadata_location,
    'bound', ${policies('row_filters')} OR ${policies('column_masks')})`),
};

const keyOf = (name: string | null) => (name === null ? '' : nameKey(name));

function lookUpDescendants(kind: 'table' | 'table-files', requests: readonly AuthorizationRequest[]): DescendantLookup {
  const innermost = requests.map(({ names }) => keyOf(names.namespace));
  const tables = requests.map(({ names: { table } }) => (table === null ? null : nameKey(table)));
  const { chains, first, last } = namespaceChains(innermost);
  return {
    ...(kind === 'table-files' ? TABLE_FILES_STATEMENT : TABLE_STATEMENT),
    arrays: Prisma.sql`, (SELECT ${first}::int[]), (SELECT ${last}::int[]),
                (SELECT ${innermost}::text[]), (SELECT ${tables}::text[])`,
    names: Prisma.raw(', first, last, innermost, table_key'),
    parts: Prisma.sql`, namespace AS MATERIALIZED (
      SELECT n.id, n.path, n.path_key FROM environment e JOIN namespaces n ON n.environment_id = e.id
      WHERE e.deleted_at IS NULL AND n.path_key = ANY((${chains}::text[])[request.first:request.last]) AND n.dropped_at IS NULL
    ), tbl AS MATERIALIZED (
      SELECT t.id, t.name, t.kind, t.owner_id, t.location, t.metadata_location FROM namespace n JOIN tables t ON t.namespace_id = n.id
      WHERE n.path_key = request.innermost AND t.name_key = request.table_key AND t.dropped_at IS NULL
    )`,
    objects: Prisma.raw(`UNION ALL SELECT id, path, NULL FROM namespace
      UNION ALL SELECT tbl.id, n.path, tbl.name FROM tbl, namespace n WHERE n.path_key = request.innermost`),
  };
}

function dateOrNull(text: string | Date | null): Date | null {
  return text === null ? null : new Date(text);
}
