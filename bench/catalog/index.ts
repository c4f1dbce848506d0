// The Iceberg catalog interface against the REST server that the Iceberg project tests its clients with (Jetty, SQLite
// in a file; its metadata files are not synced to disk, the service's are), the same requests over 10 connections. Aims:
// loads and commits at least twice its rate; the cost of a commit flat to 1,000 snapshots.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kitClassPath } from '../../scripts/engines/jars.mjs';
import { freePort } from '../../scripts/testing/free-port.mjs';
import { killOnExit } from '../service/end-with-process.ts';
import { median } from '../service/measure.ts';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';

const CONNECTIONS = 10;
const LOADS = 600;
const COMMITS = 300;
const ROUNDS = Number(process.argv[2] ?? 3);
const FLAT = 1000;
const MAINTAINED_EVERY = 100;

interface Catalog {
  name: string;
  base: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function send(catalog: Catalog, method: string, path: string, body?: object): Promise<string> {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const call = request(`${catalog.base}${path}`, { agent, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if ((response.statusCode ?? 500) < 300) resolve(text);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`));
      });
    });
    call.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const SCHEMA = {
  type: 'struct',
  fields: Array.from({ length: 20 }, (_, i) => ({ id: i + 1, name: `c${i}`, required: false, type: 'long' })),
};

/** What Iceberg requires of a manifest list of format version 2. */
const LIST_FIELDS = [
  ['manifest_path', 'string', 500],
  ['manifest_length', 'long', 501],
  ['partition_spec_id', 'int', 502],
  ['content', 'int', 517],
  ['sequence_number', 'long', 515],
  ['min_sequence_number', 'long', 516],
  ['added_snapshot_id', 'long', 503],
  ['added_files_count', 'int', 504],
  ['existing_files_count', 'int', 505],
  ['deleted_files_count', 'int', 506],
  ['added_rows_count', 'long', 512],
  ['existing_rows_count', 'long', 513],
  ['deleted_rows_count', 'long', 514],
] as const;

/** An Avro file that lists no manifest: the list of every snapshot here, for maintenance reads it. */
function emptyList(): Buffer {
  const text = (value: string) => Buffer.concat([long(Buffer.byteLength(value)), Buffer.from(value)]);
  const fields = LIST_FIELDS.map(([name, type, id]) => ({ name, type, 'field-id': id }));
  const schema = JSON.stringify({ type: 'record', name: 'manifest_file', fields });
  const entries = { 'avro.schema': schema, 'avro.codec': 'null' };
  const header = Object.entries(entries).flatMap(([name, value]) => [text(name), text(value)]);
  return Buffer.concat([Buffer.from('Obj\u0001'), long(2), ...header, long(0), Buffer.alloc(16, 7)]);
}

/** A number as Avro writes it: zigzag, seven bits a byte. */
function long(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value * 2; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.from(bytes);
  }
}

/** A table and the state on which its next commit is based. */
interface Head {
  name: string;
  location: string;
  snapshots: number;
}

async function create(catalog: Catalog, name: string): Promise<Head> {
  const made = JSON.parse(await send(catalog, 'POST', '/namespaces/bench/tables', { name, schema: SCHEMA }));
  const location: string = made.metadata.location;
  const folder = join(location.startsWith('file:') ? fileURLToPath(location) : location, 'metadata');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'snap.avro'), emptyList());
  return { name, location, snapshots: 0 };
}

/** One append, as an engine commits it. */
async function commit(catalog: Catalog, head: Head): Promise<void> {
  const parent = head.snapshots;
  const id = ++head.snapshots;
  const summary = Object.fromEntries(
    ['added-data-files', 'added-records', 'total-records', 'total-files-size'].map((key) => [key, String(id)]),
  );
  await send(catalog, 'POST', `/namespaces/bench/tables/${head.name}`, {
    requirements: [{ type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': parent === 0 ? null : parent }],
    updates: [
      {
        action: 'add-snapshot',
        snapshot: {
          'snapshot-id': id,
          ...(parent === 0 ? {} : { 'parent-snapshot-id': parent }),
          'sequence-number': id,
          'timestamp-ms': Date.now(),
          'manifest-list': `${head.location}/metadata/snap.avro`,
          summary: { operation: 'append', ...summary },
          'schema-id': 0,
        },
      },
      { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': id },
    ],
  });
}

/** Per second. */
async function rate(count: number, work: (worker: number) => Promise<unknown>): Promise<number> {
  let left = count;
  const start = performance.now();
  const worker = async (_: unknown, i: number) => {
    while (left-- > 0) await work(i);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return (count / (performance.now() - start)) * 1000;
}

async function startPeer(classPath: string, home: string): Promise<{ catalog: Catalog; stop: () => Promise<void> }> {
  const port = await freePort();
  const database = `jdbc:sqlite:${join(home, 'peer.db')}?busy_timeout=20000`;
  const env = {
    ...process.env,
    CATALOG_REST_PORT: String(port),
    CATALOG_WAREHOUSE: join(home, 'peer'),
    CATALOG_URI: database,
  };
  const args = ['-Xmx2g', '-Dorg.slf4j.simpleLogger.defaultLogLevel=error', '-cp', classPath];
  const child = spawn('java', [...args, 'org.apache.iceberg.rest.RESTCatalogServer'], { env, stdio: 'ignore' });
  killOnExit(child);
  const catalog = { name: "Iceberg's REST test server", base: `http://127.0.0.1:${port}/v1` };
  while (
    !(await fetch(`${catalog.base}/config`).then(
      (r) => r.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`the peer exited with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { catalog, stop };
}

/**
 * Milliseconds of one commit after another on one table: the first hundred, and the last of a thousand.
 *
 * @param maintain expires the table's snapshots; its own time is left out
 */
async function growth(
  catalog: Catalog,
  name: string,
  maintain: ((head: Head) => Promise<unknown>) | null,
): Promise<[first: number, last: number]> {
  const head = await create(catalog, name);
  const times: number[] = [];
  for (let i = 0; i < FLAT; i++) {
    if (i % MAINTAINED_EVERY === 0 && i > 0) await maintain?.(head);
    const start = performance.now();
    await commit(catalog, head);
    times.push(performance.now() - start);
  }
  return [median(times.slice(10, 110)), median(times.slice(-100))];
}

/** The service's own maintenance; the peer has none, so its client removes the snapshots, as engines do. */
async function maintainOurs({ name }: Head): Promise<void> {
  const { id } = await service.client.tables.maintain('bench', `bench.${name}`, { expireSnapshotsOlderThanDays: 0 });
  const finished = await service.client.maintenance.wait('bench', id);
  if (finished.status !== 'succeeded') throw new Error(JSON.stringify(finished.error));
}

async function expire(catalog: Catalog, { name, snapshots }: Head): Promise<void> {
  const loaded = JSON.parse(await send(catalog, 'GET', `/namespaces/bench/tables/${name}`));
  const ids: number[] = loaded.metadata.snapshots.map((s: { 'snapshot-id': number }) => s['snapshot-id']);
  const old = ids.filter((id) => id !== snapshots);
  const updates = [{ action: 'remove-snapshots', 'snapshot-ids': old }];
  await send(catalog, 'POST', `/namespaces/bench/tables/${name}`, { requirements: [], updates });
}

const classPath = await kitClassPath();
if (classPath === null) process.exit(0);
const home = newHome();
const service = await startStandalone(home);
await service.client.environments.create('bench');
const ours: Catalog = { name: 'service', base: `${service.url}/catalog/v1/bench` };
const peer = await startPeer(classPath, home);
const both = [ours, peer.catalog];
const heads = new Map<Catalog, Head[]>();
for (const catalog of both) {
  await send(catalog, 'POST', '/namespaces', { namespace: ['bench'] });
  const tables: Head[] = [];
  for (let i = 0; i < CONNECTIONS; i++) tables.push(await create(catalog, `t${i}`));
  heads.set(catalog, tables);
}
const measured = {
  load: new Map(both.map((c) => [c, [] as number[]])),
  commit: new Map(both.map((c) => [c, [] as number[]])),
};
for (let round = -1; round < ROUNDS; round++) {
  for (const catalog of both) {
    const tables = heads.get(catalog)!;
    const commits = await rate(COMMITS, (i) => commit(catalog, tables[i]!));
    const loads = await rate(LOADS, (i) => send(catalog, 'GET', `/namespaces/bench/tables/t${i}`));
    if (round < 0) continue;
    measured.commit.get(catalog)!.push(commits);
    measured.load.get(catalog)!.push(loads);
  }
}
for (const [what, rates] of Object.entries(measured)) {
  const [mine, theirs] = both.map((catalog) => rates.get(catalog)!) as [number[], number[]];
  const ratio = median(mine.map((value, i) => value / theirs[i]!)).toFixed(2);
  for (const catalog of both) {
    const figure = median(rates.get(catalog)!).toFixed(0).padStart(6);
    console.log(`${`${what}, ${catalog.name}`.padEnd(40)}${figure} /s`);
  }
  console.log(`${''.padEnd(40)} ratio ${ratio} (median of pairs), aim ≥ 2`);
}
for (const maintained of [true, false]) {
  console.log(maintained ? `snapshots expired every ${MAINTAINED_EVERY} commits:` : 'every snapshot kept:');
  for (const catalog of both) {
    const own = catalog === ours ? maintainOurs : (head: Head) => expire(catalog, head);
    const name = maintained ? 'maintained' : 'grown';
    const [first, last] = await growth(catalog, name, maintained ? own : null);
    const times = `${first.toFixed(1)} ms after 100 commits, ${last.toFixed(1)} ms after ${FLAT}`;
    console.log(`${`one commit, ${catalog.name}`.padEnd(40)}${times} (× ${(last / first).toFixed(2)})`);
  }
}
agent.destroy();
await peer.stop();
await service.stop();
removeHome(home);
