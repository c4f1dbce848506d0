import { string } from '@oclif/core/flags';
import { parseTime, parseTimeFromNow } from './time.ts';

/** When a token or a grant expires. */
const expiryFlagsWith = (unless: string) => ({
  'expires-at': string({
    description: `expiry time (default: ${unless})`,
    helpValue: 'TIME',
    exclusive: ['expires-in'],
  }),
  'expires-in': string({ description: 'duration until it expires, such as 12h or 90d', helpValue: 'DURATION' }),
});

export const expiryFlags = expiryFlagsWith('never');
export const tokenExpiryFlags = expiryFlagsWith('as late as the service allows');

export function parseExpiry(
  flags: { 'expires-at'?: string | undefined; 'expires-in'?: string | undefined },
  now: Date,
): string | undefined {
  return parseTime('expires-at', flags['expires-at']) ?? parseTimeFromNow('expires-in', flags['expires-in'], now);
}
