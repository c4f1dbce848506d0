import { type Reply, type ScriptedService, startService } from '@svc/sdk/testing';
import {
  deletedEnvironment,
  deploy,
  droppedTable,
  environment,
  expiring,
  jobs,
  run,
  table,
} from '../testing/records.ts';
import { type RunOptions, svc } from '../testing/run-svc.ts';

// The texts and the behaviour of commands that the specification fixes, one test per sentence. Other texts may change freely.
let service: ScriptedService;
let reply: Reply | ((method: string, url: string) => Reply);
beforeAll(async () => {
  service = await startService(({ method, url }) => (typeof reply === 'function' ? reply(method, url) : reply));
});
afterAll(() => service.close());
const call = (argv: string[], body: unknown, value: RunOptions = {}) => {
  reply = typeof body === 'function' ? (body as typeof reply) : { body };
  service.received.length = 0;
  return svc(argv, { url: service.url, ...value });
};
const sent = () => service.received.map(({ method, url }) => `${method} ${url}`);

describe('commands in texts are quoted for a shell', () => {
  const repository = 'my shop';
  const ann = { id: run.id, name: "ann o'hara", type: 'service-account', active: true, created_at: run.created_at };

  test('of a job without a usable run principal', async () => {
    for (const job of jobs.filter(({ state }) => state.includes('run principal'))) {
      const { stdout } = await call(['job', 'show', job.name, '--env', 'prod'], { ...job, repository });
      expect(stdout).toContain("svc deployments set-run-as 'my shop' --env prod --principal NAME");
    }
  });

  test('of a paused job', async () => {
    const { stdout } = await call(['job', 'pause', 'by night', '--env', 'prod', '--repo', repository], {
      ...jobs[0],
      name: 'by night',
    });
    expect(stdout).toContain("svc job resume 'by night' --env prod --repo 'my shop'\n");
  });

  test('of a new principal, and of an activated one', async () => {
    const created = await call(['principal', 'create', ann.name, '--type', ann.type], ann);
    expect(created.stderr).toContain("svc token issue 'ann o'\\''hara' TOKEN_NAME\n");
    const dashed = await call(['principal', 'activate', '--', '-x'], { ...ann, name: '-x' });
    expect(dashed.stderr).toContain('svc token list -- -x\n');
  });
});

describe('a deploy (2.8)', () => {
  const argv = ['deploy', '--env', 'prod', '--repo', 'shop'];
  const warnings = ['job nightly has a schedule and no run principal'];
  const changed = [{ name: 'report', changes: ['selection', 'cron', 'time zone'] }];
  const record = { ...deploy, warnings, jobs: { added: ['nightly'], removed: ['old'], changed } };

  test('prints warnings as warning: lines on standard error', async () => {
    const { stdout, stderr, code } = await call(argv, record);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `warning: ${warnings[0]}\n` });
    expect(stdout).not.toContain('warning');
    expect(stdout).not.toContain('Jobs:');
  });

  test('has them in warnings with --output json', async () => {
    const { stdout, stderr } = await call(['--output', 'json', ...argv], record);
    expect(JSON.parse(stdout)).toEqual(record);
    expect(stderr).toBe('');
  });

  test('adds a Jobs: section on a dry run, a changed job naming what changed', async () => {
    const { stdout } = await call([...argv, '--dry-run'], { ...record, dry_run: true });
    expect(stdout).toBe(
      [
        'A deploy of shop into prod would succeed.',
        'Jobs:',
        '  added    nightly',
        '  removed  old',
        '  changed  report: selection, cron, time zone',
        '',
      ].join('\n'),
    );
  });

  test('adds an Assets: section on a dry run, with the columns that change (CLI-32)', async () => {
    const assets = {
      added: [
        { name: 'marts.total', kind: 'table', columns: [{ name: 'n', type: 'long' }] },
        { name: 'py.report', kind: 'artifact', columns: null },
      ],
      removed: [{ name: 'core.old', kind: 'view' }],
      changed: [
        { name: 'core.items', kind: 'table', changes: ['tags'], columns: null },
        {
          ...{ name: 'core.orders', kind: 'table', changes: [] },
          columns: {
            added: [{ name: 'price', type: 'decimal(10,2)' }],
            removed: Array.from({ length: 20 }, (_, i) => ({ name: `n${i}`, type: 'int' })),
            changed: [{ name: 'id', type: 'long', previous_type: 'int' }],
          },
        },
      ],
    };
    const { stdout } = await call([...argv, '--dry-run'], { ...record, dry_run: true, assets });
    expect(stdout.split('\n').filter((line) => !/- n[1-9]/.test(line))).toEqual([
      'A deploy of shop into prod would succeed.',
      'Assets:',
      '  added    marts.total (table, 1 column)',
      '  added    py.report (artifact)',
      '  removed  core.old (view)',
      '  changed  core.items: tags',
      '  changed  core.orders: columns',
      '             + price decimal(10,2)',
      '             - n0 int',
      '             and 2 more: use --output json',
      'Jobs:',
      '  added    nightly',
      '  removed  old',
      '  changed  report: selection, cron, time zone',
      '',
    ]);
  });
});

describe('a run (2.9, 4.4) (RUN-2)', () => {
  test('ends with job, trigger, scheduled_for and missed', async () => {
    const { stdout } = await call(['runs', 'show', run.id, '--env', 'prod'], { ...run, tasks: [] });
    const labels = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0]);
    expect(labels.slice(-4)).toEqual(['job', 'trigger', 'scheduled for', 'missed']);
  });
});

describe('job list (4.4)', () => {
  test('shows the columns, with one line per trigger', async () => {
    const { stdout } = await call(['job', 'list', '--env', 'prod'], jobs);
    const [head = '', ...rows] = stdout.split('\n');
    expect(head.split(/ {2,}/)).toEqual(['name', 'state', 'triggers', 'next run', 'repository', 'last run']);
    expect(rows.filter((row) => row.trim() === 'on demand')).toHaveLength(5);
    expect(stdout).toContain('schedule 30 5 * * 1-5 Europe/Berlin (paused)');
  });

  test('keeps name and state on a narrow terminal, and notes what is hidden (CLI-6)', async () => {
    const { stdout, stderr } = await call(['job', 'list', '--env', 'prod'], jobs, { columns: 60 });
    expect(stdout.split('\n')[0]).toMatch(/^name +state$/);
    for (const column of ['triggers', 'next run', 'repository', 'last run']) expect(stderr).toContain(column);
  });

  test('exits with 3 for an unknown job', async () => {
    const gone = () => ({ status: 404, body: { detail: 'shop declares: nightly', code: 'not-found' } });
    expect(await call(['job', 'show', 'x', '--env', 'prod'], gone)).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('destructive commands prompt without --yes (CLI-4)', () => {
  const prompting: [string, string[], unknown, string][] = [
    ['table delete (4.5)', ['table', 'delete', 'sales.raw.orders', '--env', 'prod'], droppedTable, 'DELETE'],
    ['env delete (4.5)', ['env', 'delete', 'staging'], deletedEnvironment, 'DELETE'],
    ['env retention (4.6)', ['env', 'retention', 'prod', '--days', '90'], environment, 'PUT'],
    ['index remove (4.2)', ['index', 'remove', 'corp'], {}, 'DELETE'],
    ['undeploy', ['undeploy', 'shop', '--env', 'prod'], {}, 'DELETE'],
  ];
  test.each(prompting)('%s', async (_, argv, body, method) => {
    expect(await call(argv, body)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
    expect(sent()).toEqual([]);
    expect(await call(argv, body, { confirms: false })).toMatchObject({ code: 2, stdout: '' });
    expect(sent()).toEqual([]);
    expect(await call(argv, body, { confirms: true })).toMatchObject({ code: 0 });
    expect(sent()[0]).toContain(method);
    expect(await call([...argv, '--yes'], body)).toMatchObject({ code: 0 });
  });
});

describe('dropping and restoring (4.5)', () => {
  test('a drop reports until when and how to undo it', async () => {
    const { stdout } = await call(['table', 'delete', 'sales.raw.orders', '--env', 'prod', '--yes'], droppedTable);
    expect(stdout).toContain('2026-02-10 08:00:00Z: svc table undrop sales.raw.orders --env prod');
  });

  test('an undrop accepts another name, and break-glass with a reason', async () => {
    const argv = ['table', 'undrop', 'sales.raw.orders', '--as', 'before', '--env', 'prod'];
    const glass = ['--break-glass', '--reason', 'case 12'];
    const { stdout } = await call([...argv, ...glass], { ...table, name: 'before' });
    expect(stdout).toBe('Restored sales.raw.orders as sales.raw.before.\n');
    expect(JSON.parse(service.received[0]!.body)).toEqual({ new_name: 'before' });
    expect(service.received[0]!.headers['svc-break-glass']).toBe('case%2012');
    expect((await call([...argv, '--break-glass'], table)).code).toBe(2);
  });
});

describe('retention (4.6)', () => {
  const rule = { source: null, days: null, on: null, never: false, set_by: null, set_at: null };
  const retention = { ...rule, last_activity_at: null, expires_at: null, kept: null, hold: null };
  const argv = ['table', 'retention', 'sales.raw.orders', '--env', 'prod'];

  test('is shown without options, and set by exactly one', async () => {
    expect((await call(argv, retention)).stdout).toContain('retention:');
    expect(sent()[0]).toMatch(/^GET/);
    for (const [option, body] of [
      [['--days', '30'], { days: 30 }],
      [['--on', '2027-01-01'], { on: '2027-01-01' }],
      [['--never'], { never: true }],
    ] as const) {
      expect(await call([...argv, ...option], retention)).toMatchObject({ code: 0 });
      expect(JSON.parse(service.received[0]!.body)).toEqual(body);
    }
    expect(await call([...argv, '--never', '--days', '3'], retention)).toMatchObject({ code: 2 });
    expect(sent()).toEqual([]);
  });

  test('--expire-after requires --mode create (QUERY-7)', async () => {
    const sql = ['sql', 'select 1', '--env', 'prod', '--into', 'a.b', '--expire-after', '3'];
    expect(await call([...sql, '--mode', 'append'], {})).toMatchObject({ code: 2 });
    expect(await call(['sql', 'select 1', '--env', 'prod', '--expire-after', '3'], {})).toMatchObject({ code: 2 });
    expect(sent()).toEqual([]);
  });

  test('a table list shows an expires column, expiring takes --within 14d', async () => {
    expect((await call(['table', 'list', 'sales.raw', '--env', 'prod'], [table])).stdout).toMatch(/^table .* expires /);
    await call(['table', 'expiring', '--env', 'prod', '--within', '14d'], [expiring]);
    expect(sent()[0]).toContain('within_days=14');
  });

  test('a table created without its retention prints the command that sets it, and exits with 1 (RETAIN-10)', async () => {
    const remedy = 'svc table retention sales.raw.orders --days 7 --env prod';
    const created = { ...table, retention_error: { detail: 'the environment is protected', remedy } };
    const outcome = await call(
      ['table', 'create', '--column', 'id:long', 'sales.raw.orders', '--env', 'prod'],
      created,
    );
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(remedy) });
  });

  test('an environment shows it without options and turns it off without a prompt', async () => {
    expect((await call(['env', 'retention', 'prod'], environment)).stdout).toContain('90');
    expect(await call(['env', 'retention', 'prod', '--off'], environment)).toMatchObject({ code: 0 });
    expect(JSON.parse(service.received[0]!.body)).toEqual({ days: null });
    expect(await call(['env', 'retention', 'prod', '--off', '--days', '3'], environment)).toMatchObject({ code: 2 });
  });
});

test('a list that could not be recorded prints the cause and exits with 6 (7)', async () => {
  const lost = () => ({
    status: 503,
    headers: { 'Retry-After': '0' },
    body: { detail: 'the read could not be recorded' },
  });
  const outcome = await call(['audit', 'list'], lost);
  expect(outcome).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('could not be recorded') });
});

test('commands only use routes below /api/v1 (1) (CLI-1)', async () => {
  for (const argv of [
    ['env', 'list'],
    ['job', 'list', '--env', 'prod'],
    ['audit', 'list'],
    ['index', 'list'],
  ]) {
    await call(argv, []);
    expect(sent().every((line) => line.includes(' /api/v1/'))).toBe(true);
  }
});
