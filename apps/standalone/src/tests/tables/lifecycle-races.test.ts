import { inTransaction } from '@svc/db/connection';
import { swapTablePointer } from '@svc/db/tables';
import { LifecycleWorld } from '../../testing/lifecycle-world.ts';

// Each pair of operations that may run concurrently: whichever is first, the result is one of two, never a mixture.
let w: LifecycleWorld;
beforeAll(async () => {
  w = await LifecycleWorld.open();
  await w.environment('race');
});
afterAll(() => w.close());

const TIMES = 8;
const TABLES = '/environments/race/namespaces/shop/tables';
let serial = 0;
const fresh = () => `t${serial++}`;
const send = async (method: string, path: string, body?: unknown) => {
  const response = await w.server.call(method, `/api/v1${path}`, body === undefined ? {} : { body });
  if (response.status >= 500) throw new Error(response.text);
  return response.status < 300 ? 'ok' : (response.body.code as string);
};
const row = (id: string) => w.prisma.table.findUniqueOrThrow({ where: { id } });

/** Repeats a race, so that each side wins sometimes. */
async function repeat(race: () => Promise<void>): Promise<void> {
  for (let i = 0; i < TIMES; i++) await race();
}

test('two drops: one drops', () =>
  repeat(async () => {
    const name = fresh();
    const t = await w.table('race', `shop.${name}`);
    const outcomes = await Promise.all([send('DELETE', `${TABLES}/${name}`), send('DELETE', `${TABLES}/${name}`)]);
    expect(outcomes.sort()).toEqual(['not-found', 'ok']);
    expect(await w.events('TABLE_DROPPED', { tableId: t.id })).toHaveLength(1);
  }));

test('two undrops: one restores', () =>
  repeat(async () => {
    const name = fresh();
    const t = await w.table('race', `shop.${name}`);
    await send('DELETE', `${TABLES}/${name}`);
    const undrop = () => send('POST', `${TABLES}/${name}/undrop`);
    expect((await Promise.all([undrop(), undrop()])).sort()).toEqual(['nothing-dropped', 'ok']);
    expect(await w.events('TABLE_UNDROPPED', { tableId: t.id })).toHaveLength(1);
  }));

test('an undrop and a creation of the same name: one has it', () =>
  repeat(async () => {
    const name = fresh();
    await w.table('race', `shop.${name}`);
    await send('DELETE', `${TABLES}/${name}`);
    const body = { name, columns: [{ name: 'id', type: 'long' }] };
    const outcomes = await Promise.all([send('POST', `${TABLES}/${name}/undrop`), send('POST', TABLES, body)]);
    expect([
      ['ok', 'already-exists'],
      ['name-taken', 'ok'],
    ]).toContainEqual(outcomes);
    expect(await w.prisma.table.count({ where: { name, dropped_at: null } })).toBe(1);
  }));

test('a drop and an undrop of an older one: never two of a name', () =>
  repeat(async () => {
    const name = fresh();
    await w.table('race', `shop.${name}`);
    await send('DELETE', `${TABLES}/${name}`);
    await w.table('race', `shop.${name}`);
    await Promise.all([send('DELETE', `${TABLES}/${name}`), send('POST', `${TABLES}/${name}/undrop`)]);
    expect(await w.prisma.table.count({ where: { name, dropped_at: null } })).toBeLessThanOrEqual(1);
  }));

test('an undrop and the sweep at the very end of the period: restored with its files, or gone', () =>
  repeat(async () => {
    const name = fresh();
    const t = await w.table('race', `shop.${name}`);
    await send('DELETE', `${TABLES}/${name}`);
    // One check is a moment before the end, the other at it.
    const end = new Date(w.now.getTime() + 7 * 86_400_000);
    w.now = new Date(end.getTime() - 1);
    const undropped = send('POST', `${TABLES}/${name}/undrop`);
    w.now = end;
    const [outcome] = await Promise.all([undropped, w.sweep()]);
    const { dropped_at, purged_at } = await row(t.id);
    expect([outcome, dropped_at === null, purged_at === null, await w.files(t.location)]).toEqual(
      outcome === 'ok' ? ['ok', true, true, 2] : [outcome, false, false, 0],
    );
  }));

test('two concurrent sweeps purge each table once', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) {
    const name = fresh();
    ids.push((await w.table('race', `shop.${name}`)).id);
    await send('DELETE', `${TABLES}/${name}?purge=true`);
  }
  await Promise.all([w.sweep(), w.sweep()]);
  await w.sweep();
  for (const id of ids) expect(await w.events('TABLE_PURGED', { tableId: id })).toHaveLength(1);
});

test('a drop and a commit: the commit is the table’s last or does not count', () =>
  repeat(async () => {
    const name = fresh();
    const t = await w.table('race', `shop.${name}`);
    const { metadata_location: expected } = await row(t.id);
    const next = `${t.location}/metadata/next.json`;
    const contents = { snapshotId: 1, rowCount: 1, sizeBytes: 1, fileCount: 1 };
    const commit = () =>
      inTransaction(w.server.db, (tx) => swapTablePointer(tx, { id: t.id, expected, next, contents, now: w.now }));
    const [committed] = await Promise.all([commit(), send('DELETE', `${TABLES}/${name}`)]);
    expect((await row(t.id)).metadata_location).toBe(committed ? next : expected);
    expect(await commit()).toBe(false);
  }));

test('an expiry and a write that is queued, a read, a new rule: it waits, or is dropped and then refused', () =>
  repeat(async () => {
    const name = fresh();
    const t = await w.table('race', `shop.${name}`, { body: { expire_after: 1 } });
    w.pass(1);
    const csv = { headers: { 'Content-Type': 'text/csv' }, raw: 'id\n1\n' };
    const write = w.server.call('POST', `/api/v1${TABLES}/${name}/writes`, csv);
    const [response, swept] = await Promise.all([write, w.sweep()]);
    const dropped = (await row(t.id)).dropped_at !== null;
    expect([response.status, swept.expired >= 1 || !dropped]).toEqual([dropped ? 404 : 202, true]);
    await w.prisma.write.updateMany({ where: { table_id: t.id }, data: { status: 'failed', ended_at: w.now } });
    if (!dropped) await send('DELETE', `${TABLES}/${name}`);

    const ruled = fresh();
    const r = await w.table('race', `shop.${ruled}`, { body: { expire_after: 1 } });
    w.pass(1);
    const [changed] = await Promise.all([send('PUT', `${TABLES}/${ruled}/retention`, { never: true }), w.sweep()]);
    expect(changed).toBe((await row(r.id)).dropped_at === null ? 'ok' : 'not-found');
  }));

test('a grant and a drop: what is granted in time comes back with it', () =>
  repeat(async () => {
    const name = fresh();
    const t = await w.table('race', `shop.${name}`);
    const scope = { kind: 'TABLE', environment: 'race', namespace: 'shop', table: name };
    const grant = send('POST', '/grants', { principal: 'admin', action: 'READ_TABLE', ...scope });
    const [granted] = await Promise.all([grant, send('DELETE', `${TABLES}/${name}`)]);
    expect(await w.prisma.grant.count({ where: { object_id: t.id, ended_at: null } })).toBe(0);
    await send('POST', `${TABLES}/${name}/undrop`);
    const back = await w.prisma.grant.count({ where: { object_id: t.id, ended_at: null } });
    expect(back).toBe(granted === 'ok' ? 1 : 0);
  }));

test('a legal hold and a drop with purge: one of them wins', () =>
  repeat(async () => {
    const name = fresh();
    const t = await w.table('race', `shop.${name}`);
    const [legalHold, purged] = await Promise.all([
      send('PUT', `${TABLES}/${name}/hold`, { reason: 'race' }),
      send('DELETE', `${TABLES}/${name}?purge=true`),
    ]);
    await w.sweep();
    // If the hold came second, the table is dropped but its files stay.
    expect(await w.files(t.location)).toBe(legalHold === 'ok' ? 2 : 0);
    expect(['ok', 'table-held']).toContain(purged);
    if (legalHold === 'ok') await send('DELETE', `${TABLES}/${name}/hold`);
  }));

test('a drop and an expiry: one of them drops it, once', () =>
  repeat(async () => {
    const name = fresh();
    const t = await w.table('race', `shop.${name}`, { body: { expire_after: 1 } });
    w.pass(1);
    const [outcome] = await Promise.all([send('DELETE', `${TABLES}/${name}`), w.sweep()]);
    const drops = await w.events('TABLE_DROPPED', { tableId: t.id });
    expect(drops.map(({ detail }) => detail.reason)).toEqual([outcome === 'ok' ? 'user' : 'retention']);
    expect(outcome === 'ok' ? outcome : 'not-found').toBe(outcome);
  }));

test('a drop and a write: the write is queued for a table that is gone then, or not at all', () =>
  repeat(async () => {
    const name = fresh();
    const t = await w.table('race', `shop.${name}`);
    const csv = { headers: { 'Content-Type': 'text/csv' }, raw: 'id\n1\n' };
    const [response, dropped] = await Promise.all([
      w.server.call('POST', `/api/v1${TABLES}/${name}/writes`, csv),
      send('DELETE', `${TABLES}/${name}`),
    ]);
    expect([202, 404]).toContain(response.status);
    expect(dropped).toBe('ok');
    expect(await w.prisma.write.count({ where: { table_id: t.id } })).toBe(response.status === 202 ? 1 : 0);
    await w.prisma.write.updateMany({ where: { table_id: t.id }, data: { status: 'failed', ended_at: w.now } });
  }));

test('an undrop and the deletion of the environment: deleted with all of it, restored with what it took', () =>
  repeat(async () => {
    const env = `gone${serial++}`;
    await w.environment(env);
    const t = await w.table(env, 'shop.t');
    const tables = `/environments/${env}/namespaces/shop/tables`;
    await send('DELETE', `${tables}/t`);
    const [undropped, deleted] = await Promise.all([
      send('POST', `${tables}/t/undrop`),
      send('DELETE', `/environments/${env}`),
    ]);
    expect([deleted, (await row(t.id)).dropped_at === null]).toEqual(['ok', false]);
    expect(await send('POST', `/environments/${env}/restore`)).toBe('ok');
    expect((await row(t.id)).dropped_at === null).toBe(undropped === 'ok');
  }));

test('a restore of the environment and its purge: back with all of it, or due', () =>
  repeat(async () => {
    const env = `back${serial++}`;
    await w.environment(env);
    const t = await w.table(env, 'shop.t');
    await send('DELETE', `/environments/${env}`);
    const purge = () => send('DELETE', `/environments/${env}?purge=true`);
    const [restored, ...purged] = await Promise.all([
      send('POST', `/environments/${env}/restore`),
      ...[purge(), purge()],
    ]);
    const { deleted_at, purge_requested } = await w.prisma.environment.findFirstOrThrow({ where: { name: env } });
    expect((await row(t.id)).dropped_at === null).toBe(deleted_at === null);
    // A caller that read before the restore gets a conflict; one that read after it deletes the restored environment, or gets a
    // conflict if the other one has deleted it first.
    const conflicts = ['not-deleted', 'not-found', ...(purged.includes('ok') ? ['environment-deleted'] : [])];
    for (const outcome of purged) expect(['ok', ...conflicts]).toContain(outcome);
    expect([restored === 'ok' && !purged.includes('ok'), purged.includes('ok')]).toEqual([
      deleted_at === null,
      purge_requested,
    ]);
  }));

test('a restore of the environment and the sweep at the very end of its period: all of it, or nothing', () =>
  repeat(async () => {
    const env = `ends${serial++}`;
    await w.environment(env);
    const t = await w.table(env, 'shop.t');
    await send('DELETE', `/environments/${env}`);
    const end = new Date(w.now.getTime() + 7 * 86_400_000);
    w.now = new Date(end.getTime() - 1);
    const restored = send('POST', `/environments/${env}/restore`);
    w.now = end;
    const [outcome] = await Promise.all([restored, w.sweep()]);
    await w.sweep();
    const { dropped_at, purged_at } = await row(t.id);
    const environment = await w.prisma.environment.findFirst({ where: { name: env, purged_at: null } });
    expect([
      environment?.deleted_at === null,
      dropped_at === null,
      purged_at === null,
      await w.files(t.location),
    ]).toEqual(outcome === 'ok' ? [true, true, true, 2] : [false, false, false, 0]);
  }));
