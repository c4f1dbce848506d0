import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemText } from '@svc/core/deploys';
import { readProject } from './read-project.ts';

const support = fileURLToPath(new URL('../../../sdk-python/src', import.meta.url));
const command = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
const python = { command, support };

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

test('a project in SQL alone needs no lock and no Python', async () => {
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
  expect(project.problems.map(problemText)).toEqual([]);
  expect(project.graph?.order).toEqual(['core.t', 'marts.top']);
  expect(project.usesPython).toBe(true);
  expect(project.lock.wheelhouse).toEqual(['p-1-py3-none-any.whl']);
});

test('the engine may say which tables a SELECT reads', async () => {
  files({ 'svc.yaml': '', 'assets/a/b.sql': 'select 1', 'assets/c/d.sql': 'select 2' });
  const project = await readProject(dir, {
    python: null,
    tablesOf: async (sql) => (sql.includes('1') ? ['c.d'] : null),
  });
  expect(project.graph?.order).toEqual(['c.d', 'a.b']);
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

test('a missing manifest, a circle, a selection of nothing and a missing Python are said', async () => {
  files({ 'assets/a/b.sql': 'select * from a.c', 'assets/a/c.sql': 'select * from a.b', 'x.py': PYTHON_ASSET });
  const first = (await readProject(dir, { python: null })).problems.map(problemText);
  expect(first).toEqual([
    expect.stringContaining('assets/a/b.sql:1: assets depend on each other in a circle'),
    expect.stringContaining('svc.yaml: the project has no manifest'),
    expect.stringContaining('x.py: the worker has no Python'),
  ]);
  files({ 'svc.yaml': 'jobs:\n  j:\n    select: ["nothing.*"]\n', 'assets/a/c.sql': 'select 1', 'x.py': '' });
  const second = (await readProject(dir, { python: null })).problems.map(problemText);
  expect(second).toEqual([
    expect.stringContaining('svc.yaml:2: the job j: the selection "nothing.*" matches no asset'),
  ]);
});
