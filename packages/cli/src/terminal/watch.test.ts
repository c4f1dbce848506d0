import { type ScriptedService, startService } from '@svc/sdk/testing';
import { run } from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

let service: ScriptedService;
let polls: (typeof run)[][];
let requested: string[];
beforeEach(() => {
  requested = [];
});
beforeAll(async () => {
  service = await startService(({ url }) => {
    requested.push(url);
    return {
      body: polls[Math.min(requested.length, polls.length) - 1],
      headers: { 'X-Next-Cursor': `c${requested.length}` },
    };
  });
});
afterAll(() => service.close());

const queued = { ...run, status: 'queued' } as typeof run;
const argv = ['runs', 'list', '--env', 'prod', '--status', 'queued', '--watch'];

test('a watched list is printed again when its rows change, until Ctrl-C', async () => {
  polls = [[queued], [queued], [run]];
  const { code, stdout, stderr } = await svc(argv, { url: service.url, interruptsPause: 4 });
  expect(requested).toHaveLength(4);
  expect(requested.every((url) => url.includes('status=queued'))).toBe(true);
  expect(stdout.match(/^id/gm)).toHaveLength(2);
  // The next page is a separate list: it isn't watched.
  expect(stdout).toContain('More results: svc runs list --env prod --status queued --cursor c');
  expect(stdout.indexOf('queued')).toBeLessThan(stdout.indexOf(run.status));
  expect({ code, stderr }).toEqual({ code: 130, stderr: 'Stopped watching.\n' });
});

test('on a terminal the list replaces the previous one', async () => {
  polls = [[queued], [run]];
  const { stdout } = await svc(argv, { url: service.url, interruptsPause: 2, terminal: true });
  expect(stdout.split('\u001b[2J\u001b[H')).toHaveLength(3);
});

test('as JSON each changed list is printed separately', async () => {
  polls = [[queued], [run]];
  const { stdout } = await svc(['--output', 'json', ...argv], { url: service.url, interruptsPause: 2 });
  expect(stdout.split('\n\n').map((text) => JSON.parse(text)[0].status)).toEqual(['queued', run.status]);
});

test.each([
  ['query', 'list'],
  ['deploys', 'list'],
])('svc %s %s supports --watch', async (topic, verb) => {
  polls = [[]];
  const { code } = await svc([topic, verb, '--env', 'prod', '--watch'], { url: service.url, interruptsPause: 1 });
  expect(code).toBe(130);
});
