import type { Transaction } from '../connection/index.ts';
import type { StoredPrincipal } from './principals.ts';

/** Sets what is given: `active`, or the password's hash (null takes the password away). */
export async function updatePrincipal(
  client: Transaction,
  p: { id: string; active?: boolean | undefined; passwordHash?: string | null | undefined; now: Date },
): Promise<StoredPrincipal> {
  return client.principal.update({
    where: { id: p.id },
    data: {
      ...(p.active === undefined ? {} : { active: p.active, deactivated_at: p.active ? null : p.now }),
      ...(p.passwordHash === undefined ? {} : { password_hash: p.passwordHash }),
    },
  });
}
