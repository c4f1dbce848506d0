import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LogLine } from '@svc/core/runs';
import { inTransaction } from '@svc/db/connection';
import { appendLog, readLog, replaceByLogFiles } from '@svc/db/runs';
import { logFile, writeLogFile } from '@svc/lake/runs';
import { startTestServer, type TestServer } from '../testing/index.ts';

const RUNS = '/api/v1/environments/dev/runs';
const NOW = new Date('2026-03-01T08:00:00Z');
let server: TestServer;
let environmentId: string;
beforeAll(async () => {
  server = await startTestServer();
  environmentId = (await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } })).body.id;
});
afterAll(() => server.stop());

/** A run that has finished, with a log. */
async function createRun(lines: readonly string[]): Promise<string> {
  const { prisma } = server.db;
  const id = randomUUID();
  await prisma.repository.create({ data: { id, name: `project-${id}`, created_at: NOW, updated_at: NOW } });
  await prisma.run.create({
    data: {
      ...{ id, environment_id: environmentId, repository_id: id, project_version_id: id, principal_id: id },
      ...{ select: ['*'], status: 'succeeded', created_at: NOW, ended_at: NOW },
    },
  });
  const rows = lines.map((line) => ({ asset: null, stream: 'service', time: NOW, line }) as const);
  await appendLog(prisma, { runId: id, lines: rows });
  return id;
}

/** Moves the log to storage and returns its location. */
async function archive(runId: string): Promise<string> {
  const { db, store } = server;
  const lines = await readLog(db.prisma, { runId, after: 0, limit: 100_000 });
  const location = logFile(store, runId, randomUUID());
  const each = async function* () {
    yield* lines;
  };
  await writeLogFile(store, location, each());
  const log = { runId, location, lines: lines.length, lastSequence: lines.at(-1)?.sequence ?? 0 };
  await inTransaction(db, (tx) => replaceByLogFiles(tx, [log]));
  return location;
}

const logOf = (runId: string, query = '') => server.call('GET', `${RUNS}/${runId}/logs${query}`);

test('an archived log is read like any other, also to its end (RUN-24)', async () => {
  const run = await createRun(Array.from({ length: 1_500 }, (_, i) => `line ${i} \u2028 of Köln`));
  const before = await logOf(run);
  expect(before.text.trim().split('\n')).toHaveLength(1_500);
  await archive(run);
  for (const query of ['', '?follow=true']) {
    const after = await logOf(run, query);
    expect([after.status, after.text]).toEqual([200, before.text]);
  }
  const { body } = await server.call('GET', `${RUNS}/${run}`);
  expect(JSON.stringify(body)).not.toContain('logs/');
});

test('an empty log stays empty (RUN-24)', async () => {
  const run = await createRun([]);
  await archive(run);
  expect(await logOf(run)).toMatchObject({ status: 200, text: '' });
});

test('a log that is archived while it is read is read completely (RUN-24)', async () => {
  // Larger than the buffers between the database and the client.
  const run = await createRun(Array.from({ length: 4_000 }, (_, i) => `${i} ${'x'.repeat(16_000)}`));
  const response = await fetch(`${server.url}${RUNS}/${run}/logs`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  const reader = response.body!.getReader();
  const chunks = [(await reader.read()).value!];
  await archive(run);
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  const lines = Buffer.concat(chunks).toString().trim().split('\n');
  expect(lines.map((line) => Number((JSON.parse(line) as LogLine).line.split(' ')[0]))).toEqual(
    Array.from({ length: 4_000 }, (_, i) => i),
  );
});

test('an archived log without its file is an error, not an empty log (RUN-24)', async () => {
  const run = await createRun(['one']);
  const path = fileURLToPath(await archive(run));
  await rename(path, `${path}.away`);
  const missing = await logOf(run);
  expect([missing.status, missing.body.code, missing.body.remedy]).toEqual([
    ...[409, 'files-gone', 'copy the files below logs back from a backup of the storage'],
  ]);
  await rename(`${path}.away`, path);
  expect((await logOf(run)).status).toBe(200);
});
