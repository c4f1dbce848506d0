import { SvcClient } from '@svc/sdk';
import { Secret, TOTP } from 'otpauth';
import { makeOrders } from '../../testing/orders.ts';
import { connectPostgres, errorOf, SQL_ON, withPostgres } from '../../testing/postgres-client.ts';
import { int, message, startup, text, WireClient } from '../../testing/postgres-wire.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

const PASSWORD = 'correct horse battery';

let s: TestService;
beforeAll(async () => {
  s = await startTestService(SQL_ON);
  await makeOrders(s.client, 'dev');
  await s.client.queries.run('dev', "INSERT INTO shop.orders (id, buyer) VALUES (1, 'Ann')");
  await s.client.principals.create({ name: 'ann', type: 'person', password: PASSWORD });
  for (const action of ['SUBMIT_QUERY', 'READ_TABLE'] as const)
    await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'ann', action, environment: 'dev' });
});
afterAll(() => s.stop());

const denials = async () => (await s.events('AUTHORIZATION_DENIED')).length;

test('a person signs in with a password, for as long as the connection lasts (POSTGRES-1)', async () => {
  const revoked = async () => (await s.events('TOKEN_REVOKED')).filter(({ principal }) => principal === 'ann').length;
  await withPostgres(
    s,
    async (client) => {
      expect((await client.query('SELECT count(*)::INT AS n FROM shop.orders')).rows).toEqual([{ n: 1 }]);
      expect(await revoked()).toBe(0);
    },
    { user: 'ann', password: PASSWORD },
  );
  while ((await revoked()) === 0);
});

test('a connection that is refused leaves no session behind (POSTGRES-1)', async () => {
  const count = async () => ({
    signedIn: (await s.events('SIGNED_IN')).length,
    revoked: (await s.events('TOKEN_REVOKED')).length,
  });
  const before = await count();
  const refused = await errorOf(connectPostgres(s, { user: 'ann', password: PASSWORD, database: 'nowhere' }));
  expect(refused).toMatchObject({ severity: 'FATAL' });
  expect(await count()).toEqual({ signedIn: before.signedIn + 1, revoked: before.revoked + 1 });
});

test('wrong passwords are counted like those of a sign-in (POSTGRES-1)', async () => {
  const before = (await s.events('SIGN_IN_FAILED')).length;
  await s.client.principals.create({ name: 'guessed', type: 'person', password: PASSWORD });
  const wrong = () => errorOf(connectPostgres(s, { user: 'guessed', password: 'guess' }));
  expect(await wrong()).toMatchObject({ code: '28P01', severity: 'FATAL' });
  expect(await errorOf(connectPostgres(s, { user: 'nobody', password: 'guess' }))).toMatchObject({ code: '28P01' });
  for (let i = 0; i < 9; i++) await wrong();
  expect(await wrong()).toMatchObject({ code: '53400', message: expect.stringMatching(/Too many failed sign-ins/) });
  expect((await s.events('SIGN_IN_FAILED')).length).toBeGreaterThan(before);
  expect((await s.events('SIGN_IN_FAILED')).at(-1)!.detail).toMatchObject({ address: '127.0.0.1' });
});

test('a person with a second factor needs a token (FACTOR-1, FACTOR-11)', async () => {
  await s.client.principals.create({ name: 'two', type: 'person', password: PASSWORD });
  await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'two', role: 'ANALYST', environment: 'dev' });
  const own = new SvcClient({ url: s.url, token: (await s.client.access.signIn('two', PASSWORD)).token });
  const { enrolment, secret } = await own.secondFactors.startTotp();
  await own.secondFactors.add(enrolment, 'phone', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
  const signedIn = (await s.events('SIGNED_IN')).length;
  expect(await errorOf(connectPostgres(s, { user: 'two', password: PASSWORD }))).toMatchObject({
    code: '28000',
    message: 'user "two" signs in with a second factor',
    hint: expect.stringContaining('svc sql connect --issue-token'),
  });
  expect(await s.events('SIGNED_IN')).toHaveLength(signedIn);
  const { token } = await s.client.tokens.issue('two', 'tool');
  await withPostgres(s, async (client) => client.query('SELECT 1'), { user: 'two', password: token });
});

test('a token works for its own principal only (POSTGRES-1)', async () => {
  const { token } = await s.client.tokens.issue('ann', 'tool');
  await withPostgres(s, async (client) => client.query('SELECT 1'), { user: 'ann', password: token });
  expect(await errorOf(connectPostgres(s, { user: 'admin', password: token }))).toMatchObject({ code: '28P01' });
  expect(await errorOf(connectPostgres(s, { user: 'ann', password: `${token}x` }))).toMatchObject({ code: '28P01' });
});

test('a session needs SUBMIT_QUERY in the environment, and a denial is recorded (POSTGRES-2)', async () => {
  await s.client.principals.create({ name: 'bob', type: 'person' });
  const { token: password } = await s.client.tokens.issue('bob', 'tool');
  const before = await denials();
  const refused = await errorOf(connectPostgres(s, { user: 'bob', password }));
  expect(refused).toMatchObject({ code: '42501', message: expect.stringMatching(/bob may not SUBMIT_QUERY/) });
  expect(refused.hint).toMatch(/svc grant/);
  // Whether an environment exists stays hidden.
  expect(await errorOf(connectPostgres(s, { user: 'bob', password, database: 'nowhere' }))).toMatchObject({
    code: '42501',
  });
  expect(await denials()).toBe(before + 2);
  expect(await errorOf(connectPostgres(s, { database: 'nowhere' }))).toMatchObject({ code: '3D000' });
});

test('a statement is a query with its source, application and address, in the record and in the event (POSTGRES-4)', async () => {
  await withPostgres(s, (client) => client.query('SELECT 41 + 1 AS answer'), { application_name: 'reports' });
  const [query] = await s.client.queries.list('dev', { include_ended: true });
  const origin = { source: 'postgres', application: 'reports', client_address: '127.0.0.1' };
  expect(query).toMatchObject({ sql_text: 'SELECT 41 + 1 AS answer', status: 'SUCCEEDED', ...origin });
  expect((await s.events('QUERY_COMPLETED')).at(-1)!.detail).toMatchObject({ query_id: query!.id, ...origin });
  await s.client.queries.run('dev', 'SELECT 43');
  expect(await s.client.queries.list('dev', { include_ended: true })).not.toContainEqual(
    expect.objectContaining({ sql_text: 'SELECT 43', source: 'postgres' }),
  );
});

test('a table that the caller may not read hides none behind it in the search path (POSTGRES-9)', async () => {
  const scope = { environment: 'dev', namespace: 'shop', table: 'open' };
  await s.client.namespaces.create('dev', 'secret');
  for (const table of ['secret.open', 'shop.open'])
    await s.client.queries.run('dev', 'SELECT 1 AS id', { into: table });
  await s.client.principals.create({ name: 'dan', type: 'person' });
  await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'dan', action: 'SUBMIT_QUERY', environment: 'dev' });
  for (const action of ['READ_TABLE', 'WRITE_TABLE'] as const)
    await s.client.grants.create({ kind: 'TABLE', principal: 'dan', action, ...scope });
  const { token: password } = await s.client.tokens.issue('dan', 'tool');
  await withPostgres(
    s,
    async (client) => {
      const before = await denials();
      await client.query('SET search_path = nothing, secret, shop');
      for (const name of ['open', 'DEV.shop.open', 'dev.shop."open"'])
        expect((await client.query(`INSERT INTO ${name} (id) VALUES ($1)`, [2])).rowCount).toBe(1);
      expect((await client.query('DELETE FROM open WHERE open.id = 2')).rowCount).toBe(3);
      expect(await denials()).toBe(before);
      for (const table of ['secret.open', 'secret.nothing']) {
        await client.query('SET search_path = secret, nothing');
        const codes = [`DELETE FROM ${table}`, `DELETE FROM ${table.replace('secret.', '')}`].map(async (sql) => {
          const { code, message } = await errorOf(client.query(sql));
          return [code, message];
        });
        const [written, found] = await Promise.all(codes);
        expect(found).toEqual(written);
        expect(written![0]).toBe('42501');
      }
      expect(await denials()).toBe(before + 4);
    },
    { user: 'dan', password },
  );
});

test('rights, row filters and masks are those of every query (POSTGRES-4)', async () => {
  await s.client.queries.run('dev', "SELECT 1 AS id, 'x' AS v UNION ALL SELECT 2, 'y'", { into: 'shop.bound' });
  await s.client.queries.run('dev', 'SELECT 1 AS id', { into: 'shop.hidden' });
  await s.client.principals.create({ name: 'eve', type: 'person' });
  await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'eve', action: 'SUBMIT_QUERY', environment: 'dev' });
  const scope = { environment: 'dev', namespace: 'shop', table: 'bound' };
  await s.client.grants.create({ kind: 'TABLE', principal: 'eve', action: 'READ_TABLE', ...scope });
  await s.client.rowFilters.create('dev', 'shop.bound', { principal: 'eve', predicate: 'id = 2' });
  const { token: password } = await s.client.tokens.issue('eve', 'tool');
  await withPostgres(
    s,
    async (client) => {
      const before = await denials();
      expect((await client.query('SELECT id FROM shop.bound')).rows).toEqual([{ id: 2 }]);
      // The catalog counts the rows that the filter hides no more than a table's own record does.
      const counted = `SELECT c.reltuples, pg_total_relation_size(c.oid) AS bytes, t.n_live_tup::INT AS live
        FROM pg_class c JOIN pg_stat_user_tables t ON t.relid = c.oid WHERE c.relname = 'bound'`;
      expect((await client.query(counted)).rows).toEqual([{ reltuples: -1, bytes: null, live: 0 }]);
      const unknown = await errorOf(client.query('SELECT * FROM shop.nothing'));
      const hidden = await errorOf(client.query('SELECT * FROM shop.hidden'));
      expect(hidden).toMatchObject({ code: '42P01', message: unknown.message!.replaceAll('nothing', 'hidden') });
      expect(await denials()).toBe(before + 2);
    },
    { user: 'eve', password },
  );
});

test('a revoked token ends the session at its next statement (POSTGRES-11)', async () => {
  const { id, token: password } = await s.client.tokens.issue('ann', 'short');
  const client = await connectPostgres(s, { user: 'ann', password });
  await client.query('SELECT 1');
  await s.client.tokens.revoke(id);
  const closed = new Promise<void>((resolve) => client.once('end', resolve));
  expect(await errorOf(client.query('SELECT 2'))).toMatchObject({ code: '28000', severity: 'FATAL' });
  await closed;
});

test('a revoked token reads no further rows of a cursor (POSTGRES-11)', async () => {
  const { id, token: password } = await s.client.tokens.issue('ann', 'short');
  const client = await connectPostgres(s, { user: 'ann', password });
  await client.query('DECLARE c CURSOR WITH HOLD FOR SELECT i FROM range(10) t(i)');
  expect((await client.query('FETCH 2 FROM c')).rows).toHaveLength(2);
  await s.client.tokens.revoke(id);
  expect(await errorOf(client.query('FETCH 2 FROM c'))).toMatchObject({ code: '28000', severity: 'FATAL' });
});

test('a deactivated principal reads no further rows of a portal (POSTGRES-11)', async () => {
  await s.client.principals.create({ name: 'leaver', type: 'person' });
  await s.client.grants.create({ kind: 'ENVIRONMENT', principal: 'leaver', role: 'ANALYST', environment: 'dev' });
  const { token } = await s.client.tokens.issue('leaver', 'tool');
  const client = await WireClient.signedIn(s.sqlPort!, { user: 'leaver', token });
  const execute = message('E', text('c'), int(2, 4));
  client.send(message('Q', text('BEGIN')));
  await client.until('Z');
  client.send(
    message('P', text(''), text('SELECT i FROM range(5) t(i)'), int(0, 2)),
    message('B', text('c'), text(''), int(0, 2), int(0, 2), int(0, 2)),
    ...[execute, message('S')],
  );
  expect((await client.until('Z')).map(({ type }) => type).join('')).toBe('12DDsZ');
  await s.client.principals.update('leaver', { active: false });
  client.send(execute, message('S'));
  expect(await client.errorsUntilClosed()).toEqual(['28000']);
});

test('a principal has a limited number of connections (POSTGRES-11)', async () => {
  const limited = await startTestService({ ...SQL_ON, SVC_SQL__CONNECTIONS_PER_PRINCIPAL: '2' });
  try {
    await limited.client.environments.create('dev');
    const clients = [await connectPostgres(limited), await connectPostgres(limited)];
    expect(await errorOf(connectPostgres(limited))).toMatchObject({ code: '53300' });
    await clients[0]!.end();
    // The server notices the end of a connection a moment later.
    let third = null;
    while (third === null) third = await connectPostgres(limited).catch(() => null);
    for (const client of [clients[1]!, third]) await client.end();
  } finally {
    await limited.stop();
  }
});

test('a service that stops ends sessions that wait, with a reason (POSTGRES-11)', async () => {
  const stopping = await startTestService(SQL_ON);
  await stopping.client.environments.create('dev');
  const client = await connectPostgres(stopping);
  const reason = new Promise((resolve) => client.once('error', resolve));
  await stopping.stop();
  expect(await reason).toMatchObject({ code: '57P01' });
});

test('a service that stops does not wait for clients that have not signed in (POSTGRES-11)', async () => {
  const stopping = await startTestService(SQL_ON);
  const silent = await WireClient.open(stopping.sqlPort!);
  const waiting = await WireClient.open(stopping.sqlPort!);
  waiting.send(startup({ user: 'admin', database: 'dev' }));
  await waiting.until('R');
  await stopping.stop();
  expect(await silent.until('never')).toEqual([]);
  expect(await waiting.until('never')).toEqual([]);
});

test('clients that have not signed in do not count (POSTGRES-11)', async () => {
  const limited = await startTestService({ ...SQL_ON, SVC_SQL__CONNECTIONS: '1' });
  try {
    await limited.client.environments.create('dev');
    const waiting = await WireClient.open(limited.sqlPort!);
    waiting.send(startup({ user: 'admin', database: 'dev' }));
    await waiting.until('R');
    const client = await connectPostgres(limited);
    waiting.send(message('p', text(TOKEN)));
    expect(await waiting.errorsUntilClosed()).toEqual(['53300']);
    await client.end();
  } finally {
    await limited.stop();
  }
});
