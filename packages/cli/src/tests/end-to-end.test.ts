import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunOptions, svc } from '../testing/run-svc.ts';
import { type ServiceProcess, startServiceProcess, TOKEN } from '../testing/service-process.ts';

let service: ServiceProcess;
let folder: string;
beforeAll(async () => {
  service = await startServiceProcess();
  folder = await mkdtemp(join(tmpdir(), 'svc-cli-files-'));
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
}, 60_000);

const as = (token: string, more: RunOptions = {}): RunOptions => ({
  ...more,
  env: { SVC_URL: service.url, SVC_TOKEN: token, SVC_ENV: 'dev' },
});
const administrator = (more: RunOptions = {}) => as(TOKEN, more);

/** Runs a command that must succeed and returns its standard output. */
async function ok(argv: string[], value: RunOptions = administrator()): Promise<string> {
  const { code, stdout, stderr } = await svc(argv, value);
  expect({ argv, code, stderr: code === 0 ? '' : stderr }).toEqual({ argv, code: 0, stderr: '' });
  return stdout;
}

async function json<T>(argv: string[], value: RunOptions = administrator()): Promise<T> {
  return JSON.parse(await ok(['--output', 'json', ...argv], value)) as T;
}

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

test('tables are created, loaded, queried and described', async () => {
  await ok(['env', 'create', 'dev', '--description', 'For trying']);
  await ok(['ns', 'create', 'sales']);
  await ok(['table', 'create', 'sales.orders', '--column', 'id:long!', '--column', 'amount:decimal(10,2)']);
  const csv = await file('orders.csv', 'id,amount\n1,10.50\n2,3.25\n');
  expect(await ok(['table', 'load', 'sales.orders', csv])).toMatch(/^Loaded 2 rows into sales\.orders \(append\)/);
  const more = administrator({ stdin: '{"id":3,"amount":1}\n' });
  await ok(['table', 'load', 'sales.orders', '-', '--format', 'ndjson'], more);
  expect(await ok(['sql', 'select * from sales.orders order by id'])).toBe(
    'id  amount\n 1   10.50\n 2    3.25\n 3    1.00\n',
  );
  const cloned = ['table', 'clone', 'sales.orders'];
  expect(await ok([...cloned, 'sales.copy'])).toBe('Cloned sales.orders into sales.copy: 3 rows.\n');
  expect(await json([...cloned, 'sales.second'])).toMatchObject({
    status: 'SUCCEEDED',
    into: 'sales.second',
    row_count: 3,
  });
  expect(await ok(['sql', 'create table sales.third clone sales.copy'])).toBe('Wrote 3 rows into sales.third.\n');
  const taken = await svc([...cloned, 'sales.copy'], administrator());
  expect(taken.code).toBe(1);
  expect(taken.stderr).toContain('sales.copy already exists.');
  expect(taken.stderr).toContain('Choose another name.');
  for (const copy of ['copy', 'second', 'third']) await ok(['table', 'delete', `sales.${copy}`, '--yes']);
  expect(
    await ok(['sql', '-', '--format', 'csv'], administrator({ stdin: 'select sum(amount) s from sales.orders' })),
  ).toBe('s\r\n14.75\r\n');
  const formula = ['sql', "select '=1+1' as a", '--format', 'csv'];
  expect([await ok(formula), await ok([...formula, '--raw'])]).toEqual(["a\r\n'=1+1\r\n", 'a\r\n=1+1\r\n']);
  expect(await svc(['sql', 'select 1', '--raw'], administrator())).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--raw requires --format csv'),
  });
  expect(await ok(['sql', 'select id from sales.orders', '--into', 'sales.ids'])).toBe(
    'Wrote 3 rows into sales.ids.\n',
  );
  expect(await json(['table', 'history', 'sales.orders'])).toHaveLength(2);
  await ok(['table', 'update', 'sales.orders', '--description', 'Orders', '--column-description', 'amount=In euros']);
  expect(await ok(['table', 'get', 'sales.orders'])).toMatch(
    /description: Orders[\s\S]*amount +decimal\(10,2\) +yes +In euros/,
  );
});

test('results are returned in pages, completely and in a file', async () => {
  const first = await svc(['sql', 'select * from range(5) r(n)', '--limit', '2'], administrator());
  expect(first).toMatchObject({ code: 0, stderr: '2 rows of 5\n' });
  const next = /More results: svc (.*)\n/.exec(first.stdout)?.[1];
  expect(await ok(next!.split(' '))).toContain('2\n3\nMore results: ');
  const parquet = join(folder, 'rows.parquet');
  await ok(['sql', 'select 1 as one', '--format', 'parquet', '--file', parquet]);
  expect((await readFile(parquet)).subarray(0, 4).toString()).toBe('PAR1');
  await ok(['table', 'create', 'sales.copy', '--column', 'one:int']);
  await ok(['table', 'load', 'sales.copy', parquet]);
});

test('svc sql takes a statement from a file and values for its parameters (QUERY-12)', async () => {
  const file = join(folder, 'totals.sql');
  await writeFile(file, 'select $country as country, $n + 1 as n, $day as day');
  const values = ['-p', "country=it's=x", '-p', 'n:int=41', '--param', 'day:date=2026-03-01'];
  expect(await json(['sql', '-f', file, ...values])).toMatchObject({ rows: [["it's=x", 42, '2026-03-01']] });
  const refused = async (...argv: string[]) => {
    const { code, stderr } = await svc(['sql', ...argv], administrator());
    return [code, stderr.split('\n')[0]];
  };
  expect(await refused('select 1', '-f', file)).toEqual([
    2,
    'Error: Write the statement, or name its file with --from.',
  ]);
  expect(await refused()).toEqual([2, 'Error: Write the SQL statement, or name its file with --from.']);
  expect(await refused('-f', `${file}x`)).toEqual([2, `Error: The file ${file}x can't be read.`]);
  expect((await refused('select $a', '-p', 'a'))[1]).toContain('must have the form NAME=VALUE or NAME:TYPE=VALUE');
  expect((await refused('select $a', '-p', 'a=1', '-p', 'a=2'))[1]).toContain('The parameter a is given twice.');
  expect(await json(['sql', 'select $constructor as c', '-p', 'constructor=x'])).toMatchObject({ rows: [['x']] });
  expect(await refused('select $a')).toEqual([
    1,
    "Error: The statement has parameters, but no values for them. In a query, set params, or add -p NAME=VALUE to svc sql. Assets, checks and views can't have parameters.",
  ]);
});

test('a failed load names line, column and value, and exits with 1', async () => {
  const bad = await file('bad.csv', 'id,amount\nx,1\n');
  const { code, stderr } = await svc(['table', 'load', 'sales.orders', bad], administrator());
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: Line 2, column "id": "x"/);
});

test('a rejected upload reports its cause', async () => {
  const large = await file('large.csv', `id\n${'1\n'.repeat(4_000_000)}`);
  const { code, stderr } = await svc(['table', 'load', 'sales.nothing', large], administrator());
  expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/^Error: There is no/),
  });
});

test('existing files become an external table', async () => {
  await mkdir(service.external, { recursive: true });
  await writeFile(join(service.external, 'clicks.csv'), 'page,n\n/,3\n');
  const location = join(service.external, 'clicks.csv');
  await ok(['table', 'create-external', 'sales.clicks', '--location', location, '--format', 'csv']);
  expect(await ok(['sql', 'select n from sales.clicks'])).toBe('n\n3\n');
});

test('a project is deployed from a folder, run by its job, rolled back and undeployed', async () => {
  const project = join(folder, 'project');
  await mkdir(join(project, 'assets/marts'), { recursive: true });
  await writeFile(join(project, 'svc.yaml'), 'name: shop\njobs:\n  nightly:\n    select: ["marts.*"]\n');
  await writeFile(
    join(project, 'assets/marts/totals.sql'),
    '/* svc */ select sum(amount) as total from sales.orders\n',
  );
  await ok(['repository', 'add', 'shop']);
  expect(await ok(['deploy', project, '--repo', 'shop', '--dry-run'])).toContain('Jobs:\n  added    nightly\n');
  await ok(['deploy', project, '--repo', 'shop']);
  const run = await svc(['job', 'run', 'nightly'], administrator());
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('succeeded in') });
  expect(run.stderr).toContain('succeeded marts.totals  1 row,');
  expect(await ok(['sql', 'select total from marts.totals'])).toBe('total\n14.75\n');
  const [{ id }] = await json<[{ id: string }]>(['runs', 'list', '--job', 'nightly']);
  expect(await ok(['runs', 'logs', id])).toContain('marts.totals');
  await writeFile(join(project, 'assets/marts/totals.sql'), '/* svc */ select 1/0 as broken, no_such_column\n');
  await ok(['deploy', project, '--repo', 'shop']);
  expect(await svc(['run', '--repo', 'shop'], administrator())).toMatchObject({ code: 1 });
  await ok(['rollback', 'shop']);
  expect(await svc(['run', '--repo', 'shop', '--select', 'marts.*'], administrator())).toMatchObject({ code: 0 });
  await writeFile(join(project, 'svc.yaml'), 'name: shop\njob: {}\n');
  const refused = await svc(['deploy', project, '--repo', 'shop'], administrator());
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('svc.yaml');
  await ok(['undeploy', 'shop', '--yes']);
  await ok(['repository', 'remove', 'shop', '--yes']);
});

test('a principal can do what it is granted, and errors name what is missing (ACCESS-1, ACCESS-22, ACCESS-27, CLI-33)', async () => {
  await ok(['principal', 'create', 'bot', '--type', 'service-account']);
  const token = (await ok(['token', 'issue', 'bot', 'tests'])).trim();
  const bot = as(token);
  const denied = await svc(['ns', 'list'], bot);
  expect(denied.code).toBe(4);
  expect(denied.stderr).toMatch(/svc grant create .*--principal bot/);
  const remedy = /svc (grant create .*)\n/.exec(denied.stderr)![1]!;
  await ok(remedy.split(' '));
  expect(await ok(['ns', 'list'], bot)).toContain('sales');
  expect(await ok(['access', 'explain'], bot)).toMatch(
    /bot on the instance:\n[\s\S]*with:\n[\s\S]* {2}svc grant create --kind INSTANCE --principal bot --action READ_AUDIT_LOG\n/,
  );
  expect(await ok(['access', 'objects'], bot)).toContain('READ_NAMESPACE');
  expect((await svc(['access', 'objects', 'admin'], bot)).code).toBe(4);
  const missing = await ok(['access', 'explain', 'bot', '--scope', 'dev/sales/orders']);
  await ok(/svc (grant create .*READ_TABLE .*)\n/.exec(missing)![1]!.split(' '));
  expect(await ok(['access', 'explain', 'bot', '--scope', 'dev/sales/orders'])).toMatch(
    /bot on table dev\/sales\/orders:\n[\s\S]*READ_TABLE +yes +grant on dev\/sales\/orders/,
  );
  const ofTable = '--principal bot --role DATA_ENGINEER --env dev --ns sales --table orders';
  expect(missing).toMatch(
    new RegExp(`with:\n( {2}svc .*--action \\w+ --env dev .*\n){5}\nOr one role .*:\n {2}svc .*${ofTable}\n$`),
  );
  const [, ofInstance] = (await ok(['access', 'explain'], bot)).split('\nOnly the ADMIN role on the instance allows ');
  expect(ofInstance).toBe(
    'MANAGE_GROUP, MANAGE_TOKEN, MANAGE_GRANT:\n  svc grant create --kind INSTANCE --principal bot --role ADMIN\n',
  );
  const one = await ok(['access', 'explain', '--action', 'manage_policy'], bot);
  expect([one.match(/svc grant create/g), one.includes('ADMIN')]).toEqual([['svc grant create'], false]);
  expect((await svc(['access', 'explain', '--action', 'FLY'], bot)).code).toBe(2);
  await ok(['group', 'create', 'readers']);
  await ok(['group', 'add-member', 'readers', 'bot']);
  await ok([
    'grant',
    'create',
    '--kind',
    'environment',
    '--group',
    'readers',
    '--role',
    'data_engineer',
    '--env',
    'dev',
  ]);
  expect(await ok(['access', 'explain', 'bot', '--scope', 'dev/sales/orders'])).toMatch(
    /READ_TABLE +yes +grant on .*\n +group readers/,
  );
  await ok(['principal', 'deactivate', 'bot', '--yes']);
  expect(await svc(['ns', 'list'], bot)).toMatchObject({ code: 4 });
  expect((await svc(['principal', 'activate', 'bot'], administrator())).stderr).toContain('svc token list bot');
  expect(await svc(['ns', 'list'], bot)).toMatchObject({ code: 0 });
  expect(await ok(['audit', 'list', '--event-type', 'AUTHORIZATION_DENIED'])).toContain('bot');
});

test('policies apply to their principals, and the audit log is complete', async () => {
  await ok(['principal', 'create', 'reader', '--type', 'service-account']);
  await ok([
    'grant',
    'create',
    '--kind',
    'environment',
    '--principal',
    'reader',
    '--role',
    'DATA_ENGINEER',
    '--env',
    'dev',
  ]);
  const reader = as((await ok(['token', 'issue', 'reader', 'tests'])).trim());
  const on = ['sales.orders', '--principal', 'reader'];
  await ok(['policy', 'row-filter', 'create', ...on, '--predicate', 'id > 1']);
  await ok(['policy', 'column-mask', 'create', ...on, '--column', 'amount', '--expression', 'null']);
  expect(await ok(['sql', 'select id, amount from sales.orders order by id'], reader)).toBe(
    'id  amount\n 2    NULL\n 3    NULL\n',
  );
  const [{ id }] = await json<[{ id: string }]>(['policy', 'row-filter', 'list', 'sales.orders']);
  await ok(['policy', 'row-filter', 'delete', id, '--yes']);
  expect(await ok(['policy', 'column-mask', 'list', 'sales.orders'])).toContain('amount');
  expect(await ok(['access', 'who', '--action', 'READ_TABLE', '--scope', 'dev/sales/orders'])).toMatch(
    /^reader +service-account/m,
  );
  expect(await ok(['access', 'objects', 'reader'])).toMatch(/^dev +READ_ENVIRONMENT/m);
  expect(await ok(['table', 'health', 'sales.orders'])).toMatch(/reader, last 30 days[\s\S]*\nreader /);
  const [grant] = await json<[{ id: string }]>(['grant', 'list', '--principal', 'reader']);
  expect(await ok(['grant', 'revoke', grant.id, '--dry-run'])).toContain('- reader: READ_ENVIRONMENT');
  await ok(['grant', 'revoke', grant.id]);
  const idle = ['grant', 'create', '--kind', 'instance', '--principal', 'reader', '--action', 'manage_grant'];
  const granted = await json<{ id: string }>(idle);
  expect(await ok(['grant', 'revoke', granted.id, '--dry-run'])).toContain('single action it has no effect');
  // There is no head until the worker has sealed events.
  let verified = await ok(['audit', 'verify']);
  while (!verified.includes('to event')) verified = await ok(['audit', 'verify']);
  expect(verified).toMatch(/^intact: +yes[\s\S]*\nsigned: +to event \d+ with key [0-9a-f]{16}, since event 1 \(/);
  const saved = await file('audit.jsonl', await ok(['audit', 'export', '--heads']));
  const whole = await file('verified.json', await ok(['--output', 'json', 'audit', 'verify']));
  const inTheLog = /\nsaved head: +event \d+ is in the log; its signature is valid\n/;
  for (const path of [saved, whole]) expect(await ok(['audit', 'verify', '--head', path])).toMatch(inTheLog);
  const { head } = JSON.parse(await ok(['--output', 'json', 'audit', 'verify']));
  const noted = await file('noted.json', JSON.stringify({ ...head, sequence: head.sequence + 1_000_000 }));
  const missing = await svc(['audit', 'verify', '--head', noted], administrator());
  expect([missing.code, missing.stdout, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/is not in the log; compared by hash: it has no signature/),
    expect.stringMatching(/events were removed, or an earlier backup was restored/),
  ]);
  const none = await svc(['audit', 'verify', '--head', await file('none.jsonl', '{"id":"a"}\n')], administrator());
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('svc audit export --heads > FILE')]);
  expect((await svc(['audit', 'verify', '--head', join(folder, 'nowhere')], administrator())).code).toBe(2);
  const first = (await ok(['audit', 'export'])).split('\n')[0];
  expect(JSON.parse(first!)).toHaveProperty('type');
});

test('a protected environment can be changed with break-glass and a reason', async () => {
  await ok(['env', 'update', 'dev', '--protected']);
  const refused = await svc(['ns', 'create', 'tmp'], administrator());
  expect(refused.code).toBe(5);
  // Advice at the end of the sentence isn't repeated below it.
  expect(refused.stderr.match(/--break-glass/g)).toHaveLength(1);
  await ok(['ns', 'create', 'tmp', '--break-glass', '--reason', 'Größe prüfen']);
  await ok(['ns', 'delete', 'tmp', '--yes', '--break-glass', '--reason', 'done']);
});

test('dropped tables are restored, and expiring tables are found and kept', async () => {
  const here: RunOptions = { env: { SVC_URL: service.url, SVC_TOKEN: TOKEN, SVC_ENV: 'undo' } };
  await ok(['env', 'create', 'undo'], here);
  await ok(['ns', 'create', 'shop'], here);
  await ok(['table', 'create', 'shop.orders', '--column', 'id:long'], here);
  expect((await svc(['table', 'delete', 'shop.orders'], here)).code).toBe(2);
  const dropped = await ok(['table', 'delete', 'shop.orders', '--yes'], here);
  expect(dropped).toMatch(/^Dropped the table shop\.orders\. It can be restored until .*: svc (.*)\n$/);
  expect(await ok(['table', 'list', 'shop', '--dropped'], here)).toContain('shop.orders');
  expect((await svc(['table', 'get', 'shop.orders'], here)).code).toBe(3);
  const command = /: svc (.*)\n$/.exec(dropped)![1]!.split(' ');
  expect(await ok(command, here)).toBe('Restored shop.orders.\n');
  expect((await svc(['table', 'undrop', 'shop.orders'], here)).stderr).toMatch(/There is no dropped table/);

  const createTable = ['sql', 'select 1 as id', '--into', 'shop.sample', '--mode', 'create', '--expire-after', '3'];
  await ok(createTable, here);
  const soon = await svc(['table', 'expiring'], here);
  expect(soon.stdout).toMatch(/shop\.sample .* after 3 days without use/);
  const retentionArgs = /To keep one: svc (.*)\n/.exec(soon.stderr)![1]!.split(' ');
  expect(await ok(retentionArgs, here)).toMatch(/expires: +never/);
  expect((await svc(['table', 'expiring'], here)).stderr).toBe('No table expires within the warning window.\n');
  expect((await svc(['table', 'retention', 'shop.sample', '--days', '3', '--never'], here)).code).toBe(2);
  expect(await ok(['table', 'retention', 'shop.sample', '--on', '2999-01-01'], here)).toMatch(/2999-01-01 00:00:00Z/);
  expect(await ok(['env', 'retention', 'undo', '--days', '30', '--dry-run'], here)).toContain('shop.orders');
  expect((await svc(['env', 'retention', 'undo', '--days', '30'], here)).code).toBe(2);
  expect(await ok(['env', 'retention', 'undo', '--days', '30', '--yes'], here)).toMatch(/30 days without use/);
  expect(await ok(['env', 'retention', 'undo', '--off'], here)).toMatch(/none/);

  await ok(['table', 'hold', 'shop.orders', '--reason', 'case 12'], here);
  const rejected = await svc(['table', 'delete', 'shop.orders', '--purge', '--yes'], here);
  expect([rejected.code, rejected.stderr]).toEqual([5, expect.stringContaining('svc table release shop.orders')]);
  await ok(['table', 'release', 'shop.orders'], here);

  expect(await ok(['env', 'delete', 'undo', '--yes'], here)).toContain('svc env restore undo');
  expect(await ok(['env', 'list', '--deleted'], here)).toContain('undo');
  const gone = await svc(['table', 'list', 'shop'], here);
  expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining('svc env restore undo')]);
  expect(await ok(['env', 'restore', 'undo'], here)).toMatch(/^Restored the environment undo\./);
  expect(await ok(['table', 'list', 'shop'], here)).toContain('shop.orders');
  expect((await svc(['env', 'orphaned-locations', 'undo'], here)).stderr).toMatch(/^No folder/);
});

test('the doctor finds no problem', async () => {
  const report = await ok(['doctor'], administrator({ now: () => new Date() }));
  const checks = ['service', 'ready', 'storage', 'versions', 'clock', 'sign-in', 'environment', 'rights', 'workers'];
  expect(
    report
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('        - '))
      .map((line) => line.split(':')[0]),
  ).toEqual(checks.map((check) => `ok      ${check}`));
  expect(report).toMatch(
    /ok {6}workers: .*memory 4\.0 GB \(\w+\), processes 1000 \(\w+\), open files 4096 \(rlimit\), disk 20\.0 GB/,
  );
});

test('an analyst with a grant on one table sees its environment, and the doctor finds no problem', async () => {
  await ok(['principal', 'create', 'analyst', '--type', 'service-account']);
  await ok(['env', 'create', 'apart']);
  const grant = ['grant', 'create', '--kind', 'table', '--principal', 'analyst', '--action', 'READ_TABLE'];
  await ok([...grant, '--env', 'dev', '--ns', 'sales', '--table', 'orders']);
  const { token } = await json<{ token: string }>(['token', 'issue', 'analyst', 'laptop']);
  const analyst = as(token, { now: () => new Date() });
  expect((await json<{ name: string }[]>(['env', 'list'], analyst)).map(({ name }) => name)).toEqual(['dev']);
  expect(await ok(['doctor'], analyst)).toMatch(
    /ok {6}environment: dev .*\nok {6}rights: on dev.*\nok {6}workers: visible with MANAGE_ENVIRONMENT/,
  );
  expect((await svc(['doctor', '--env', 'apart'], analyst)).code).toBe(1);
});

test('Ctrl-C cancels the query on the server, even while it is being submitted', async () => {
  const endless = 'SELECT count(*) AS n FROM range(10000000000) a(i) WHERE hash(i) % 3 = 1';
  const { code, stderr } = await svc(['sql', endless], administrator({ interrupts: true }));
  expect({ code, stderr }).toEqual({ code: 130, stderr: 'Interrupted: the query is cancelled.\n' });
  const statuses = async () => {
    const queries = await json<{ sql_text: string; status: string }[]>(['query', 'list', '--all']);
    return queries.filter(({ sql_text }) => sql_text === endless).map(({ status }) => status);
  };
  // The cancellation is accepted immediately and takes effect when the worker notices it.
  while ((await statuses()).includes('RUNNING'));
  expect(await statuses()).toEqual(['CANCELLED']);
});
