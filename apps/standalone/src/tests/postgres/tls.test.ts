import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { errorOf } from '../../testing/postgres-client.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

/** An address of this machine that isn't loopback, as other machines see it. */
const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .find((found) => found?.internal === false && found.family === 'IPv4')?.address;

let folder: string;
let cert: string;
let encrypted: TestService;
let plain: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-tls-'));
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await promisify(execFile)('openssl', ['req', ...kind, ...names, ...files]);
  cert = await readFile(join(folder, 'cert.pem'), 'utf8');
  const listen = { SVC_SQL__LISTEN: '0.0.0.0:0' };
  const key = await readFile(join(folder, 'key.pem'), 'utf8');
  [encrypted, plain] = await Promise.all([
    startTestService({ ...listen, SVC_SQL__TLS_CERT: cert, SVC_SQL__TLS_KEY: key }),
    startTestService(listen),
  ]);
  for (const service of [encrypted, plain]) await service.client.environments.create('dev');
});
afterAll(async () => {
  await Promise.all([encrypted.stop(), plain.stop()]);
  await rm(folder, { recursive: true, force: true });
});

async function answerOf(service: TestService, host: string, ssl: pg.ClientConfig['ssl']): Promise<unknown> {
  const options = { host, port: service.sqlPort!, user: 'admin', password: TOKEN, database: 'dev' };
  const client = new pg.Client({ ...options, ...(ssl && { ssl }) });
  await client.connect();
  try {
    return (await client.query('SELECT 1 AS one')).rows[0].one;
  } finally {
    await client.end();
  }
}

test('clients encrypt their connections with the certificate of the service (POSTGRES-3)', async () => {
  expect(await answerOf(encrypted, '127.0.0.1', { ca: cert, servername: 'localhost' })).toBe(1);
  expect(await answerOf(encrypted, '127.0.0.1', undefined)).toBe(1);
  await expect(answerOf(plain, '127.0.0.1', { ca: cert })).rejects.toThrow('does not support SSL');
});

const ofOtherMachines = OUTSIDE === undefined ? test.skip : test;

ofOtherMachines('other machines need encryption (POSTGRES-3)', async () => {
  expect(await answerOf(encrypted, OUTSIDE!, { ca: cert, servername: 'localhost' })).toBe(1);
  expect(await errorOf(answerOf(encrypted, OUTSIDE!, undefined))).toMatchObject({
    code: '28000',
    hint: 'Connect with sslmode=require.',
  });
  expect(await errorOf(answerOf(plain, OUTSIDE!, undefined))).toMatchObject({
    code: '28000',
    hint: expect.stringMatching(/SVC_SQL__TLS_CERT/),
  });
});
