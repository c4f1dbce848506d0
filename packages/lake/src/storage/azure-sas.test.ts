import type { UserDelegationKey } from '@azure/storage-blob';
import { BlobServiceClient } from '@azure/storage-blob';
import { AZURE } from './azure-options.ts';
import { azureVendor, delegationOf } from './azure-sas.ts';
import type { RequestedObjects } from './signable-request.ts';

const NOW = Date.parse('2026-11-27T03:00:00Z');
const URL_OF_CONTAINER = 'abfss://lake@acme.dfs.core.windows.net';
const ID = '00000000-0000-4000-8000-000000000001';

const KEY: UserDelegationKey = {
  signedObjectId: ID,
  signedTenantId: ID,
  signedStartsOn: new Date(NOW),
  signedExpiresOn: new Date(NOW + 60_000),
  signedService: 'b',
  signedVersion: '2024-11-04',
  value: Buffer.alloc(32, 7).toString('base64'),
};

const vend = (sasMinutes: number | null, access: RequestedObjects['access'][], exact = false) =>
  azureVendor(
    { url: URL_OF_CONTAINER, account: 'acme', container: 'lake' },
    { ...AZURE, sasMinutes },
    async (minutes) => ({ key: KEY, startsOn: new Date(NOW), expiresOn: new Date(NOW + minutes * 60_000) }),
  )({ location: `${URL_OF_CONTAINER}/svc/t`, reads: null, access, exact, sessionName: `svc-${ID}` });

test('a signature reads and lists the folder of the table, and nothing else (CREDENTIAL-2, CREDENTIAL-3)', async () => {
  const vended = (await vend(20, ['read', 'write', 'remove']))!;
  expect([vended.access, vended.expiresAt]).toEqual([['read'], new Date(NOW + 20 * 60_000)]);
  const sas = vended.properties['adls.sas-token.acme']!;
  const expiresAt = String(NOW + 20 * 60_000);
  expect(vended.properties).toEqual({
    'adls.sas-token.acme': sas,
    'adls.sas-token.acme.dfs.core.windows.net': sas,
    'adls.sas-token-expires-at-ms.acme': expiresAt,
    'adls.sas-token-expires-at-ms.acme.dfs.core.windows.net': expiresAt,
  });
  expect(Object.fromEntries(new URLSearchParams(sas))).toMatchObject({
    sr: 'd',
    sdd: '2',
    sp: 'rl',
    spr: 'https',
    se: '2026-11-27T03:20:00Z',
    skoid: ID,
    scid: ID,
  });
});

test('none without the permission to read, or unless the operator enabled them (CREDENTIAL-1)', async () => {
  expect([await vend(20, ['write', 'remove']), await vend(null, ['read'])]).toEqual([null, null]);
});

test('none for a caller that must write (CREDENTIAL-6)', async () => {
  expect(await vend(20, ['read', 'write'], true)).toBeNull();
  expect((await vend(20, ['read'], true))!.access).toEqual(['read']);
});

test('an account without a hierarchical namespace is refused with the reason', async () => {
  const service = new BlobServiceClient('https://acme.blob.core.windows.net');
  service.getAccountInfo = async () => ({ isHierarchicalNamespaceEnabled: false }) as never;
  await expect(delegationOf(service, () => NOW)(20)).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('no hierarchical namespace'),
  });
});
