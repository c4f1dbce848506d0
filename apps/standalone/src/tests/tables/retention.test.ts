import { removeOldReads } from '@svc/db/tables';
import { LifecycleWorld } from '../../testing/lifecycle-world.ts';

let w: LifecycleWorld;
beforeAll(async () => {
  w = await LifecycleWorld.open();
});
afterAll(() => w.close());

const DAY_MS = 86_400_000;
const inDays = (days: number, from = w.now) => new Date(from.getTime() + days * DAY_MS).toISOString();
const dayIn = (days: number) => inDays(days).slice(0, 10);
const at = (env: string, table = 't') => `/environments/${env}/namespaces/shop/tables/${table}`;
const expiring = (env: string, query = '') => w.call(200, 'GET', `/environments/${env}/expiring-tables${query}`);

describe('a table with a retention', () => {
  test('expires after days without a write or a read, is dropped by nobody, and comes back (DROP-2, DROP-7, RETAIN-1, RETAIN-3, RETAIN-6)', async () => {
    await w.environment('idle');
    const t = await w.table('idle', 'shop.t', { body: { expire_after: 10 } });
    expect(t).toMatchObject({ expires_at: inDays(10), expires_soon: false });
    const made = w.now;
    w.pass(4);
    expect(await w.call(200, 'GET', at('idle'))).toMatchObject({ expires_soon: true });
    await w.read(t.id);
    const moved = await w.call(200, 'GET', `${at('idle')}/retention`);
    expect(moved).toEqual({
      source: 'table',
      days: 10,
      on: null,
      never: false,
      set_by: 'admin',
      set_at: made.toISOString(),
      last_activity_at: w.now.toISOString(),
      expires_at: inDays(10),
      kept: null,
      hold: null,
    });
    const activity = w.now.toISOString();
    w.pass(10 - 1 / 86_400);
    expect(await w.sweep()).toMatchObject({ expired: 0 });
    w.pass(1 / 86_400);
    w.set({ undoDays: 0 });
    expect(await w.sweep()).toMatchObject({ expired: 1, purged: 0 });
    w.set({ undoDays: 7 });
    const [event] = await w.events('TABLE_DROPPED', { tableId: t.id });
    expect(event).toMatchObject({
      principal: null,
      detail: {
        reason: 'retention',
        // At least a day, whatever the setting.
        purge_after: inDays(1),
        retention: {
          source: 'table',
          days: 10,
          on: null,
          set_by: 'admin',
          last_activity_at: activity,
          expires_at: w.now.toISOString(),
        },
      },
    });
    const back = await w.call(200, 'POST', `${at('idle')}/undrop`);
    // An undrop is activity: the period restarts.
    expect(back).toMatchObject({ id: t.id, expires_at: inDays(10) });
  });

  test('on a fixed day expires at midnight UTC; an undrop later removes the day (DROP-7, RETAIN-1)', async () => {
    await w.environment('fixed');
    const t = await w.table('fixed', 'shop.t');
    const put = (status: number, body: unknown) => w.call(status, 'PUT', `${at('fixed')}/retention`, body);
    expect((await put(422, { on: dayIn(0) })).detail).toMatch(/not after today/);
    const set = await put(200, { on: dayIn(3) });
    expect(set).toMatchObject({ source: 'table', on: dayIn(3), days: null, expires_at: `${dayIn(3)}T00:00:00.000Z` });
    await w.read(t.id);
    w.pass(3);
    expect(await w.sweep()).toMatchObject({ expired: 1 });
    const back = await w.call(200, 'POST', `${at('fixed')}/undrop`);
    expect(back.expires_at).toBeNull();
    const [event] = await w.events('TABLE_UNDROPPED', { tableId: t.id });
    expect(event!.detail.retention_cleared).toBe(true);
    expect(await w.call(200, 'GET', `${at('fixed')}/retention`)).toMatchObject({
      source: null,
      on: null,
      set_by: null,
    });
  });

  test('counts from its last change once its reads are forgotten (RETAIN-7)', async () => {
    await w.environment('forgotten');
    const t = await w.table('forgotten', 'shop.t', { body: { expire_after: 200 } });
    const made = w.now;
    w.pass(50);
    await w.read(t.id);
    w.pass(80);
    const forget = () => removeOldReads(w.prisma, { before: new Date(w.now.getTime() - 90 * DAY_MS), limit: 500 });
    await forget();
    w.pass(11);
    expect((await w.call(200, 'GET', at('forgotten'))).expires_at).toBe(inDays(250, made));
    expect(await forget()).toBeGreaterThan(0);
    expect((await w.call(200, 'GET', at('forgotten'))).expires_at).toBe(inDays(200, made));
  });

  test('takes exactly one of days, on and never (RETAIN-1)', async () => {
    await w.environment('exact');
    await w.table('exact', 'shop.t');
    for (const body of [
      {},
      { days: 1, never: true },
      { days: 0 },
      { days: 3651 },
      { never: false },
      { on: '2026-02-30' },
    ])
      await w.call(422, 'PUT', `${at('exact')}/retention`, body);
  });

  test('shows in its events what changed (RETAIN-8)', async () => {
    await w.environment('told');
    const t = await w.table('told', 'shop.t');
    const put = (body: unknown) => w.call(200, 'PUT', `${at('told')}/retention`, body);
    await put({ days: 30 });
    await put({ days: 10 });
    await put({ days: 20 });
    await put({ never: true });
    const none = { source: null, days: null, on: null, never: false };
    const own = (days: number) => ({ source: 'table', days, on: null, never: false });
    const set = (await w.events('TABLE_RETENTION_SET', { tableId: t.id })).map(({ detail }) => detail);
    expect(set).toEqual([
      { table_id: t.id, days: 30, on: null, shortened: true, previous: none, expires_at: inDays(30) },
      { table_id: t.id, days: 10, on: null, shortened: true, previous: own(30), expires_at: inDays(10) },
      { table_id: t.id, days: 20, on: null, shortened: false, previous: own(10), expires_at: inDays(20) },
    ]);
    const [cleared] = await w.events('TABLE_RETENTION_CLEARED', { tableId: t.id });
    expect(cleared!.detail).toMatchObject({ days: null, shortened: false, previous: own(20), expires_at: null });
  });

  test('is changed by its owner at will, by others sooner with DROP_TABLE and later with WRITE_TABLE (RETAIN-5)', async () => {
    await w.environment('rights');
    await w.table('rights', 'shop.t');
    const grant = (principal: string, action: string) =>
      w.call(201, 'POST', '/grants', { principal, action, kind: 'ENVIRONMENT', environment: 'rights' });
    const [dropper, writer] = [await w.person('dropper'), await w.person('writer')];
    await grant('dropper', 'DROP_TABLE');
    await grant('writer', 'WRITE_TABLE');
    const put = (status: number, body: unknown, token: string) =>
      w.call(status, 'PUT', `${at('rights')}/retention`, body, { token });
    await put(403, { days: 10 }, writer);
    await put(200, { days: 10 }, dropper);
    await put(403, { days: 20 }, dropper);
    await put(200, { days: 20 }, writer);
    await put(403, { days: 19 }, writer);
    await put(403, { never: true }, dropper);
    await put(200, { never: true }, writer);
    // The error for a reader names the permission that the change needs; for others it can't depend on the rule.
    const reader = await w.person('reader');
    await grant('reader', 'READ_TABLE');
    const remedy = async (body: unknown, token: string) => (await put(403, body, token)).remedy;
    expect(await remedy({ days: 5 }, reader)).toContain('--action DROP_TABLE');
    expect(await remedy({ never: true }, reader)).toContain('--action WRITE_TABLE');
    expect(await remedy({ days: 0 }, reader)).toContain('--action WRITE_TABLE');
    expect(await remedy({ days: 5 }, await w.person('outsider'))).toContain('--action WRITE_TABLE');
    const nobody = await w.person('nobody-here');
    await put(403, { days: 5 }, nobody);
    await w.call(200, 'PATCH', at('rights'), { owner: 'nobody-here' });
    await put(200, { days: 5 }, nobody);
  });

  test('and a write queued for it, or a running task, waits for the next clean-up (RETAIN-4)', async () => {
    await w.environment('busy');
    const t = await w.table('busy', 'shop.t', { body: { expire_after: 1 } });
    const environment = await w.prisma.environment.findFirstOrThrow({ where: { name: 'busy' } });
    const admin = await w.prisma.principal.findFirstOrThrow({ where: { name: 'admin' } });
    const write = {
      id: w.newId(),
      environment_id: environment.id,
      table_id: t.id,
      requested_by: admin.id,
      mode: 'append',
      format: 'csv',
      staged_location: 'file:///staged',
      created_at: w.now,
    };
    await w.prisma.write.create({ data: { ...write, status: 'queued' } });
    w.pass(2);
    await w.sweep();
    await w.call(200, 'GET', at('busy'));
    await w.prisma.write.update({ where: { id: write.id }, data: { status: 'failed', ended_at: w.now } });
    const into = { into_namespace: 'Shop', into_table: 'T', mode: 'append', token_kind: 'personal' };
    const query = {
      id: w.newId(),
      environment_id: environment.id,
      submitter_id: admin.id,
      sql_text: 'SELECT 1',
      ...into,
    };
    await w.prisma.query.create({ data: { ...query, status: 'queued', created_at: w.now } });
    await w.sweep();
    await w.call(200, 'GET', at('busy'));
    await w.prisma.query.update({ where: { id: query.id }, data: { status: 'cancelled', ended_at: w.now } });
    const repository = await w.call(201, 'POST', '/repositories', { name: 'busy' });
    const run = {
      id: w.newId(),
      environment_id: environment.id,
      repository_id: repository.id,
      project_version_id: w.newId(),
      principal_id: admin.id,
      select: ['*'],
      // No worker has created its tasks yet.
      planned: [{ asset: 'Shop.T', depends_on: [] }],
    };
    await w.prisma.run.create({ data: { ...run, status: 'queued', created_at: w.now } });
    await w.sweep();
    await w.call(200, 'GET', at('busy'));
    const path = `/environments/busy/runs/${run.id}`;
    const task = { asset: 'Shop.T', started_at: null, rows: null, error: null, checks: [] };
    expect((await w.call(200, 'GET', path)).tasks).toMatchObject([{ ...task, status: 'queued', ended_at: null }]);
    const finishedAt = w.now.toISOString();
    expect((await w.call(200, 'POST', `${path}/cancel`)).tasks).toEqual([
      { ...task, status: 'cancelled', ended_at: finishedAt },
    ]);
    await w.sweep();
    await w.call(404, 'GET', at('busy'));
  });

  test('only managed tables have one (RETAIN-1)', async () => {
    await w.environment('kinds');
    const t = await w.table('kinds', 'shop.t');
    await w.prisma.table.update({ where: { id: t.id }, data: { kind: 'view', view_sql: 'SELECT 1' } });
    expect((await w.call(422, 'GET', `${at('kinds')}/retention`)).code).toBe('not-a-managed-table');
    const rejected = await w.call(422, 'POST', `${at('kinds')}/maintenance`, { compact: true });
    const write = { raw: 'id\n1\n', headers: { 'Content-Type': 'text/csv' } };
    const load = await w.call(422, 'POST', `${at('kinds')}/writes?mode=append`, undefined, write);
    for (const { detail } of [rejected, load]) expect(detail).toMatch(/^shop\.t is of kind view: /);
    const refused = await w.call(422, 'PUT', `${at('kinds')}/retention`, { days: 1 });
    expect(refused.code).toBe('not-a-managed-table');
    expect(refused.detail).toContain('svc table delete shop.t --env kinds');
  });
});

describe('an environment with a retention', () => {
  test('holds for tables that set none, never sooner than its days after it was set (RETAIN-1, RETAIN-2)', async () => {
    await w.environment('ruled');
    const old = await w.table('ruled', 'shop.old');
    await w.table('ruled', 'shop.never');
    await w.call(200, 'PUT', `${at('ruled', 'never')}/retention`, { never: true });
    w.pass(100);
    const env = await w.call(200, 'PUT', '/environments/ruled/retention', { days: 10 });
    expect(env).toMatchObject({ name: 'ruled', retention_days: 10 });
    const setAt = w.now.toISOString();
    expect(await w.call(200, 'GET', `${at('ruled', 'old')}/retention`)).toMatchObject({
      source: 'environment',
      days: 10,
      set_by: 'admin',
      set_at: setAt,
      expires_at: inDays(10),
    });
    expect((await w.call(200, 'GET', `${at('ruled', 'never')}/retention`)).source).toBe('table');
    w.pass(5);
    const young = await w.table('ruled', 'shop.young');
    w.pass(5);
    expect((await expiring('ruled')).map((t: { id: string }) => t.id)).toEqual([old.id, young.id]);
    await w.sweep();
    const [event, ...others] = await w.events('TABLE_DROPPED', { environment: 'ruled' });
    expect([event!.detail.table_id, others]).toEqual([old.id, []]);
    expect(event!.detail.retention).toMatchObject({ source: 'environment', days: 10, set_by: 'admin' });
    await w.call(200, 'PUT', '/environments/ruled/retention', { days: null });
    w.pass(100);
    await w.sweep();
    expect(await w.events('TABLE_DROPPED', { environment: 'ruled' })).toHaveLength(1);
    const changes = await w.events('ENVIRONMENT_RETENTION_SET', { environment: 'ruled' });
    expect(changes.map(({ detail }) => detail)).toEqual([
      { days: 10, previous_days: null },
      { days: null, previous_days: 10 },
    ]);
  });

  test('is shown before it is set', async () => {
    await w.environment('dry');
    for (const name of ['a', 'b', 'c']) await w.table('dry', `shop.${name}`);
    const first = await w.server.call('GET', '/api/v1/environments/dev/retention/preview?days=5');
    expect(first.status).toBe(404);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await w.server.call(
        'GET',
        `/api/v1/environments/dry/retention/preview?days=5&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.body.map((t: { name: string; expires_at: string }) => `${t.name} ${t.expires_at}`));
      w.pass(0.1);
      cursor = page.headers.get('x-next-cursor') ?? '';
      if (cursor === '') break;
    }
    expect(seen.map((text) => text.slice(0, 1)).sort()).toEqual(['a', 'b', 'c']);
    expect(new Set(seen.map((text) => text.slice(2))).size).toBe(1);
    expect((await w.call(200, 'GET', '/environments/dry')).retention_days).toBeNull();
  });
});

describe('what keeps a table', () => {
  test('a protected environment, where only "never" is allowed; a table created there has no retention of its own (ENV-5, RETAIN-4, RETAIN-10)', async () => {
    await w.environment('prot');
    const t = await w.table('prot', 'shop.t', { body: { expire_after: 1 } });
    await w.call(200, 'PUT', '/environments/prot/retention', { days: 3 });
    await w.call(200, 'PATCH', '/environments/prot', { protected: true });
    expect(await w.call(200, 'GET', `${at('prot')}/retention`)).toMatchObject({ kept: 'protected', expires_at: null });
    expect(await expiring('prot', '?within_days=3650')).toEqual([]);
    const headers = { 'Svc-Break-Glass': 'because' };
    const refused = await w.call(409, 'PUT', `${at('prot')}/retention`, { days: 5 }, { headers });
    expect(refused.code).toBe('environment-protected');
    expect(refused.remedy).toBe('svc table retention shop.t --never --env prot');
    const unset = await w.call(409, 'PUT', '/environments/prot/retention', { days: 5 });
    expect(unset.remedy).toBe('svc env retention prot --off');
    await w.call(200, 'PUT', `${at('prot')}/retention`, { never: true });
    await w.call(200, 'PUT', '/environments/prot/retention', { days: null });
    w.pass(10);
    await w.sweep();
    await w.call(200, 'GET', at('prot'));
    expect(await w.files(t.location)).toBe(2);
    const body = { name: 'u', columns: [{ name: 'id', type: 'long' }], expire_after: 4 };
    const made = await w.call(201, 'POST', '/environments/prot/namespaces/shop/tables', body, { headers });
    expect(made.retention_error.remedy).toBe('svc table retention shop.u --days 4 --env prot');
    expect(made.expires_at).toBeNull();
    const into = { sql: 'SELECT 1 AS id', into: 'shop.v', mode: 'create', expire_after: 4 };
    await w.call(201, 'POST', '/environments/prot/queries', into, { headers });
    const denied = await w.events('AUTHORIZATION_DENIED', { environment: 'prot' });
    const create = (path: string) => `POST /api/v1/environments/{env}/${path}`;
    expect(denied.slice(-2).map(({ object, detail }) => [object.table, detail.action, detail.route])).toEqual([
      ['u', 'DROP_TABLE', create('namespaces/{path}/tables')],
      ['v', 'DROP_TABLE', create('queries')],
    ]);
  });

  test('a deployed project that builds it (RETAIN-4)', async () => {
    await w.environment('asset');
    const t = await w.table('asset', 'shop.t', { body: { expire_after: 1 } });
    await w.prisma.table.update({ where: { id: t.id }, data: { built_by_repository: w.newId() } });
    expect(await w.call(200, 'GET', `${at('asset')}/retention`)).toMatchObject({
      kept: 'project_asset',
      expires_at: null,
    });
    w.pass(30);
    await w.sweep();
    await w.call(200, 'GET', at('asset'));
  });
});

describe('the list of expiring tables', () => {
  test('is soonest first, in pages that neither skip nor repeat, of what the caller may read (RETAIN-9)', async () => {
    await w.environment('list', ['shop', 'other']);
    for (const [i, days] of [3, 4, 6].entries())
      await w.table('list', `shop.own${i}`, { body: { expire_after: days } });
    for (let i = 0; i < 4; i++) await w.table('list', `other.idle${i}`);
    await w.call(200, 'PUT', '/environments/list/retention', { days: 4 });
    w.pass(1);
    await w.table('list', 'other.later');
    const all = await expiring('list');
    expect(all.map((t: { name: string; expires_at: string }) => t.name)).toHaveLength(8);
    const times = all.map((t: { expires_at: string }) => t.expires_at);
    expect(times).toEqual([...times].sort());
    expect(all[0]).toMatchObject({ name: 'own0', source: 'table', days: 3, expires_soon: true });
    expect(all.at(-1)).toMatchObject({ source: 'table', name: 'own2' });
    const paged: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = await w.server.call(
        'GET',
        `/api/v1/environments/list/expiring-tables?limit=1${cursor && `&cursor=${cursor}`}`,
      );
      paged.push(...page.body);
      cursor = page.headers.get('x-next-cursor') ?? '';
      if (cursor === '') break;
    }
    expect(paged).toEqual(all);
    expect(await expiring('list', '?within_days=2')).toHaveLength(1);
    const token = await w.person('list-reader');
    await w.call(403, 'GET', '/environments/list/expiring-tables', undefined, { token });
    const scope = { kind: 'NAMESPACE', environment: 'list', namespace: 'other' };
    await w.call(201, 'POST', '/grants', { principal: 'list-reader', action: 'READ_TABLE', ...scope });
    const own = { kind: 'TABLE', environment: 'list', namespace: 'shop', table: 'own1' };
    await w.call(201, 'POST', '/grants', { principal: 'list-reader', action: 'READ_TABLE', ...own });
    const visible = await w.call(200, 'GET', '/environments/list/expiring-tables', undefined, { token });
    expect(visible.map((t: { name: string }) => t.name).sort()).toEqual([
      'idle0',
      'idle1',
      'idle2',
      'idle3',
      'later',
      'own1',
    ]);
  });

  test('the sweep drops the most overdue first, up to its limit (RETAIN-6)', async () => {
    await w.environment('limit');
    const tables = [];
    for (const days of [3, 1, 2])
      tables.push(await w.table('limit', `shop.t${days}`, { body: { expire_after: days } }));
    w.pass(10);
    w.set({ maxExpiriesPerSweep: 2 });
    const dropped = async () =>
      (await w.events('TABLE_DROPPED', { environment: 'limit' })).map(({ object }) => object.table);
    // Tables of other tests may be overdue longer, and are processed first.
    while ((await dropped()).length < 3) expect((await w.sweep()).expired).toBeLessThanOrEqual(2);
    w.set({ maxExpiriesPerSweep: 100 });
    expect(await dropped()).toEqual(['t1', 't2', 't3']);
  });
});
