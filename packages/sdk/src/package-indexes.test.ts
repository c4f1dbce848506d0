import { NotFound } from './errors.ts';
import { SvcClient } from './index.ts';
import { type ScriptedService, startService } from './testing/index.ts';

const RECORD = { id: 'i-1', name: 'corp', url: 'https://corp.example/simple', credential_secret: null };
let service: ScriptedService;
let client: SvcClient;
let answer: { status?: number; body?: unknown };
beforeEach(async () => {
  answer = { body: RECORD };
  service = await startService(() => answer);
  client = new SvcClient({ url: service.url, token: 't' });
});
afterEach(() => service.close());

const sent = () =>
  service.received.map(({ method, url, body }) => [method, url, body === '' ? null : JSON.parse(body)]);

test('credential_secret is sent if set, and null clears it (SDK-7)', async () => {
  await client.packageIndexes.create('corp', RECORD.url);
  await client.packageIndexes.create('corp', RECORD.url, { credential_secret: 'pw' });
  await client.packageIndexes.update('a b', { credential_secret: null });
  const body = { name: 'corp', url: RECORD.url };
  expect(sent()).toEqual([
    ['POST', '/api/v1/package-indexes', { ...body, credential_secret: null }],
    ['POST', '/api/v1/package-indexes', { ...body, credential_secret: 'pw' }],
    ['PATCH', '/api/v1/package-indexes/a%20b', { credential_secret: null }],
  ]);
});

test('anything else is a TypeError before a request (SDK-7)', async () => {
  const { packageIndexes } = client;
  for (const more of [{ name: 'x' }, { credentialSecret: 'x' }, { id: 'x', url: 'y' }] as object[]) {
    await expect(packageIndexes.update('corp', more)).rejects.toThrow(TypeError);
  }
  await expect(packageIndexes.create('corp', RECORD.url, { credentialSecret: 'x' } as object)).rejects.toThrow(
    'credentialSecret of a package index cannot be set',
  );
  expect(service.received).toEqual([]);
});

test('an unknown one is NotFound', async () => {
  answer = {
    status: 404,
    body: { type: 'about:blank', title: 'Not found', status: 404, code: 'not-found', detail: 'x' },
  };
  await expect(client.packageIndexes.get('none')).rejects.toThrow(NotFound);
});
