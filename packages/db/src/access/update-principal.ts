import type { Transaction } from '../connection/index.ts';
import type { StoredPrincipal } from './principals.ts';

/** Updates `active` or the password hash; null removes the password. */
export async function updatePrincipal(
  client: Transaction,
  p: { id: string; active?: boolean | undefined; passwordHash?: string | null | undefined; now: Date },
): Promise<StoredPrincipal> {
  return client.principal.update({
    where: { id: p.id },
    data: {
      ...(p.active === undefined ? {} : { active: p.active, deactivated_at: p.active ? null : p.now }),
      ...(p.passwordHash === undefined ? {} : { password_hash: p.passwordHash, must_change_password: false }),
    },
  });
}
