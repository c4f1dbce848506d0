import type { SessionOptions } from './session-options.ts';

/**
 * Before further rows of a statement that has run: the token may have been revoked, or have lost its permission, since then
 * (POSTGRES-11).
 *
 * @throws ServiceError
 */
export async function verifyToken({
  client,
  signedIn,
  origin,
}: Pick<SessionOptions, 'client' | 'signedIn' | 'origin'>): Promise<void> {
  const session = { origin, searchPath: [], describe: false, onStored: () => undefined };
  await client.call(signedIn, 'GET', `/postgres/${encodeURIComponent(signedIn.environment)}`, { session });
}
