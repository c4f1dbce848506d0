import { startTestServer, type TestServer } from '../testing/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { SVC_QUERY__MAX_STATEMENT_BYTES: '1KB' } });
  await server.call('POST', '/api/v1/environments', { body: { name: 'dev' } });
});
afterAll(() => server.stop());

test.each([
  ['characters', 'x'],
  ['bytes of characters', 'é'],
])('a statement is limited by its bytes: %s', async (_, character) => {
  const { queryMaxStatementBytes: max } = server.settings;
  const prefix = 'SELECT 1 -- ';
  const fits = prefix + character.repeat(Math.floor((max - prefix.length) / Buffer.byteLength(character)));
  const submit = (sql: string) => server.call('POST', '/api/v1/environments/dev/queries', { body: { sql } });
  expect((await submit(fits)).status).toBe(201);
  const { status, body } = await submit(`${fits}${character}`);
  const bytes = Buffer.byteLength(`${fits}${character}`);
  const message = `has ${bytes} bytes, and a statement may have ${max} (SVC_QUERY__MAX_STATEMENT_BYTES)`;
  expect([status, body.errors]).toEqual([422, [{ pointer: '/sql', message }]]);
});
