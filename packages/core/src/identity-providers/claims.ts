import * as z from 'zod';
import { composed, NOT_COMPOSED } from '../access/names.ts';
import { isStorable } from '../contract/index.ts';

/** What a provider says about a person who signs in (SSO-7). */
export interface IdentityClaims {
  readonly subject: string;
  /** In lower case; null unless the provider has verified it. */
  readonly email: string | null;
  /** Whether the provider sent an e-mail address that it hasn't verified. */
  readonly hasUnverifiedEmail: boolean;
  readonly preferredUsername: string | null;
  /** The values of the claim for groups; null if it isn't used. */
  readonly groups: readonly string[] | null;
}

type Claims = Readonly<Record<string, unknown>>;

const MAX_EMAIL = 320;
const MAX_GROUPS = 10_000;

/** An e-mail address in lower case. Two addresses are the same if they differ in letter case only. */
export const emailAddress = z
  .string()
  .max(MAX_EMAIL, `must be at most ${MAX_EMAIL} characters`)
  .regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u, 'must be an e-mail address, such as ann@example.com')
  // Signs that look like letters, and whose lower case is that of the letter, aren't in this form.
  .refine(composed, NOT_COMPOSED)
  .transform((email) => email.toLowerCase());

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Reads the claims of a verified ID token and of the userinfo endpoint. The token comes first; an address and whether it is verified
 * come from the same source.
 *
 * @returns null if the provider left out the groups because they are too many for a token: nobody must lose groups because of that
 */
export function readClaims(token: Claims, userinfo: Claims | null, groupsClaim: string | null): IdentityClaims | null {
  const sources = userinfo === null ? [token] : [token, userinfo];
  const withEmail = sources.find((claims) => claims['email'] !== undefined);
  const email = emailAddress.safeParse(withEmail?.['email']);
  const isVerified = withEmail?.['email_verified'] === true;
  const groups = groupsClaim === null ? null : groupsOf(sources, groupsClaim);
  if (groups === 'left-out') return null;
  return {
    subject: String(token['sub']),
    email: email.success && isVerified ? email.data : null,
    hasUnverifiedEmail: withEmail !== undefined && !isVerified,
    preferredUsername:
      sources.map((claims) => text(claims['preferred_username'])).find((name) => name !== null) ?? null,
    groups,
  };
}

function groupsOf(sources: readonly Claims[], claim: string): string[] | 'left-out' {
  for (const claims of sources) {
    const value = claimValue(claims, claim);
    if (typeof value === 'string') return [value].filter(isStorable);
    if (Array.isArray(value))
      return value.slice(0, MAX_GROUPS).filter((item) => typeof item === 'string' && isStorable(item));
  }
  // A reference to the claim replaces it (OpenID Connect Core, 5.6.2).
  const isReferred = ({ _claim_names: names }: Claims) =>
    typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
  return sources.some(isReferred) ? 'left-out' : [];
}

/** The claim of that name; otherwise the one at the end of the dotted path, such as `realm_access.roles`. */
function claimValue(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim];
  return claim.split('.').reduce<unknown>((inside, part) => {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, part)) return undefined;
    return (inside as Claims)[part];
  }, claims);
}
