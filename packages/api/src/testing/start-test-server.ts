import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type Settings } from '@svc/core/settings';
import type { Database } from '@svc/db/connection';
import type { LocalDispatcher } from '@svc/db/queries';
import { createTestDatabase } from '@svc/db/testing';
import { Sandbox } from '@svc/lake/queries';
import { type ObjectStore, openLocalStore } from '@svc/lake/storage';
import { pino } from 'pino';
import supertest from 'supertest';
import { startApi } from '../process/index.ts';

/** The real API with its own database and a free port; every response is validated against its schema. */
export interface TestServer {
  url: string;
  /** The port of SVC_METRICS__LISTEN; null if it isn't set. */
  metricsPort: number | null;
  /** The administrator's token. */
  token: string;
  db: Database;
  store: ObjectStore;
  sandbox: Sandbox;
  /** The settings that the API uses; tests may change them. */
  settings: Settings;
  /** The key that encrypts secrets: 32 bytes in base64. */
  secretsKey: string;
  folder: string;
  /** Sends a request; a body is sent as JSON, and `token: null` sends no credential. */
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  stop: () => Promise<void>;
}

export interface CallOptions {
  body?: unknown;
  token?: string | null;
  headers?: Record<string, string>;
  /** Sent unchanged. */
  raw?: string | Uint8Array;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any;
  text: string;
}

export async function startTestServer(
  options: {
    clock?: () => Date;
    env?: Record<string, string>;
    /** Receives queries as they are stored, like a worker would. */
    dispatcher?: LocalDispatcher;
    /** Between signs of life of streams of events. */
    heartbeatMs?: number;
    /** Opens the warehouse in the server's folder; local files by default. */
    openStore?: (folder: string) => Promise<ObjectStore>;
  } = {},
): Promise<TestServer> {
  const database = await createTestDatabase({ poolSize: 10 });
  const folder = await mkdtemp(join(tmpdir(), 'svc-api-'));
  const token = `test-administrator-${randomBytes(8).toString('hex')}`;
  const read = readSettings({ SVC_LISTEN: '127.0.0.1:0', SVC_SQL__LISTEN: '', ...options.env }, () => '');
  const settings = { ...read, bootstrapToken: token };
  const store = await (options.openStore ?? ((below) => openLocalStore(join(below, 'warehouse'))))(folder);
  const sandbox = new Sandbox({
    memoryLimit: 1e9,
    tempLimit: 1e9,
    timeoutMs: 60_000,
    threads: 1,
    store,
    tempDir: join(folder, 'queries'),
    prefork: 0,
  });
  const log = pino({ level: 'silent' });
  const secretsKey = randomBytes(32).toString('base64');
  const { db } = database;
  const clock = options.clock === undefined ? {} : { clock: options.clock };
  const api = await startApi({
    settings,
    secretsKey,
    db,
    store,
    sandbox,
    log,
    version: '0.0.0-test',
    bootstrapToken: token,
    checkAnswers: true,
    dispatcher: options.dispatcher,
    heartbeatMs: options.heartbeatMs,
    ...clock,
  });
  return {
    url: api.url,
    metricsPort: api.metricsPort,
    token,
    db,
    store,
    sandbox,
    settings,
    secretsKey,
    folder,
    call: (method, path, call = {}) => send(api.url, token, method, path, call),
    async stop() {
      await api.stop();
      await sandbox.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function send(
  url: string,
  admin: string,
  method: string,
  path: string,
  { body, token = admin, headers = {}, raw }: CallOptions,
): Promise<Answer> {
  const type = raw === undefined ? 'application/json' : 'text/plain';
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await supertest(url)
    [method.toLowerCase() as 'get'](path)
    .redirects(0)
    .set(token === null ? {} : { Authorization: `Bearer ${token}` })
    .set(sent === undefined ? {} : { 'Content-Type': type })
    .set(headers)
    .buffer(true)
    .parse(asText)
    // Otherwise, bytes with a type of JSON would be sent as the JSON of a Buffer.
    .serialize((bytes) => bytes)
    .send(sent instanceof Uint8Array ? Buffer.from(sent) : sent);
  // Responses to HEAD have no text to parse.
  const text = typeof answer.body === 'string' ? answer.body : '';
  const isJson = /json/.test(answer.type) && !/ndjson/.test(answer.type);
  return {
    status: answer.status,
    headers: new Headers(answer.headers),
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** Reads a response of any type as text. */
const asText: NonNullable<Parameters<supertest.Test['parse']>[0]> = (response, done) => {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('end', () => done(null, text));
};
