import { type ScriptedService, startService } from '@svc/sdk/testing';
import { deploy, grant, query, run } from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

const A = '01997c2e-7b7a-7c1e-8000-aaaaaa111111';
const B = '01997c2e-7b7b-7c1e-8000-bbbbbb222222';
const C = '01997c2f-0000-7c1e-8000-cccccc333333';
const at = (hour: number) => `2026-02-02T0${hour}:00:00.000Z`;
const HERE = '/api/v1/environments/prod';

/** Lists by path, in pages. */
const lists: Record<string, unknown[][]> = {
  [`${HERE}/runs`]: [
    [
      { ...run, id: C, created_at: at(3) },
      { ...run, id: B, created_at: at(2) },
    ],
    [{ ...run, id: A, created_at: at(1) }],
  ],
  [`${HERE}/queries`]: [
    [
      { ...query, id: A, created_at: at(1) },
      { ...query, id: C, created_at: at(3) },
      { ...query, id: B, created_at: at(2) },
    ],
  ],
  [`${HERE}/deploys`]: [
    [
      { ...deploy, id: C, project_version_id: null },
      { ...deploy, id: B, project_version_id: A },
      { ...deploy, id: A, project_version_id: A },
    ],
  ],
  '/api/v1/grants': [[{ ...grant, id: B }]],
};

let service: ScriptedService;
beforeAll(async () => {
  service = await startService(({ url, method }) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    const pages = lists[pathname];
    if (pages === undefined) return method === 'DELETE' ? { status: 204 } : { body: { ...run, tasks: [] } };
    const page = Number(searchParams.get('cursor') ?? '0');
    return { body: pages[page], headers: page + 1 < pages.length ? { 'X-Next-Cursor': String(page + 1) } : {} };
  });
});
afterAll(() => service.close());
const call = (...argv: string[]) => {
  service.received.length = 0;
  return svc(argv, { url: service.url });
};
/** The path of the last request, after those that look for the id. */
const lastPath = () => service.received.at(-1)!.url.split('?')[0];

describe('a short id (CLI-19)', () => {
  test.each([
    ['the end of an id', '222222', B],
    ['the end of an id on the second page', 'aa111111', A],
    ['the start of an id', '01997c2f', C],
    ['the start in capital letters', '01997C2F', C],
    ['the newest', 'latest', C],
  ])('is %s', async (_, text, id) => {
    expect(await call('runs', 'show', text, '--env', 'prod')).toMatchObject({ code: 0 });
    expect(lastPath()).toBe(`${HERE}/runs/${id}`);
  });

  test('that several ids match lists them', async () => {
    const { code, stderr } = await call('runs', 'cancel', '01997c2e', '--env', 'prod');
    expect(code).toBe(2);
    expect(stderr).toBe(
      [
        'Error: Several ids start or end with "01997c2e". Use more characters; the last ones differ most.',
        `  ${B}  2026-02-02 02:00:00Z  succeeded`,
        `  ${A}  2026-02-02 01:00:00Z  succeeded`,
        '',
      ].join('\n'),
    );
    expect(service.received.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('that no id matches is 3', async () => {
    const { code, stderr } = await call('runs', 'show', 'abcdef', '--env', 'prod');
    expect(code).toBe(3);
    expect(stderr).toContain(
      'There is no run in prod whose id starts or ends with "abcdef".\nNext: svc runs list --env prod',
    );
  });

  test('needs 6 characters: other texts and whole ids are sent unchanged', async () => {
    for (const text of ['22222', 'nightly', A]) {
      await call('runs', 'show', text, '--env', 'prod');
      expect(service.received.map(({ url }) => url)).toEqual([`${HERE}/runs/${text}`]);
    }
  });

  test.each([
    [['query', 'cancel', 'latest', '--env', 'prod'], `${HERE}/queries/${C}/cancel`],
    [['deploys', 'show', '333333', '--env', 'prod'], `${HERE}/deploys/${C}`],
    [['project-version', 'show', 'latest', '--env', 'prod'], `${HERE}/project-versions/${A}`],
    [['project-version', 'show', '111111', '--env', 'prod'], `${HERE}/project-versions/${A}`],
    [['grant', 'revoke', '222222'], `/api/v1/grants/${B}`],
  ])('works for %j', async (argv, path) => {
    await call(...argv);
    expect(lastPath()).toBe(path);
  });
});

test.each(['111111', 'latest', A])('svc rollback --to %s finds a version of its repository (CLI-31)', async (to) => {
  expect(await call('rollback', 'shop', '--env', 'prod', '--to', to)).toMatchObject({ code: 0 });
  const { url, body } = service.received.at(-1)!;
  expect([url, JSON.parse(body)]).toEqual([`${HERE}/deployments/shop/rollback`, { project_version_id: A }]);
  const searched = service.received.slice(0, -1).map((request) => request.url);
  expect(searched.every((path) => path.startsWith(`${HERE}/deploys?`) && path.includes('repository=shop'))).toBe(true);
});
