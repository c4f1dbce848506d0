import { pino } from 'pino';
import { type RunningApi, startApi } from '../process/index.ts';
import { startTestServer, type TestServer } from '../testing/index.ts';

// Two servers on one database, each with its own state in memory: what one takes away, the other refuses at once.

let first: TestServer;
let second: RunningApi;

beforeAll(async () => {
  first = await startTestServer();
  const { settings, secretsKey, db, store, sandbox } = first;
  const log = pino({ level: 'silent' });
  second = await startApi({
    ...{ settings, secretsKey, db, store, sandbox, log },
    ...{ version: '0.0.0-test', bootstrapToken: null, checkAnswers: true },
  });
  await first.call('POST', '/api/v1/environments', { body: { name: 'prod' } });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/** Through the second server, as the administrator; the first one answers everybody else. */
async function change(method: string, path: string, body?: object): Promise<void> {
  const response = await fetch(`${second.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${first.token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([200, 201, 204]).toContain(response.status);
}

let people = 0;
async function newPerson(): Promise<{
  name: string;
  token: string;
  tokenId: string;
  readEnvironment: () => Promise<number>;
}> {
  const name = `person-${++people}`;
  await first.call('POST', '/api/v1/principals', { body: { name, type: 'person' } });
  const { token, id } = (await first.call('POST', `/api/v1/principals/${name}/tokens`, { body: { name: 't' } })).body;
  const readEnvironment = async () => (await first.call('GET', '/api/v1/environments/prod', { token })).status;
  return { name, token, tokenId: id, readEnvironment };
}

const onProd = { kind: 'ENVIRONMENT', environment: 'prod', action: 'READ_ENVIRONMENT' };
const grant = async (body: object) =>
  (await first.call('POST', '/api/v1/grants', { body: { ...onProd, ...body } })).body.id as string;

test('a grant made or revoked through the other server counts on the next request', async () => {
  const { name, readEnvironment } = await newPerson();
  expect(await readEnvironment()).toBe(403);
  await change('POST', '/grants', { ...onProd, principal: name });
  expect(await readEnvironment()).toBe(200);
  const { body } = await first.call('GET', `/api/v1/grants?principal_name=${name}`);
  await change('DELETE', `/grants/${body[0].id}`);
  expect(await readEnvironment()).toBe(403);
});

test('so does a membership taken away, and a group deleted', async () => {
  const { name, readEnvironment } = await newPerson();
  for (const group of ['readers', 'writers']) {
    await first.call('POST', '/api/v1/groups', { body: { name: group } });
    await first.call('PUT', `/api/v1/groups/${group}/members/${name}`);
  }
  await grant({ group: 'readers' });
  expect(await readEnvironment()).toBe(200);
  await change('DELETE', `/groups/readers/members/${name}`);
  expect(await readEnvironment()).toBe(403);
  await grant({ group: 'writers' });
  expect(await readEnvironment()).toBe(200);
  await change('DELETE', '/groups/writers');
  expect(await readEnvironment()).toBe(403);
});

test('and a token revoked, a principal deactivated or deleted (ACCESS-22)', async () => {
  const [revoked, deactivated, deleted] = [await newPerson(), await newPerson(), await newPerson()];
  for (const { name, readEnvironment } of [revoked, deactivated, deleted]) {
    await grant({ principal: name });
    expect(await readEnvironment()).toBe(200);
  }
  await change('DELETE', `/tokens/${revoked.tokenId}`);
  await change('PATCH', `/principals/${deactivated.name}`, { active: false });
  await change('DELETE', `/principals/${deleted.name}`);
  expect(await Promise.all([revoked, deactivated, deleted].map(({ readEnvironment }) => readEnvironment()))).toEqual([
    401, 401, 401,
  ]);
});
