import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gotTransport } from './got-transport.ts';
import { SvcClient, type SvcError } from './index.ts';
import { type Received, type ScriptedService, startService } from './testing/index.ts';
import { subjectTokensOf } from './workload-identity.ts';

let service: ScriptedService;
let folder: string;
let now = 0;
let exchanges = 0;
let refuses = false;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-workload-'));
});
beforeEach(async () => {
  [now, exchanges, refuses] = [0, 0, false];
  service = await startService(answer);
});
afterEach(() => service.close());
afterAll(() => rm(folder, { recursive: true }));

function answer({ url, body }: Received) {
  if (url.startsWith('/actions')) return { body: { value: `actions for ${url.split('audience=')[1]}` } };
  if (!url.endsWith('/token-exchange')) return { body: { name: 'dev' } };
  if (refuses) return { status: 401, body: { detail: 'refused', code: 'token-exchange-refused' } };
  return { body: { access_token: `${JSON.parse(body).subject_token} ${++exchanges}`, expires_in: 3600 } };
}

const clientOf = (env: NodeJS.ProcessEnv) =>
  new SvcClient(
    { url: service.url, token: '', subjectTokens: subjectTokensOf(env, gotTransport) },
    { now: () => now, pause: async () => undefined },
  );
const used = () =>
  service.received.filter(({ url }) => url.endsWith('/dev')).map(({ headers }) => headers.authorization);

test('a token of the CI system is exchanged once, and again before it expires (TOKEN-11)', async () => {
  const client = clientOf({ SVC_ID_TOKEN: 'of-the-job\n' });
  await Promise.all([client.environments.get('dev'), client.environments.get('dev')]);
  now += 54 * 60_000;
  await client.environments.get('dev');
  now += 2 * 60_000;
  await client.environments.get('dev');
  expect(used()).toEqual([1, 1, 1, 2].map((count) => `Bearer of-the-job ${count}`));
  const sent = service.received.filter(({ url }) => url.endsWith('/token-exchange'));
  expect(sent.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  expect(String(client)).not.toContain('of-the-job');
});

test('GitHub Actions issues a token for the address of the service (TOKEN-11)', async () => {
  const url = `${service.url}/actions?api-version=2.0`;
  await clientOf({ ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job' }).environments.get('dev');
  expect(service.received[0]).toMatchObject({ headers: { authorization: 'Bearer job' } });
  expect(used()).toEqual([`Bearer actions for ${encodeURIComponent(service.url)} 1`]);
});

test('a file is read again for each exchange (TOKEN-11)', async () => {
  const file = join(folder, 'token');
  const client = clientOf({ SVC_IDENTITY_TOKEN_FILE: file });
  await expect(client.environments.get('dev')).rejects.toMatchObject({ code: 'no-workload-token' });
  for (const text of ['first', 'second']) {
    await writeFile(file, `${text}\n`);
    await client.environments.get('dev');
    now += 3_600_000;
  }
  expect(used()).toEqual(['Bearer first 1', 'Bearer second 2']);
});

test('a call stops waiting for a token when it is aborted or late, and the exchange continues for others (TOKEN-11)', async () => {
  let issue: (token: string) => void = () => undefined;
  const subjectTokens = { source: 'test', get: () => new Promise<string>((resolve) => (issue = resolve)) };
  const client = new SvcClient(
    { url: service.url, token: '', subjectTokens, retries: 0 },
    { now: () => now, pause: async () => undefined },
  );
  const controller = new AbortController();
  const aborted = client.environments.get('dev', { signal: controller.signal });
  const other = client.environments.get('dev');
  controller.abort(new Error('stopped'));
  await expect(aborted).rejects.toThrow('stopped');
  await expect(client.environments.get('dev', { timeout: 1 })).rejects.toMatchObject({ code: 'timeout' });
  issue('job');
  await other;
  expect(used()).toEqual(['Bearer job 1']);
});

test('a refused token is reported, and tried again with the next call (TOKEN-11)', async () => {
  const client = clientOf({ SVC_ID_TOKEN: 'job' });
  refuses = true;
  const error = await client.environments.get('dev').catch((caught: SvcError) => caught);
  expect(error).toMatchObject({ status: 401, code: 'token-exchange-refused' });
  refuses = false;
  await client.environments.get('dev');
  expect(used()).toEqual(['Bearer job 1']);
});

test('without one of these variables, no token is exchanged (TOKEN-11)', () => {
  expect(subjectTokensOf({}, gotTransport)).toBeUndefined();
  expect(subjectTokensOf({ ACTIONS_ID_TOKEN_REQUEST_URL: 'https://x' }, gotTransport)).toBeUndefined();
});
