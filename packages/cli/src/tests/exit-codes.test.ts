import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problem, type ScriptedService, startService } from '@svc/sdk/testing';
import { reportError } from '../report-error.ts';
import { run, waiting } from '../testing/records.ts';
import { type RunOptions, svc } from '../testing/run-svc.ts';

let service: ScriptedService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

const statuses: [number, string, number][] = [
  [400, 'malformed-request', 2],
  [401, 'not-signed-in', 4],
  [403, 'forbidden', 4],
  [404, 'not-found', 3],
  [409, 'already-exists', 5],
  [413, 'body-too-large', 2],
  [422, 'invalid-request', 2],
  [429, 'too-many-requests', 6],
  [500, 'internal', 1],
  [503, 'shutting-down', 6],
];

describe('a response', () => {
  // Retry-After 0 keeps retries of throttled requests short.
  test.each(statuses)('of %i %s determines the exit code (CLI-3)', async (status, code, exit) => {
    const remedy = 'svc grant create --kind instance --principal ann --role ADMIN';
    service = await startService(() => ({ ...problem(status, code, { remedy }), headers: { 'Retry-After': '0' } }));
    const { code: got, stdout, stderr } = await svc(['env', 'create', 'dev'], { url: service.url });
    expect({ got, stdout }).toEqual({ got: exit, stdout: '' });
    expect(stderr).toContain(`Error: Refused: ${code}.\n`);
    expect(stderr).toContain(`${status === 403 ? 'An administrator can run' : 'Next'}: ${remedy}\n`);
    expect(stderr.includes('Request id: req-1')).toBe(status >= 500);
  });

  test('that ends with the remedy shows it once, on its own line', async () => {
    const remedy = 'svc grant create --kind INSTANCE --principal ann --role ADMIN';
    const detail = `ann may not. An administrator can grant it: ${remedy}`;
    service = await startService(() => problem(403, 'forbidden', { remedy, detail }));
    const { stderr } = await svc(['env', 'list'], { url: service.url });
    expect(stderr).toBe(`Error: ann may not. An administrator can grant it:\n  ${remedy}\n`);
  });

  test('an unknown environment has the next step', async () => {
    service = await startService(() =>
      problem(404, 'not-found', { detail: 'There is no environment prd. Check the name.', remedy: 'svc env list' }),
    );
    const { code, stderr } = await svc(['ns', 'list', '--env', 'prd'], { url: service.url });
    expect(code).toBe(3);
    expect(stderr).toBe('Error: There is no environment prd. Check the name.\nNext: svc env list\n');
  });

  test('names the options and arguments of the command instead of fields', async () => {
    const errors = [
      { pointer: '/name', message: 'must be lower case' },
      { pointer: '/storage_location', message: 'must be a bucket' },
      { pointer: '/other', message: 'must be text' },
    ];
    service = await startService(() =>
      problem(422, 'invalid-request', { detail: 'field /name: must be lower case.', errors }),
    );
    const { stderr } = await svc(['env', 'create', 'DEV'], { url: service.url });
    expect(stderr).toBe(
      'Error: NAME: must be lower case.\n  --storage-location: must be a bucket\n  /other: must be text\n',
    );
    const json = await svc(['env', 'create', 'DEV', '--json'], { url: service.url });
    expect(JSON.parse(json.stderr)).toMatchObject({ detail: 'field /name: must be lower case.', errors });
  });

  test('names them instead of parameters, too', async () => {
    const errors = [
      { parameter: 'id', message: 'must be a UUID' },
      { parameter: 'other', message: 'must be text' },
    ];
    service = await startService(() =>
      problem(422, 'invalid-request', { detail: 'parameter id: must be a UUID.', errors }),
    );
    const { stderr } = await svc(['table', 'release', 's.t', '--id', 'x', '--env', 'dev'], { url: service.url });
    expect(stderr).toBe('Error: --id: must be a UUID.\n  other: must be text\n');
  });

  test('names the argument whose last part is the name of the new object', async () => {
    const errors = [{ pointer: '/name', message: 'must not contain spaces' }];
    const detail = 'field /name: must not contain spaces.';
    service = await startService(() => problem(422, 'invalid-request', { detail, errors }));
    const create = ['table', 'create', 's.my table', '--column', 'id:long', '--env', 'dev'];
    const { stderr } = await svc(create, { url: service.url });
    expect(stderr).toBe('Error: TABLE: must not contain spaces.\n');
  });

  test.each([
    ['parameter within_days', ['table', 'expiring', '--within', '4000d', '--env', 'dev'], '--within'],
    ['parameter namespace', ['grant', 'list', '--ns', 's'], '--ns'],
    ['parameter principal_name', ['grant', 'list', '--principal', 'ann'], '--principal'],
    ['field /new_name', ['table', 'undrop', 's.t', '--as', 'a.b', '--env', 'dev'], '--as'],
  ])('names the option of "%s", which has another name', async (field, command, option) => {
    const detail = `${field}: must be allowed.`;
    service = await startService(() => problem(422, 'invalid-request', { detail, errors: [] }));
    expect((await svc(command, { url: service.url })).stderr).toBe(`Error: ${option}: must be allowed.\n`);
  });

  test('with several field errors lists them all', async () => {
    const errors = [
      { pointer: '/name', message: 'must be lower case' },
      { pointer: '/description', message: 'must be text' },
    ];
    service = await startService(() => problem(422, 'invalid-request', { errors }));
    const { stderr } = await svc(['env', 'create', 'Dev'], { url: service.url });
    expect(stderr).toContain('  --description: must be text\n');
  });
});

describe('without a response', () => {
  test('an invalid command line is reported without frame and indentation', async () => {
    const { stderr } = await svc(['grant', 'list', '--limit', 'x']);
    expect(stderr).toBe('Error: --limit: must be an integer, not x.\nAdd --help to show the arguments and options.\n');
  });

  test('an error of the parser has no escape codes, which it writes on a terminal', () => {
    const written: string[] = [];
    const error = { message: '\u001b[2mMissing required flag repo\u001b[22m', oclif: { exit: 2 } };
    expect(reportError(error, { stderr: (text) => void written.push(text) }, false)).toBe(2);
    expect(written).toEqual(['Error: Missing option: --repo.\n']);
  });

  test.each([
    [['env', 'get'], 'Missing argument:\nname  name of the environment'],
    [['env', 'list', '--colour'], 'Unknown option: --colour.'],
    [['run', '--env', 'dev'], 'Missing option: --repo.'],
    [['sql', 'select 1', '--format', 'xml'], '--format: must be one of table, json, csv, parquet, arrow.'],
    [['sql', 'select', '1'], 'Unexpected argument: 1\nQuote a value that contains spaces.'],
  ])('svc %p: the mistake in our words', async (argv, sentence) => {
    const { stderr } = await svc(argv);
    expect(stderr).toContain(`Error: ${sentence}\nAdd --help to show the arguments and options.\n`);
  });

  const usage: [string, string[], RunOptions][] = [
    ['a missing argument', ['env', 'get'], {}],
    ['an unknown option', ['env', 'list', '--colour'], {}],
    ['a value that is not allowed', ['env', 'list', '--output', 'xml'], {}],
    ['an unknown command', ['env', 'lst'], {}],
    ['a global option without its value', ['--output'], {}],
    ['an option without a command', ['env', '--deleted'], {}],
    ['an option of a command before it', ['--yes', 'env', 'list'], {}],
    ['no environment', ['ns', 'list'], {}],
    ['an invalid name', ['table', 'get', 'orders', '--env', 'dev'], {}],
    ['a scope without an environment', ['access', 'explain', 'ann', '--scope', 'shop.sales'], {}],
    ['an invalid address', ['env', 'list', '--url', 'nowhere'], {}],
    ['an update without changes', ['env', 'update', 'dev'], {}],
    ['no terminal for a prompt', ['token', 'revoke', 'x'], {}],
    ['the answer no', ['token', 'revoke', 'x'], { confirms: false }],
    ['no terminal to sign in', ['login'], {}],
    ['a reason without break-glass', ['ns', 'delete', 'a', '--env', 'dev', '--reason', 'x', '--yes'], {}],
    ['a cron that never fires', ['cron', 'next', '0 0 30 2 *'], {}],
    ['an unknown zone', ['cron', 'next', '@daily', '--timezone', 'Europe/Berln'], {}],
    ['a folder that is not a project', ['deploy', tmpdir(), '--env', 'dev', '--repo', 'shop'], {}],
  ];
  test.each(usage)('%s is 2 (CLI-3)', async (_, argv, value) => {
    const { code, stdout, stderr } = await svc(argv, value);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Error: .+/);
  });

  test('a word that is a property of every object is an unknown command', async () => {
    const { stderr } = await svc(['constructor', 'toString']);
    expect(stderr).toMatch(/^Error: Unknown command "svc constructor toString"\.\n/);
  });

  test.each([[['query', 'select 1']], [['select 1']]])('the statement %j as a command is for svc sql', async (argv) => {
    expect((await svc(argv)).stderr).toContain('Did you mean: svc sql?');
  });

  test('global options are not part of a command', async () => {
    const text = async (...argv: string[]) => (await svc(argv)).stdout + (await svc(argv)).stderr;
    expect(await text('--output', 'text', 'nope')).toContain('Unknown command "svc nope".');
    expect(await text('nope', '-o', 'text')).toContain('Unknown command "svc nope".');
    expect(await text('--yes', 'env', 'list')).toContain('Put --yes after it');
    expect(await text('--output', 'json')).toBe(await text());
    expect(await text('--output', 'json', 'env')).toBe(await text('env'));
    expect(await text('--output', 'json', '--help')).toBe(await text('--help'));
    expect(await text('--env', 'dev', 'help', 'table', 'list')).toBe(await text('table', 'list', '--help'));
    expect(await text('table', '--env', 'dev', 'list')).toContain('Missing argument:\nnamespace');
  });

  test.each([
    [['tabel', 'list', 'sales'], 'svc table list'],
    [['policy', 'row-filter', 'lst', 'a.b'], 'svc policy row-filter list'],
    [['lgin'], 'svc login'],
    [['runs', 'list', '--staus', 'failed'], '--status'],
    [['index', 'add', 'corp', '--url', 'https://x.example', '--credental-secret', 's'], '--credential-secret'],
  ])('%j gets a suggestion', async (argv, meant) => {
    const { code, stderr } = await svc(argv);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`Did you mean: .*${meant}`));
  });

  test.each([
    ['tables', 'svc table?'],
    ['create table', 'svc table create?'],
    ['schema list', 'svc ns list?'],
    ['environments list', 'svc env list?'],
    ['user create ann', 'svc principal create?'],
  ])('svc %s suggests how svc names it', async (text, meant) => {
    const { code, stderr } = await svc(text.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain(`Did you mean: ${meant}`);
  });

  test('a statement without quotes', async () => {
    const { code, stderr } = await svc(['sql', 'SELECT', '1', '--env', 'dev']);
    expect(code).toBe(2);
    expect(stderr).toContain('Unexpected argument: 1\nQuote a value that contains spaces.\n');
  });

  test('there is no suggestion without a similar name', async () => {
    expect((await svc(['runs', 'list', '--xyzzy'])).stderr).not.toContain('Did you mean');
    expect((await svc(['xyzzy'])).stderr).toContain('Next: svc help');
  });

  test('an unreachable service is 6 with a next step (CLI-3)', async () => {
    const { code, stderr } = await svc(['sql', 'select 1', '--env', 'dev', '--url', 'http://127.0.0.1:1']);
    expect(code).toBe(6);
    expect(stderr).toContain('could not be reached');
    expect(stderr).toContain('Next: svc doctor\n');
    expect(stderr).toContain('Next: svc doctor');
  });

  test('not being signed in is 4 (CLI-3)', async () => {
    expect(await svc(['auth', 'status'])).toMatchObject({ code: 4 });
  });

  test('help is 0, before and after the command', async () => {
    for (const argv of [[], ['--help'], ['help', 'job', 'run'], ['job', 'run', '--help'], ['job']]) {
      expect(await svc(argv)).toMatchObject({ code: 0, stderr: '' });
    }
  });
});

describe('with JSON output, an error is one line of JSON on standard error (CLI-16)', () => {
  const JSON_OPTIONS = [
    ['--output', 'json'],
    ['-ojson'],
    ['-o=json'],
    ['--json'],
    ['--format', 'json'],
    ['-o', 'ndjson'],
  ];
  const failed = async (argv: string[], options: RunOptions = {}) => {
    const { code, stdout, stderr } = await svc(argv, options);
    expect({ stdout, lines: stderr.split('\n').length }).toEqual({ stdout: '', lines: 2 });
    return { exit: code, ...JSON.parse(stderr) };
  };

  test.each(JSON_OPTIONS)('of the service, with %s', async (...option) => {
    const errors = [{ pointer: '/name', message: 'must be lower case' }];
    service = await startService(() => problem(422, 'invalid-request', { errors, remedy: 'svc env list' }));
    expect(await failed(['env', 'create', 'Dev', ...option], { url: service.url })).toEqual({
      exit: 2,
      code: 'invalid-request',
      detail: 'Refused: invalid-request.',
      remedy: 'svc env list',
      request_id: 'req-1',
      errors,
    });
  });

  const none = { request_id: null, errors: [] };
  test('of the command line', async () => {
    expect(await failed(['--json', 'nope'])).toEqual({
      exit: 2,
      code: 'usage',
      detail: 'Unknown command "svc nope".',
      remedy: 'svc help',
      ...none,
    });
    const unknown = await failed(['runs', 'list', '--staus', 'x', '--json']);
    expect(unknown).toMatchObject({ exit: 2, code: 'usage', remedy: null, ...none });
    expect(unknown.detail).toContain('Unknown option: --staus.');
    // The suggestion comes before the general hint.
    expect(unknown.detail).toMatch(/Did you mean: --status[^?]*\?\nAdd --help/);
    expect((await failed(['runs', 'list', '--environment', 'x', '--json'])).detail).toContain('Did you mean: --env?');
  });

  test('without a response', async () => {
    const outcome = await failed(['env', 'list', '--json', '--url', 'http://127.0.0.1:1']);
    expect(outcome).toMatchObject({ exit: 6, code: 'ECONNREFUSED', remedy: 'svc doctor', ...none });
    const argv = ['env', 'list', '--json'];
    service = await startService(() => problem(401, 'not-signed-in'));
    expect(await failed(argv, { url: service.url })).toMatchObject({ exit: 4, remedy: 'svc login' });
  });

  test('of work that failed', async () => {
    service = await startService(() => ({ body: { ...run, status: 'failed' } }));
    const argv = ['--json', 'runs', 'show', 'r1', '--env', 'prod', '--follow'];
    const { code, stdout, stderr } = await svc(argv, { url: service.url });
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 1, status: 'failed' });
    const last = stderr.trimEnd().split('\n').at(-1)!;
    expect(JSON.parse(last)).toMatchObject({ code: 'failed', detail: 'The check "no gaps" found 2 rows.' });
  });

  test('only if JSON is requested', async () => {
    for (const argv of [
      ['table', 'load', 'a.b', 'x', '--format', 'ndjson'],
      ['nope', '--', '--json'],
    ]) {
      expect((await svc(argv)).stderr).toMatch(/^Error: /);
    }
  });
});

describe('following a run (CLI-3, CLI-7)', () => {
  const at = (status: string) => ({ ...run, status, tasks: status === 'queued' ? [] : run.tasks });
  async function follow(statuses: string[], argv: string[] = [], value: RunOptions = {}) {
    let polls = 0;
    service = await startService(({ method }) => {
      if (method === 'POST') return { status: 201, body: at('queued') };
      return { body: at(statuses[Math.min(polls++, statuses.length - 1)]!) };
    });
    return svc(['job', 'run', 'nightly', '--env', 'prod', ...argv], { url: service.url, ...value });
  }

  test('shows its tasks and is 0 if it succeeds', async () => {
    const { code, stdout, stderr } = await follow(['running', 'succeeded']);
    expect(code).toBe(0);
    expect(stdout).toContain('succeeded in');
    expect(stderr).toBe(
      'succeeded sales.orders  10 rows, 0.0 s\nfailed    sales.report  0.0 s, The check "no gaps" found 2 rows.\n',
    );
  });

  test.each(['failed', 'cancelled'])('%s is 1', async (status) => {
    expect(await follow([status])).toMatchObject({ code: 1 });
  });

  test('is 1 after the timeout', async () => {
    const times = ['2026-03-01T08:00:00Z', '2026-03-01T08:00:00Z'];
    const { code, stderr } = await follow(['running'], ['--timeout', '5'], {
      now: () => new Date(times.shift() ?? '2026-03-01T08:00:06Z'),
    });
    expect(code).toBe(1);
    expect(stderr).toContain("didn't finish within 5 s. It continues.");
  });

  test('detaches on Ctrl-C with 130 and says how to resume', async () => {
    const { code, stderr } = await follow(['running'], [], { interrupts: true });
    expect(code).toBe(130);
    expect(stderr).toContain(`Next: svc runs show ${run.id} --env prod --follow`);
  });

  test('is 0 immediately with --no-wait, and if the start waits', async () => {
    expect(await follow(['running'], ['--no-wait'])).toMatchObject({ code: 0, stderr: '' });
    await service?.close();
    service = await startService(() => ({ status: 202, body: { waiting } }));
    const { code, stdout } = await svc(['job', 'run', 'report', '--env', 'prod'], { url: service.url });
    expect(code).toBe(0);
    expect(stdout).toContain(`waits for the active run ${waiting.waits_for_run_id} of shop`);
  });

  test('works for the new run of a retry', async () => {
    service = await startService(({ method }) =>
      method === 'POST' ? { status: 201, body: at('queued') } : { body: at('failed') },
    );
    const { code, stderr } = await svc(['runs', 'retry', 'r1', '--env', 'prod'], { url: service.url });
    expect(code).toBe(1);
    expect(stderr).toContain('no gaps');
    expect(service.received[0]).toMatchObject({ method: 'POST', url: '/api/v1/environments/prod/runs/r1/retry' });
    const detached = await svc(['runs', 'retry', 'r1', '--env', 'prod', '--no-wait'], { url: service.url });
    expect(detached).toMatchObject({ code: 0, stdout: expect.stringContaining(`svc runs show ${run.id}`) });
  });
});

test('a profile that other users can read is rejected', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-profiles-'));
  await writeFile(join(folder, 'profiles.json'), '{}', { mode: 0o644 });
  const { code, stderr } = await svc(['auth', 'status'], { configFolder: folder });
  expect(code).toBe(2);
  expect(stderr).toContain('Next: chmod 600');
  await rm(folder, { recursive: true });
});
