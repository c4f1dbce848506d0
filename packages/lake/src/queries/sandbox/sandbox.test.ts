import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openLocalStore } from '../../storage/index.ts';
import { Sandbox } from '../index.ts';
import { QueryFixture } from '../testing/query-fixture.ts';
import type { ChildRequest } from './child-protocol.ts';
import { confine } from './confine.ts';
import { ownNetwork } from './launchers.ts';

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // More than once: what is finalized in the first is collected in the next.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}

test('many queries at once each get their own child', async () => {
  const f = await QueryFixture.create();
  await f.addTable('s.t', [{ name: 'n', type: 'int' }], 'SELECT 7 AS n');
  const answers = await Promise.all([1, 2, 3, 4, 5].map((i) => f.rows(`select n + ${i} from s.t`)));
  expect(answers.map((rows) => rows[0]![0])).toEqual([8, 9, 10, 11, 12]);
  await f.close();
});

test('a killed child is recognized, and the next query runs', async () => {
  const f = await QueryFixture.create();
  await f.sandbox.withChild(async (child) => {
    await child.ready;
    process.kill(child.pid!, 'SIGKILL');
    await expect(child.send({ op: 'read', sql: 'select 1' })).rejects.toMatchObject({ reason: 'engine-died' });
  });
  await f.sandbox.warm();
  expect(await f.rows('select 1')).toEqual([[1]]);
  await f.close();
});

test('warming up survives the end of a query that took a preforked child, and fails if an unused one exits', async () => {
  const f = await QueryFixture.create();
  const warming = f.sandbox.warm();
  const cancelled = new AbortController();
  const query = f.query('select 1', { signal: cancelled.signal });
  cancelled.abort('cancelled');
  expect(await query).toMatchObject({ error: { code: 'cancelled' } });
  await warming;

  const broken = new Sandbox({ ...f.sandbox.options, tempDir: path.join(f.warehouse, 'file', 'tmp') });
  await fs.writeFile(path.join(f.warehouse, 'file'), '');
  await expect(broken.warm()).rejects.toThrow('ENOTDIR');
  await expect(broken.withChild(async () => 'ran')).rejects.toThrow('ENOTDIR');
  await broken.close();
  await f.close();
});

test('a child that cannot write to its folder still reads', async () => {
  const f = await QueryFixture.create();
  // Names of files in the child's folder exceed the 4,096 characters of a path.
  const length = 4070 - f.dir.length;
  const deep = path.join(f.dir, ...Array.from({ length: Math.floor(length / 200) }, () => 'x'.repeat(199)));
  const tempDir = path.join(deep, 'y'.repeat(4069 - deep.length));
  const sandbox = new Sandbox({ ...f.sandbox.options, tempDir });
  await sandbox.warm();
  await sandbox.withChild(async (child) => {
    await expect(child.send({ op: 'read', sql: 'select 1' })).resolves.toMatchObject({ ok: true });
  });
  await sandbox.close();
  await f.close();
});

describe('a child of an owner', () => {
  let f: QueryFixture;
  beforeAll(async () => {
    f = await QueryFixture.create();
    await f.addTable('s.secret', [{ name: 'n', type: 'int' }], 'SELECT 42 AS n');
  });
  afterAll(() => f.close());

  const pidOf = (owner?: string) => f.sandbox.withChild(async (child) => child.ready.then(() => child.pid), owner);

  test('serves the same owner again, nobody else, and one at a time', async () => {
    const ann = await pidOf('ann');
    expect(await pidOf('ann')).toBe(ann);
    expect(await pidOf('bob')).not.toBe(ann);
    expect(await pidOf()).not.toBe(ann);
    const both = await Promise.all([pidOf('ann'), pidOf('ann')]);
    expect(new Set(both).size).toBe(2);
  });

  test('has nothing of the query before: no tables, settings, files', async () => {
    const leaks = (sql: string) => f.query(sql, { owner: 'cat' });
    expect(await leaks('select n from s.secret')).toMatchObject({ ok: true, rows: [[42]] });
    await f.sandbox.withChild(async (child) => {
      const texts = (sql: string) => child.send({ op: 'texts', sql });
      // It fails where the settings are still locked.
      await confine(child, f.sandbox.options, { files: [], outputDir: null });
      expect(await texts("SELECT count(*) FROM duckdb_views() WHERE NOT internal AND database_name = 'lake'")).toEqual([
        ['0'],
      ]);
      expect(await texts("SELECT len(current_setting('allowed_paths'))")).toEqual([['0']]);
    }, 'cat');
    expect(await leaks('select * from s.nothing')).toMatchObject({ ok: false, error: { code: 'table-not-found' } });
    expect(await leaks('select n + 1 from s.secret')).toMatchObject({ ok: true, rows: [[43]] });
  });

  test('forgets the previous watch, however often it is used', async () => {
    const signals: WeakRef<AbortSignal>[] = [];
    const serve = () =>
      f.sandbox.withChild(async (child) => {
        await child.ready;
        const { signal } = new AbortController();
        signals.push(new WeakRef(signal));
        child.watch({ memoryLimit: 1e9, timeoutMs: 600_000, signal });
        return child.pid;
      }, 'dan');
    const pid = await serve();
    for (let i = 0; i < 20; i++) expect(await serve()).toBe(pid);
    await collectGarbage();
    // That of the last one may still be watched.
    expect(signals.filter((signal) => signal.deref() !== undefined).length).toBeLessThanOrEqual(1);
  });

  test("isn't waited for while it finishes work that nobody waits for", async () => {
    let abandoned: Promise<unknown> | undefined;
    const busy = await f.sandbox.withChild(async (child) => {
      await child.ready;
      child.watch({ memoryLimit: 1e9, timeoutMs: 500 });
      await confine(child, f.sandbox.options, { files: [], outputDir: null });
      const sql = 'SELECT count(*) FROM range(100000000000) a WHERE a.range % 7 = 3';
      abandoned = child.send({ op: 'run', statements: [sql] }).catch((error: unknown) => error);
      return child.pid;
    }, 'eve');
    expect(await pidOf('eve')).not.toBe(busy);
    expect(await abandoned).toMatchObject({ reason: 'timeout' });
  });

  test('that is taken during the shutdown is killed', async () => {
    const other = await QueryFixture.create();
    const { sandbox } = other;
    let pid: number | undefined;
    await sandbox.withChild(async (child) => child.ready.then(() => (pid = child.pid)), 'fay');
    const late = sandbox.withChild(async () => 'ran', 'fay').catch((error: Error) => error.message);
    await other.close();
    expect(await late).toBe('The query engine has been shut down.');
    expect(() => process.kill(pid!, 0)).toThrow();
  });

  test('that was stopped is not used again', async () => {
    const first = await pidOf('dan');
    const cancel = new AbortController();
    const stopped = f.sandbox.withChild(async (child) => {
      child.watch({ memoryLimit: 1e9, timeoutMs: 60_000, signal: cancel.signal });
      cancel.abort();
      return child.send({ op: 'read', sql: 'select 1' });
    }, 'dan');
    await expect(stopped).rejects.toMatchObject({ reason: 'cancelled' });
    expect(await pidOf('dan')).not.toBe(first);
    const signal = AbortSignal.abort('cancelled');
    expect(await f.query('select n from s.secret', { owner: 'dan', signal })).toMatchObject({
      error: { code: 'cancelled' },
    });
  });
});

// Apart from the others: only the clock that started a timer can stop it.
describe('a child of an owner', () => {
  test('is made ready while nobody comes, of which nothing is left either', async () => {
    const requested: string[] = [];
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
    const f = await QueryFixture.create();
    const pidAndLeft = () =>
      f.sandbox.withChild(async (child) => {
        const { send } = child;
        child.send = (request) => {
          requested.push(request.op);
          return send.call(child, request) as never;
        };
        const views = "SELECT view_name FROM duckdb_views() WHERE NOT internal AND database_name = 'lake'";
        await confine(child, f.sandbox.options, { files: [], outputDir: null });
        return [child.pid, await send.call(child, { op: 'texts', sql: views }), await fs.readdir(child.dir)];
      }, 'gus');
    try {
      const [pid, views, files] = await pidAndLeft();
      mock.timers.tick(500);
      expect(await pidAndLeft()).toEqual([pid, views, files]);
      expect(requested.slice(0, 2)).toEqual(['confine', 'renew']);
      expect(views).toEqual([]);
    } finally {
      await f.close();
      mock.timers.reset();
    }
  });
});

test('an engine that could not be sandboxed answers no further requests', async () => {
  const f = await QueryFixture.create();
  const { sandbox } = f;
  await sandbox.withChild(async (child) => {
    const limits = { ...sandbox.options, threads: -1 };
    const sql = "SELECT * FROM read_text('/etc/passwd')";
    await expect(confine(child, limits, { files: [], outputDir: null })).rejects.toThrow('thread');
    await expect(child.send({ op: 'texts', sql })).rejects.toThrow("couldn't be sandboxed");
    await child.engines.openFresh();
    await confine(child, sandbox.options, { files: [], outputDir: null });
    await expect(child.send({ op: 'texts', sql })).rejects.toThrow('disabled');
  });
  await f.close();
});

test('an engine runs no statement of a table, a view, a policy or a query before it is sandboxed', async () => {
  const f = await QueryFixture.create();
  const sql = 'SELECT 1';
  await f.sandbox.withChild(async (child) => {
    const requests: ChildRequest[] = [
      { op: 'run', statements: [sql] },
      { op: 'describe', sql },
      { op: 'texts', sql },
      { op: 'copy', sql },
      { op: 'positions', vectors: [] },
      { op: 'result', sql, file: path.join(f.dir, 'r'), inline: { rows: 1, bytes: 1 }, isSmall: true },
    ];
    for (const request of requests) await expect(child.send(request)).rejects.toThrow('sandboxed yet');
    await confine(child, f.sandbox.options, { files: [], outputDir: null });
    expect(await child.send({ op: 'texts', sql })).toEqual([['1']]);
    const two = `${sql}; CREATE TEMP TABLE created AS ${sql}`;
    for (const request of [
      { op: 'run', statements: [two] },
      { op: 'texts', sql: two },
      { op: 'copy', sql: two },
      { op: 'result', sql: `${sql}) q; ${sql} FROM (${sql}`, file: '', inline: { rows: 1, bytes: 1 }, isSmall: true },
    ] satisfies ChildRequest[]) {
      await expect(child.send(request)).rejects.toThrow('2 statements instead of one');
    }
    await expect(child.send({ op: 'texts', sql: 'FROM created' })).rejects.toThrow('does not exist');
    await expect(child.send({ op: 'texts', sql: 'SELECT (' })).rejects.toThrow(/^Parser Error/);
    const settings = child.send({ op: 'run', statements: ["SET allowed_paths = ['/etc/passwd']"] });
    await expect(settings).rejects.toThrow('locked');
  });
  await f.close();
});

test('footers are read by an engine that is confined to their files', async () => {
  const f = await QueryFixture.create();
  const file = await f.addTable('s.t', [{ name: 'n', type: 'int' }], 'SELECT 7 AS n');
  const localPath = await f.store.localPath(file.location);
  // The engine takes it for a pattern that the file's name matches.
  const pattern = localPath.replace(/f\.parquet$/, '*.parquet');
  await f.sandbox.withChild(async (child) => {
    const rows = await child.send({ op: 'layouts', paths: [localPath] });
    expect(rows.map(([, name]) => name)).toEqual(['duckdb_schema', 'n']);
    await expect(child.send({ op: 'layouts', paths: [pattern] })).rejects.toThrow(/Permission|disabled/);
  });
  await f.close();
});

test('a child loads the engine and little else, for somebody may wait for its start', async () => {
  const log = new URL('../testing/load-log.mjs', import.meta.url).href;
  const logged = `import { register } from 'node:module'; register('${log}');`;
  // The last one runs first.
  const sources = new URL('../../../../../scripts/typescript.mjs', import.meta.url).href;
  const hooks = [sources, `data:text/javascript,${encodeURIComponent(logged)}`];
  const child = fork(new URL('./child.ts', import.meta.url).pathname, [], {
    execArgv: ['--conditions=@svc/source', ...hooks.map((url) => `--import=${url}`)],
    env: { ENGINE_SETTINGS: '{}' },
    cwd: os.tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let loaded = '';
  child.stderr!.on('data', (data) => {
    loaded += data;
  });
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'close');
  const files = loaded.split('\n').filter((url) => url.startsWith('file:'));
  // @swc compiles what no test before compiled.
  expect(
    files.filter((url) => url.includes('/node_modules/') && !/\/(@duckdb|@swc|lossless-json)\//.test(url)),
  ).toEqual([]);
  const own = files.filter((url) => url.endsWith('.ts')).map((url) => url.split('/src/')[1]!);
  expect(own).toContain('queries/sandbox/child.ts');
  const features = [
    ...['column-types', 'encoding', 'errors', 'nearest-name', 'own-value', 'spreadsheets', 'sql-tokens'],
  ];
  expect(own.filter((file) => file.endsWith('index.ts')).sort()).toEqual(features.map((name) => `${name}/index.ts`));
}, 60_000);

test('children die with a parent that is killed, and what they leave is swept', async () => {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'sandbox-'));
  const hooks = new URL('../../../../../scripts/typescript.mjs', import.meta.url).href;
  const parent = fork(new URL('../testing/parent.ts', import.meta.url).pathname, [dir], {
    execArgv: ['--conditions=@svc/source', `--import=${hooks}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [pid] = (await once(parent, 'message')) as [number];
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  while (await fs.stat(`/proc/${pid}/exe`).catch(() => null)) await new Promise(setImmediate);
  expect((await fs.readdir(path.join(dir, 'tmp'))).length).toBe(1);
  const store = await openLocalStore(path.join(dir, 'w'));
  const limits = { memoryLimit: 1e9, timeoutMs: 10_000, threads: 1, tempLimit: 1e8 };
  const sandbox = new Sandbox({ store, tempDir: path.join(dir, 'tmp'), prefork: 1, ...limits });
  await sandbox.warm();
  const left = await fs.readdir(path.join(dir, 'tmp'));
  expect(left.every((name) => name.startsWith(`engine-${process.pid}-`))).toBe(true);
  await sandbox.close();
  expect(await fs.readdir(path.join(dir, 'tmp'))).toEqual([]);
  await fs.rm(dir, { recursive: true });
});

const networked = ownNetwork() === null ? test.skip : test;
networked('a child has a network of its own', async () => {
  const f = await QueryFixture.create();
  await f.sandbox.withChild(async (child) => {
    await child.ready;
    const [own, its] = await Promise.all(['self', child.pid].map((pid) => fs.readlink(`/proc/${pid}/ns/net`)));
    expect(its).not.toBe(own);
  });
  await f.close();
});

test('without help of the system, a child dies with its parent although its main thread spins', async () => {
  const hooks = new URL('../../../../../scripts/typescript.mjs', import.meta.url).href;
  const parent = fork(new URL('../testing/spinning.ts', import.meta.url).pathname, ['parent'], {
    execArgv: ['--conditions=@svc/source', `--import=${hooks}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [pid] = (await once(parent, 'message')) as [number];
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  while (await fs.stat(`/proc/${pid}/exe`).catch(() => null)) await new Promise(setImmediate);
});

test('a cancel and the timeout stop a statement while it is parsed', async () => {
  const f = await QueryFixture.create();
  const sql = `SELECT ${'(1+'.repeat(900)}1${')'.repeat(900)}, ${'1+'.repeat(100_000)}1`;
  const exitOf = (watch: { timeoutMs: number; signal?: AbortSignal }, then: () => void) =>
    f.sandbox.withChild(async (child) => {
      await child.ready;
      child.watch({ memoryLimit: 1e9, ...watch });
      const parsed = child.send({ op: 'read', sql });
      then();
      return parsed.catch((error: unknown) => error);
    });
  const cancel = new AbortController();
  const { signal } = cancel;
  expect(await exitOf({ timeoutMs: 60_000, signal }, () => cancel.abort())).toMatchObject({ reason: 'cancelled' });
  expect(await exitOf({ timeoutMs: 0 }, () => undefined)).toMatchObject({ reason: 'timeout' });
  await f.close();
});
