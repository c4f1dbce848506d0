import { randomUUID } from 'node:crypto';
import { liveLocations } from '../tables/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { claimExpiredUploads, findUpload, finishUploads, type NewUpload, startUpload, storePart } from './index.ts';

const HOUR = 3_600_000;
const now = new Date('2026-03-01T08:00:00Z');
const at = (hours: number) => new Date(now.getTime() + hours * HOUR);
const key = { tableId: randomUUID(), requestedBy: randomUUID() };
let test_: TestDatabase;

beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

const upload = (more: Partial<NewUpload> = {}): NewUpload => ({
  ...{ id: randomUUID(), environmentId: randomUUID(), ...key, format: 'csv', size: 10, partBytes: 4 },
  ...{ fingerprint: null, name: null, now, expiresAt: at(24), ...more },
});
const part = (number: number) => ({ number, size: 4, sha256: 'x', location: `file:///staged/${randomUUID()}` });

test('an upload is continued by its fingerprint until it is finished', async () => {
  const { prisma } = test_.db;
  const same = { fingerprint: 'f' };
  const id = await startUpload(prisma, upload(same));
  expect(await startUpload(prisma, upload({ ...same, expiresAt: at(30) }))).toBe(id);
  expect((await findUpload(prisma, { id, ...key }))!.expires_at).toEqual(at(30));
  for (const other of [
    { size: 11 },
    { format: 'ndjson' as const },
    { requestedBy: randomUUID() },
    { fingerprint: null },
  ])
    expect(await startUpload(prisma, upload({ ...same, ...other }))).not.toBe(id);
  await finishUploads(prisma, { ids: [id], writeId: randomUUID() });
  expect(await startUpload(prisma, upload(same))).not.toBe(id);
});

test('the sweep removes what nobody continued, and no part before that', async () => {
  const { prisma } = test_.db;
  const [old, young] = [await startUpload(prisma, upload()), await startUpload(prisma, upload())];
  const [first, second, replaced] = [part(1), part(2), part(1)];
  for (const p of [second, first]) await storePart(prisma, { uploadId: old, part: p, expiresAt: at(24) });
  await storePart(prisma, { uploadId: young, part: replaced, expiresAt: at(48) });
  await storePart(prisma, {
    uploadId: young,
    part: { ...replaced, location: 'file:///staged/new' },
    expiresAt: at(48),
  });
  expect((await findUpload(prisma, { id: old, ...key }))!.parts).toEqual([first, second]);
  const locations = [first.location, second.location, replaced.location, 'file:///staged/new'];
  const live = async () => [...(await liveLocations(prisma, locations))].sort();
  expect(await live()).toEqual([first.location, second.location, 'file:///staged/new'].sort());
  const removed = await claimExpiredUploads(prisma, { now: at(24), limit: 100 });
  expect(removed.filter((location) => locations.includes(location)).sort()).toEqual(
    [first.location, second.location].sort(),
  );
  expect(await live()).toEqual(['file:///staged/new']);
  expect(await findUpload(prisma, { id: old, ...key })).toBeNull();
});
