import { principalName } from '../access/names.ts';
import type { IdentityClaims } from './claims.ts';
import type { IdentityProvider } from './contract.ts';
import type { RefusalReason } from './refusals.ts';

type Rules = Pick<IdentityProvider, 'link_by' | 'create_people' | 'email_domains'>;

/** What may happen to an identity that nobody is linked to yet. */
export type FirstSignIn =
  | {
      readonly ok: true;
      /** The address of the person that it may be linked to; null: nobody. */
      readonly linkTo: string | null;
      /** The name of the person that is created if it isn't linked; null: none is. */
      readonly create: string | null;
    }
  | { readonly ok: false; readonly reason: RefusalReason };

/** Decides about the first sign-in of an identity (SSO-8 to SSO-10). */
export function firstSignIn(rules: Rules, claims: IdentityClaims): FirstSignIn {
  const { email } = claims;
  if (rules.email_domains.length > 0) {
    if (email === null) return refused(claims, 'email-missing');
    if (!rules.email_domains.includes(domainOf(email))) return { ok: false, reason: 'email-domain' };
  }
  const linkTo = rules.link_by === 'verified-email' ? email : null;
  const create = rules.create_people ? nameOf(claims) : null;
  if (rules.create_people && create === null && linkTo === null) return refused(claims, 'no-name');
  if (linkTo === null && create === null) {
    return rules.link_by === 'verified-email'
      ? refused(claims, 'unknown-person')
      : { ok: false, reason: 'unknown-person' };
  }
  return { ok: true, linkTo, create };
}

/** An unverified address explains more than what follows from it. */
const refused = ({ hasUnverifiedEmail }: IdentityClaims, reason: RefusalReason): FirstSignIn => ({
  ok: false,
  reason: hasUnverifiedEmail ? 'email-unverified' : reason,
});

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** The name of a new person: the first of these that is a valid name of a principal. */
function nameOf({ preferredUsername, email }: IdentityClaims): string | null {
  const candidates = [preferredUsername, email];
  return candidates.find((name): name is string => name !== null && principalName.safeParse(name).success) ?? null;
}
