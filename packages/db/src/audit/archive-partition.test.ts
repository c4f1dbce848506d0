import { randomUUID } from 'node:crypto';
import { inTransaction, type Transaction } from '../connection/index.ts';
import { createTestDatabase } from '../testing/index.ts';
import {
  ArchiveContents,
  addMonths,
  findArchivable,
  headKeys,
  readPartition,
  replaceByArchive,
  sealEvents,
} from './index.ts';

const keys = headKeys(Buffer.alloc(32, 1).toString('base64'));
const DAY = 24 * 3_600_000;

test('a partition is found and replaced without reading its events: the log is locked, and it can have billions of them', async () => {
  const { db, drop } = await createTestDatabase();
  const record = (time: Date, count: number) =>
    db.prisma.$executeRaw`
      INSERT INTO audit_events (id, time, type, object, detail)
      SELECT gen_random_uuid(), ${time}, 'RUN_STARTED', '{}', '{}' FROM generate_series(1, ${count}::int)`;
  const now = new Date(Date.now() + 200 * DAY);
  await record(new Date(), 5000);
  await inTransaction(db, (tx) => addMonths(tx, now));
  await record(now, 1);
  const options = { limit: 10_000, keys, adoptUnsigned: false, now, newId: randomUUID };
  await inTransaction(db, (tx) => sealEvents(tx, options));
  await db.prisma.$executeRaw`VACUUM ANALYZE audit_events`;

  await inTransaction(db, async (tx) => {
    const [{ oid }] = await tx.$queryRaw<[{ oid: bigint }]>`SELECT 'audit_events_first'::regclass::oid::bigint AS oid`;
    const scanned = (client: Transaction) =>
      client.$queryRaw`SELECT pg_stat_get_xact_tuples_returned(${oid}::bigint::oid)::int AS rows`;
    // The connection may not have passed on the counts of its earlier transactions yet.
    const before = await scanned(tx);
    const partition = await findArchivable(tx, { now, months: 1 });
    expect(partition).not.toBeNull();
    expect(await scanned(tx)).toEqual(before);
    const contents = new ArchiveContents();
    for await (const _ of readPartition(db.prisma, partition!, contents));
    const archive = { metadataLocation: 'file:///a/metadata/1.json', snapshotId: 1, bytes: 1, contents };
    expect(await replaceByArchive(tx, partition!, archive, now)).toBe(true);
    expect(await scanned(tx)).toEqual(before);
  });
  expect(await db.prisma.auditArchive.findFirst()).toMatchObject({
    rows: 5000n,
    first_sequence: 1n,
    last_sequence: 5000n,
  });
  await drop();
});
