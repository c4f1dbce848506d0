import { type ScriptedService, startService } from '@svc/sdk/testing';
import { COMMAND_IDS } from '../oclif/plugin.ts';
import {
  deletedEnvironment,
  deploy,
  droppedTable,
  environment,
  event,
  expiring,
  grant,
  jobs,
  packageIndex,
  projectVersions,
  purge,
  query,
  run,
  searchResults,
  secret,
  table,
} from '../testing/records.ts';
import { svc } from '../testing/run-svc.ts';

const WIDTHS = [40, 60, 80, 120, 200];
const HERE = '/api/v1/environments/prod';

const lists: Record<string, { argv: string[]; path: string; items: unknown[] }> = {
  environments: { argv: ['env', 'list'], path: '/api/v1/environments', items: [environment] },
  tables: {
    argv: ['table', 'list', 'sales.raw', '--env', 'prod'],
    path: `${HERE}/namespaces/sales.raw/tables`,
    items: [table],
  },
  'deleted environments': {
    argv: ['env', 'list', '--deleted'],
    path: '/api/v1/environments',
    items: [deletedEnvironment],
  },
  'dropped tables': {
    argv: ['table', 'list', 'sales.raw', '--dropped', '--env', 'prod'],
    path: `${HERE}/namespaces/sales.raw/dropped-tables`,
    items: [droppedTable],
  },
  purges: {
    argv: ['table', 'purges', 'sales.raw', '--env', 'prod'],
    path: `${HERE}/namespaces/sales.raw/purges`,
    items: [purge],
  },
  'expiring tables': {
    argv: ['table', 'expiring', '--env', 'prod', '--within', '14d'],
    path: `${HERE}/expiring-tables`,
    items: [expiring],
  },
  'search results': { argv: ['search', 'orders', '--env', 'prod'], path: `${HERE}/search`, items: searchResults },
  jobs: { argv: ['job', 'list', '--env', 'prod'], path: `${HERE}/jobs`, items: jobs },
  runs: { argv: ['runs', 'list', '--env', 'prod'], path: `${HERE}/runs`, items: [run] },
  queries: { argv: ['query', 'list', '--env', 'prod', '--all'], path: `${HERE}/queries`, items: [query] },
  deploys: { argv: ['deploys', 'list', '--env', 'prod'], path: `${HERE}/deploys`, items: [deploy] },
  'project versions': {
    argv: ['project-version', 'list', '--env', 'prod'],
    path: `${HERE}/project-versions`,
    items: projectVersions,
  },
  grants: { argv: ['grant', 'list'], path: '/api/v1/grants', items: [grant] },
  'package indexes': { argv: ['index', 'list'], path: '/api/v1/package-indexes', items: [packageIndex] },
  secrets: { argv: ['secret', 'list', '--env', 'prod'], path: `${HERE}/secrets`, items: [secret] },
  'audit events': { argv: ['audit', 'list'], path: '/api/v1/audit-events', items: [event] },
};

let service: ScriptedService;
let response: { path: string; items: unknown; cursor?: string };
beforeAll(async () => {
  service = await startService(({ url }) => {
    if (new URL(url, 'http://x').pathname !== response.path) return { status: 404, body: { detail: `no ${url}` } };
    return { body: response.items, ...(response.cursor ? { headers: { 'X-Next-Cursor': response.cursor } } : {}) };
  });
});
afterAll(() => service.close());

describe.each(Object.entries(lists))('the list of %s', (_, { argv, path, items }) => {
  test.each(WIDTHS)('at %i columns', async (columns) => {
    response = { path, items };
    const { code, stdout, stderr } = await svc(argv, { url: service.url, columns });
    expect(code).toBe(0);
    expect(`${stdout}--- standard error\n${stderr}`).toMatchSnapshot();
  });

  test('as JSON is the plain list, regardless of the width (CLI-2)', async () => {
    response = { path, items };
    const { stdout, stderr } = await svc(['--output', 'json', ...argv], { url: service.url, columns: 40 });
    expect(JSON.parse(stdout)).toEqual(items);
    expect(stderr).toBe('');
  });

  test.each([[['--json']], [['--format', 'json']], [['-o', 'json']]])(
    'as JSON with %j, before and after the command (CLI-11)',
    async (option) => {
      response = { path, items };
      for (const line of [
        [...option, ...argv],
        [...argv, ...option],
      ]) {
        expect(JSON.parse((await svc(line, { url: service.url })).stdout)).toEqual(items);
      }
    },
  );

  test('that is empty prints a note on standard error (CLI-1)', async () => {
    response = { path, items: [] };
    const { stdout, stderr } = await svc(argv, { url: service.url });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^No/);
  });
});

describe('a job', () => {
  const show = (name: string, argv: string[] = []) => {
    response = { path: `${HERE}/jobs/${name}`, items: jobs.find((job) => job.name === name) };
    return svc(['job', 'show', name, '--env', 'prod', ...argv], { url: service.url });
  };

  test('is shown with its triggers and the next five times of its schedule', async () => {
    expect((await show('nightly')).stdout).toMatchSnapshot();
  });

  test.each(['paused', 'report', 'unbound', 'unusable', 'starting'])(
    '%s shows what it waits for or what is missing',
    async (name) => {
      expect((await show(name)).stdout).toMatchSnapshot();
    },
  );

  test('as JSON is the whole response', async () => {
    expect(JSON.parse((await show('nightly', ['-o', 'json'])).stdout)).toEqual(jobs[0]);
  });

  test.each(['pause', 'resume'])('%s prints a sentence, or the whole response as JSON', async (verb) => {
    const job = verb === 'pause' ? jobs[2]! : jobs[0]!;
    response = { path: `${HERE}/jobs/nightly/${verb}`, items: job };
    const argv = ['job', verb, 'nightly', '--env', 'prod'];
    expect((await svc(argv, { url: service.url })).stdout).toMatchSnapshot();
    expect(JSON.parse((await svc([...argv, '-o', 'json'], { url: service.url })).stdout)).toEqual(job);
  });
});

test('COLUMNS applies without a terminal, and without a width no column is hidden (CLI-6)', async () => {
  response = lists.jobs!;
  const argv = ['job', 'list', '--env', 'prod'];
  const narrow = await svc(argv, { url: service.url, env: { COLUMNS: '40' } });
  expect(narrow.stderr).toContain('Columns hidden at 40 characters: triggers, next run');
  const wide = await svc(argv, { url: service.url });
  expect(wide.stderr).toBe('');
  expect(wide.stdout).toContain('30 5 * * 1-5');
});

describe('svc help (CLI-21)', () => {
  test('lists every command once, in groups', async () => {
    const { stdout } = await svc(['help']);
    const listed = [...stdout.matchAll(/^ {2}svc ([a-z -]+?)(?: {2}|$)/gm)].map(([, id]) => id);
    expect(listed.toSorted()).toEqual([...COMMAND_IDS].toSorted());
    expect(stdout.match(/^[A-Z].*$/gm)).toEqual(expect.arrayContaining(['DATA', 'PROJECTS', 'ACCESS', 'OPERATIONS']));
    expect((await svc([])).stdout).toBe(stdout);
  });

  test('of a topic lists only its commands', async () => {
    const { stdout } = await svc(['help', 'policy', 'row-filter']);
    expect(stdout).toMatch(/^Row filters\n\nCOMMANDS\n {2}svc policy row-filter create /);
    expect(stdout).not.toContain('column-mask');
  });
});

test.each([40, 60, 80])('help fits %d columns, except lines to copy', async (columns) => {
  for (const argv of [['--help'], ['table', '--help'], ['sql', '--help'], ['secret', 'create', '--help']]) {
    const { stdout } = await svc(argv, { columns });
    const [text = ''] = stdout.split('\nEXAMPLES\n');
    const wide = text.split('\n').filter((line) => line.length > columns && !line.startsWith('  $ '));
    expect(wide).toEqual([]);
  }
});

test('control characters are shown as escapes (CLI-6)', async () => {
  response = lists.tables!;
  const { stdout } = await svc(lists.tables!.argv, { url: service.url });
  expect(stdout).toContain('Orders as they come in\\u001b[2J');
  expect(stdout).not.toContain('\u001b');
});

describe('a page with more after it (CLI-5)', () => {
  const argv = ['runs', 'list', '--env', 'prod', '--cursor', 'old', '--status', 'failed', '--repo', "o'hara"];
  test('ends with the command for the next page', async () => {
    response = { ...lists.runs!, cursor: 'abc' };
    const { stdout } = await svc(argv, { url: service.url });
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      `More results: svc runs list --env prod --status failed --repo 'o'\\''hara' --cursor abc`,
    );
  });

  test('prints it on standard error with JSON', async () => {
    response = { ...lists.runs!, cursor: 'abc' };
    const { stdout, stderr } = await svc([...argv, '-o', 'json'], { url: service.url });
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toBe(
      "More results: svc --output json runs list --env prod --status failed --repo 'o'\\''hara' --cursor abc\n",
    );
    for (const option of [['--json'], ['--format', 'json']]) {
      expect((await svc([...argv, ...option], { url: service.url })).stderr).toBe(stderr);
    }
  });
});
