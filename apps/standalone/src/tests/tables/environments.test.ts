import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { removeOrphans } from '@svc/worker/sweep';
import { pino } from 'pino';
import { LifecycleWorld } from '../../testing/lifecycle-world.ts';

let w: LifecycleWorld;
beforeAll(async () => {
  w = await LifecycleWorld.open();
});
afterAll(() => w.close());

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(w.now.getTime() + days * DAY_MS).toISOString();
const at = (env: string, table = 't') => `/environments/${env}/namespaces/shop/tables/${table}`;

describe('deleting an environment', () => {
  test('and restoring it brings back tables, policies and grants, and nothing that went before (ACCESS-11, ENV-1, ENV-2, ENV-4)', async () => {
    await w.environment('all');
    const t = await w.table('all', 'shop.t');
    const before = await w.table('all', 'shop.before');
    const view = await w.table('all', 'shop.view');
    await w.prisma.table.update({
      where: { id: view.id },
      data: { kind: 'view', view_sql: 'SELECT 1', location: null },
    });
    const token = await w.person('engineer');
    const grants = [
      { kind: 'ENVIRONMENT', environment: 'all', role: 'ADMIN' },
      { kind: 'NAMESPACE', environment: 'all', namespace: 'shop', action: 'READ_TABLE' },
      { kind: 'TABLE', environment: 'all', namespace: 'shop', table: 't', action: 'WRITE_TABLE' },
      { kind: 'TABLE', environment: 'all', namespace: 'shop', table: 'before', action: 'WRITE_TABLE' },
    ];
    const made: string[] = [];
    for (const grant of grants)
      made.push((await w.call(201, 'POST', '/grants', { principal: 'engineer', ...grant })).id);
    await w.call(200, 'DELETE', at('all', 'before'));
    w.pass(1);
    const deleted = await w.call(200, 'DELETE', '/environments/all', undefined, { token });
    expect(deleted).toMatchObject({ name: 'all', deleted_at: w.now.toISOString(), purge_after: inDays(7) });
    const deletedAt = w.now.toISOString();
    expect((await w.events('ENVIRONMENT_DELETED', { environment: 'all' }))[0]).toMatchObject({
      principal: 'engineer',
      detail: { tables: 1, purge_after: inDays(7), purge: false, revoked_policies: 3 },
    });
    const drops = await w.events('TABLE_DROPPED', { environment: 'all' });
    expect(drops.map(({ object, detail }) => [object.table, detail.reason, detail.purge_after === null])).toEqual([
      ['before', 'user', false],
      ['t', 'environment_deleted', false],
      ['view', 'environment_deleted', true],
    ]);
    expect(await w.call(404, 'GET', '/environments/all')).toMatchObject({
      code: 'environment-deleted',
      remedy: 'svc env restore all',
    });
    expect((await w.call(403, 'POST', '/environments/all/restore', undefined, { token })).code).toBe('forbidden');
    expect((await w.call(404, 'DELETE', '/environments/all')).remedy).toBe('svc env restore all');
    const conflict = await w.call(409, 'POST', '/environments', { name: 'all' });
    expect(conflict).toMatchObject({ code: 'name-held-by-deleted', remedy: 'svc env restore all' });
    const list = await w.call(200, 'GET', '/environments?deleted=true');
    expect(list).toMatchObject([{ name: 'all', purge_after: deleted.purge_after }]);
    await w.call(403, 'GET', '/environments?deleted=true', undefined, { token });
    w.pass(3);
    await w.sweep();
    const back = await w.call(200, 'POST', '/environments/all/restore');
    expect(back).toMatchObject({ name: 'all', deleted_at: null, purge_after: null });
    const [restored] = await w.events('ENVIRONMENT_RESTORED', { environment: 'all' });
    expect(restored!.detail).toEqual({ tables: 1, restored_policies: 3, deleted_at: deletedAt });
    const [undropped] = await w.events('TABLE_UNDROPPED', { tableId: t.id });
    expect(undropped!.detail).toMatchObject({
      reason: 'environment_restored',
      restored_policies: [{ kind: 'grant', id: made[2] }],
    });
    expect(await w.call(200, 'GET', at('all'), undefined, { token })).toMatchObject({ id: t.id });
    await w.call(404, 'GET', at('all', 'view'));
    await w.call(404, 'GET', at('all', 'before'));
    const [dropped] = await w.call(200, 'GET', '/environments/all/namespaces/shop/dropped-tables');
    expect(dropped).toMatchObject({ uuid: before.id, restorable: true });
    const active = await w.call(200, 'GET', '/grants?principal_name=engineer');
    expect(active.map((grant: { id: string }) => grant.id).sort()).toEqual(made.slice(0, 3).sort());
    expect((await w.call(409, 'POST', '/environments/all/restore')).code).toBe('not-deleted');
    await w.call(404, 'POST', '/environments/none/restore');
  });

  test('its files, artifacts with them, go after the period, and then its name is free (ENV-1, ENV-2, ENV-3)', async () => {
    await w.environment('gone');
    const t = await w.table('gone', 'shop.t');
    const artifact = await w.table('gone', 'shop.artifact');
    const file = `${w.server.store.root}/artifacts/x/y-1/report.html`;
    await w.server.store.write(file, Buffer.from('<html>'));
    await w.prisma.table.update({
      where: { id: artifact.id },
      data: { kind: 'artifact', location: file, metadata_location: null },
    });
    await w.call(200, 'DELETE', '/environments/gone');
    w.pass(7);
    expect((await w.call(409, 'POST', '/environments/gone/restore')).code).toBe('undo-period-over');
    expect(await w.sweep()).toMatchObject({ environments: 1 });
    expect(await w.files(t.location)).toBe(0);
    expect(await w.server.store.stat(file)).toBeNull();
    expect((await w.events('ENVIRONMENT_PURGED', { environment: 'gone' }))[0]).toMatchObject({
      principal: null,
      detail: { name: 'gone', tables: 2 },
    });
    await w.call(404, 'POST', '/environments/gone/restore');
    await w.environment('gone');
  });

  test('with purge is due at once, also of one deleted before; a sweep that dies is resumed (ENV-3)', async () => {
    await w.environment('now');
    const t = await w.table('now', 'shop.t');
    await w.call(200, 'DELETE', '/environments/now');
    const purged = await w.call(200, 'DELETE', '/environments/now?purge=true');
    expect(purged.purge_after).toBe(w.now.toISOString());
    const events = await w.events('ENVIRONMENT_DELETED', { environment: 'now' });
    expect(events.map(({ detail }) => detail.already_deleted ?? false)).toEqual([false, true]);
    expect((await w.call(409, 'POST', '/environments/now/restore')).code).toBe('dropped-with-purge');
    const name = await w.call(409, 'POST', '/environments', { name: 'now' });
    expect(name.detail).toMatch(/clean-up/);
    const named = await w.call(404, 'GET', '/environments/now');
    expect([named.code, named.remedy]).toEqual(['environment-deleted', undefined]);
    expect(named.detail).toContain('no longer be restored');
    await expect(w.sweep({ killAt: 'purge.taken' })).rejects.toThrow();
    await expect(w.sweep({ killAt: 'purge.deleted' })).rejects.toThrow();
    expect(await w.files(t.location)).toBe(0);
    expect(await w.sweep()).toMatchObject({ purged: 1, environments: 1 });
    await w.environment('now');
  });

  test('deletes saved queries and tabs with the purge, not before (SAVED-8, TAB-6)', async () => {
    await w.environment('saved');
    const { id } = await w.call(201, 'POST', '/environments/saved/saved-queries', { name: 'q', sql: 'SELECT 1' });
    await w.call(200, 'PUT', `/environments/saved/query-tabs/${id}`, { version: 0, sql: 'SELECT 1' });
    const stored = async () =>
      (await w.prisma.savedQuery.count({ where: { id } })) + (await w.prisma.queryTab.count({ where: { id } }));
    await w.call(200, 'DELETE', '/environments/saved');
    expect(await stored()).toBe(2);
    await w.call(200, 'DELETE', '/environments/saved?purge=true');
    expect(await w.sweep()).toMatchObject({ environments: 1 });
    expect(await stored()).toBe(0);
  });

  test('waits for a drop whose own period is longer', async () => {
    await w.environment('longer');
    const t = await w.table('longer', 'shop.t');
    w.set({ undoDays: 30 });
    await w.call(200, 'DELETE', at('longer'));
    w.set({ undoDays: 1 });
    await w.call(200, 'DELETE', '/environments/longer');
    w.set({ undoDays: 7 });
    w.pass(2);
    expect(await w.sweep()).toMatchObject({ environments: 0 });
    expect(await w.files(t.location)).toBe(2);
    w.pass(28);
    expect(await w.sweep()).toMatchObject({ purged: 1, environments: 1 });
  });

  test('a concurrent drop, expiry and creation each have one outcome', async () => {
    await w.environment('race');
    await Promise.all(Array.from({ length: 10 }, (_, i) => w.table('race', `shop.t${i}`)));
    const send = (method: string, path: string, body?: unknown) =>
      w.server.call(method, `/api/v1${path}`, body === undefined ? {} : { body });
    const table = (name: string) => ({ name, columns: [{ name: 'id', type: 'long' }] });
    const responses = await Promise.all([
      ...Array.from({ length: 5 }, (_, i) => send('DELETE', at('race', `t${i}`))),
      send('DELETE', '/environments/race'),
      ...Array.from({ length: 5 }, (_, i) => send('POST', '/environments/race/namespaces/shop/tables', table(`n${i}`))),
      send('POST', '/environments/race/namespaces', { path: 'late' }),
    ]);
    expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const environment = await w.prisma.environment.findFirstOrThrow({ where: { name: 'race', purged_at: null } });
    const tables = await w.prisma.table.findMany({ where: { environment_id: environment.id } });
    expect(tables.filter((row) => row.dropped_at === null)).toEqual([]);
    await w.call(200, 'POST', '/environments/race/restore');
    const alive = await w.prisma.table.count({ where: { environment_id: environment.id, dropped_at: null } });
    const byUser = tables.filter((row) => row.drop_reason === 'user').length;
    expect(alive).toBe(tables.length - byUser);
  });

  test('of concurrent deletions one succeeds, and the others report how to restore (ENV-4)', async () => {
    await w.environment('once');
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => w.server.call('DELETE', '/api/v1/environments/once')),
    );
    const [deleted, ...others] = responses.sort((x, y) => x.status - y.status);
    expect(deleted!.status).toBe(200);
    for (const { status, body } of others) {
      expect([status, body.code, body.remedy]).toEqual([404, 'environment-deleted', 'svc env restore once']);
    }
  });
});

describe('orphaned locations', () => {
  test('are listed once a day old, and removed at the operator’s choice alone (DROP-11)', async () => {
    await w.environment('orphans');
    const t = await w.table('orphans', 'shop.t');
    const environment = await w.prisma.environment.findFirstOrThrow({ where: { name: 'orphans' } });
    const stray = `${w.server.store.root}/tables/${environment.id}/stray`;
    await w.server.store.write(`${stray}/data/0.parquet`, Buffer.from('rows'));
    const list = () => w.call(200, 'GET', '/environments/orphans/orphaned-locations');
    // The age of a file comes from the machine's clock.
    w.now = new Date();
    expect(await list()).toEqual([]);
    w.pass(2);
    expect(await list()).toEqual([{ location: stray, files: 1, bytes: 4, modified_at: expect.any(String) }]);
    const removed = await w.call(200, 'DELETE', '/environments/orphans/orphaned-locations');
    expect(removed).toEqual({ locations: [stray], files: 1, bytes: 4, more: false });
    expect(await list()).toEqual([]);
    expect(await w.files(t.location)).toBe(2);
    expect(await w.events('ORPHANED_LOCATIONS_REMOVED', { environment: 'orphans' })).toHaveLength(1);
  });

  test('the folders of a staged table that was never created are removed after a day', async () => {
    await w.environment('staged');
    w.now = new Date();
    const { body } = await w.server.call('POST', '/catalog/v1/staged/namespaces/shop/tables', {
      body: { name: 'never', schema: { type: 'struct', fields: [] }, 'stage-create': true },
    });
    const folder = fileURLToPath(body.metadata.location);
    const { db, store } = w.server;
    const sweep = () =>
      removeOrphans({ db, store, clock: () => w.now, log: pino({ level: 'silent' }) }, new AbortController().signal);
    await sweep();
    expect((await readdir(folder)).sort()).toEqual(['data', 'metadata']);
    w.pass(2);
    expect(await w.call(200, 'GET', '/environments/staged/orphaned-locations')).toEqual([]);
    await sweep();
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  /** Two orphaned folders of a new environment, two days old. */
  const twoStrays = async (name: string): Promise<string[]> => {
    await w.environment(name);
    const { id } = await w.prisma.environment.findFirstOrThrow({ where: { name } });
    const { store } = w.server;
    const strays = ['a', 'b'].map((folder) => `${store.root}/tables/${id}/${folder}`);
    for (const stray of strays) await store.write(`${stray}/data/0.parquet`, Buffer.from('rows'));
    w.now = new Date();
    w.pass(2);
    return strays;
  };

  test('a folder in which an engine creates a table during the removal stays', async () => {
    const { store } = w.server;
    const strays = await twoStrays('reused');
    const removePrefix = store.removePrefix.bind(store);
    let created: string | null = null;
    store.removePrefix = async (location, options) => {
      if (created === null) {
        created = strays.find((stray) => stray !== location)!;
        const body = { name: 't', location: created, schema: { type: 'struct', fields: [] } };
        const { status } = await w.server.call('POST', '/catalog/v1/reused/namespaces/shop/tables', { body });
        expect(status).toBe(200);
      }
      return removePrefix(location, options);
    };
    const url = '/environments/reused/orphaned-locations';
    const removed = await w.call(200, 'DELETE', url).finally(() => {
      store.removePrefix = removePrefix;
    });
    expect(removed.locations).toEqual(strays.filter((stray) => stray !== created));
    expect(await w.files(created!)).toBe(2);
  });

  test('the objects that are gone are reported when the storage fails half-way', async () => {
    const { store } = w.server;
    await twoStrays('halfway');
    const removePrefix = store.removePrefix.bind(store);
    let calls = 0;
    store.removePrefix = async (...args) => {
      calls += 1;
      if (calls === 2) throw new Error('the disk went away');
      return removePrefix(...args);
    };
    try {
      await w.call(500, 'DELETE', '/environments/halfway/orphaned-locations');
    } finally {
      store.removePrefix = removePrefix;
    }
    const [event, ...more] = await w.events('ORPHANED_LOCATIONS_REMOVED', { environment: 'halfway' });
    expect(more).toEqual([]);
    expect(event!.detail).toMatchObject({ files: 1, bytes: 4 });
    expect(await w.call(200, 'GET', '/environments/halfway/orphaned-locations')).toHaveLength(1);
  });
});

test('an environment is visible to anyone with a grant in it, its settings to readers', async () => {
  await w.environment('outlined');
  await w.table('outlined', 'shop.t');
  await w.environment('hidden');
  await w.call(200, 'PATCH', '/environments/outlined', { description: 'about it' });
  const token = await w.person('analyst');
  const list = async () => w.call(200, 'GET', '/environments', undefined, { token });
  expect(await list()).toEqual([]);
  const onTable = { kind: 'TABLE', environment: 'outlined', namespace: 'shop', table: 't', action: 'READ_TABLE' };
  const grant = await w.call(201, 'POST', '/grants', { principal: 'analyst', ...onTable });
  expect(await list()).toMatchObject([{ name: 'outlined', protected: false, description: null, maintenance: null }]);
  await w.call(403, 'GET', '/environments/outlined', undefined, { token });
  await w.call(201, 'POST', '/grants', {
    principal: 'analyst',
    kind: 'ENVIRONMENT',
    environment: 'outlined',
    action: 'READ_ENVIRONMENT',
  });
  expect(await list()).toMatchObject([{ name: 'outlined', description: 'about it' }]);
  await w.call(204, 'DELETE', `/grants/${grant.id}`);
});

describe('a protected environment', () => {
  test('is deleted and purged with break-glass only, as its event shows (ENV-5)', async () => {
    await w.environment('sealed');
    await w.table('sealed', 'shop.t');
    await w.call(200, 'PATCH', '/environments/sealed', { protected: true });
    const refused = await w.call(409, 'DELETE', '/environments/sealed');
    expect(refused).toMatchObject({ code: 'environment-protected', detail: expect.stringContaining('--break-glass') });
    expect((await w.events('AUTHORIZATION_DENIED', { environment: 'sealed' })).at(0)).toMatchObject({
      detail: { action: 'MANAGE_ENVIRONMENT', reason: 'environment sealed is protected' },
    });
    expect(await w.call(200, 'GET', '/environments/sealed')).toMatchObject({ deleted_at: null });
    const headers = { 'Svc-Break-Glass': 'case%2012' };
    await w.call(200, 'DELETE', '/environments/sealed', undefined, { headers });
    const [deleted] = await w.events('ENVIRONMENT_DELETED', { environment: 'sealed' });
    expect(deleted).toMatchObject({ detail: { tables: 1, break_glass: { reason: 'case 12' } } });
    expect(await w.call(409, 'DELETE', '/environments/sealed?purge=true')).toMatchObject({
      code: 'environment-protected',
    });
    await w.call(200, 'DELETE', '/environments/sealed?purge=true', undefined, { headers });
    const purged = await w.events('ENVIRONMENT_DELETED', { environment: 'sealed' });
    expect(purged.map(({ detail }) => [detail.purge, detail.break_glass])).toContainEqual([
      true,
      { reason: 'case 12' },
    ]);
  });

  test('hides from a caller without the right that it is protected', async () => {
    await w.environment('sealed-too');
    await w.call(200, 'PATCH', '/environments/sealed-too', { protected: true });
    const token = await w.person('stranger');
    expect((await w.call(403, 'DELETE', '/environments/sealed-too', undefined, { token })).code).toBe('forbidden');
  });
});
