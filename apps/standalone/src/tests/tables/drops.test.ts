import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { inTransaction } from '@svc/db/connection';
import { replaceObject } from '@svc/db/tables';
import { LifecycleWorld } from '../../testing/lifecycle-world.ts';

let w: LifecycleWorld;
beforeAll(async () => {
  w = await LifecycleWorld.open();
});
afterAll(() => w.close());

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(w.now.getTime() + days * DAY_MS).toISOString();
const at = (env: string, table = 't') => `/environments/${env}/namespaces/shop/tables/${table}`;
const dropped = (env: string) => w.call(200, 'GET', `/environments/${env}/namespaces/shop/dropped-tables`);

describe('dropping and restoring a table', () => {
  test('brings back the same table with exactly what the drop took (DROP-1, DROP-6)', async () => {
    await w.environment('one');
    const token = await w.person('reader-one');
    const t = await w.table('one', 'shop.t', { body: { description: 'Orders' } });
    const scope = { kind: 'TABLE', environment: 'one', namespace: 'shop', table: 't' };
    const readGrant = await w.call(201, 'POST', '/grants', { principal: 'reader-one', action: 'READ_TABLE', ...scope });
    const revokedGrant = await w.call(201, 'POST', '/grants', {
      principal: 'reader-one',
      action: 'WRITE_TABLE',
      ...scope,
    });
    await w.call(204, 'DELETE', `/grants/${revokedGrant.id}`);
    const filter = await w.call(201, 'POST', `${at('one')}/row-filters`, {
      principal: 'reader-one',
      predicate: 'id > 1',
    });
    const mask = await w.call(201, 'POST', `${at('one')}/column-masks`, {
      principal: 'reader-one',
      column: 'id',
      expression: 'NULL',
    });
    await w.call(200, 'GET', at('one'), undefined, { token });
    w.pass(1);
    const drop = await w.call(200, 'DELETE', at('one'));
    expect(drop).toMatchObject({ name: 't', namespace: 'shop', uuid: t.id, kind: 'managed', reason: 'user' });
    expect(drop).toMatchObject({ dropped_at: w.now.toISOString(), purge_after: inDays(7), restorable: true });
    await w.call(404, 'GET', at('one'));
    await w.call(403, 'GET', at('one'), undefined, { token });
    expect(await dropped('one')).toEqual([drop]);
    expect((await w.events('TABLE_DROPPED', { tableId: t.id }))[0]).toMatchObject({
      principal: 'admin',
      detail: { reason: 'user', kind: 'managed', purge_after: inDays(7), revoked_policies: 3 },
    });
    w.pass(6);
    await w.sweep();
    const back = await w.call(200, 'POST', `${at('one')}/undrop`);
    expect(back).toMatchObject({ id: t.id, name: 't', description: 'Orders', owner: t.owner, location: t.location });
    await w.call(200, 'GET', at('one'), undefined, { token });
    const [undropped] = await w.events('TABLE_UNDROPPED', { tableId: t.id });
    expect(undropped!.detail).toEqual({
      table_id: t.id,
      name: 't',
      dropped_name: 't',
      dropped_at: drop.dropped_at,
      reason: 'user',
      restored_policies: [
        { kind: 'grant', id: readGrant.id },
        { kind: 'row_filter', id: filter.id },
        { kind: 'column_mask', id: mask.id },
      ],
      retention_cleared: false,
    });
    const grants = await w.call(200, 'GET', '/grants?principal_name=reader-one');
    expect(grants.map((grant: { id: string }) => grant.id)).toEqual([readGrant.id]);
    w.pass(30);
    await w.sweep();
    expect(await w.files(t.location)).toBe(2);
    expect(await dropped('one')).toEqual([]);
    expect((await w.call(404, 'POST', `${at('one')}/undrop`)).code).toBe('nothing-dropped');
  });

  test('of several drops of one name the newest comes back first, the older under another name or by its id (DROP-5, DROP-9, DROP-14)', async () => {
    await w.environment('several');
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push((await w.table('several', 'shop.t')).id);
      await w.call(200, 'DELETE', at('several'));
      w.pass(0.5);
    }
    expect((await dropped('several')).map((d: { uuid: string }) => d.uuid)).toEqual([...ids].reverse());
    expect((await w.call(200, 'POST', `${at('several')}/undrop`)).id).toBe(ids[2]);
    const taken = await w.call(409, 'POST', `${at('several')}/undrop`);
    expect(taken).toMatchObject({ code: 'name-taken', detail: expect.stringContaining('--as') });
    await w.table('several', 'shop.other');
    // The command names the dropped table, not the name that is in use again.
    expect(await w.call(409, 'POST', `${at('several')}/undrop`, { new_name: 'other' })).toMatchObject({
      detail: expect.stringContaining('shop.other is taken'),
      remedy: 'svc table undrop shop.t --as NEW_NAME --env several',
    });
    const oldest = await w.call(200, 'POST', `${at('several')}/undrop`, { id: ids[0], new_name: 'oldest' });
    expect(oldest).toMatchObject({ id: ids[0], name: 'oldest' });
    expect((await w.call(200, 'POST', `${at('several')}/undrop`, { new_name: 'second' })).id).toBe(ids[1]);
  });

  test('files go at the sweep after the period, not before, and are counted (DROP-10, DROP-14)', async () => {
    await w.environment('purged');
    const t = await w.table('purged', 'shop.t', { files: 3 });
    await w.call(200, 'DELETE', at('purged'));
    w.pass(7 - 1 / 86_400);
    await w.sweep();
    expect(await w.files(t.location)).toBe(4);
    w.pass(1 / 86_400);
    const over = await w.call(409, 'POST', `${at('purged')}/undrop`);
    expect(over.code).toBe('undo-period-over');
    const [listed] = await dropped('purged');
    expect(listed.restorable).toBe(false);
    expect(await w.sweep()).toMatchObject({ purged: 1, files: 4 });
    expect(await w.files(t.location)).toBe(0);
    const [event] = await w.events('TABLE_PURGED', { tableId: t.id });
    expect(event).toMatchObject({ principal: null, detail: { name: 't', files: 4 } });
    const [purge] = await w.call(200, 'GET', '/environments/purged/namespaces/shop/purges');
    expect(purge).toMatchObject({ uuid: t.id, state: 'deleted', files: 4, attempts: 1, error: null });
    expect((await w.call(404, 'POST', `${at('purged')}/undrop`)).code).toBe('nothing-dropped');
  });

  test('with purge it is due at once, listed until it is gone, and cannot be restored (DROP-2)', async () => {
    await w.environment('due');
    const t = await w.table('due', 'shop.t');
    const drop = await w.call(200, 'DELETE', `${at('due')}?purge=true`);
    expect(drop).toMatchObject({ reason: 'purge', restorable: false, purge_after: w.now.toISOString() });
    expect((await w.call(409, 'POST', `${at('due')}/undrop`)).code).toBe('dropped-with-purge');
    await w.sweep();
    expect(await w.files(t.location)).toBe(0);
    expect((await w.events('TABLE_DROPPED', { tableId: t.id }))[0]!.detail.reason).toBe('purge');
  });

  test('each drop keeps its own period when the setting changes; 0 days is the next sweep (DROP-1, DROP-2)', async () => {
    await w.environment('setting');
    const [a, b] = [await w.table('setting', 'shop.a'), await w.table('setting', 'shop.b')];
    await w.call(200, 'DELETE', at('setting', 'a'));
    w.set({ undoDays: 0 });
    await w.call(200, 'DELETE', at('setting', 'b'));
    w.set({ undoDays: 7 });
    await w.sweep();
    expect([await w.files(a.location), await w.files(b.location)]).toEqual([2, 0]);
    await w.call(200, 'POST', `${at('setting', 'a')}/undrop`);
  });

  test('says what is wrong: namespace dropped, files gone, deletion started (DROP-8, DROP-9)', async () => {
    await w.environment('wrong', ['shop', 'other']);
    const t = await w.table('wrong', 'shop.t');
    await w.call(201, 'POST', '/principals', { name: 'wrong-reader', type: 'person' });
    const scope = { kind: 'TABLE', environment: 'wrong', namespace: 'shop', table: 't' };
    await w.call(201, 'POST', '/grants', { principal: 'wrong-reader', action: 'READ_TABLE', ...scope });
    await w.call(200, 'DELETE', at('wrong'));
    await w.call(204, 'DELETE', '/environments/wrong/namespaces/shop');
    expect(await w.call(409, 'POST', `${at('wrong')}/undrop`)).toMatchObject({
      code: 'namespace-dropped',
      remedy: 'svc ns create shop --env wrong',
    });
    await w.call(404, 'POST', `${at('wrong', 'never')}/undrop`);
    await w.call(201, 'POST', '/environments/wrong/namespaces', { path: 'shop' });
    expect((await dropped('wrong'))[0].uuid).toBe(t.id);
    expect((await w.call(200, 'POST', `${at('wrong')}/undrop`)).id).toBe(t.id);
    const [grant] = await w.call(200, 'GET', '/grants?environment=wrong&namespace=shop&table=t');
    expect(grant).toMatchObject({ principal: 'wrong-reader', action: 'READ_TABLE' });
    await w.call(200, 'DELETE', at('wrong'));
    await w.server.store.removePrefix(t.location);
    expect((await w.call(409, 'POST', `${at('wrong')}/undrop`)).code).toBe('files-gone');
    const purging = await w.table('wrong', 'shop.begun');
    await w.call(200, 'DELETE', at('wrong', 'begun'));
    await w.prisma.table.update({ where: { id: purging.id }, data: { purge_started_at: w.now } });
    expect((await w.call(409, 'POST', `${at('wrong', 'begun')}/undrop`)).code).toBe('purge-started');
  });

  test('an external table and a view are gone at once, and their names and locations free (DROP-3)', async () => {
    await w.environment('kinds');
    const row = await w.table('kinds', 'shop.t');
    await w.prisma.table.update({ where: { id: row.id }, data: { kind: 'external', format: 'csv' } });
    const drop = await w.call(200, 'DELETE', `${at('kinds')}?purge=true`);
    expect(drop).toMatchObject({ kind: 'external', purge_after: null, restorable: false });
    expect((await w.events('TABLE_DROPPED', { tableId: row.id }))[0]!.detail.purge_after).toBeNull();
    expect(await dropped('kinds')).toEqual([]);
    await w.sweep();
    expect(await w.files(row.location)).toBe(2);
    expect(await w.call(404, 'POST', `${at('kinds')}/undrop`)).toMatchObject({
      code: 'nothing-dropped',
      detail: expect.stringContaining('svc table create-external'),
    });
  });

  test('a protected environment needs break-glass with a reason, which the event keeps (ENV-5)', async () => {
    await w.environment('prot');
    const t = await w.table('prot', 'shop.t');
    await w.call(200, 'PATCH', '/environments/prot', { protected: true });
    expect((await w.call(409, 'DELETE', at('prot'))).code).toBe('environment-protected');
    const headers = { 'Svc-Break-Glass': 'it%20leaks' };
    await w.call(200, 'DELETE', at('prot'), undefined, { headers });
    expect((await w.call(409, 'POST', `${at('prot')}/undrop`)).code).toBe('environment-protected');
    expect((await w.call(404, 'POST', `${at('prot', 'never')}/undrop`)).code).toBe('nothing-dropped');
    await w.call(200, 'POST', `${at('prot')}/undrop`, undefined, { headers });
    const [event] = await w.events('TABLE_UNDROPPED', { tableId: t.id });
    expect(event!.detail.break_glass).toEqual({ reason: 'it leaks' });
  });

  test('restoring takes the right to drop and the right to create (DROP-5, DROP-14)', async () => {
    await w.environment('rights');
    await w.table('rights', 'shop.t');
    const token = await w.person('restorer');
    const grant = (action: string) =>
      w.call(201, 'POST', '/grants', {
        principal: 'restorer',
        action,
        kind: 'NAMESPACE',
        environment: 'rights',
        namespace: 'shop',
      });
    await grant('DROP_TABLE');
    await w.call(200, 'DELETE', at('rights'), undefined, { token });
    await w.call(403, 'POST', `${at('rights')}/undrop`, undefined, { token });
    await w.call(403, 'GET', '/environments/rights/namespaces/shop/dropped-tables', undefined, { token });
    await grant('CREATE_TABLE');
    await w.call(200, 'POST', `${at('rights')}/undrop`, undefined, { token });
  });

  test('a right on a new table of the name restores no dropped one; the refusal names a grant that does', async () => {
    await w.environment('renewed');
    const before = await w.table('renewed', 'shop.t');
    await w.call(200, 'DELETE', at('renewed'));
    await w.table('renewed', 'shop.t');
    const token = await w.person('newcomer');
    const grant = { principal: 'newcomer', environment: 'renewed', namespace: 'shop' };
    await w.call(201, 'POST', '/grants', { ...grant, kind: 'TABLE', table: 't', action: 'DROP_TABLE' });
    await w.call(201, 'POST', '/grants', { ...grant, kind: 'NAMESPACE', action: 'CREATE_TABLE' });
    const undrop = (status: number) =>
      w.call(status, 'POST', `${at('renewed')}/undrop`, { new_name: 'before' }, { token });
    expect((await undrop(403)).remedy).toBe(
      'svc grant create --kind NAMESPACE --principal newcomer --action DROP_TABLE --env renewed --ns shop',
    );
    await w.call(201, 'POST', '/grants', { ...grant, kind: 'NAMESPACE', action: 'DROP_TABLE' });
    expect((await undrop(200)).id).toBe(before.id);
  });

  test('a table inside the folder of another keeps its files, and the outer ones wait (DROP-4)', async () => {
    await w.environment('nested');
    const outer = await w.table('nested', 'shop.outer');
    const inner = await w.table('nested', 'shop.inner');
    await w.prisma.table.update({ where: { id: inner.id }, data: { location: `${outer.location}/inner` } });
    await w.server.store.write(`${outer.location}/inner/data/0.parquet`, Buffer.from('rows'));
    await w.call(200, 'DELETE', `${at('nested', 'outer')}?purge=true`);
    await w.sweep();
    expect(await w.files(outer.location)).toBe(3);
    await w.call(200, 'DELETE', `${at('nested', 'inner')}?purge=true`);
    // The inner namespace is deleted first, and the outer one in the same sweep.
    expect(await w.sweep()).toMatchObject({ purged: 2, files: 3 });
    expect(await w.files(outer.location)).toBe(0);
  });
});

describe('the sweep', () => {
  test.each(['purge.taken', 'purge.deleted'] as const)('killed at %s is resumed', async (step) => {
    const env = `killed-${step.replace('.', '-')}`;
    await w.environment(env);
    const t = await w.table(env, 'shop.t', { files: 5 });
    await w.call(200, 'DELETE', `${at(env)}?purge=true`);
    await expect(w.sweep({ killAt: step })).rejects.toThrow(step);
    expect((await w.call(409, 'POST', `${at(env)}/undrop`)).code).toBe('dropped-with-purge');
    expect(await w.sweep()).toMatchObject({ purged: 1 });
    expect(await w.files(t.location)).toBe(0);
    expect(await w.events('TABLE_PURGED', { tableId: t.id })).toHaveLength(1);
  });

  test('of a huge table resumes where it was, and counts every file once', async () => {
    await w.environment('huge');
    const t = await w.table('huge', 'shop.t', { files: 0 });
    const folder = `${fileURLToPath(t.location)}/data`;
    await mkdir(folder);
    for (let i = 0; i < 2500; i++) await writeFile(`${folder}/${i}.parquet`, 'rows');
    await w.call(200, 'DELETE', `${at('huge')}?purge=true`);
    await expect(w.sweep({ killAt: 'purge.counted' })).rejects.toThrow();
    const [purge] = await w.call(200, 'GET', '/environments/huge/namespaces/shop/purges');
    expect(purge).toMatchObject({ state: 'deleting', files: 1000 });
    expect(await w.sweep()).toMatchObject({ purged: 1, files: 2501 });
    expect((await w.events('TABLE_PURGED', { tableId: t.id }))[0]!.detail.files).toBe(2501);
  });

  test('of a worker that lost the lease does nothing', async () => {
    await w.environment('fenced');
    const t = await w.table('fenced', 'shop.t');
    await w.call(200, 'DELETE', `${at('fenced')}?purge=true`);
    const old = w.lease;
    w.lease = await w.acquireLease();
    expect(await w.sweep({ lease: old })).toMatchObject({ purged: 0 });
    expect(await w.files(t.location)).toBe(2);
    const both = await Promise.all([w.sweep(), w.sweep()]);
    expect(both[0].purged + both[1].purged).toBe(1);
    expect(await w.events('TABLE_PURGED', { tableId: t.id })).toHaveLength(1);
  });

  test('records the storage error, and tries again', async () => {
    await w.environment('storage');
    const t = await w.table('storage', 'shop.t');
    await w.prisma.table.update({ where: { id: t.id }, data: { location: 'file:///nowhere/outside' } });
    await w.call(200, 'DELETE', `${at('storage')}?purge=true`);
    expect(await w.sweep()).toMatchObject({ purged: 0, failed: 1 });
    const purges = () => w.call(200, 'GET', '/environments/storage/namespaces/shop/purges');
    expect((await purges())[0]).toMatchObject({
      state: 'deleting',
      attempts: 1,
      error: expect.stringMatching(/storage/),
    });
    await w.prisma.table.update({ where: { id: t.id }, data: { location: t.location } });
    expect(await w.sweep()).toMatchObject({ purged: 1, failed: 0 });
    expect((await purges())[0]).toMatchObject({ state: 'deleted', attempts: 2, error: null });
  });
});

describe('a hold', () => {
  test('stops purge, expiry and the deletion of files until it is released (DROP-15, RETAIN-4)', async () => {
    await w.environment('legal');
    const t = await w.table('legal', 'shop.t', { body: { expire_after: 1 } });
    const response = await w.call(200, 'PUT', `${at('legal')}/hold`, { reason: 'case 12' });
    expect(response.hold).toEqual({ reason: 'case 12', until: null, set_by: 'admin', set_at: w.now.toISOString() });
    expect(response.expires_at).toBeNull();
    expect(await w.call(409, 'DELETE', `${at('legal')}?purge=true`)).toMatchObject({
      code: 'table-held',
      remedy: 'svc table release shop.t --env legal',
    });
    expect((await w.call(409, 'DELETE', '/environments/legal?purge=true')).code).toBe('table-held');
    w.pass(30);
    expect(await w.sweep()).toMatchObject({ expired: 0 });
    await w.call(200, 'DELETE', at('legal'));
    w.pass(30);
    await w.sweep();
    expect(await w.files(t.location)).toBe(2);
    await w.call(200, 'DELETE', `${at('legal')}/hold`);
    expect((await w.call(409, 'DELETE', `${at('legal')}/hold`)).code).toBe('not-held');
    await w.sweep();
    expect(await w.files(t.location)).toBe(0);
    expect(await w.events('TABLE_HELD', { tableId: t.id })).toHaveLength(1);
    expect(await w.events('TABLE_RELEASED', { tableId: t.id })).toHaveLength(1);
  });

  test('of a dropped table is released by its id while later tables have its name, also in a deleted environment (DROP-15)', async () => {
    await w.environment('reused');
    const first = await w.table('reused', 'shop.t');
    await w.call(200, 'PUT', `${at('reused')}/hold`, { reason: 'case 13' });
    await w.call(200, 'DELETE', at('reused'));
    const second = await w.table('reused', 'shop.t');
    expect(await w.call(409, 'DELETE', `${at('reused')}/hold`)).toMatchObject({
      code: 'not-held',
      remedy: `svc table release shop.t --id ${first.id} --env reused`,
    });
    await w.call(200, 'PUT', `${at('reused')}/hold`, { reason: 'case 14', id: first.id });
    expect((await w.call(200, 'GET', at('reused'))).hold).toBeNull();
    await w.call(200, 'DELETE', '/environments/reused');
    expect(await w.call(409, 'DELETE', '/environments/reused?purge=true')).toMatchObject({
      code: 'table-held',
      remedy: `svc table release shop.t --id ${first.id} --env reused`,
    });
    await w.call(404, 'DELETE', `${at('reused')}/hold?id=${w.newId()}`);
    await w.call(200, 'DELETE', `${at('reused')}/hold?id=${first.id}`);
    expect(await w.events('TABLE_RELEASED', { tableId: first.id })).toHaveLength(1);
    await w.call(200, 'DELETE', '/environments/reused?purge=true');
    await w.sweep();
    expect(await Promise.all([first, second].map(({ location }) => w.files(location)))).toEqual([0, 0]);
    await w.call(201, 'POST', '/environments', { name: 'reused' });
  });

  test('of an artifact lets no build replace its file (DROP-15)', async () => {
    await w.environment('artifacts');
    const { id, location } = await w.table('artifacts', 'shop.t');
    const { prisma } = w;
    await prisma.table.update({ where: { id }, data: { kind: 'artifact', metadata_location: null } });
    await w.call(200, 'PUT', `${at('artifacts')}/hold`, { reason: 'case 16' });
    const build = () =>
      inTransaction(w.server.db, (tx) =>
        replaceObject(tx, {
          id,
          now: w.now,
          columns: [],
          description: null,
          location: `${location}-new`,
          sizeBytes: 1,
        }),
      );
    await expect(build()).rejects.toMatchObject({ code: 'table-held' });
    expect(await prisma.table.findUniqueOrThrow({ where: { id } })).toMatchObject({ location });
    await w.call(200, 'DELETE', `${at('artifacts')}/hold`);
    expect(await build()).toBe(true);
  });

  test('of a dropped table follows from the rights on that table, not on a later one of its name (DROP-15)', async () => {
    await w.environment('namesakes');
    const first = await w.table('namesakes', 'shop.t');
    const earlier = await w.person('earlier');
    const later = await w.person('later');
    const scope = { kind: 'NAMESPACE', environment: 'namesakes', namespace: 'shop' };
    await w.call(201, 'POST', '/grants', { principal: 'earlier', action: 'DROP_TABLE', ...scope });
    await w.call(200, 'PATCH', at('namesakes'), { owner: 'earlier' });
    await w.call(200, 'PUT', `${at('namesakes')}/hold`, { reason: 'case 17' });
    await w.call(200, 'DELETE', at('namesakes'));
    await w.table('namesakes', 'shop.t');
    const table = { kind: 'TABLE', environment: 'namesakes', namespace: 'shop', table: 't' };
    await w.call(201, 'POST', '/grants', { principal: 'later', role: 'ADMIN', ...table });
    const ofFirst = `${at('namesakes')}/hold?id=${first.id}`;
    const refused = await w.call(403, 'DELETE', ofFirst, undefined, { token: later });
    expect(refused.remedy).toMatch(/--kind NAMESPACE --principal later --role ADMIN --env namesakes --ns shop$/);
    await w.call(403, 'PUT', `${at('namesakes')}/hold`, { reason: 'x', id: first.id }, { token: later });
    const past = { reason: 'x', id: first.id, until: inDays(-1) };
    await w.call(422, 'PUT', `${at('namesakes')}/hold`, past, { token: earlier });
    await w.call(200, 'DELETE', ofFirst, undefined, { token: earlier });
    expect((await w.call(409, 'DELETE', ofFirst, undefined, { token: earlier })).code).toBe('not-held');
    await w.call(403, 'DELETE', `${at('namesakes')}/hold`, undefined, { token: earlier });
  });

  test('cannot be released by someone who takes the table over (DROP-15)', async () => {
    await w.environment('taken');
    await w.table('taken', 'shop.t');
    const token = await w.person('taker');
    const scope = { kind: 'ENVIRONMENT', environment: 'taken' };
    await w.call(201, 'POST', '/grants', { principal: 'taker', role: 'DATA_ENGINEER', ...scope });
    await w.call(200, 'PUT', `${at('taken')}/hold`, { reason: 'case 18' });
    const refused = await w.call(403, 'PATCH', at('taken'), { owner: 'taker' }, { token });
    expect(refused.detail).toContain('under a legal hold');
    expect(refused.remedy).toMatch(/--principal taker --role ADMIN /);
    await w.call(200, 'PATCH', at('taken'), { description: 'Orders' }, { token });
    await w.call(403, 'DELETE', `${at('taken')}/hold`, undefined, { token });
    await w.call(200, 'DELETE', `${at('taken')}/hold`);
    await w.call(200, 'PATCH', at('taken'), { owner: 'taker' }, { token });
    // The owner may hand the table over, as may an administrator.
    await w.call(200, 'PUT', `${at('taken')}/hold`, { reason: 'case 19' }, { token });
    await w.call(200, 'PATCH', at('taken'), { owner: 'admin' }, { token });
    await w.call(403, 'DELETE', `${at('taken')}/hold`, undefined, { token });
    await w.call(200, 'PATCH', at('taken'), { owner: 'taker' });
    await w.call(200, 'DELETE', `${at('taken')}/hold`, undefined, { token });
  });

  test('expires at its time, and requires ADMIN, or DROP_TABLE for the owner (DROP-15)', async () => {
    await w.environment('until');
    await w.table('until', 'shop.t');
    const token = await w.person('holder');
    const body = { reason: 'audit', until: inDays(2) };
    const { remedy } = await w.call(403, 'PUT', `${at('until')}/hold`, body, { token });
    expect(remedy).toMatch(/^svc grant create --kind TABLE --principal holder --role ADMIN --env until /);
    const scope = { kind: 'ENVIRONMENT', environment: 'until' };
    await w.call(201, 'POST', '/grants', { principal: 'holder', role: 'DATA_ENGINEER', ...scope });
    await w.call(403, 'PUT', `${at('until')}/hold`, body, { token });
    await w.call(200, 'PATCH', at('until'), { owner: 'holder' });
    const endless = await w.call(200, 'PUT', `${at('until')}/hold`, { reason: 'audit', until: null }, { token });
    expect(endless.hold.until).toBeNull();
    await w.call(200, 'PUT', `${at('until')}/hold`, body, { token });
    await w.call(422, 'PUT', `${at('until')}/hold`, { reason: 'audit', until: inDays(-1) }, { token });
    w.pass(2);
    expect((await w.call(200, 'GET', at('until'))).hold).toBeNull();
    await w.call(200, 'DELETE', `${at('until')}?purge=true`);
  });
});
