import { string } from '@oclif/core/flags';
import { parseTime, parseTimeFromNow } from './time.ts';

/** When a token or a grant expires. */
export const expiryFlags = {
  'expires-at': string({ description: 'expiry time (default: never)', helpValue: 'TIME', exclusive: ['expires-in'] }),
  'expires-in': string({ description: 'duration until it expires, such as 12h or 90d', helpValue: 'DURATION' }),
};

export function parseExpiry(
  flags: { 'expires-at'?: string | undefined; 'expires-in'?: string | undefined },
  now: Date,
): string | undefined {
  return parseTime('expires-at', flags['expires-at']) ?? parseTimeFromNow('expires-in', flags['expires-in'], now);
}
