import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { readLog } from '@svc/db/runs';
import { createSecret, revokeSecret, seal, sealingKeys } from '@svc/db/secrets';
import { removeOldDeliveries } from '@svc/db/webhooks';
import { type Project, World } from '../jobs/testing/world.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { webhookLoop } from './deliver.ts';
import { post } from './post.ts';

const KEY = 'a signing key';
const sealing = sealingKeys(Buffer.alloc(32, 7).toString('base64'));
const signal = new AbortController().signal;
let w: World;
let receiver: Server;
let port: number;
let got: { headers: IncomingHttpHeaders; body: string; path: string }[] = [];
/** Statuses of the next responses (default: 200). */
let answers: number[] = [];

beforeAll(async () => {
  w = await World.open();
  receiver = createServer((req, res) => {
    let body = '';
    req.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    req.on('end', () => {
      got.push({ headers: req.headers, body, path: req.url! });
      res.writeHead(answers.shift() ?? 200, { Location: `http://127.0.0.1:${port}/elsewhere` }).end('taken');
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  port = (receiver.address() as AddressInfo).port;
});
beforeEach(async () => {
  got = [];
  answers = [];
  await w.quiet();
  await w.prisma.webhookDelivery.deleteMany();
});
afterAll(async () => {
  receiver.close();
  await w.close();
});

const deps = (allow: string[], step?: WorkerDeps['step']): WorkerDeps =>
  ({
    ...w.deps,
    sealing,
    apiUrl: 'https://svc.example',
    taskNetwork: null,
    inheritedEnv: {},
    settings: { webhookAllowHosts: allow },
    step,
  }) as WorkerDeps;
const deliver = (allow = ['127.0.0.1'], step?: WorkerDeps['step']) => webhookLoop(deps(allow, step)).runOnce(signal);
const pass = (seconds: number) => {
  w.now = new Date(w.now.getTime() + seconds * 1000);
};

async function makeSecret(p: Project, values: Record<string, string>, bound = true): Promise<string> {
  const id = w.newId();
  const { environmentId } = p;
  await createSecret(w.prisma, {
    id,
    environmentId,
    environment: 'any',
    name: 'alerts',
    sealed: seal(sealing, { id, environmentId }, values, (n) => new Uint8Array(randomBytes(n))),
    facts: { keys: Object.keys(values), empty: [], nul: [], overlong: [], surrogate: [] },
    binding: bound ? { use: 'environment', id: null } : null,
    createdBy: p.account,
    now: w.now,
  });
  return id;
}

/** A job whose run has failed; returns the run's id. */
async function failed(name: string, values: Record<string, string> | null, bound = true) {
  w.at('08:00:30');
  const p = await w.deploy(name, { hourly: '0 * * * *' }, { webhook: 'alerts' });
  const secret = values === null ? null : await makeSecret(p, values, bound);
  w.at('09:00:00');
  await w.tick();
  return { p, secret, run: await w.finish(p, 'failed') };
}

const stored = (run: string) => w.prisma.webhookDelivery.findUniqueOrThrow({ where: { run_id: run } });
const logOf = async (run: string) =>
  (await readLog(w.prisma, { runId: run, after: 0, limit: 100 })).map(({ line }) => line);
const url = (path = '/hook') => `http://127.0.0.1:${port}${path}`;

test('a failed run is delivered once, signed, with the run (JOBS-17)', async () => {
  const { run } = await failed('told', { url: url('/hook?room=1'), signing_key: KEY });
  expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  expect(await deliver()).toEqual({ delivered: 0, failed: 0 });
  expect(got).toHaveLength(1);
  const [{ headers, body, path }] = got as [(typeof got)[0]];
  expect(path).toBe('/hook?room=1');
  const t = w.now.getTime() / 1000;
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'svc-delivery': run,
    'svc-signature': `t=${t},v1=${createHmac('sha256', KEY).update(`${t}.${body}`).digest('hex')}`,
  });
  expect(JSON.parse(body)).toEqual({
    event: 'job_failed',
    environment: 'told',
    repository: 'told',
    job: 'hourly',
    run: expect.objectContaining({ id: run, status: 'failed', job: 'hourly', trigger: 'schedule', missed: 0 }),
    url: `https://svc.example/api/v1/environments/told/runs/${run}`,
  });
  expect(await stored(run)).toMatchObject({ status: 'delivered', tries: 1, outcome: 'it returned 200' });
  expect(await logOf(run)).toEqual(['webhook notified of the failure: it returned 200']);
});

test('without a signing key nothing is signed', async () => {
  await failed('unsigned', { url: url() });
  await deliver();
  expect(got).toHaveLength(1);
  expect(got[0]!.headers['svc-signature']).toBeUndefined();
});

test('no delivery for a run that succeeded or whose job has no webhook (JOBS-17)', async () => {
  w.at('08:00:30');
  const good = await w.deploy('good', { hourly: '0 * * * *' }, { webhook: 'alerts' });
  const silent = await w.deploy('silent', { hourly: '0 * * * *' });
  w.at('09:00:00');
  await w.tick();
  const runs = [await w.finish(good), await w.finish(silent, 'failed')];
  expect(await w.prisma.webhookDelivery.count({ where: { run_id: { in: runs } } })).toBe(0);
});

test('a receiver that does not respond delays no other delivery', async () => {
  const silent = createTcpServer();
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const connected = once(silent, 'connection') as Promise<[Socket]>;
  const silentPort = (silent.address() as AddressInfo).port;
  const { run } = await failed('silent-receiver', { url: `http://127.0.0.1:${silentPort}` });
  const delivering = deliver();
  const [socket] = await connected;
  const requested = once(receiver, 'request').then(() => 'requested');
  await failed('prompt-receiver', { url: url() });
  expect(await Promise.race([requested, delivering])).toBe('requested');
  socket.destroy();
  expect(await delivering).toEqual({ delivered: 1, failed: 1 });
  expect(await stored(run)).toMatchObject({ status: 'waiting', outcome: "it couldn't be reached (ECONNRESET)" });
  silent.close();
});

test('an error is retried, and a later attempt succeeds with the same delivery', async () => {
  const { run } = await failed('later', { url: url() });
  answers = [503, 500];
  await deliver();
  expect(await stored(run)).toMatchObject({ status: 'waiting', tries: 1, outcome: 'it returned 503' });
  pass(9);
  await deliver();
  expect(got).toHaveLength(1);
  pass(1);
  await deliver();
  pass(60);
  expect(await deliver()).toEqual({ delivered: 1, failed: 0 });
  expect(got.map(({ headers }) => headers['svc-delivery'])).toEqual([run, run, run]);
  expect(new Set(got.map(({ body }) => body)).size).toBe(1);
  expect(await logOf(run)).toEqual([
    'webhook not notified of the failure, attempt 1 of 5: it returned 503; retrying in 10 s',
    'webhook not notified of the failure, attempt 2 of 5: it returned 500; retrying in 60 s',
    'webhook notified of the failure: it returned 200',
  ]);
});

test('a delivery fails after five attempts (JOBS-17)', async () => {
  const { run } = await failed('given-up', { url: url() });
  answers = Array(10).fill(500);
  for (let i = 0; i < 8; i++) {
    await deliver();
    pass(1800);
  }
  expect(got).toHaveLength(5);
  expect(await stored(run)).toMatchObject({ status: 'failed', tries: 5, outcome: 'it returned 500' });
  expect((await logOf(run)).at(-1)).toBe('webhook not notified of the failure after 5 attempts: it returned 500');
});

test('a redirect is not followed (JOBS-17)', async () => {
  const { run } = await failed('redirect', { url: url() });
  answers = [302];
  await deliver();
  expect(got.map(({ path }) => path)).toEqual(['/hook']);
  expect(await stored(run)).toMatchObject({
    status: 'waiting',
    outcome: "it returned 302: redirects aren't followed",
  });
});

test('a receiver that switches protocols is retried like any other error (JOBS-17)', async () => {
  const switching = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
  });
  await new Promise<void>((done) => switching.listen(0, '127.0.0.1', done));
  const { port: other } = switching.address() as AddressInfo;
  const target = { url: new URL(`http://127.0.0.1:${other}/`), body: '{}', headers: {} };
  const posted = await post({ ...target, allowHosts: ['127.0.0.1'], resolve: async () => [], proxy: null });
  expect(posted).toEqual({ ok: false, outcome: 'it returned 101', isRetryable: true });
  switching.close();
});

test.each([
  ['loopback', () => url()],
  ['loopback as a number', () => `http://2130706433:${port}/`],
  ['mapped loopback', () => `http://[::ffff:127.0.0.1]:${port}/`],
  ['a name of this machine', () => `http://localhost:${port}/`],
  ['a private address', () => 'http://10.0.0.1/'],
  ['a metadata address', () => 'http://169.254.169.254/latest/meta-data'],
])('%s is refused before anything is sent (JOBS-17)', async (name, target) => {
  const { run } = await failed(`refused-${name.replaceAll(' ', '-')}`, { url: target() });
  await deliver([]);
  expect(got).toEqual([]);
  expect(await stored(run)).toMatchObject({ status: 'failed', tries: 1 });
  expect((await stored(run)).outcome).toContain('SVC_WEBHOOKS__ALLOW_HOSTS');
});

test('what a name leads to is checked when the connection is made (JOBS-17)', async () => {
  const connect = (addresses: string[], allowHosts: string[] = []) =>
    post({
      url: new URL(`http://hooks.example:${port}/`),
      body: '{}',
      headers: {},
      allowHosts,
      resolve: async () => addresses,
      proxy: null,
    });
  expect(await connect(['127.0.0.1', '::1'])).toMatchObject({ ok: false, isRetryable: false });
  expect(await connect(['127.0.0.1'], ['hooks.example'])).toEqual({ ok: true, status: 200 });
  expect(await connect(['127.0.0.1'], ['127.0.0.0/8'])).toEqual({ ok: true, status: 200 });
  expect(await connect(['127.0.0.1'], ['10.0.0.0/8', 'other.example'])).toMatchObject({
    ok: false,
    isRetryable: false,
  });
  // Metadata addresses stay refused, whatever is allowed.
  expect(await connect(['169.254.169.254'], ['hooks.example', '169.254.0.0/16'])).toMatchObject({ isRetryable: false });
  expect(got).toHaveLength(2);
});

test("behind a proxy the address is looked up and checked here, and the certificate is the name's", async () => {
  const resolved: string[] = [];
  let hello = '';
  const proxy = createServer();
  proxy.on('connect', (req, socket) => {
    resolved.push(req.url!);
    socket.on('error', () => {});
    socket.once('data', (bytes: Buffer) => {
      hello = bytes.toString('latin1');
      socket.destroy();
    });
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const at = { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, noProxy: 'inside.example' };
  const connect = (to: string, addresses: string[]) =>
    post({
      url: new URL(to),
      body: '{}',
      headers: {},
      allowHosts: [],
      resolve: async () => addresses,
      proxy: at,
    });
  expect(await connect('https://hooks.example/a', ['10.0.0.1', '93.184.215.14'])).toMatchObject({
    ok: false,
    isRetryable: true,
  });
  expect(hello).toContain('hooks.example');
  expect(await connect('https://hooks.example:8443/', ['2606:4700::1111'])).toMatchObject({ isRetryable: true });
  expect(resolved).toEqual(['93.184.215.14:443', '[2606:4700::1111]:8443']);
  for (const to of ['https://hooks.example/', 'https://inside.example/', 'https://10.0.0.1/'])
    expect(await connect(to, ['10.0.0.1'])).toMatchObject({ ok: false, isRetryable: false });
  expect(resolved).toHaveLength(2);
  proxy.close();
});

test('an unreachable receiver is retried, and its address is not shown', async () => {
  const { run } = await failed('nobody', { url: 'http://127.0.0.1:1/secret-path' });
  await deliver();
  expect(await stored(run)).toMatchObject({ status: 'waiting', outcome: "it couldn't be reached (ECONNREFUSED)" });
});

test.each([
  ['missing', null, true, 'its secret alerts is missing or revoked'],
  ['unbound', { url: 'http://127.0.0.1/' }, false, 'its secret alerts is not bound to the environment'],
  ['urlless', { signing_key: KEY }, true, 'its secret alerts has no usable url'],
  ['scheme', { url: 'file:///etc/passwd' }, true, 'its secret alerts has no usable url'],
])('an unusable secret (%s) stops the attempts', async (name, values, bound, outcome) => {
  const { run } = await failed(`secret-${name}`, values as Record<string, string> | null, bound);
  await deliver();
  expect(await stored(run)).toMatchObject({ status: 'failed', outcome: expect.stringContaining(outcome) });
});

test('a secret revoked between two attempts stops them', async () => {
  const { run, secret, p } = await failed('revoked', { url: url() });
  answers = [500];
  await deliver();
  await revokeSecret(w.prisma, { id: secret!, by: p.account, now: w.now });
  pass(10);
  await deliver();
  expect(got).toHaveLength(1);
  expect(await stored(run)).toMatchObject({ status: 'failed', outcome: expect.stringContaining('revoked') });
});

test('a worker that dies between sending and noting it sends the same delivery again, and no more', async () => {
  const { run } = await failed('crash', { url: url() });
  const died = deliver(['127.0.0.1'], async (step) => {
    if (step === 'webhook.sent') throw new Error('killed');
  });
  await expect(died).rejects.toThrow('killed');
  // Another worker leaves it alone until the first one's time is over.
  await deliver();
  expect(got).toHaveLength(1);
  pass(60);
  await deliver();
  await deliver();
  expect(got.map(({ headers }) => headers['svc-delivery'])).toEqual([run, run]);
  expect(await stored(run)).toMatchObject({ status: 'delivered', tries: 2 });
});

test('two concurrent workers deliver it once', async () => {
  await failed('twice', { url: url() });
  await Promise.all([deliver(), deliver(), deliver()]);
  expect(got).toHaveLength(1);
});

test('deliveries that finished long ago are removed, waiting ones are not', async () => {
  const { run: old } = await failed('old', { url: url() });
  await deliver();
  const { run: waits } = await failed('waits', { url: url() });
  const before = new Date(w.now.getTime() + 1);
  answers = [500];
  await deliver();
  expect(await removeOldDeliveries(w.prisma, { before: (await stored(old)).ended_at!, limit: 10 })).toBe(0);
  expect(await removeOldDeliveries(w.prisma, { before, limit: 10 })).toBe(1);
  expect(await w.prisma.webhookDelivery.findMany()).toMatchObject([{ run_id: waits, status: 'waiting' }]);
});
