import type { IssuedToken } from '@svc/sdk';
import { escaped } from '../output/escape.ts';
import { time } from '../output/format.ts';

/** The note below a new token. */
export function storeTokenNote({ name, principal, expires_at }: IssuedToken): string {
  const until = expires_at === null ? "It doesn't expire." : `It expires at ${time(expires_at)}.`;
  return escaped(`Store the token ${name} of ${principal} now: it is not shown again. ${until}`);
}
