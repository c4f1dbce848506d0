import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { userWith } from '../../testing/accounts.ts';
import { rowsOf } from '../../testing/orders.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

let s: TestService;
let tables = 0;
beforeAll(async () => {
  s = await startTestService({ SVC_RUN__SWEEP_INTERVAL: '1' });
  await s.client.environments.create('dev');
  for (const namespace of ['shop', 'copies', 'copies.own']) await s.client.namespaces.create('dev', namespace);
});
afterAll(() => s.stop());

async function newTable(sql = "SELECT i AS id, 'n' || i AS name FROM range(3) t(i)"): Promise<string> {
  const table = `shop.t${++tables}`;
  await s.client.queries.run('dev', sql, { into: table, mode: 'create' });
  return table;
}

const newName = () => `copies.own.c${++tables}`;
const clone = (source: string, target: string) => s.client.tables.clone('dev', source, target);
const get = (table: string) => s.client.tables.get('dev', table);
const run = (sql: string) => s.client.queries.run('dev', sql);
const rows = (table: string) => rowsOf(s.client, 'dev', `SELECT * FROM ${table} ORDER BY ALL`);

async function files(table: string): Promise<string[]> {
  const folder = (await get(table)).location!.split('/').at(-1)!;
  return (await s.stored('tables')).filter((file) => file.includes(folder) && file.endsWith('.parquet')).sort();
}

async function inodes(table: string): Promise<number[]> {
  return Promise.all((await files(table)).map(async (file) => (await stat(file)).ino));
}

/** Requests of an external engine; returns the response's body. */
async function catalog(path: string, body?: object): Promise<{ metadata: Record<string, unknown> }> {
  const [namespace, name] = [path.slice(0, path.lastIndexOf('.')), path.slice(path.lastIndexOf('.') + 1)];
  const within = namespace.replaceAll('.', '%1F');
  const response = await fetch(`${s.url}/catalog/v1/dev/namespaces/${within}/tables${name === '' ? '' : `/${name}`}`, {
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  expect([response.status, answer]).toEqual([200, answer]);
  return answer as never;
}

const metadataOf = async (table: string) => (await catalog(table)).metadata;
const setProperties = (table: string, updates: Record<string, string>) =>
  catalog(table, { requirements: [], updates: [{ action: 'set-properties', updates }] });

describe('a clone (TABLE-22)', () => {
  test('has the rows of its source in its own files, which are second names of the same bytes', async () => {
    const source = await newTable();
    await run(`INSERT INTO ${source} VALUES (7, 'x')`);
    const target = newName();
    const query = await clone(source, target);
    expect(query).toMatchObject({ status: 'SUCCEEDED', row_count: 4, into: target });
    expect(await rows(target)).toEqual(await rows(source));
    expect((await inodes(target)).sort()).toEqual((await inodes(source)).sort());
    expect((await files(target)).filter((file) => file.includes('/data/')).length).toBe(2);
    const [was, is] = [await get(source), await get(target)];
    expect(is).toMatchObject({ row_count: 4, size_bytes: was.size_bytes, columns: was.columns, owner: 'admin' });
    const snapshots = await s.client.tables.snapshots('dev', target);
    expect(snapshots).toEqual([expect.objectContaining({ operation: 'append', parent_id: null })]);
    const [created, write] = [(await s.events('TABLE_CREATED')).at(-1)!, (await s.events('TABLE_WRITE')).at(-1)!];
    expect(created.detail).toMatchObject({ table_id: is.id, kind: 'managed' });
    expect(write.detail).toMatchObject({ table_id: is.id, mode: 'create', rows: 4 });
    const completed = (await s.events('QUERY_COMPLETED')).find(({ detail }) => detail['query_id'] === query.id);
    expect(completed?.detail).toMatchObject({ status: 'SUCCEEDED', tables: [was.id] });
  });

  test('and its source stay as they are whatever happens to the other', async () => {
    const source = await newTable();
    const [one, two] = [newName(), newName()];
    for (const target of [one, two]) await clone(source, target);
    const before = await rows(source);
    await run(`UPDATE ${one} SET name = 'changed' WHERE id = 1`);
    expect(await rows(source)).toEqual(before);
    await s.client.tables.truncate('dev', source);
    const { id } = await s.client.tables.maintain('dev', source, { compact: true, expireSnapshotsOlderThanDays: 0 });
    await s.client.maintenance.wait('dev', id);
    expect(await rows(two)).toEqual(before);
    expect(await rows(two)).toEqual(before);
  });

  test('outlives the purge of its source, and the other way around', async () => {
    const source = await newTable();
    const [one, two] = [newName(), newName()];
    await clone(source, one);
    await clone(one, two);
    const [expected, folders] = [await rows(source), [await files(source), await files(two)].flat()];
    for (const table of [source, two]) await s.client.tables.delete('dev', table, { purge: true });
    for (let left = folders; left.length > 0; ) {
      const stored = new Set(await s.stored('tables'));
      left = folders.filter((file) => stored.has(file));
    }
    expect(await rows(one)).toEqual(expected);
    const [file] = await files(one);
    expect((await stat(file!)).nlink).toBe(1);
  });

  test('has the columns, layout, properties and descriptions with their ids, and nothing else', async () => {
    const source = await newTable();
    const add = [{ name: 'more', type: 'int', nullable: true, description: 'Added later' }];
    await s.client.tables.alter('dev', source, { rename: { name: 'label' }, add } as never);
    await s.client.tables.update('dev', source, { description: 'What it is' });
    await setProperties(source, { 'write.parquet.row-group-limit': '1000', own: 'kept' });
    const location = (await get(source)).location!;
    await setProperties(source, { 'write.data.path': `${location}/data` });
    await s.client.tables.setRetention('dev', source, { days: 30 });
    await userWith(s, 'clone-other', []);
    const [namespace, table] = source.split('.') as [string, string];
    await s.client.grants.create({
      ...{ principal: 'clone-other', kind: 'TABLE', environment: 'dev', namespace, table, action: 'READ_TABLE' },
    } as never);
    await s.client.rowFilters.create('dev', source, { principal: 'clone-other', predicate: 'id < 1' });
    const target = newName();
    await clone(source, target);
    const [from, to] = [await metadataOf(source), await metadataOf(target)];
    for (const part of [
      'schemas',
      'current-schema-id',
      'last-column-id',
      'partition-specs',
      'sort-orders',
      'format-version',
    ])
      expect([part, to[part]]).toEqual([part, from[part]]);
    const { 'write.data.path': _, ...kept } = from['properties'] as Record<string, string>;
    expect(to['properties']).toEqual(kept);
    expect(to['table-uuid']).not.toBe(from['table-uuid']);
    expect([to['snapshot-log'], to['metadata-log'], Object.keys(to['refs'] as object)]).toMatchObject([
      [{}],
      [],
      ['main'],
    ]);
    const cloned = await get(target);
    expect(cloned).toMatchObject({ description: 'What it is', columns: (await get(source)).columns });
    expect(await s.client.tables.retention('dev', target)).toMatchObject({ days: null });
    expect(await s.client.rowFilters.list('dev', target)).toEqual([]);
    expect(await rows(target)).toEqual([0, 1, 2].map((i) => [i, `n${i}`, null]));
    await run(`INSERT INTO ${target} VALUES (3, 'n3', 4)`);
    expect((await rows(target)).length).toBe(4);
  });

  test('of an empty or truncated table is empty', async () => {
    await s.client.tables.create('dev', 'shop.blank', { columns: [{ name: 'id', type: 'int' }] } as never);
    const truncated = await newTable();
    await s.client.tables.truncate('dev', truncated);
    for (const source of ['shop.blank', truncated]) {
      const target = newName();
      expect(await clone(source, target)).toMatchObject({ row_count: 0 });
      expect([await rows(target), await files(target)]).toEqual([[], []]);
    }
  });

  test('has the rows of one version of a table that is being written', async () => {
    const source = await newTable('SELECT range AS id FROM range(10)');
    const writes = Array.from({ length: 8 }, (_, i) =>
      run(`INSERT INTO ${source} SELECT range + 10 FROM range(${i + 1} - ${i} + 9)`),
    );
    const targets = Array.from({ length: 4 }, newName);
    await Promise.all([...writes, ...targets.map((target) => clone(source, target))]);
    for (const target of targets) {
      const [[count]] = (await rowsOf(s.client, 'dev', `SELECT count(*) FROM ${target}`)) as [[number]];
      expect(count % 10).toBe(0);
      expect((await get(target)).row_count).toBe(count);
    }
  });
});

describe('files with deleted rows (TABLE-23)', () => {
  test('are written again as their live rows; all others are copied', async () => {
    const source = await newTable('SELECT range AS id, 0 AS n FROM range(1000)');
    await run(`INSERT INTO ${source} SELECT range + 1000, 1 FROM range(10)`);
    await setProperties(source, { 'write.delete.mode': 'merge-on-read' });
    await run(`DELETE FROM ${source} WHERE id < 10`);
    const target = newName();
    await clone(source, target);
    expect(await rows(target)).toEqual(await rows(source));
    const copied = await inodes(target);
    const own = new Set(await inodes(source));
    expect(copied.filter((inode) => own.has(inode))).toHaveLength(1);
    const [snapshot] = await s.client.tables.snapshots('dev', target);
    expect(snapshot!.summary).toMatchObject({ 'total-records': '1000', 'total-position-deletes': '0' });
    expect(await get(target)).toMatchObject({ row_count: 1000 });
    await run(`DELETE FROM ${target} WHERE id >= 1000`);
    expect((await rows(source)).length).toBe(1000);
    expect((await rows(target)).length).toBe(990);
  });

  test.each([2, 3])('of a partitioned table of an external engine, format version %i', async (version) => {
    const name = `partitioned${version}`;
    const field = (id: number, name: string, type: string) => ({ id, name, type, required: false });
    await catalog('shop.', {
      name,
      schema: { type: 'struct', 'schema-id': 0, fields: [field(1, 'id', 'int'), field(2, 'k', 'string')] },
      'partition-spec': {
        'spec-id': 0,
        fields: [{ name: 'k', 'source-id': 2, 'field-id': 1000, transform: 'identity' }],
      },
      properties: { 'format-version': String(version), 'write.delete.mode': 'merge-on-read' },
    });
    const source = `shop.${name}`;
    await run(`INSERT INTO ${source} SELECT range::INTEGER, 'k' || range % 3 FROM range(30)`);
    await run(`DELETE FROM ${source} WHERE k = 'k1' AND id < 10`);
    const target = newName();
    await clone(source, target);
    const expected = await rows(source);
    expect(await rows(target)).toEqual(expected);
    await run(`DELETE FROM ${target} WHERE k = 'k2'`);
    const { id } = await s.client.tables.maintain('dev', target, { compact: true });
    expect(await s.client.maintenance.wait('dev', id)).toMatchObject({ status: 'succeeded' });
    expect((await rows(target)).length).toBe(expected.length - 10);
    expect(await rows(source)).toEqual(expected);
    const again = newName();
    await clone(target, again);
    expect(await rows(again)).toEqual(await rows(target));
    const [from, to] = [await metadataOf(target), await metadataOf(again)];
    if (version === 3) expect(Number(to['next-row-id'])).toBeGreaterThan(Number(from['next-row-id']));
  });
});

describe('a clone is refused, and leaves nothing (TABLE-24)', () => {
  const failed = async (client: TestService['client'], sql: string) => {
    const { id } = await client.queries.submit('dev', sql);
    return (await client.queries.wait('dev', id)).error;
  };

  test('if the name is taken, the namespace is missing or the source is not a managed table', async () => {
    const [source, target] = [await newTable(), await newTable()];
    await mkdir(join(s.folder, 'external'), { recursive: true });
    const location = join(s.folder, 'external', 'outer.csv');
    await writeFile(location, 'id\n1\n');
    await s.client.tables.create('dev', 'shop.outer', { kind: 'external', location, format: 'csv' });
    const before = (await s.stored('tables')).length;
    for (const [from, to, code] of [
      [source, target, 'already-exists'],
      [source, source, 'already-exists'],
      [source, 'nowhere.x', 'not-found'],
      ['shop.missing', 'copies.x', 'table-not-found'],
      ['shop.outer', 'copies.x', 'not-a-managed-table'],
      ['information_schema.tables', 'copies.x', 'not-a-managed-table'],
    ] as const)
      expect([to, await failed(s.client, `CREATE TABLE ${to} CLONE ${from}`)]).toEqual([
        to,
        expect.objectContaining({ code }),
      ]);
    await expect(clone(source, target)).rejects.toMatchObject({ code: 'already-exists' });
    expect((await s.stored('tables')).length).toBe(before);
  });

  test('if two of the same name run at once: one of them exists, whole', async () => {
    const source = await newTable();
    const target = newName();
    const before = (await s.stored('tables')).length;
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => clone(source, target)));
    expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(await rows(target)).toEqual(await rows(source));
    // A data file, a manifest, a manifest list and metadata.
    expect((await s.stored('tables')).length).toBe(before + 4);
  });

  test('without READ_TABLE, CREATE_TABLE or SUBMIT_QUERY, or if a policy binds the caller', async () => {
    const source = await newTable();
    const [namespace, table] = source.split('.') as [string, string];
    const read = { namespace, table, action: 'READ_TABLE' };
    const create = { namespace: 'copies', action: 'CREATE_TABLE' };
    const submit = { action: 'SUBMIT_QUERY' };
    const target = () => `copies.c${++tables}`;
    const statement = () => `CREATE TABLE ${target()} CLONE ${source}`;
    const reader = await userWith(s, 'clone-reader', [read, submit]);
    await expect(reader.queries.submit('dev', statement())).rejects.toMatchObject({ status: 403 });
    const creator = await userWith(s, 'clone-creator', [create, submit]);
    const denied = (await s.events('AUTHORIZATION_DENIED')).length;
    const hidden = await failed(creator, statement());
    expect(hidden).toMatchObject({ code: 'table-not-found' });
    expect((await s.events('AUTHORIZATION_DENIED')).length).toBe(denied + 1);
    const missing = await failed(creator, `CREATE TABLE ${target()} CLONE shop.hidden`);
    expect(missing!.detail.replaceAll('hidden', 'T')).toBe(hidden!.detail.replaceAll(table, 'T'));
    const both = await userWith(s, 'clone-both', [read, create, submit]);
    const mine = target();
    expect(await both.tables.clone('dev', source, mine)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await get(mine)).toMatchObject({ owner: 'clone-both' });
    await s.client.columnMasks.create('dev', source, { principal: 'clone-both', column: 'name', expression: "'x'" });
    const bound = await failed(both, statement());
    expect(bound).toMatchObject({ code: 'not-allowed', detail: expect.stringContaining("you can't clone it") });
  });

  test('if the statement is wrong, or has values or options that it does not take', async () => {
    const source = await newTable();
    const sql = `CREATE TABLE copies.x CLONE ${source}`;
    expect(await failed(s.client, 'CREATE TABLE copies.x CLONE t')).toMatchObject({ code: 'not-supported' });
    for (const name of ['x', '"a b".x'])
      expect(await failed(s.client, `CREATE TABLE ${name} CLONE ${source}`)).toMatchObject({ code: 'not-supported' });
    await expect(clone('x', source)).rejects.toThrow(TypeError);
    await expect(clone(source, 'x')).rejects.toThrow(TypeError);
    expect(await failed(s.client, `${sql} WHERE id = 1`)).toMatchObject({ code: 'not-supported' });
    await expect(s.client.queries.run('dev', sql, { params: [1] })).rejects.toMatchObject({ code: 'wrong-parameters' });
    for (const options of [{ dry_run: true }, { into: 'copies.y' }, { mode: 'create' as const }])
      await expect(s.client.queries.submit('dev', sql, options)).rejects.toMatchObject({ status: 422 });
  });

  test('if the storage quota is used up, which counts the bytes of clones', async () => {
    const source = await newTable();
    const used = async () => (await s.client.environments.quotas('dev')).storage_bytes.used;
    const before = await used();
    await clone(source, newName());
    expect(await used()).toBe(before + (await get(source)).size_bytes!);
    await s.client.environments.setQuotas('dev', { storage_bytes: await used(), concurrent_queries: null });
    await expect(clone(source, newName())).rejects.toThrow('storage quota');
    await s.client.environments.setQuotas('dev', { storage_bytes: null, concurrent_queries: null });
  });

  test('if files of the source are missing', async () => {
    const source = await newTable();
    const [file] = await files(source);
    await rm(file!);
    const before = (await s.stored('tables')).length;
    await expect(clone(source, newName())).rejects.toMatchObject({
      message: expect.stringContaining('Nothing was changed'),
    });
    expect((await s.stored('tables')).length).toBe(before);
  });
});
