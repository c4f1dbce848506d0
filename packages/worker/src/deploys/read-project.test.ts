import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diagnosticText } from '@svc/core/deploys';
import { Sandbox } from '@svc/lake/queries';
import { openTestSandbox } from '../testing/index.ts';
import { type ReadOptions, readProject as read } from './read-project.ts';

const support = fileURLToPath(new URL('../../../sdk-python/src', import.meta.url));
const command = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
const python = { command, support };

let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-reader-'));
  sandbox = await openTestSandbox(folder);
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const readProject = (of: string, options: Omit<ReadOptions, 'sandbox' | 'owner' | 'maxStatementBytes'>) =>
  read(of, { ...options, sandbox, owner: 'tests', maxStatementBytes: 10_000 });
const problemsOf = async () => (await readProject(dir, { python })).problems.map(diagnosticText);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-read-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function files(contents: Record<string, string>): void {
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

const PYTHON_ASSET = 'import svc\n@svc.asset(table="marts.top", depends_on=["core.t"])\ndef top(ctx):\n    return []\n';

test('a project in SQL alone needs no lock and no Python (DEPLOY-8)', async () => {
  files({
    'svc.yaml': 'jobs:\n  all:\n    select: ["core.*"]\n',
    'assets/raw/x.sql': 'select 1 as n',
    'assets/core/t.sql': '/* svc\nkind: view\n*/\nselect * from raw.x',
    'tool.py': 'print("no asset")\n',
  });
  const project = await readProject(dir, { python: null });
  expect(project.problems).toEqual([]);
  expect(project.graph?.order).toEqual(['raw.x', 'core.t']);
  expect(project).toMatchObject({ usesPython: false, lock: { lockText: null } });
});

test('an engine that stops while it reads a statement is not an error of the project', async () => {
  class StoppingSandbox extends Sandbox {
    override async take(owner?: string) {
      const child = await super.take(owner);
      await child.ready;
      process.kill(child.pid!, 'SIGKILL');
      return child;
    }
  }
  files({ 'svc.yaml': '', 'assets/raw/x.sql': 'select 1 as n' });
  const stopping = new StoppingSandbox(sandbox.options);
  const reading = read(dir, { python: null, sandbox: stopping, owner: 'tests', maxStatementBytes: 10_000 });
  await expect(reading).rejects.toMatchObject({
    code: 'engine-died',
    detail: expect.stringMatching(/^assets\/raw\/x\.sql.* asset raw\.x: The query engine stopped unexpectedly[^\n]*$/),
  });
  await stopping.close();
});

test('Python assets are read without being run, and join the graph', async () => {
  files({
    'svc.yaml': '',
    'assets/core/t.sql': 'select 1 as n',
    'assets/top.py': `${PYTHON_ASSET}raise SystemExit("never run")\n`,
    'pyproject.toml': '[project]\nname = "p"\nversion = "0"\n',
    'uv.lock': 'version = 1\n',
    'wheelhouse/p-1-py3-none-any.whl': '',
  });
  const project = await readProject(dir, { python });
  expect(project.problems.map(diagnosticText)).toEqual([]);
  expect(project.graph?.order).toEqual(['core.t', 'marts.top']);
  expect(project.usesPython).toBe(true);
  expect(project.lock.wheelhouse).toEqual(['p-1-py3-none-any.whl']);
});

test('the configuration of uv is read up to the top of the repository (LOCK-6)', async () => {
  files({
    'uv.toml': 'offline = true\n',
    'a/pyproject.toml': '[tool.uv]\n',
    'a/b/svc.yaml': '',
    'a/b/pyproject.toml': '[project]\nname = "p"\n',
    'a/c/svc.yaml': '',
  });
  const outerOf = async (folder: string, top?: string) =>
    (await readProject(join(dir, folder), { python: null, top })).lock.outer;
  const near = { folder: '..', pyprojectText: '[tool.uv]\n', uvTomlText: null };
  expect(await outerOf('a/b', dir)).toEqual([
    near,
    { folder: '../..', pyprojectText: null, uvTomlText: 'offline = true\n' },
  ]);
  expect(await outerOf('a/b', join(dir, 'a'))).toEqual([near]);
  expect(await outerOf('a/b')).toEqual([]);
  // Without pyproject.toml it isn't a project of uv.
  expect(await outerOf('a/c', dir)).toEqual([]);
});

test('an asset depends on what its SELECT reads, as the engine understands it', async () => {
  files({
    'svc.yaml': '',
    'assets/a/b.sql': "with d as (select 1 as n) select d.n, 'from a.x' as t from d, c.d -- from a.y",
    'assets/c/d.sql': 'select 2 as n',
    'assets/c/sum.sql':
      '/* svc mode: append\nwatermark: n */ from a.b where n > ${watermark} and n not in (from c.sum)',
  });
  const { graph, problems } = await readProject(dir, { python: null });
  expect(problems).toEqual([]);
  expect(graph?.order).toEqual(['c.d', 'a.b', 'c.sum']);
  expect([...graph!.assets.values()].map(({ dependsOn }) => dependsOn)).toEqual([['c.d'], [], ['a.b']]);
});

test('what the checks of an asset read is known, without being a dependency (RUN-21)', async () => {
  files({
    'svc.yaml': '',
    'assets/a/b.sql':
      '/* svc\nchecks:\n  - { name: none, sql: from a.b where n in (from c.d) }\n  - { relationships: { column: n, to: c.e, field: n } }\n*/ select 1 as n',
    'assets/a/c.sql': 'select 1 as n',
  });
  const { graph, problems } = await readProject(dir, { python: null });
  expect(problems).toEqual([]);
  const assets = [...graph!.assets.values()].map(({ dependsOn, checkReads }) => [dependsOn, checkReads]);
  expect(assets).toEqual([
    [[], ['a.b', 'c.d', 'c.e']],
    [[], undefined],
  ]);
});

test('SQL that does not parse is shown with file, line, column and caret', async () => {
  files({
    'svc.yaml': '',
    'assets/a/b.sql':
      '/* svc\nmode: append\nwatermark: ts\n*/\n\nSELECT ts\nFROM raw.x WHERE ts > ${watermark} AN ts < 1\n\n',
    'assets/a/c.sql': 'SELECT 1 +\n',
    'assets/a/d.sql': "SELECT 'é', read_text('/etc/passwd') AS t",
    'assets/a/e.sql': `/* svc
checks:
  - name: no gap
    sql: SELECT * FRM a.e
  - name: folded
    sql: "SELECT *\\n  FROM\\u0020a.e x a"
*/
SELECT 1 AS n`,
    'assets/p.py':
      'import svc\n@svc.asset(table="p.q", checks=[{"name": "n", "sql": "select ((1)"}])\ndef q(ctx):\n    return []\n',
    'pyproject.toml': '[project]\nname = "p"\nversion = "0"\n',
    'uv.lock': 'version = 1\n',
  });
  const syntax = "The query can't be parsed: syntax error at";
  expect((await problemsOf()).join('\n')).toBe(`\
assets/a/b.sql:7:36: asset a.b: ${syntax} or near "AN".
  FROM raw.x WHERE ts > \${watermark} AN ts < 1
                                     ^
assets/a/c.sql:1:11: asset a.c: ${syntax} end of input.
  SELECT 1 +
            ^
assets/a/d.sql:1:13: asset a.d: The function "read_text" isn't available in queries.
  SELECT 'é', read_text('/etc/passwd') AS t
              ^
assets/a/e.sql:1: asset a.e, check "folded": ${syntax} or near "a".
    FROM a.e x a
               ^
assets/a/e.sql:4:23: asset a.e, check "no gap": ${syntax} or near "a".
      sql: SELECT * FRM a.e
                        ^
assets/p.py:2:66: asset p.q, check "n": ${syntax} end of input.
  asset(table="p.q", checks=[{"name": "n", "sql": "select ((1)"}])
                                                              ^`);
});

test('all problems come at once, with file and line', async () => {
  files({
    'svc.yaml': 'jobs:\n  j:\n    select: ["nothing.*"]\n    shedule: {}\n',
    'assets/a/b.sql': 'drop table x',
    'assets/a/c.sql': Buffer.from([0xff, 0xfe]).toString('latin1'),
    'assets/p.py': `import svc\n@svc.asset(table=NAME)\ndef f(ctx): ...\n${PYTHON_ASSET}`,
  });
  writeFileSync(join(dir, 'assets/a/c.sql'), Buffer.from([0xff, 0xfe]));
  const project = await readProject(dir, { python });
  expect(project.graph).toBeNull();
  expect(project.problems.map((problem) => `${problem.file}:${problem.line}`)).toEqual([
    'assets/a/b.sql:1',
    'assets/a/c.sql:null',
    'assets/p.py:2',
    'pyproject.toml:null',
    'svc.yaml:4',
    'uv.lock:null',
  ]);
});

test('a file whose ending is in upper case is reported, not ignored', async () => {
  files({
    'svc.yaml': '',
    'assets/core/t.SQL': 'select 1 as n',
    'assets/top.Py': '',
    'assets/notes.MD': '',
    'assets/core/u.sql': 'select 1 as n',
    'seeds/raw/c.CSV': 'id\n1\n',
    'tools/other.SQL': '',
  });
  expect(await problemsOf()).toEqual([
    expect.stringMatching(
      /^assets\/core\/t\.SQL: the ending \.SQL must be in lower case.*rename it to assets\/core\/t\.sql/s,
    ),
    expect.stringContaining('rename it to assets/top.py'),
    expect.stringContaining('rename it to seeds/raw/c.csv'),
  ]);
});

test('reports a missing manifest, a cycle, an empty selection and a missing Python', async () => {
  files({ 'assets/a/b.sql': 'select * from a.c', 'assets/a/c.sql': 'select * from a.b', 'x.py': PYTHON_ASSET });
  const first = (await readProject(dir, { python: null })).problems.map(diagnosticText);
  expect(first).toEqual([
    expect.stringContaining('assets/a/b.sql:1: assets depend on each other in a circle'),
    expect.stringContaining('svc.yaml: the project has no manifest'),
    expect.stringContaining('x.py: the worker has no Python'),
  ]);
  files({ 'svc.yaml': 'jobs:\n  j:\n    select: ["nothing.*"]\n', 'assets/a/c.sql': 'select 1', 'x.py': '' });
  const second = (await readProject(dir, { python: null })).problems.map(diagnosticText);
  expect(second).toEqual([
    expect.stringContaining('svc.yaml:2: the job j: the selection "nothing.*" matches no asset'),
  ]);
});

test('a statement that is too long is refused before it is parsed', async () => {
  const list = Array.from({ length: 3000 }, (_, i) => i).join(', ');
  files({
    'svc.yaml': 'jobs: {}\n',
    'assets/raw/x.sql': `SELECT 1 AS n WHERE 1 IN (${list})`,
    'assets/raw/y.sql': `/* svc\nchecks:\n  - name: big\n    sql: SELECT 1 WHERE 1 IN (${list})\n*/\nSELECT 1 AS n`,
  });
  const bytes = (text: string) => Buffer.byteLength(text.replace('…', list));
  const limit = 'and a statement may have 10000 (SVC_QUERY__MAX_STATEMENT_BYTES)';
  expect(await problemsOf()).toEqual([
    expect.stringContaining(`asset raw.x: the SQL has ${bytes('SELECT 1 AS n WHERE 1 IN (…)')} bytes, ${limit}`),
    expect.stringContaining(`asset raw.y: check "big" has ${bytes('SELECT 1 WHERE 1 IN (…)')} bytes, ${limit}`),
  ]);
});
