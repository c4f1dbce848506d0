import type { AuthClient, CredentialAccessBoundary } from 'google-auth-library';
import { fingerprint } from './credential-fingerprint.ts';
import type { GoogleConnection } from './google-options.ts';
import type { RequestedObjects } from './signable-request.ts';
import { unavailable } from './storage-errors.ts';
import type { CredentialVendor } from './vended-credentials.ts';

type Access = RequestedObjects['access'];

/** Exchanges the service's own token for one with less access. */
type Exchange = (boundary: CredentialAccessBoundary) => Promise<{ token: string; expiresAt: Date }>;

/** Characters of a folder that the text of a condition could confuse. */
const INEXPRESSIBLE = /["'\\]|[^\x20-\x7e]/;

/**
 * Issues access tokens for single tables: the service's own, restricted by a credential access boundary. Null for a
 * location that a boundary can't express, or if the operator hasn't enabled them.
 */
export function googleVendor(
  bucket: string,
  { endpoint, tokens }: GoogleConnection,
  exchange: Exchange,
): CredentialVendor {
  return async ({ location, reads, access, exact }) => {
    const folder = location.slice(`gs://${bucket}/`.length);
    const readable = reads === null ? folder : reads.slice(`gs://${bucket}/`.length);
    const allowed = expressible(access);
    if (exact && allowed.length < access.length) return null;
    if (!tokens || allowed.length === 0 || folder === '' || INEXPRESSIBLE.test(folder)) return null;
    const { token, expiresAt } = await exchange(accessBoundary(bucket, { folder, readable, access: allowed }));
    return {
      accessKeyId: fingerprint(token),
      expiresAt,
      access: allowed,
      properties: {
        ...(endpoint === null ? {} : { 'gcs.service.host': endpoint }),
        'gcs.oauth2.token': token,
        'gcs.oauth2.token-expires-at': String(expiresAt.getTime()),
      },
      refreshProperty: 'gcs.oauth2.refresh-credentials-endpoint',
    };
  };
}

/** No predefined role allows removing objects without reading and adding them. */
function expressible(access: readonly Access[]): Access[] {
  const all = access.includes('read') && access.includes('write');
  return access.filter((one) => one !== 'remove' || all);
}

interface Subject {
  readonly folder: string;
  /** The same folder, or one around it. */
  readonly readable: string;
  readonly access: readonly Access[];
}

/** Allows the access to the files below a folder, to read those of the other one, and nothing else. */
export function accessBoundary(bucket: string, { folder, readable, access }: Subject): CredentialAccessBoundary {
  const within = (of: string) => `resource.name.startsWith("projects/_/buckets/${bucket}/objects/${of}/")`;
  const listed = `api.getAttribute("storage.googleapis.com/objectListPrefix", "").startsWith("${readable}/")`;
  // Only the catalog writes metadata files. A replaced one could name another folder as the table's own.
  const noMetadata = 'resource.name.extract("{before}.metadata.json") == ""';
  const rule = (role: string, expression: string) => ({
    availablePermissions: [`inRole:roles/storage.${role}`],
    availableResource: `//storage.googleapis.com/projects/_/buckets/${bucket}`,
    availabilityCondition: { expression },
  });
  const changes = access.includes('remove') ? 'objectUser' : 'objectCreator';
  return {
    accessBoundary: {
      accessBoundaryRules: [
        ...(access.includes('read') ? [rule('objectViewer', `${within(readable)} || ${listed}`)] : []),
        ...(access.includes('write') ? [rule(changes, `${within(folder)} && ${noMetadata}`)] : []),
      ],
    },
  };
}

/** Exchanges tokens at Google. */
export function exchangeOf(ownClient: () => Promise<AuthClient>): Exchange {
  return async (boundary) => {
    try {
      const { DownscopedClient } = await import('google-auth-library');
      const { token, expirationTime } = await new DownscopedClient(await ownClient(), boundary).getAccessToken();
      if (!token || expirationTime == null) throw new Error('the token is incomplete');
      return { token, expiresAt: new Date(expirationTime) };
    } catch (error) {
      const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
      throw unavailable(`its token service issued no credentials: ${why}`, { cause: error });
    }
  };
}
