import { connectPostgres, SQL_ON } from '../../testing/postgres-client.ts';
import { codeOf, int, message, startup, text, WireClient } from '../../testing/postgres-wire.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

let s: TestService;
let port: number;
beforeAll(async () => {
  s = await startTestService(SQL_ON);
  port = s.sqlPort!;
  await s.client.environments.create('dev');
});
afterAll(() => s.stop());

/** Every test ends with it: nothing affects other connections. */
async function othersWork(): Promise<void> {
  const client = await connectPostgres(s);
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await client.end();
}

test.each<[string, Uint8Array]>([
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['a startup packet that is too long', int(1_000_000, 4)],
  ['a startup packet that is too short', int(4, 4)],
  ['a negative length', int(-1, 4)],
  ['another version of the protocol', startup({ user: 'admin' }, 131_072)],
  ['no user', startup({ database: 'dev' })],
  ['names without an end', Buffer.concat([int(12, 4), int(196_608, 4), Buffer.from('user')])],
  ['a request for replication', startup({ user: 'admin', replication: 'database' })],
])('%s ends the connection with an error (POSTGRES-16)', async (_, bytes) => {
  const client = await WireClient.open(port);
  client.send(bytes);
  expect(await client.errorsUntilClosed()).toEqual([expect.stringMatching(/^(08P01|0A000|28000)$/)]);
  await othersWork();
});

test('a connection may name unknown settings, but no value that is refused (POSTGRES-15)', async () => {
  const connect = async (options: string, more: Record<string, string> = {}) => {
    const client = await WireClient.open(port);
    client.send(startup({ user: 'admin', database: 'dev', options, ...more }));
    await client.until('R');
    client.send(message('p', text(TOKEN)));
    const messages = await client.until('Z');
    client.close();
    return messages;
  };
  const accepted = await connect('-c enable_seqscan=off -c extra_float_digits=3', { no_such_setting: '1' });
  const notices = accepted.filter(({ type }) => type === 'N').map(({ body }) => body.toString());
  expect(notices).toEqual([expect.stringContaining('no_such_setting'), expect.stringContaining('enable_seqscan')]);
  expect(accepted.at(-1)!.type).toBe('Z');
  for (const options of ['-c client_encoding=LATIN1', '-c search_path="', '-c statement_timeout=soon']) {
    const errors = (await connect(options)).filter(({ type }) => type === 'E');
    expect([options, ...errors.map(codeOf)]).toEqual([options, '22023']);
  }
});

test('a statement that is not complete SQL has a syntax error, also with declared types (POSTGRES-6)', async () => {
  const client = await WireClient.signedIn(port);
  for (const types of [[], [23]]) {
    const declared = [int(types.length, 2), ...types.map((oid) => int(oid, 4))];
    client.send(message('P', text(''), text("SELECT $1, 'x"), ...declared));
    client.send(message('D', Buffer.from('S'), text('')), message('S'));
    const errors = (await client.until('Z')).filter(({ type }) => type === 'E');
    expect(errors.map(codeOf)).toEqual(['42601']);
  }
  client.close();
});

test('before the sign-in only a password is accepted, and a small one (POSTGRES-16)', async () => {
  for (const bytes of [message('Q', text('SELECT 1')), Buffer.concat([Buffer.from('p'), int(100_000_000, 4)])]) {
    const client = await WireClient.open(port);
    client.send(startup({ user: 'admin', database: 'dev' }));
    await client.until('R');
    client.send(bytes);
    expect(await client.errorsUntilClosed()).toEqual(['08P01']);
  }
  await othersWork();
});

test.each<[string, Uint8Array]>([
  ['an unknown type', message('!', text('x'))],
  ['a giant length', Buffer.concat([Buffer.from('Q'), int(0x7f_ff_ff_ff, 4)])],
  ['a length below 4', Buffer.concat([Buffer.from('Q'), int(3, 4)])],
  ['a text without an end', message('Q', Buffer.from('SELECT 1'))],
  ['bytes after the fields', message('Q', text('SELECT 1'), Buffer.of(1))],
  ['more values than bytes', message('B', text(''), text(''), int(0, 2), int(-1, 2))],
  ['a value with a negative length', message('B', text(''), text(''), int(0, 2), int(1, 2), int(-2, 4), int(0, 2))],
  ['an unknown format', message('B', text(''), text(''), int(1, 2), int(7, 2), int(0, 2), int(0, 2))],
  ['a text that is not UTF-8', message('Q', Buffer.from([0xc3, 0x28, 0]))],
  ['an unknown subtype', message('D', Buffer.from('X'), text(''))],
  ['a second password', message('p', text('x'))],
])('a message with %s ends the session (POSTGRES-16)', async (_, bytes) => {
  const client = await WireClient.signedIn(port);
  client.send(bytes);
  expect(await client.errorsUntilClosed()).toEqual([expect.stringMatching(/^(08P01|22021)$/)]);
  await othersWork();
});

test('after an error in the extended protocol, messages are ignored until Sync (POSTGRES-5)', async () => {
  const client = await WireClient.signedIn(port);
  const parse = (name: string, sql: string) => message('P', text(name), text(sql), int(0, 2));
  client.send(parse('', 'SELECT 1; SELECT 2'), parse('x', 'SELECT 3'), message('S'));
  expect((await client.until('Z')).map(({ type }) => type)).toEqual(['E', 'Z']);
  client.send(message('D', Buffer.from('S'), text('x')), message('S'));
  expect((await client.until('Z')).map((m) => (m.type === 'E' ? codeOf(m) : m.type))).toEqual(['26000', 'Z']);
  client.close();
});

test('a function call is refused, and the session continues without Sync (POSTGRES-5)', async () => {
  const client = await WireClient.signedIn(port);
  client.send(message('F', int(2000, 4), int(0, 2), int(0, 2), int(0, 2)));
  expect((await client.until('Z')).map((m) => (m.type === 'E' ? codeOf(m) : m.type))).toEqual(['0A000', 'Z']);
  client.send(message('Q', text('SELECT 1')));
  expect((await client.until('Z')).map(({ type }) => type).join('')).toBe('TDCZ');
  client.close();
});

test('messages arrive in pieces of any size, and answers come in order (POSTGRES-5)', async () => {
  const client = await WireClient.signedIn(port);
  const bytes = Buffer.concat([
    message('P', text('p'), text('SELECT $1::INT + 1 AS n'), int(1, 2), int(23, 4)),
    message('B', text(''), text('p'), int(1, 2), int(1, 2), int(1, 2), int(4, 4), int(41, 4), int(1, 2), int(1, 2)),
    message('D', Buffer.from('P'), text('')),
    message('E', text(''), int(0, 4)),
    message('S'),
  ]);
  for (const byte of bytes) client.send(Buffer.of(byte));
  const answers = await client.until('Z');
  expect(answers.map(({ type }) => type)).toEqual(['1', '2', 'T', 'D', 'C', 'Z']);
  expect(answers[3]!.body.subarray(-4).readInt32BE()).toBe(42);
  client.close();
});

test('a COPY that is refused in the middle of a message leaves the rest of it unread (POSTGRES-12)', async () => {
  const columns = [{ name: 'id', type: 'int' }];
  await s.client.namespaces.create('dev', 'copied');
  await s.client.tables.create('dev', 'copied.t', { kind: 'managed', columns });
  await s.client.environments.update('dev', { protected: true });
  const client = await WireClient.signedIn(port);
  const data = message('d', text('1\n'.repeat(1000)));
  client.send(message('Q', text('COPY copied.t FROM STDIN')), data, data.subarray(0, 100));
  expect((await client.until('Z')).map(({ type }) => type).join('')).toBe('GEZ');
  client.send(data.subarray(100), message('c'), message('Q', text('SELECT 1')));
  expect((await client.until('Z')).map(({ type }) => type).join('')).toBe('TDCZ');
  client.close();
  await s.client.environments.update('dev', { protected: false });
});

test('a portal returns its rows in parts (POSTGRES-13)', async () => {
  const client = await WireClient.signedIn(port);
  const execute = message('E', text('c'), int(2, 4));
  client.send(message('Q', text('BEGIN')));
  await client.until('Z');
  client.send(
    message('P', text(''), text('SELECT i FROM range(5) t(i)'), int(0, 2)),
    message('B', text('c'), text(''), int(0, 2), int(0, 2), int(0, 2)),
    ...[execute, execute, execute, message('S')],
  );
  expect((await client.until('Z')).map(({ type }) => type).join('')).toBe('12DDsDDsDCZ');
  client.close();
});

/** Messages for a prepared statement: binary values and columns. */
const prepare = (sql: string, types: readonly number[] = []) => [
  message('P', text('p'), text(sql), int(types.length, 2), ...types.map((type) => int(type, 4))),
  message('D', Buffer.from('S'), text('p')),
];
const run = (values: readonly (Buffer | null)[] = []) => [
  message(
    'B',
    ...[text(''), text('p'), int(1, 2), int(1, 2), int(values.length, 2)],
    ...values.flatMap((value) => (value === null ? [int(-1, 4)] : [int(value.length, 4), value])),
    ...[int(1, 2), int(1, 2)],
  ),
  message('E', text(''), int(0, 4)),
  message('S'),
];
const INT8 = 20;
const typeOf = (row: Buffer) => row.readInt32BE(row.indexOf(0, 2) + 7);

test('a prepared statement returns values of the types that it describes (POSTGRES-6)', async () => {
  const client = await WireClient.signedIn(port);
  const five = Buffer.alloc(8);
  five.writeBigInt64BE(5n);
  for (const sql of ['SELECT $1', 'SELECT $1 + 1', 'SELECT coalesce($1, 7)']) {
    for (const value of [five, null]) {
      client.send(...prepare(sql, [INT8]), ...run([value]), message('C', Buffer.from('S'), text('p')), message('S'));
      const answers = await client.until('Z');
      await client.until('Z');
      expect(typeOf(answers.find(({ type }) => type === 'T')!.body)).toBe(INT8);
      expect(answers.map(({ type }) => type).join('')).toBe('1tT2DCZ');
    }
  }
  client.close();
});

test('a prepared statement fails if its columns have changed since (POSTGRES-5)', async () => {
  await s.client.namespaces.create('dev', 'shop');
  const into = { into: 'shop.replaced' };
  await s.client.queries.run('dev', "SELECT 5 AS a, 'x' AS b", into);
  const client = await WireClient.signedIn(port);
  client.send(...prepare('SELECT * FROM shop.replaced'), ...run());
  expect((await client.until('Z')).map(({ type }) => type).join('')).toBe('1tT2DCZ');
  for (const replacement of ["SELECT 'x' AS a, 5 AS b", "SELECT 'x' AS b, 5 AS a", 'SELECT 5 AS a']) {
    await s.client.tables.delete('dev', 'shop.replaced');
    await s.client.queries.run('dev', replacement, into);
    client.send(...run());
    expect((await client.until('Z')).filter(({ type }) => type === 'E').map(codeOf)).toEqual(['0A000']);
  }
  client.close();
  await othersWork();
});

test('a session has a limited number of prepared statements (POSTGRES-16)', async () => {
  const client = await WireClient.signedIn(port);
  for (let i = 0; i < 10_001; i++) client.send(message('P', text(`p${i}`), text('SELECT 1'), int(0, 2)));
  client.send(message('S'));
  const answers = await client.until('Z');
  expect(answers.filter(({ type }) => type === '1')).toHaveLength(10_000);
  expect(answers.filter(({ type }) => type === 'E').map(codeOf)).toEqual(['54000']);
  client.close();
  await othersWork();
});

test('a session has a limited number of portals whose rows wait for the client (POSTGRES-13)', async () => {
  const client = await WireClient.signedIn(port);
  const query = (sql: string) => client.send(message('Q', text(sql)));
  const cursors = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `DECLARE c${from + i} CURSOR FOR SELECT ${i} UNION ALL SELECT 0`);
  query(['BEGIN', ...cursors(0, 50), 'FETCH ALL FROM c0', 'DECLARE c50 CURSOR FOR SELECT 1'].join('; '));
  const answers = await client.until('Z');
  expect(answers.filter(({ type }) => type === 'E')).toEqual([]);
  for (const [sql, codes] of [
    ['SELECT 1', ['54000']],
    ['ROLLBACK', []],
  ] as const) {
    client.send(
      message('P', text(''), text(sql), int(0, 2)),
      message('B', text(''), text(''), int(0, 2), int(0, 2), int(0, 2)),
      ...[message('E', text(''), int(1, 4)), message('S')],
    );
    expect((await client.until('Z')).filter(({ type }) => type === 'E').map(codeOf)).toEqual(codes);
  }
  query('BEGIN; DECLARE c CURSOR FOR SELECT 1; COMMIT');
  expect((await client.until('Z')).filter(({ type }) => type === 'E')).toEqual([]);
  client.close();
});

test('options that the server does not know are negotiated (POSTGRES-1)', async () => {
  const client = await WireClient.open(port);
  client.send(startup({ user: 'admin', database: 'dev', '_pq_.option': '1' }, 196_610));
  await client.until('R');
  client.send(message('p', text(TOKEN)));
  expect((await client.until('Z')).map(({ type }) => type)).toContain('v');
  client.close();
});
