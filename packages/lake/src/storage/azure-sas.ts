import type { BlobServiceClient, UserDelegationKey } from '@azure/storage-blob';
import { called } from './azure-client.ts';
import type { AzureConnection } from './azure-options.ts';
import { fingerprint } from './credential-fingerprint.ts';
import { unavailable } from './storage-errors.ts';
import type { CredentialVendor } from './vended-credentials.ts';

/** A key that Azure issues to the service's identity to sign with. */
type Delegation = (minutes: number) => Promise<{ key: UserDelegationKey; startsOn: Date; expiresOn: Date }>;

/** Signatures are valid a little earlier than now, in case the clocks of Azure differ. */
const CLOCK_SKEW_MS = 5 * 60_000;

interface Container {
  readonly url: string;
  readonly account: string;
  readonly container: string;
}

/**
 * Issues signatures (user delegation SAS) to read and list the folders of single tables. They can't allow writing
 * without allowing it for metadata files as well, which only the catalog may write.
 */
export function azureVendor(
  { url, account, container }: Container,
  { sasMinutes }: AzureConnection,
  delegation: Delegation,
): CredentialVendor {
  return async ({ location, reads, access, exact, sessionName }) => {
    const folder = (reads ?? location).slice(`${url}/`.length);
    if (sasMinutes === null || !access.includes('read') || folder === '') return null;
    if (exact && access.length > 1) return null;
    const { key, startsOn, expiresOn } = await delegation(sasMinutes);
    // Loaded only if needed, because it is large.
    const { DirectorySASPermissions, generateDataLakeSASQueryParameters, SASProtocol } = await import(
      '@azure/storage-file-datalake'
    );
    const sas = generateDataLakeSASQueryParameters(
      {
        fileSystemName: container,
        pathName: folder,
        isDirectory: true,
        directoryDepth: folder.split('/').length,
        permissions: DirectorySASPermissions.parse('rl'),
        protocol: SASProtocol.Https,
        startsOn,
        expiresOn,
        correlationId: sessionName.replace(/^svc-/, ''),
      },
      key,
      account,
    ).toString();
    const properties: Record<string, string> = {};
    // Clients name the account with or without its domain.
    for (const name of [account, `${account}.dfs.core.windows.net`]) {
      properties[`adls.sas-token.${name}`] = sas;
      properties[`adls.sas-token-expires-at-ms.${name}`] = String(expiresOn.getTime());
    }
    return {
      accessKeyId: fingerprint(sas),
      expiresAt: expiresOn,
      access: ['read'],
      properties,
      refreshProperty: 'adls.refresh-credentials-endpoint',
    };
  };
}

/** Requests the keys from Azure, for accounts with a hierarchical namespace: others have no signatures for folders. */
export function delegationOf(service: BlobServiceClient, clock: () => number): Delegation {
  let hierarchical: boolean | undefined;
  return async (minutes) => {
    hierarchical ??= (await called(() => service.getAccountInfo())).isHierarchicalNamespaceEnabled === true;
    if (!hierarchical)
      throw unavailable(
        `the account ${service.accountName} has no hierarchical namespace, so it can't issue credentials for single tables`,
      );
    const startsOn = new Date(clock() - CLOCK_SKEW_MS);
    const expiresOn = new Date(clock() + minutes * 60_000);
    try {
      return { key: await called(() => service.getUserDelegationKey(startsOn, expiresOn)), startsOn, expiresOn };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw unavailable(`its token service issued no credentials: ${why}`, { cause: error });
    }
  };
}
