import { once } from 'node:events';
import { connect } from 'node:net';
import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
let nobody: string;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', '/api/v1/principals', { body: { name: 'eve', type: 'person' } });
  nobody = (await server.call('POST', '/api/v1/principals/eve/tokens', { body: { name: 't' } })).body.token;
});
afterAll(() => server.stop());

const create = (raw: string) =>
  server.call('POST', '/api/v1/principals', { raw, headers: { 'Content-Type': 'application/json' } });

describe('a body', () => {
  test.each([
    ['lists', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['objects', `{"name":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`],
  ])('of deeply nested %s is 422', async (_, raw) => {
    const response = await create(raw);
    expect([response.status, response.body.detail]).toEqual([422, 'body: must be nested at most 64 levels deep.']);
  });

  test('that is compressed is refused, and not read as something else', async () => {
    const send = (coding: string) =>
      server.call('POST', '/api/v1/principals', {
        raw: '{"name":"coded","type":"person"}',
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': coding },
      });
    for (const coding of ['gzip', 'br', 'identity, gzip']) {
      const response = await send(coding);
      expect([response.status, response.body.code]).toEqual([415, 'unsupported-media-type']);
    }
    expect((await send('identity')).status).toBe(201);
  });

  test('with prototype keys changes nothing but is refused', async () => {
    const response = await create('{"name":"p","type":"person","__proto__":{"active":false}}');
    expect([response.status, response.body.errors[0].pointer]).toEqual([422, '/__proto__']);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect((await create(JSON.stringify({ name, type: 'person' }))).body.name).toBe(name);
      expect((await server.call('GET', `/api/v1/principals/${name}/permissions`)).status).toBe(200);
    }
  });

  test.each([
    ['{"type":"person"}', 'field /name: is required.'],
    ['{"name":5,"type":"person"}', 'field /name: must be a string.'],
    ['{"name":"x","type":"robot"}', 'field /type: must be one of person, service-account.'],
    ['[]', 'body: must be an object.'],
  ])('%s is reported in plain language', async (raw, detail) => {
    const response = await create(raw);
    expect([response.status, response.body.detail]).toEqual([422, detail]);
  });
});

test.each([
  ['POST', '/api/v1/sign-in', { name: 'eve', password: 'wrong' }],
  ['POST', '/api/v1/session', { name: 'eve', password: 'wrong' }],
  ['POST', '/api/v1/token-exchange', { subject_token: 'x' }],
  ['GET', '/api/v1/sign-in', undefined],
] as const)('an unknown parameter of %s %s, which needs no credential, is 422, too', async (method, path, body) => {
  const response = await server.call(method, `${path}?zzz=1`, { token: null, ...(body && { body }) });
  expect([response.status, response.body.errors]).toEqual([422, [{ parameter: 'zzz', message: 'unknown parameter' }]]);
});

test('an invalid field name is reported in plain language', async () => {
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
  await server.call('POST', '/api/v1/environments/dev/namespaces', { body: { path: 'n' } });
  const columns = [{ name: 'id', type: 'int' }];
  await server.call('POST', '/api/v1/environments/dev/namespaces/n/tables', { body: { name: 't', columns } });
  const body = { column_descriptions: { 'i\td': 'the key' } };
  const response = await server.call('PATCH', '/api/v1/environments/dev/namespaces/n/tables/t', { body });
  expect(response.body.errors).toEqual([
    { pointer: '/column_descriptions/i\td', message: 'must contain only printable characters' },
  ]);
});

test('a key that the schemas of objects with any keys leave out is refused', async () => {
  const raw = '{"name":"keys","values":{"password":"x","__proto__":"y"}}';
  const headers = { 'Content-Type': 'application/json' };
  const response = await server.call('POST', '/api/v1/environments/dev/secrets', { raw, headers });
  expect(response.status).toBe(422);
  expect(response.body.errors).toEqual([{ pointer: '/values/__proto__', message: 'must have another name' }]);
});

test('a repeated parameter is reported in plain language', async () => {
  const response = await server.call('GET', '/api/v1/principals?limit=1&limit=2');
  expect([response.status, response.body.detail]).toEqual([422, 'parameter limit: accepts one value: set it once.']);
});

describe('NUL in a path', () => {
  const unknown = ['/api/v1/principals/%00/permissions', '/api/v1/groups/%00', '/api/v1/environments/a%00b'];
  test.each(unknown)('%s is 404 for an administrator', async (path) => {
    expect((await server.call('GET', path)).status).toBe(404);
  });

  test.each(unknown)('%s is 403 for others, and recorded', async (path) => {
    const id = `nul-${unknown.indexOf(path)}`;
    const response = await server.call('GET', path, { token: nobody, headers: { 'X-Request-Id': id } });
    expect(response.status).toBe(403);
    const events = await server.call('GET', '/api/v1/audit-events?event_type=AUTHORIZATION_DENIED&limit=1');
    expect(events.body[0].request_id).toBe(id);
  });
});

describe('a client that reads only after its whole upload', () => {
  const megabyte = Buffer.alloc(1e6, '1\n');

  test.each([
    ['POST', '/api/v1/environments/dev/namespaces/a/tables/b/writes?mode=append', 'text/csv', 404],
    ['PUT', '/api/v1/principals', 'application/json', 405],
    ['POST', '/api/v1/principals', 'application/json', 413],
    ['POST', '/api/v1/principals', 'application/json; chunked', 413],
  ])('%s %s of %s returns %i', async (method, path, type, status) => {
    const chunked = type.endsWith('chunked');
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
    const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${30 * megabyte.length}`;
    const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n`;
    socket.write(`${head}Content-Type: ${type.split(';')[0]}\r\n${length}\r\n\r\n`);
    for (let n = 0; n < 30; n++) {
      if (chunked) socket.write(`${megabyte.length.toString(16)}\r\n`);
      const sent = socket.write(megabyte);
      if (chunked) socket.write('\r\n');
      if (!sent) await once(socket, 'drain');
    }
    if (chunked) socket.write('0\r\n\r\n');
    const [response] = await once(socket.resume(), 'data');
    socket.destroy();
    expect(String(response)).toContain(`HTTP/1.1 ${status} `);
  });
});

test.each([
  ['a path beyond 16 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'head-too-large'],
  ['no HTTP', 'hello\r\n\r\n', 400, 'malformed-request'],
])('%s is answered with a problem', async (_, request, status, code) => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(request);
  const response = Buffer.concat(await socket.toArray()).toString();
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject({ status, code, instance: '/' });
});

test('HEAD of a path beyond 16 KiB is answered without a body', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(`HEAD /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const response = Buffer.concat(await socket.toArray()).toString();
  expect(response).toMatch(/^HTTP\/1\.1 431 [\s\S]*\r\n\r\n$/);
});

test.each(['/api/v1/sign-in', '/api/v1/openapi.json', '/api/v1/me', '/livez', '/docs', '/console'])(
  'GET %s is answered in full: it has no ETag that If-None-Match could name',
  async (path) => {
    expect((await server.call('GET', path, { headers: { 'If-None-Match': '*' } })).status).toBe(200);
  },
);
