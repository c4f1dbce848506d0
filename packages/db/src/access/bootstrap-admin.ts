import { INSTANCE } from '@svc/core/access';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../connection/index.ts';
import { createGrant } from './grants.ts';
import { storeToken } from './tokens.ts';

const BOOTSTRAP_LOCK = 0x73766362;

/**
 * On the first start with an empty database, creates the person `admin` with ADMIN on the instance and the bootstrap
 * token (SERVICE-3). Later starts store the token only if the operator configured a new one and `admin` still exists, and record it.
 * Returns whether the principal was created.
 */
export async function bootstrapAdmin(
  client: Transaction,
  { tokenHash, now, newId }: { tokenHash: Uint8Array; now: Date; newId: () => string },
): Promise<boolean> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(${BOOTSTRAP_LOCK}::bigint)`;
  const existing = await client.principal.findFirst({ orderBy: { created_at: 'asc' } });
  const existingToken = await client.token.findUnique({ where: { hash: new Uint8Array(tokenHash) } });
  if (existingToken !== null) return false;
  const id = existing?.id ?? newId();
  if (existing === null) {
    await client.principal.create({ data: { id, name: 'admin', type: 'person', created_at: now } });
    const object = {
      kind: 'INSTANCE',
      environmentId: null,
      namespaceId: null,
      tableId: null,
      serviceAccountId: null,
    } as const;
    await createGrant(client, {
      id: newId(),
      object,
      principalId: id,
      groupId: null,
      role: 'ADMIN',
      action: null,
      createdBy: null,
      expiresAt: null,
      now,
    });
  } else if (existing.name !== 'admin' || existing.deleted_at !== null) return false;
  const stored = await storeToken(client, {
    id: newId(),
    principalId: id,
    principal: 'admin',
    name: 'bootstrap',
    kind: 'personal',
    hash: tokenHash,
    now,
    createdBy: null,
    expiresAt: null,
  });
  if (existing === null) return true;
  const { id: tokenId, name, principal, kind, expires_at } = stored;
  await recordEvent(client, {
    ...{ id: newId(), time: now, type: 'TOKEN_ISSUED', principal: null, object: INSTANCE, environmentId: null },
    ...{ requestId: null, detail: { token_id: tokenId, name, principal, kind, expires_at } },
  });
  return false;
}
