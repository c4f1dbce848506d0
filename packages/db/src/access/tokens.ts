import type { TokenKind, TokenRecord } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';

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
}

/** Stores a token as its SHA-256 (ACCESS-24). */
export async function storeToken(client: Transaction, token: NewToken): Promise<TokenRecord> {
  const { id, name, kind, now, expiresAt } = token;
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
    },
  });
  return {
    id,
    name,
    kind,
    principal: token.principal,
    created_at: now.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

/** Lists the valid tokens of a principal, oldest first. */
export async function listTokens(
  client: Transaction,
  { principalId, principal, now }: { principalId: string; principal: string; now: Date },
): Promise<TokenRecord[]> {
  const rows = await client.token.findMany({
    where: { principal_id: principalId, revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: now } }] },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ id, name, kind, created_at, expires_at }) => ({
    id,
    name,
    kind: kind as TokenKind,
    principal,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
  }));
}

/** Finds a token that isn't revoked, with its principal. */
export async function findToken(
  client: Transaction,
  id: string,
): Promise<{ id: string; name: string; kind: string; principal_id: string; principal: string } | null> {
  const rows = await client.$queryRaw<
    { id: string; name: string; kind: string; principal_id: string; principal: string }[]
  >`
    SELECT t.id, t.name, t.kind, t.principal_id, p.name AS principal
    FROM tokens t JOIN principals p ON p.id = t.principal_id WHERE t.id = ${id}::uuid AND t.revoked_at IS NULL`;
  return rows[0] ?? null;
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
  { principalId, except, by, now }: { principalId: string; except: string; by: string; now: Date },
): Promise<void> {
  await client.token.updateMany({
    where: { principal_id: principalId, kind: 'session', revoked_at: null, id: { not: except } },
    data: { revoked_at: now, revoked_by: by },
  });
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
