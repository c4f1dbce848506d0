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

/** Stores a token; only its SHA-256 is kept. */
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

/** The tokens of a principal that still work, oldest first. */
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

/** The token and its principal while it is not revoked, else null. */
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

/** Revokes a token. False when it is revoked already. */
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

/** Ends the sessions of a principal but the one that is named. */
export async function endSessions(
  client: Transaction,
  { principalId, except, by, now }: { principalId: string; except: string; by: string; now: Date },
): Promise<void> {
  await client.token.updateMany({
    where: { principal_id: principalId, kind: 'session', revoked_at: null, id: { not: except } },
    data: { revoked_at: now, revoked_by: by },
  });
}

/** Binds a token to an environment unless it is bound already; gives the one that it is bound to now. */
export async function bindToken(
  client: Transaction,
  { id, environmentId }: { id: string; environmentId: string },
): Promise<string> {
  const rows = await client.$queryRaw<{ environment_id: string }[]>`
    UPDATE tokens SET environment_id = coalesce(environment_id, ${environmentId}::uuid) WHERE id = ${id}::uuid
    RETURNING environment_id`;
  return rows[0]!.environment_id;
}
