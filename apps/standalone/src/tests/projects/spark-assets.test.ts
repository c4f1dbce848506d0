import { utimes } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { commitToStaging } from '@svc/db/staging';
import {
  commitTable,
  type DataFileRecord,
  type PreparedCommit,
  prepareSnapshot,
  readTableMetadata,
  scanFiles,
  type TableUpdate,
} from '@svc/iceberg';
import { manifestListSchema, writeAvro } from '@svc/iceberg/testing';
import { type ObjectStore, openLocalStore } from '@svc/lake/storage';
import { removeOrphans } from '@svc/worker/sweep';
import { toolsHere } from '@svc/worker/testing';
import { pino } from 'pino';
import { loadInto, rowsOf } from '../../testing/orders.ts';
import { deployPython } from '../../testing/projects.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const withUv = (await toolsHere()).uv !== null ? describe : describe.skip;

/** Tasks follow the protocol of `svc._spark`; the test does what Spark would do with the staging table. */
const ASSETS = `import json
import os
from urllib.request import Request, urlopen

import svc
from svc import _spark


class DataFrame:
    @property
    def schema(self):
        return self

    def jsonValue(self):
        return {"fields": [{"name": "n", "type": "long"}]}


DataFrame.__module__ = "pyspark.sql.connect.dataframe"


def write(self, frame, table):
    _, namespace, name = table.split(".")
    path = f"/catalog/v1/dev/namespaces/{namespace}/tables/{name}"
    request = Request(os.environ["SVC_URL"] + path, headers={"Authorization": "Bearer " + os.environ["SVC_TOKEN"]})
    while json.load(urlopen(request))["metadata"]["current-snapshot-id"] in (None, -1):
        pass


_spark.Spark.write = write


@svc.asset(table="sp.replaced", engine="spark")
def replaced(ctx):
    return DataFrame()


@svc.asset(table="sp.forged", engine="spark")
def forged(ctx):
    return DataFrame()
`;

const DAY_MS = 86_400_000;
const UNHURRIED = { timeout: 60_000 };
const now = Date.now();

withUv('an asset of Spark', () => {
  let s: TestService;
  let store: ObjectStore;
  /** A data file with the column of the assets, of another table. */
  let other: { location: string; rows: number; bytes: number };
  beforeAll(async () => {
    s = await startTestService({ SVC_RUN__SPARK_CONNECT: 'sc://127.0.0.1:1' });
    store = await openLocalStore(`${s.folder}/home/warehouse`);
    await s.client.environments.create('dev');
    await s.client.namespaces.create('dev', 'src');
    const columns = [{ name: 'n', type: 'bigint', nullable: true, description: null }];
    await s.client.tables.create('dev', 'src.t', { kind: 'managed', description: null, columns });
    await loadInto(s.client, { env: 'dev', table: 'src.t' }, { format: 'csv', data: 'n\n1\n2\n' });
    const { id } = await s.client.tables.get('dev', 'src.t');
    const row = await s.database.db.prisma.table.findUniqueOrThrow({ where: { id } });
    const scan = await scanFiles(store, await readTableMetadata(store, row.metadata_location!));
    other = scan.files[0]!;
    await deployPython(s, ASSETS, 'defaults:\n  timeout_seconds: 90000\n');
  }, 60_000);
  afterAll(() => s.stop());

  const start = (asset: string) => s.client.runs.create('dev', { repository: 'app', select: [asset] });

  interface Staged {
    id: string;
    location: string;
    metadata_location: string;
  }

  /** The staging table of the task that runs. */
  async function staged(): Promise<Staged> {
    for (;;) {
      const [row] = await s.database.db.prisma.$queryRaw<Staged[]>`
        SELECT id::text, location, metadata_location FROM staging_tables`;
      if (row !== undefined) return row;
      await new Promise(setImmediate);
    }
  }

  /** Writes the rows of the other table to the staging table. */
  async function writeRows({ location }: Staged): Promise<DataFileRecord> {
    const file_path = `${location}/data/0.parquet`;
    await store.write(file_path, await store.read(other.location));
    return { ...EMPTY, file_path, record_count: BigInt(other.rows), file_size_in_bytes: BigInt(other.bytes) };
  }

  async function commit(
    { id, metadata_location: metadataLocation }: Staged,
    files: DataFileRecord[],
    change = async ({ updates }: PreparedCommit): Promise<readonly TableUpdate[]> => updates,
  ): Promise<void> {
    const { prisma } = s.database.db;
    const metadata = await readTableMetadata(store, metadataLocation);
    const ids = { uuid: () => crypto.randomUUID(), snapshotId: () => 77 };
    const updates = await change(await prepareSnapshot({ store, metadata, files, mode: 'append', now, ids }));
    const current = { metadata, metadataLocation };
    const swap = (next: typeof current) => commitToStaging(prisma, { id, metadataLocation: next.metadataLocation });
    expect(await commitTable({ store, current, requirements: [], updates, now, ids, swap })).toMatchObject({
      ok: true,
    });
  }

  /** Runs the sweep as if the files of a staging table, and what refers to them, were two days old. */
  async function sweepDaysLater(location: string): Promise<void> {
    const { db } = s.database;
    const then = new Date(Date.now() - 2 * DAY_MS);
    for await (const file of store.list(location)) await utimes(fileURLToPath(file.location), then, then);
    await db.prisma.$executeRaw`UPDATE table_creations SET created_at = ${then}`;
    await removeOrphans(
      { db, store, clock: () => new Date(), log: pino({ level: 'silent' }) },
      new AbortController().signal,
    );
  }

  /** Whether a statement waits for a lock, as a commit does while the test locks its table. */
  const isWaiting = async (): Promise<boolean> => {
    const waiting = await s.database.db.prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return waiting.length > 0;
  };

  const contents = () => rowsOf(s.client, 'dev', 'SELECT n FROM sp.replaced ORDER BY n');

  test('keeps its token and its staged files until it is built, however long that takes', async () => {
    const { prisma } = s.database.db;
    const first = await start('sp.replaced');
    const staging = await staged();
    const rows = await writeRows(staging);
    await sweepDaysLater(staging.location);
    expect(await store.stat(rows.file_path)).not.toBeNull();
    const [token] = await prisma.$queryRaw<{ lasts: boolean }[]>`
      SELECT expires_at > created_at + interval '90000 seconds' AS lasts FROM tokens WHERE kind = 'task'`;
    expect(token!.lasts).toBe(true);
    await commit(staging, [rows]);
    expect(await s.client.runs.wait('dev', first.id)).toMatchObject({ status: 'succeeded' });
    expect(await contents()).toEqual([[1], [2]]);

    const second = await start('sp.replaced');
    const again = await staged();
    const more = await writeRows(again);
    await sweepDaysLater(again.location);
    await prisma.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM tables WHERE name = 'replaced' FOR UPDATE`;
      await commit(again, [more]);
      while (!(await isWaiting())) await new Promise(setImmediate);
      await sweepDaysLater(again.location);
    }, UNHURRIED);
    expect(await s.client.runs.wait('dev', second.id)).toMatchObject({ status: 'succeeded' });
    expect(await contents()).toEqual([[1], [2]]);
    expect(await prisma.$queryRaw`SELECT id FROM staging_tables`).toEqual([]);
  }, 120_000);

  test('neither publishes nor removes files of other tables that it names', async () => {
    const run = await start('sp.forged');
    const staging = await staged();
    await commit(staging, [await writeRows(staging)], async ({ updates }) => {
      const list = `${staging.location}/metadata/forged.avro`;
      const manifest = { ...MANIFEST, manifest_path: other.location };
      await store.write(list, await writeAvro(manifestListSchema(2), {}, [manifest], Buffer.alloc(16)));
      return updates.map((update) =>
        update.action === 'add-snapshot'
          ? { ...update, snapshot: { ...(update['snapshot'] as object), 'manifest-list': list } }
          : update,
      );
    });
    const { status, tasks } = await s.client.runs.wait('dev', run.id);
    expect([status, tasks[0]!.error]).toMatchObject(['failed', { code: 'not-supported' }]);
    expect(await rowsOf(s.client, 'dev', 'SELECT n FROM src.t ORDER BY n')).toEqual([[1], [2]]);
    expect(await store.stat(other.location)).not.toBeNull();
  }, 120_000);
});

const EMPTY = {
  ...{ content: 0, file_format: 'PARQUET', partition: {}, column_sizes: null, value_counts: null },
  ...{ null_value_counts: null, nan_value_counts: null, lower_bounds: null, upper_bounds: null, key_metadata: null },
  ...{ split_offsets: null, equality_ids: null, sort_order_id: 0 },
};

const MANIFEST = {
  ...{ manifest_length: 7n, partition_spec_id: 0, content: 0, sequence_number: 1n, min_sequence_number: 1n },
  ...{ added_snapshot_id: 7n, added_files_count: 1, existing_files_count: 0, deleted_files_count: 0 },
  ...{ added_rows_count: 1n, existing_rows_count: 0n, deleted_rows_count: 0n, partitions: null, key_metadata: null },
};
