import type { Principal } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { LOCK, type Lock } from './lock.ts';

export interface StoredPrincipal {
  id: string;
  name: string;
  type: string;
  active: boolean;
  created_at: Date;
  password_hash: string | null;
  must_change_password: boolean;
}

/** The columns of a `StoredPrincipal` in the table `p`. */
export const PRINCIPAL_COLUMNS: Prisma.Sql = Prisma.raw(
  'p.id, p.name, p.type, p.active, p.created_at, p.password_hash, p.must_change_password',
);

export function principalRecord(row: Omit<StoredPrincipal, 'password_hash' | 'must_change_password'>): Principal {
  const { id, name, active, created_at } = row;
  return { id, name, type: row.type as Principal['type'], active, created_at: created_at.toISOString() };
}

export async function findPrincipal(client: Transaction, name: string): Promise<StoredPrincipal | null> {
  return client.principal.findFirst({ where: { name, deleted_at: null } });
}

/** Finds a principal and locks it until the transaction commits. */
export async function lockPrincipal(client: Transaction, name: string, lock: Lock): Promise<StoredPrincipal | null> {
  const rows = await client.$queryRaw<StoredPrincipal[]>`
    SELECT ${PRINCIPAL_COLUMNS} FROM principals p WHERE p.name = ${name} AND p.deleted_at IS NULL ${LOCK[lock]}`;
  return rows[0] ?? null;
}

/** Whether a principal exists and is active. */
export async function isActivePrincipal(client: Transaction, id: string): Promise<boolean> {
  return (await client.principal.count({ where: { id, active: true, deleted_at: null } })) === 1;
}

/** Finds a principal by id. Deleted ones are returned only on request, and as inactive. */
export async function findPrincipalById(
  client: Transaction,
  id: string,
  { deletedToo = false } = {},
): Promise<StoredPrincipal | null> {
  return client.principal.findFirst({ where: { id, ...(deletedToo ? {} : { deleted_at: null }) } });
}
