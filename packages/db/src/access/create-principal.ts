import type { Principal } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import type { Transaction } from '../connection/index.ts';
import { principalRecord } from './principals.ts';

export interface NewPrincipal {
  id: string;
  name: string;
  type: Principal['type'];
  passwordHash: string | null;
  /** Whether the person must replace the password before anything else. */
  mustChangePassword?: boolean;
  createdBy: string | null;
  now: Date;
}

/** Creates a principal. The unique index decides between concurrent calls with the same name: the second gets 409. */
export async function createPrincipal(client: Transaction, p: NewPrincipal): Promise<Principal> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO principals (id, name, type, password_hash, must_change_password, created_at, created_by)
    VALUES (${p.id}::uuid, ${p.name}, ${p.type}, ${p.passwordHash}, ${p.mustChangePassword ?? false}, ${p.now}, ${p.createdBy}::uuid)
    ON CONFLICT (name) WHERE deleted_at IS NULL DO NOTHING RETURNING id`;
  if (rows.length === 0)
    throw new ApiError('already-exists', `A principal named ${p.name} already exists. Choose another name.`);
  return principalRecord({ ...p, active: true, created_at: p.now });
}
