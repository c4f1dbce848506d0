import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { openLocalStore } from '@svc/lake/storage';
import { pino } from 'pino';
import { ownsStorage } from './own-storage.ts';

let databases: TestDatabase[];
let folder: string;
beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  folder = await mkdtemp(join(tmpdir(), 'svc-storage-'));
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  await rm(folder, { recursive: true });
});

test('files of one of two databases are swept if both have the same storage', async () => {
  const store = await openLocalStore(join(folder, 'store'));
  const lines: { found: string; expected: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  const sweep = ({ db }: TestDatabase) => ownsStorage({ db, store, newId: randomUUID, log });
  const [first, second] = await Promise.all(databases.map(sweep));
  expect([first, second].filter(Boolean)).toHaveLength(1);
  const [owner, other] = first === true ? databases : databases.toReversed();
  expect(await sweep(owner!)).toBe(true);
  expect(await sweep(other!)).toBe(false);
  const mark = (await store.read(`${store.root}/instance-id`)).toString().trim();
  expect(lines).toHaveLength(2);
  for (const { found, expected } of lines) {
    expect(found).toBe(mark);
    expect(expected).not.toBe(mark);
  }
  // As the message says: the storage passes to the other database.
  await store.remove(`${store.root}/instance-id`);
  expect(await sweep(other!)).toBe(true);
  expect(await sweep(owner!)).toBe(false);
});
