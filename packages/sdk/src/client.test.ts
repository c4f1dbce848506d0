import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import {
  BadRequest,
  Conflict,
  ConnectionError,
  Forbidden,
  NotFound,
  type Parameter,
  type Parameters,
  PayloadTooLarge,
  ServerError,
  SvcClient,
  SvcError,
  TimeoutError,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UnprocessableEntity,
  type UploadBody,
} from './index.ts';
import { problem, type Received, type Reply, type ScriptedService, startService } from './testing/index.ts';

const TOKEN = 'svc_pat_012345678901234567890123456789abcdef';
const PROTECTED = { name: 'dev', protected: true };

let service: ScriptedService;
afterEach(() => service.close());

async function clientOf(answer: (request: Received, count: number) => Reply, options: { timeout?: number } = {}) {
  service = await startService(answer);
  const pauses: number[] = [];
  const client = new SvcClient(
    { url: service.url, token: TOKEN, ...options },
    { pause: async (ms) => void pauses.push(ms), random: () => 0.5, newKey: () => 'key-1' },
  );
  return { client, pauses };
}

async function failure(promise: Promise<unknown>): Promise<SvcError> {
  const error = await promise.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(SvcError);
  return error as SvcError;
}

describe('requests', () => {
  test('go to SVC_URL with the token SVC_TOKEN by default (SDK-1)', async () => {
    service = await startService(() => ({ body: PROTECTED }));
    const { SVC_URL, SVC_TOKEN } = process.env;
    Object.assign(process.env, { SVC_URL: service.url, SVC_TOKEN: TOKEN });
    try {
      await new SvcClient().environments.get('dev');
    } finally {
      for (const [name, value] of Object.entries({ SVC_URL, SVC_TOKEN })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(service.received).toMatchObject([
      { url: '/api/v1/environments/dev', headers: { authorization: `Bearer ${TOKEN}` } },
    ]);
  });

  test('carry path, query, token and body of the route', async () => {
    const { client } = await clientOf(() => ({ body: [] }));
    await client.tables.list('dev', 'sales.raw', { limit: 10, cursor: 'a b' });
    await client.runs.list('dev', { status: ['queued', 'failed'], since: new Date(0) });
    await client.environments.create('dev', { protected: true });
    await client.runs.list('dev', { status: [] });
    const [first, second, third, fourth] = service.received;
    // Left out, it would ask for every run.
    expect(fourth!.url).toBe('/api/v1/environments/dev/runs?status=');
    expect(first).toMatchObject({
      method: 'GET',
      url: '/api/v1/environments/dev/namespaces/sales.raw/tables?limit=10&cursor=a+b',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(second!.url).toBe(
      '/api/v1/environments/dev/runs?status=queued&status=failed&since=1970-01-01T00%3A00%3A00.000Z',
    );
    expect(third).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(third!.body)).toEqual({ name: 'dev', protected: true });
  });

  test('escape names in the path, and refuse those that would leave it', async () => {
    const { client } = await clientOf(() => ({ body: {} }));
    await client.principals.get('a/b?c#d');
    expect(service.received[0]!.url).toBe('/api/v1/principals/a%2Fb%3Fc%23d');
    expect(() => client.tables.get('dev', 'no-namespace')).toThrow(TypeError);
    await expect(client.principals.get('..')).rejects.toThrow('is not a valid name');
  });

  test('POSTs carry an idempotency key where the route takes one', async () => {
    const { client } = await clientOf(() => ({ body: {} }));
    await client.groups.create('team');
    await client.groups.create('team', { idempotencyKey: 'mine' });
    await client.tokens.issue('ci', 'deploy');
    await client.environments.update('dev', { protected: true });
    expect(service.received.map((r) => r.headers['idempotency-key'])).toEqual(['key-1', 'mine', undefined, undefined]);
  });

  test('options in camel case mean their field on the wire; what no route knows is left for it to refuse', async () => {
    const { client } = await clientOf(() => ({ body: [] }));
    await client.tables.undrop('dev', 'raw.t', { newName: 'u' });
    await client.tables.undrop('dev', 'raw.t', { new_name: 'u', id: undefined });
    await client.tables.maintain('dev', 'raw.t', { compact: true, expireSnapshotsOlderThanDays: 3 });
    await client.tables.undrop('dev', 'raw.t', { as: 'u' } as object);
    expect(service.received.map((r) => JSON.parse(r.body))).toEqual([
      { new_name: 'u' },
      { new_name: 'u' },
      { compact: true, expire_snapshots_older_than_days: 3 },
      { as: 'u' },
    ]);
    await client.tables.expiring('dev', { withinDays: 3 });
    await client.tables.expiring('dev', { within_days: 3, limit: 5 });
    expect(service.received.slice(4).map(({ url }) => url.split('?')[1])).toEqual([
      'within_days=3',
      'within_days=3&limit=5',
    ]);
  });

  test('break glass is percent-encoded', async () => {
    const { client } = await clientOf(() => ({ status: 204 }));
    await client.namespaces.delete('dev', 'raw', { breakGlass: 'Größe 100%' });
    expect(service.received[0]!.headers['svc-break-glass']).toBe('Gr%C3%B6%C3%9Fe%20100%25');
  });

  test('to any path have the token, a query and the cursor of the next page', async () => {
    const { client } = await clientOf(() => ({ body: [1], headers: { 'X-Next-Cursor': 'c2' } }));
    const query = { status: ['a', 'b'], limit: 1 };
    const { status, next_cursor, body } = await client.requestPath({ method: 'GET', path: '/api/v1/x?y=z', query });
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    expect({ status, next_cursor, text: Buffer.concat(pieces).toString() }).toEqual({
      status: 200,
      next_cursor: 'c2',
      text: '[1]',
    });
    await client.requestPath({ method: 'POST', path: '/api/v1/x', body: '{}' });
    expect(service.received).toMatchObject([
      { url: '/api/v1/x?y=z&status=a&status=b&limit=1', headers: { authorization: `Bearer ${TOKEN}` } },
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
    ]);
    await expect(client.requestPath({ method: 'GET', path: '@example.com/' })).rejects.toThrow('must start with /');
    expect(service.received).toHaveLength(2);
  });

  test('to any path fail like others', async () => {
    const { client } = await clientOf(() => problem(404, 'not-found'));
    const error = await failure(client.requestPath({ method: 'GET', path: '/api/v1/x' }));
    expect(error).toBeInstanceOf(NotFound);
    expect(error.requestId).toBe('req-1');
  });

  test('uploads stream with their media type', async () => {
    const { client } = await clientOf(() => ({ status: 202, body: { id: 'w' } }));
    async function* rows() {
      yield Buffer.from('a,b\n');
      yield Buffer.from('1,2\n');
    }
    await client.tables.load('dev', 'raw.t', rows(), { format: 'csv', mode: 'replace' });
    await client.tables.load('dev', 'raw.t', '{"a":1}\n', { format: 'ndjson' });
    const [first, second] = service.received;
    expect(first).toMatchObject({ body: 'a,b\n1,2\n', headers: { 'content-type': 'text/csv' } });
    expect(first!.url).toBe('/api/v1/environments/dev/namespaces/raw/tables/t/writes?mode=replace');
    expect(second!.headers['content-type']).toBe('application/x-ndjson');
  });
});

describe('a body that fails while it is read', () => {
  test('is reported with its own error, and not sent again', async () => {
    const { client } = await clientOf(() => ({ status: 202, body: { id: 'w' } }));
    const cause = new Error('the disk was removed');
    async function* rows() {
      yield Buffer.from('a,b\n');
      throw cause;
    }
    const load = (body: UploadBody) => client.tables.load('dev', 'raw.t', body, { format: 'csv' });
    await expect(load(rows())).rejects.toBe(cause);
    let opened = 0;
    const open = () => {
      opened++;
      return rows();
    };
    await expect(load(open)).rejects.toBe(cause);
    expect(opened).toBe(1);
  });

  test.each([
    ['a number', 7, 'must be a string, bytes, an async iterable'],
    ['rows', [{ a: 1 }], 'must consist of bytes, and has a piece of type object'],
  ])('%s is not a body', async (_, body, message) => {
    const { client } = await clientOf(() => ({ status: 202, body: { id: 'w' } }));
    const loading = client.tables.load('dev', 'raw.t', body as never, { format: 'ndjson' });
    await expect(loading).rejects.toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
    );
  });
});

describe('parameters', () => {
  const sentOf = async (params: Parameters) => {
    const { client } = await clientOf(() => ({ status: 202, body: { id: 'q' } }));
    await client.queries.submit('dev', 'SELECT $1', { params });
    return JSON.parse(service.received[0]!.body).params;
  };

  test('values that JSON lacks are sent with their type, none as null', async () => {
    const values: Parameter[] = [
      NaN,
      -Infinity,
      -0,
      1.5,
      2n ** 63n - 1n,
      2n ** 63n,
      new Date(0),
      Buffer.from('ab'),
      null,
    ];
    expect(await sentOf(values)).toEqual([
      { type: 'double', value: 'NaN' },
      { type: 'double', value: '-Infinity' },
      { type: 'double', value: '-0' },
      1.5,
      { type: 'long', value: '9223372036854775807' },
      { type: 'decimal(38,0)', value: '9223372036854775808' },
      { type: 'timestamptz', value: '1970-01-01T00:00:00.000Z' },
      { type: 'binary', value: 'YWI=' },
      null,
    ]);
  });

  test('a value with a type is sent as it is, and its number as JSON can have it', async () => {
    const date = new Date(Date.UTC(2026, 0, 2));
    expect(
      await sentOf({
        price: { type: 'decimal(10,2)', value: '1.50' },
        ratio: { type: 'float', value: NaN },
        at: { type: 'timestamp', value: date },
        id: { type: 'decimal(38,0)', value: 10n ** 30n },
      }),
    ).toEqual({
      price: { type: 'decimal(10,2)', value: '1.50' },
      ratio: { type: 'float', value: 'NaN' },
      at: { type: 'timestamp', value: '2026-01-02T00:00:00.000Z' },
      id: { type: 'decimal(38,0)', value: `1${'0'.repeat(30)}` },
    });
  });

  test.each([
    ['an invalid Date', [new Date(NaN)], 'params[0] is an invalid Date.'],
    ['undefined', { a: undefined }, 'params.a is undefined; write null for NULL.'],
    ['a function', [() => 1], 'params[0] is a function.'],
    ['a text', 'DE', 'params must be a list or an object.'],
  ])('%s is refused', async (_, params, message) => {
    await expect(sentOf(params as never)).rejects.toThrow(new TypeError(message));
  });
});

describe('answers', () => {
  test('lists come whole, by page and row by row (SDK-2)', async () => {
    const { client } = await clientOf(({ url }) =>
      url.includes('cursor=2')
        ? { body: [{ name: 'c' }] }
        : { body: [{ name: 'a' }], headers: { 'X-Next-Cursor': '2' } },
    );
    expect(await client.groups.list()).toEqual([{ name: 'a' }]);
    expect(await client.groups.listPage()).toEqual({ items: [{ name: 'a' }], next_cursor: '2' });
    expect((await client.groups.listPage({ cursor: '2' })).next_cursor).toBeNull();
    const all: unknown[] = [];
    for await (const group of client.groups.iter({ search: 'x' })) all.push(group);
    expect(all).toEqual([{ name: 'a' }, { name: 'c' }]);
    expect(service.received.at(-1)!.url).toBe('/api/v1/groups?q=x&cursor=2');
  });

  test('unknown trigger kinds are dropped, missing triggers become an empty list (SDK-3)', async () => {
    const triggers = [{ kind: 'webhook' }, { kind: 'on_demand' }];
    const { client } = await clientOf((_, count) => ({
      body: count === 1 ? { name: 'j', triggers } : [{ name: 'j' }],
    }));
    expect((await client.jobs.get('dev', 'j')).triggers).toEqual([{ kind: 'on_demand' }]);
    expect((await client.jobs.list('dev'))[0]!.triggers).toEqual([]);
  });

  test('a job is paused and resumed, in its repository where one is named, and a run is retried', async () => {
    const { client } = await clientOf(() => ({ body: { name: 'j', paused: true } }));
    expect(await client.jobs.pause('dev', 'j', { repository: 'shop' })).toMatchObject({ paused: true, triggers: [] });
    await client.jobs.resume('dev', 'j');
    await client.runs.retry('dev', 'r1');
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/v1/environments/dev/jobs/j/pause?repository=shop',
      'POST /api/v1/environments/dev/jobs/j/resume',
      'POST /api/v1/environments/dev/runs/r1/retry',
    ]);
    expect(service.received.every(({ headers }) => headers['idempotency-key'] === 'key-1')).toBe(true);
  });

  test('a start is a run or waits', async () => {
    const { client } = await clientOf((_, count) =>
      count === 1 ? { status: 201, body: { id: 'r' } } : { status: 202, body: { waiting: { job: 'j' } } },
    );
    expect(await client.jobs.start('dev', 'j')).toEqual({ run: { id: 'r' }, waiting: null });
    expect(await client.jobs.start('dev', 'j')).toEqual({ run: null, waiting: { job: 'j' } });
  });

  test('a query is waited for and its rows are read page by page', async () => {
    const columns = [{ name: 'n', type: 'int' }];
    const record = { id: 'q', into: null, status: 'RUNNING' };
    const { client } = await clientOf(({ url, method }) => {
      if (method === 'POST') return { status: 201, body: record };
      if (url.includes('/results')) {
        return {
          body: { columns, rows: [[url.includes('cursor') ? 2 : 1]], next_cursor: url.includes('cursor') ? null : 'c' },
        };
      }
      return { body: { ...record, status: url.includes('wait=0') ? 'RUNNING' : 'SUCCEEDED' } };
    });
    const { query, rows } = await client.queries.run('dev', 'select 1');
    expect(query.status).toBe('SUCCEEDED');
    expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('a submission waits only on request: an earlier server knows no such parameter', async () => {
    const urls: string[] = [];
    const result = { columns: [{ name: 'n', type: 'int' }], rows: [[1]], next_cursor: null };
    const { client } = await clientOf(({ url, method }) => {
      urls.push(`${method} ${url.replace('/api/v1/environments/dev/queries', '')}`);
      if (url.includes('/results')) return { body: result };
      const waited = method === 'POST' && url.includes('wait') ? { result } : {};
      return { status: method === 'POST' ? 201 : 200, body: { id: 'q', into: null, status: 'SUCCEEDED', ...waited } };
    });
    expect((await client.queries.submit('dev', 'select 1', { wait: 5 })).result?.rows).toEqual([[1]]);
    expect((await client.queries.run('dev', 'select 1')).rows).toEqual([{ n: 1 }]);
    expect(urls).toEqual(['POST ?wait=5', 'POST ', 'GET /q?wait=0', 'GET /q/results?limit=10000&format=json']);
  });

  test('a failed query throws its failure', async () => {
    const error = { code: 'sql-error', detail: 'No such table.', remedy: null };
    const { client } = await clientOf(() => ({ body: { id: 'q', status: 'FAILED', error } }));
    expect(await failure(client.queries.run('dev', 'x'))).toMatchObject({
      message: 'No such table.',
      code: 'sql-error',
    });
  });

  test('logs are read line by line, whatever the pieces', async () => {
    const lines = [{ line: 'ä' }, { line: 'b' }].map((l) => JSON.stringify(l)).join('\n');
    const bytes = Buffer.from(lines);
    const client = new SvcClient({
      transport: async () => ({
        status: 200,
        headers: new Headers(),
        text: async () => lines,
        body: (async function* () {
          for (const byte of bytes) yield Uint8Array.of(byte);
        })(),
      }),
    });
    service = await startService(() => ({}));
    const seen: unknown[] = [];
    for await (const { line } of client.runs.logs('dev', 'r')) seen.push(line);
    expect(seen).toEqual(['ä', 'b']);
  });

  test('a download that is closed before its first piece closes the connection', async () => {
    service = await startService(() => ({}));
    const server = createServer();
    const closed = new Promise((resolve) => {
      server.on('request', (_, res) => res.on('close', resolve).writeHead(200).write('a'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const client = new SvcClient({ url: `http://127.0.0.1:${port}`, token: TOKEN });
      const pieces = await client.queries.download('dev', 'q1', 'csv');
      await pieces[Symbol.asyncIterator]().return?.();
      await closed;
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test.each(['{"line":"b', '<html>\n'])('a line of a log that is not JSON: %s', async (rest) => {
    const { client } = await clientOf(() => ({ body: `{"line":"a"}\n${rest}` }));
    const lines = client.runs.logs('dev', 'r');
    expect((await lines.next()).value).toEqual({ line: 'a' });
    expect(await failure(lines.next())).toMatchObject({ name: 'ConnectionError', code: 'not-the-service' });
  });

  test('the head at the end of an export of the audit log is not an event', async () => {
    const head = { sequence: 2, mac: 'ab' };
    const lines = ['{"id":"a","sequence":1}', '{"id":"b","sequence":2}', JSON.stringify({ signed_head: head })];
    const queries: string[] = [];
    service = await startService(() => ({}));
    const client = new SvcClient({
      url: 'http://svc.test/',
      transport: async (url) => {
        queries.push(new URL(url).search);
        return new Response(`${lines.join('\n')}\n`);
      },
    });
    const heads: unknown[] = [];
    const seen: unknown[] = [];
    for await (const { id } of client.audit.export({ onHead: (head) => heads.push(head) })) seen.push(id);
    for await (const { id } of client.audit.export()) seen.push(id);
    expect([queries, seen, heads]).toEqual([['?heads=true', ''], ['a', 'b', 'a', 'b'], [head]]);
  });

  test('a transport with the signature of fetch replaces the network', async () => {
    service = await startService(() => ({}));
    const client = new SvcClient({ url: 'http://svc.test/', transport: async (url) => Response.json({ url }) });
    expect(await client.environments.get('dev')).toEqual({ url: 'http://svc.test/api/v1/environments/dev' });
  });
});

describe('errors', () => {
  const classes: [number, string, typeof SvcError][] = [
    [400, 'malformed-request', BadRequest],
    [401, 'not-signed-in', Unauthorized],
    [403, 'forbidden', Forbidden],
    [404, 'not-found', NotFound],
    [409, 'already-exists', Conflict],
    [413, 'body-too-large', PayloadTooLarge],
    [422, 'invalid-request', UnprocessableEntity],
    [429, 'too-many-requests', TooManyRequests],
    [500, 'internal', ServerError],
    [503, 'shutting-down', Unavailable],
  ];
  test.each(classes)('%i becomes its class (SDK-5)', async (status, code, Class) => {
    const errors = [{ parameter: 'limit', message: 'must be less' }];
    const { client } = await clientOf(() => problem(status, code, { remedy: 'svc login', errors }));
    const error = await failure(client.access.me());
    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({ status, code, requestId: 'req-1', remedy: 'svc login', errors, name: Class.name });
    expect(error.message).toBe(`Refused: ${code}.`);
  });

  test('a response that is not from the service is reported as such', async () => {
    const { client } = await clientOf(({ url }) => ({ status: url.endsWith('/me') ? 404 : 200, body: '<html>' }));
    expect((await failure(client.access.me())).message).toContain('may not come from the service');
    expect((await failure(client.environments.list())).code).toBe('not-the-service');
  });

  test('an HTML page of a proxy is not a download', async () => {
    const { client } = await clientOf(() => ({ body: '<html>', headers: { 'content-type': 'text/html' } }));
    const page = { code: 'not-the-service', name: 'ConnectionError', status: 200 };
    expect(await failure(client.queries.download('dev', 'q1', 'csv'))).toMatchObject(page);
    expect(await failure(client.tables.download('dev', 'a.model'))).toMatchObject(page);
  });

  test.each([
    ['no body', ''],
    ['an object instead of a list', {}],
    ['null instead of a list', 'null'],
  ])('a list with %s is not from the service', async (_, body) => {
    const { client } = await clientOf(() => ({ body }));
    expect((await failure(client.runs.list('dev'))).code).toBe('not-the-service');
    expect((await failure(client.runs.listPage('dev'))).code).toBe('not-the-service');
  });

  test('no printed form holds the token (SDK-5)', async () => {
    const { client } = await clientOf(() => problem(422, 'invalid-request', { detail: `bad ${TOKEN}`, remedy: TOKEN }));
    const error = await failure(client.access.me());
    const gone = await failure(new SvcClient({ url: 'http://127.0.0.1:1', token: TOKEN, retries: 0 }).access.me());
    for (const thing of [client, error, gone, { error, client, gone }]) {
      for (const text of [String(thing), inspect(thing, { depth: 9, showHidden: true }), JSON.stringify(thing)]) {
        expect(text).not.toContain(TOKEN);
        expect(text).not.toContain(TOKEN.slice(10, 30));
      }
    }
    expect(gone).toBeInstanceOf(ConnectionError);
    expect(gone.code).toBe('ECONNREFUSED');
  });

  test('the address must be one, without a password', async () => {
    service = await startService(() => ({}));
    expect(() => new SvcClient({ url: 'ftp://x' })).toThrow('is not the address of a service');
    expect(() => new SvcClient({ url: 'http://me:secret@x' })).toThrow('must not contain');
  });
});

describe('repeating', () => {
  test('two more tries with growing pauses for reads (SDK-4)', async () => {
    const { client, pauses } = await clientOf((_, count) =>
      count < 3 ? problem(503, 'shutting-down') : { body: PROTECTED },
    );
    expect(await client.environments.get('dev')).toEqual(PROTECTED);
    expect(pauses).toEqual([250, 500]);
  });

  test('Retry-After is honoured, with jitter on top (SDK-4)', async () => {
    const { client, pauses } = await clientOf((_, count) =>
      count === 1 ? { ...problem(429, 'too-many-requests'), headers: { 'Retry-After': '7' } } : { body: PROTECTED },
    );
    await client.environments.get('dev');
    expect(pauses).toEqual([7125]);
  });

  test.each([
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sun, 32 Mar 2026 12:00:00 GMT', undefined],
    ['soon', undefined],
    ['0x10', undefined],
  ])('Retry-After may be a time, compared with that of the response: %s (SDK-4)', async (until, seconds) => {
    const headers = { 'Retry-After': until, Date: 'Sun, 01 Mar 2026 12:00:00 GMT' };
    const { client } = await clientOf(() => ({ ...problem(500, 'internal'), headers }));
    expect((await failure(client.access.me())).retryAfter).toBe(seconds);
  });

  test('a POST is repeated with the same key, also after a broken connection (SDK-4)', async () => {
    const { client } = await clientOf((_, count) => (count === 1 ? { drop: true } : { status: 201, body: PROTECTED }));
    await client.environments.create('dev');
    expect(service.received.map((r) => r.headers['idempotency-key'])).toEqual(['key-1', 'key-1']);
  });

  test('the last failure is thrown, and 500, 404, changes without key and bare streams are not repeated (SDK-4)', async () => {
    const { client } = await clientOf(({ url }) =>
      url.endsWith('/me') ? problem(503, 'shutting-down') : problem(url.endsWith('/dev') ? 503 : 500, 'internal'),
    );
    await failure(client.access.me());
    expect(service.received).toHaveLength(3);
    await failure(client.environments.list());
    await failure(client.environments.update('dev', { protected: true }));
    async function* bytes() {
      yield Buffer.from('a\n');
    }
    await failure(client.tables.load('dev', 'a.b', bytes(), { format: 'csv' }));
    expect(service.received).toHaveLength(6);
  });

  test('a body from a function is opened again for each attempt', async () => {
    const { client } = await clientOf((_, count) =>
      count === 1 ? problem(503, 'shutting-down') : { status: 202, body: {} },
    );
    async function* bytes() {
      yield Buffer.from('a\n1\n');
    }
    await client.tables.load('dev', 'a.b', () => bytes(), { format: 'csv' });
    expect(service.received.map((r) => r.body)).toEqual(['a\n1\n', 'a\n1\n']);
  });

  test('no answer in time is a TimeoutError; the caller can end a call', async () => {
    const { client, pauses } = await clientOf(() => ({ hang: true }), { timeout: 20 });
    expect(await failure(client.access.me())).toBeInstanceOf(TimeoutError);
    // On a busy machine the time may be over before the request is out.
    expect(pauses).toHaveLength(2);
    const controller = new AbortController();
    const call = client.access.me({ signal: controller.signal, timeout: 60_000 });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});

describe('waiting', () => {
  test('ends with the record, or after its time', async () => {
    const { client } = await clientOf((_, count) => ({ body: { id: 'r', status: count < 3 ? 'running' : 'failed' } }));
    expect((await client.runs.wait('dev', 'r')).status).toBe('failed');
    expect(service.received.map((r) => new URL(r.url, service.url).search)).toEqual([
      '?wait=0',
      '?wait=30',
      '?wait=30',
    ]);
  });

  test('a time limit leaves the work alone', async () => {
    const { client } = await clientOf(() => ({ body: { id: 'r', status: 'running' } }));
    const error = await failure(client.runs.wait('dev', 'r', { timeout: 0 }));
    expect(error).toMatchObject({ code: 'not-ended-in-time', name: 'TimeoutError' });
    expect(service.received).toHaveLength(1);
  });
});
