import { startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';

const SAVED = {
  id: '01997c2e-7b7a-7c1e-8000-000000000031',
  version: 3,
  environment: 'dev',
  name: 'orders of a day',
  owner: 'ann',
  shared: true,
  description: null,
  sql_text: 'SELECT $day, $who',
  parameters: [
    { name: 'day', type: 'date', default: '2026-03-01' },
    { name: 'who', type: 'string', default: null },
  ],
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: '2026-03-02T08:00:00.000Z',
};
const QUERY = {
  id: '01997c2e-7b7a-7c1e-8000-000000000032',
  status: 'SUCCEEDED',
  sql_text: SAVED.sql_text,
  submitter: 'ann',
  into: 'a.b',
  columns: null,
  row_count: 1,
  progress: 1,
  error: null,
  created_at: SAVED.created_at,
  started_at: SAVED.created_at,
  ended_at: SAVED.created_at,
};

/** Runs a command against a service that has these saved queries, and records the requests. */
async function run(argv: string[], found: unknown[] = [SAVED], me = 'ben') {
  const requests: unknown[] = [];
  const service = await startService(({ method, url, body }) => {
    requests.push([method, url, ...(body === undefined || body === '' ? [] : [JSON.parse(String(body))])]);
    if (url.includes('/me')) return { body: { ...QUERY, name: me } };
    if (url.includes('/saved-queries')) return { body: method === 'GET' && url.includes('?') ? found : SAVED };
    return { body: QUERY };
  });
  try {
    return { requests, ...(await svc([...argv, '--env', 'dev'], { url: service.url })) };
  } finally {
    await service.close();
  }
}

const PATH = '/api/v1/environments/dev/saved-queries';
const FIND = ['GET', `${PATH}?name=orders+of+a+day`];

test('a saved query is created with its parameters and found by name (SAVED-1)', async () => {
  const created = await run([
    ...['saved-query', 'create', 'orders of a day', 'SELECT $day, $who'],
    ...['-p', 'day:date=2026-03-01', '-p', 'who', '--shared'],
  ]);
  expect(created.requests).toEqual([
    ['POST', PATH, { name: SAVED.name, sql: SAVED.sql_text, parameters: SAVED.parameters, shared: true }],
  ]);
  expect([created.code, created.stdout]).toEqual([0, 'Saved the query orders of a day in dev: it is shared.\n']);
  const shown = await run(['saved-query', 'show', 'orders of a day']);
  expect(shown.requests).toEqual([FIND]);
  expect(shown.stdout).toContain('day: date = 2026-03-01');
  const changed = await run(['saved-query', 'update', 'orders of a day', '--no-shared', '--description', '']);
  expect(changed.requests).toEqual([FIND, ['PATCH', `${PATH}/${SAVED.id}`, { description: null, shared: false }]]);
  const deleted = await run(['saved-query', 'delete', SAVED.id, '--yes']);
  expect(deleted.requests).toEqual([
    ['GET', `${PATH}/${SAVED.id}`],
    ['DELETE', `${PATH}/${SAVED.id}`],
  ]);
});

test('an update sends the version that it is based on, which show prints (SAVED-9)', async () => {
  const shown = await run(['saved-query', 'show', 'orders of a day']);
  expect(shown.stdout).toMatch(/^version: +3$/m);
  const changed = await run(['saved-query', 'update', 'orders of a day', '--description', 'x', '--version', '3']);
  expect(changed.requests).toEqual([FIND, ['PATCH', `${PATH}/${SAVED.id}`, { description: 'x', version: 3 }]]);
  const nothing = await run(['saved-query', 'update', 'orders of a day', '--version', '3']);
  expect([nothing.code, nothing.stderr, nothing.requests]).toEqual([
    2,
    expect.stringContaining('Nothing to change'),
    [],
  ]);
});

test('a run of a saved query has the defaults of its parameters and the given values in their types (SAVED-3)', async () => {
  const { requests } = await run(['sql', '--saved', 'orders of a day', '-p', 'WHO=ann']);
  expect(requests.slice(0, 2)).toEqual([
    FIND,
    [
      'POST',
      '/api/v1/environments/dev/queries',
      { sql: SAVED.sql_text, params: { day: { type: 'date', value: '2026-03-01' }, who: 'ann' } },
    ],
  ]);
  const missing = await run(['sql', '--saved', 'orders of a day']);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('who needs a value: -p who=VALUE')]);
  expect(missing.requests).toEqual([FIND]);
  const both = await run(['sql', 'select 1', '--saved', 'orders of a day']);
  expect([both.code, both.requests]).toEqual([2, []]);
});

test('a name means one’s own query first, and is ambiguous among several of others (SAVED-1)', async () => {
  const others = [SAVED, { ...SAVED, id: QUERY.id, owner: 'ben' }];
  const own = await run(['saved-query', 'show', 'orders of a day'], others, 'ben');
  expect([own.code, own.stdout]).toEqual([0, expect.stringContaining(QUERY.id)]);
  const ambiguous = await run(['saved-query', 'show', 'orders of a day'], others, 'cleo');
  expect([ambiguous.code, ambiguous.stderr]).toEqual([2, expect.stringContaining(`${SAVED.id} of ann`)]);
  const unknown = await run(['saved-query', 'show', 'orders of a day'], []);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('There is no saved query')]);
});

test('numbers of parameters are values of a list (QUERY-12)', async () => {
  const { requests } = await run(['sql', 'SELECT ?, ?', '-p', '2:int=5', '-p', '1=a']);
  expect(requests[0]).toEqual([
    'POST',
    '/api/v1/environments/dev/queries',
    { sql: 'SELECT ?, ?', params: ['a', { type: 'int', value: '5' }] },
  ]);
  for (const options of [
    ['-p', '2=a'],
    ['-p', '1=a', '-p', 'b=c'],
    ['-p', '-x=1'],
  ]) {
    const refused = await run(['sql', 'SELECT ?', ...options]);
    expect([refused.code, refused.requests]).toEqual([2, []]);
  }
});
