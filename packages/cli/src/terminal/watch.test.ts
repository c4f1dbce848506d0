import { type ScriptedService, startService } from '@svc/sdk/testing';
import { run } from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

let service: ScriptedService;
let looks: (typeof run)[][];
let asked: string[];
beforeEach(() => {
  asked = [];
});
beforeAll(async () => {
  service = await startService(({ url }) => {
    asked.push(url);
    return { body: looks[Math.min(asked.length, looks.length) - 1], headers: { 'X-Next-Cursor': `c${asked.length}` } };
  });
});
afterAll(() => service.close());

const queued = { ...run, status: 'queued' } as typeof run;
const argv = ['runs', 'list', '--env', 'prod', '--status', 'queued', '--watch'];

test('a watched list is shown again when its rows change, until Ctrl-C', async () => {
  looks = [[queued], [queued], [run]];
  const { code, stdout, stderr } = await svc(argv, { url: service.url, interruptsPause: 4 });
  expect(asked).toHaveLength(4);
  expect(asked.every((url) => url.includes('status=queued'))).toBe(true);
  expect(stdout.match(/^id/gm)).toHaveLength(2);
  // A later page is a list of its own: it is not watched.
  expect(stdout).toContain('More results: svc runs list --env prod --status queued --cursor c');
  expect(stdout.indexOf('queued')).toBeLessThan(stdout.indexOf(run.status));
  expect({ code, stderr }).toEqual({ code: 130, stderr: 'No longer watching.\n' });
});

test('on a terminal the list is shown in place', async () => {
  looks = [[queued], [run]];
  const { stdout } = await svc(argv, { url: service.url, interruptsPause: 2, terminal: true });
  expect(stdout.split('\u001b[2J\u001b[H')).toHaveLength(3);
});

test('as JSON each look that differs is a list of its own', async () => {
  looks = [[queued], [run]];
  const { stdout } = await svc(['--output', 'json', ...argv], { url: service.url, interruptsPause: 2 });
  expect(stdout.split('\n\n').map((text) => JSON.parse(text)[0].status)).toEqual(['queued', run.status]);
});

test.each([
  ['query', 'list'],
  ['deploys', 'list'],
])('svc %s %s watches too', async (topic, verb) => {
  looks = [[]];
  const { code } = await svc([topic, verb, '--env', 'prod', '--watch'], { url: service.url, interruptsPause: 1 });
  expect(code).toBe(130);
});
