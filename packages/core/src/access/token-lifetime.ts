const DAY_MS = 86_400_000;

interface Lifetime {
  /** The requested expiry; null: as long as allowed. */
  requested: Date | null;
  /** Maximum days from now (TOKEN-1); null: no limit. */
  maxDays: number | null;
  now: Date;
}

type Expiry = { readonly ok: true; readonly expiresAt: Date | null } | { readonly ok: false; readonly latest: Date };

/** When a new token expires. */
export function tokenExpiry({ requested, maxDays, now }: Lifetime): Expiry {
  if (maxDays === null) return { ok: true, expiresAt: requested };
  const latest = new Date(now.getTime() + maxDays * DAY_MS);
  if (requested === null) return { ok: true, expiresAt: latest };
  return requested > latest ? { ok: false, latest } : { ok: true, expiresAt: requested };
}

/** When the token that replaces another one expires: it lasts as long as that one did, at most as long as allowed. */
export function rotatedExpiry(
  { created_at, expires_at }: { created_at: Date; expires_at: Date | null },
  { maxDays, now }: Omit<Lifetime, 'requested'>,
): Date | null {
  const requested = expires_at === null ? null : new Date(now.getTime() + expires_at.getTime() - created_at.getTime());
  const expiry = tokenExpiry({ requested, maxDays, now });
  return expiry.ok ? expiry.expiresAt : expiry.latest;
}
