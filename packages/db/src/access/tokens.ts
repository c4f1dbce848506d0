import type { TokenKind, TokenRecord, TokenScope } from '@svc/core/access';
import { batched, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import type { SignInMethod } from './authorize-request.ts';
import { type NewTokenScope, SCOPE_OF_TOKEN, storedScope } from './token-scope.ts';

export interface NewToken {
  id: string;
  principalId: string;
  principal: string;
  name: string;
  kind: TokenKind;
  hash: Uint8Array;
  now: Date;
  createdBy: string | null;
  expiresAt: Date | null;
  environmentId?: string | null;
  runId?: string | null;
  taskId?: string | null;
  /** What it carries at most (default: everything). */
  scope?: NewTokenScope | null;
  workloadIdentityId?: string;
  /** Of a session. */
  signIn?: SignInMethod;
}

/** Stores a token as its SHA-256 (ACCESS-24). */
export async function storeToken(client: Transaction, token: NewToken): Promise<TokenRecord> {
  const { id, name, kind, now, expiresAt, scope = null } = token;
  await client.token.create({
    data: {
      id,
      name,
      kind,
      principal_id: token.principalId,
      hash: new Uint8Array(token.hash),
      created_at: now,
      created_by: token.createdBy,
      expires_at: expiresAt,
      environment_id: token.environmentId ?? null,
      run_id: token.runId ?? null,
      task_id: token.taskId ?? null,
      workload_identity_id: token.workloadIdentityId ?? null,
      ...(scope === null ? {} : { scope: storedScope(scope) }),
      sign_in: token.signIn ?? null,
    },
  });
  return tokenRecord({
    ...{ id, name, kind, principal: token.principal, created_at: now, expires_at: expiresAt, scope },
    ...{ last_used_at: null, last_used_address: null, last_used_client: null },
  });
}

/** A token with its principal. */
export interface StoredToken {
  id: string;
  name: string;
  kind: TokenKind;
  principal_id: string;
  principal: string;
  created_at: Date;
  expires_at: Date | null;
  /** With the names of its environments. */
  scope: TokenScope | null;
  environment_ids: string[] | null;
  replaced_by: string | null;
  /** Of a token that a workload got in exchange. */
  workload_identity_id: string | null;
  last_used_at: Date | null;
  last_used_address: string | null;
  last_used_client: string | null;
}

const selectTokens = (client: Transaction, where: Prisma.Sql, lock = Prisma.empty): Promise<StoredToken[]> =>
  client.$queryRaw<StoredToken[]>`
    SELECT t.id, t.name, t.kind, t.principal_id, p.name AS principal, t.created_at, t.expires_at,
           ${SCOPE_OF_TOKEN} AS scope, t.scope->'environments' AS environment_ids, t.replaced_by, t.workload_identity_id, t.last_used_at, t.last_used_address,
           t.last_used_client
    FROM tokens t JOIN principals p ON p.id = t.principal_id WHERE ${where}
    ORDER BY t.created_at, t.id ${lock}`;

const tokenRecord = (
  row: Omit<StoredToken, 'principal_id' | 'environment_ids' | 'replaced_by' | 'workload_identity_id'>,
): TokenRecord => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  principal: row.principal,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  ...scopeFields(row.scope),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  last_used_address: row.last_used_address,
  last_used_client: row.last_used_client,
});

/** The fields of a record for the scope of a token. */
export const scopeFields = (scope: TokenScope | null): Pick<TokenRecord, 'environments' | 'actions'> => ({
  environments: scope?.environments == null ? null : [...scope.environments],
  actions: scope?.actions == null ? null : [...scope.actions],
});

/** Lists the valid tokens of a principal, oldest first. */
export async function listTokens(
  client: Transaction,
  { principalId, now }: { principalId: string; now: Date },
): Promise<TokenRecord[]> {
  const rows = await selectTokens(
    client,
    Prisma.sql`t.principal_id = ${principalId}::uuid AND t.revoked_at IS NULL
      AND (t.expires_at IS NULL OR t.expires_at > ${now})`,
  );
  return rows.map(tokenRecord);
}

/** Finds a token that isn't revoked; `lock` locks it until the transaction commits. */
export async function findToken(client: Transaction, id: string, { lock = false } = {}): Promise<StoredToken | null> {
  const [row] = await selectTokens(
    client,
    Prisma.sql`t.id = ${id}::uuid AND t.revoked_at IS NULL`,
    lock ? Prisma.sql`FOR NO KEY UPDATE OF t` : Prisma.empty,
  );
  return row ?? null;
}

/** Records what a rotation replaced a token with, which still works until `expiresAt`. */
export async function replaceToken(
  client: Transaction,
  { id, by, expiresAt }: { id: string; by: string; expiresAt: Date },
): Promise<void> {
  await client.token.update({ where: { id }, data: { replaced_by: by, expires_at: expiresAt } });
}

/** A request with a token. */
export interface TokenUse {
  id: string;
  at: Date;
  address: string;
  client: string | null;
}

/**
 * Returns a function that stores the last use of tokens, several at once. It skips tokens that something else is writing to,
 * usually another server with about the same time.
 */
export function openTokenUses(client: Transaction): (use: TokenUse) => Promise<boolean> {
  return batched(
    async (uses: readonly TokenUse[]) => {
      const stored = await client.$queryRaw<{ id: string }[]>`/* prepared store-token-uses */
        WITH used AS (SELECT * FROM unnest(
            (SELECT ${uses.map(({ id }) => id)}::uuid[]), (SELECT ${uses.map(({ at }) => at.toISOString())}::timestamptz[]),
            (SELECT ${uses.map(({ address }) => address)}::text[]), (SELECT ${uses.map((use) => use.client)}::text[]))
          AS u(id, at, address, client)),
        locked AS MATERIALIZED (SELECT t.id FROM tokens t JOIN used USING (id) FOR NO KEY UPDATE OF t SKIP LOCKED),
        updated AS (
          UPDATE tokens t SET last_used_at = u.at, last_used_address = u.address, last_used_client = u.client
          FROM used u JOIN locked USING (id)
          WHERE t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.at))
        SELECT id FROM locked`;
      const ids = new Set(stored.map(({ id }) => id));
      return uses.map(({ id }) => ids.has(id));
    },
    { maxConcurrent: 1, maxSize: 100 },
  );
}

/** Revokes a token. Returns false if it was revoked already. */
export async function revokeToken(
  client: Transaction,
  { id, by, now }: { id: string; by: string | null; now: Date },
): Promise<boolean> {
  const { count } = await client.token.updateMany({
    where: { id, revoked_at: null },
    data: { revoked_at: now, revoked_by: by },
  });
  return count > 0;
}

/** Ends the sessions of a principal, except the given one. */
export async function revokeSessions(
  client: Transaction,
  { principalId, except, by, now }: { principalId: string; except: string | null; by: string; now: Date },
): Promise<void> {
  await client.token.updateMany({
    where: { principal_id: principalId, kind: 'session', revoked_at: null, ...(except && { id: { not: except } }) },
    data: { revoked_at: now, revoked_by: by },
  });
}

/** Remembers that the password was entered again in a session. */
export async function confirmSession(client: Transaction, { id, now }: { id: string; now: Date }): Promise<void> {
  await client.token.update({ where: { id }, data: { confirmed_at: now } });
}

/** Remembers that a session was opened, or has continued, with another method. */
export async function setSignInMethod(client: Transaction, { id, method }: { id: string; method: SignInMethod }) {
  await client.token.update({ where: { id }, data: { sign_in: method } });
}

/** Binds a token to an environment unless it is bound already, and returns the environment it is bound to. */
export async function bindToken(
  client: Transaction,
  { id, environmentId }: { id: string; environmentId: string },
): Promise<string> {
  const rows = await client.$queryRaw<{ environment_id: string }[]>`
    UPDATE tokens SET environment_id = coalesce(environment_id, ${environmentId}::uuid) WHERE id = ${id}::uuid
    RETURNING environment_id`;
  return rows[0]!.environment_id;
}

/** Moves the expiry of a token. Returns false if it has been revoked. */
export async function extendToken(
  client: Transaction,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<boolean> {
  const { count } = await client.token.updateMany({
    where: { id, revoked_at: null },
    data: { expires_at: expiresAt },
  });
  return count > 0;
}
