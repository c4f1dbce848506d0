import { GOOGLE } from './google-options.ts';
import { type accessBoundary, googleVendor } from './google-tokens.ts';
import type { RequestedObjects } from './signable-request.ts';

const EXPIRES = new Date('2026-11-27T04:00:00Z');
const OWN = 'resource.name.startsWith("projects/_/buckets/lake/objects/svc/t/")';
const NO_METADATA = 'resource.name.extract("{before}.metadata.json") == ""';

function vendor(tokens = true, endpoint: string | null = null) {
  const boundaries: ReturnType<typeof accessBoundary>[] = [];
  const vend = googleVendor('lake', { ...GOOGLE, tokens, endpoint }, async (boundary) => {
    boundaries.push(boundary);
    return { token: 'restricted', expiresAt: EXPIRES };
  });
  const request = (
    access: RequestedObjects['access'][],
    location = 'gs://lake/svc/t',
    { reads = null, exact = false }: { reads?: string | null; exact?: boolean } = {},
  ) => vend({ location, reads, access, exact, sessionName: 'svc-x' });
  return { boundaries, request };
}

const rulesOf = (boundary: ReturnType<typeof accessBoundary>) =>
  boundary.accessBoundary.accessBoundaryRules.map(({ availablePermissions, availabilityCondition }) => [
    ...availablePermissions,
    availabilityCondition!.expression,
  ]);

test('a token reads and lists the folder of the table (CREDENTIAL-2)', async () => {
  const { boundaries, request } = vendor();
  expect(await request(['read'])).toEqual({
    accessKeyId: expect.stringMatching(/^sha256:[0-9a-f]{32}$/),
    expiresAt: EXPIRES,
    access: ['read'],
    properties: { 'gcs.oauth2.token': 'restricted', 'gcs.oauth2.token-expires-at': String(EXPIRES.getTime()) },
    refreshProperty: 'gcs.oauth2.refresh-credentials-endpoint',
  });
  const listed = 'api.getAttribute("storage.googleapis.com/objectListPrefix", "").startsWith("svc/t/")';
  expect(rulesOf(boundaries[0]!)).toEqual([['inRole:roles/storage.objectViewer', `${OWN} || ${listed}`]]);
  expect(boundaries[0]!.accessBoundary.accessBoundaryRules[0]!.availableResource).toBe(
    '//storage.googleapis.com/projects/_/buckets/lake',
  );
});

test('a token that adds or removes files excludes metadata files (CREDENTIAL-2, CREDENTIAL-3)', async () => {
  const { boundaries, request } = vendor();
  await request(['write']);
  expect((await request(['read', 'write', 'remove']))!.access).toEqual(['read', 'write', 'remove']);
  expect(rulesOf(boundaries[0]!)).toEqual([['inRole:roles/storage.objectCreator', `${OWN} && ${NO_METADATA}`]]);
  expect(rulesOf(boundaries[1]!)[1]).toEqual(['inRole:roles/storage.objectUser', `${OWN} && ${NO_METADATA}`]);
});

test('files around the folder are only read, if that is requested', async () => {
  const { boundaries, request } = vendor();
  await request(['read', 'write'], 'gs://lake/svc/t/staged/s', { reads: 'gs://lake/svc/t', exact: true });
  const listed = 'api.getAttribute("storage.googleapis.com/objectListPrefix", "").startsWith("svc/t/")';
  expect(rulesOf(boundaries[0]!)).toEqual([
    ['inRole:roles/storage.objectViewer', `${OWN} || ${listed}`],
    ['inRole:roles/storage.objectCreator', expect.stringContaining('objects/svc/t/staged/s/")')],
  ]);
});

test('a token never allows more than the request (CREDENTIAL-2)', async () => {
  const { boundaries, request } = vendor();
  expect((await request(['read', 'remove']))!.access).toEqual(['read']);
  expect((await request(['write', 'remove']))!.access).toEqual(['write']);
  expect(await request(['remove'])).toBeNull();
  expect(await request(['read', 'remove'], undefined, { exact: true })).toBeNull();
  expect(boundaries.map((one) => rulesOf(one).map(([role]) => role))).toEqual([
    ['inRole:roles/storage.objectViewer'],
    ['inRole:roles/storage.objectCreator'],
  ]);
});

test('no token for a location that a condition cannot express, or unless the operator enabled them (CREDENTIAL-1)', async () => {
  const { boundaries, request } = vendor();
  for (const folder of ['svc/t"', "svc/t'", 'svc/t\\', 'svc/é', ''])
    expect(await request(['read'], `gs://lake/${folder}`)).toBeNull();
  expect(await vendor(false).request(['read'])).toBeNull();
  expect(boundaries).toEqual([]);
});

test('clients learn the address of an emulator', async () => {
  const { properties } = (await vendor(true, 'http://127.0.0.1:4443').request(['read']))!;
  expect(properties['gcs.service.host']).toBe('http://127.0.0.1:4443');
});
