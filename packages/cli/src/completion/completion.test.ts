import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ScriptedService, startService } from '@svc/sdk/testing';
import { svc } from '../testing/run-svc.ts';
import { SCRIPTS } from './scripts.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const named = (...names: string[]) => names.map((name) => ({ name }));
const lists: Record<string, unknown> = {
  '/api/v1/environments': named('dev', 'prod', 'bad\u001bname'),
  '/api/v1/environments?deleted=true': named('gone'),
  '/api/v1/environments/dev/namespaces': [{ path: 'sales' }, { path: 'sales.raw' }],
  '/api/v1/environments/dev/namespaces/sales/tables': named('orders', 'items'),
  '/api/v1/environments/dev/namespaces/sales/dropped-tables': named('old'),
  '/api/v1/environments/dev/jobs': named('nightly', 'report').map((job) => ({ ...job, triggers: [] })),
  '/api/v1/environments/dev/runs': [{ id: 'r-1' }],
  '/api/v1/environments/dev/deploys': ['v-3', 'v-2', 'v-2', null].map((id) => ({ project_version_id: id })),
  '/api/v1/environments/dev/deploys?repository=shop': ['v-2', 'v-1'].map((id) => ({ project_version_id: id })),
  '/api/v1/package-indexes': named('corp'),
};

let service: ScriptedService;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-completion-'));
  service = await startService(({ url }) => {
    const { pathname, search } = new URL(url, 'http://x');
    const filter = /[?&]((?:deleted|repository)=[^&]*)/.exec(search)?.[1];
    const body = lists[pathname + (filter === undefined ? '' : `?${filter}`)];
    return body === undefined ? { status: 404, body: { detail: url } } : { body };
  });
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

async function complete(args: string[], options: object = {}): Promise<string[]> {
  const { code, stdout, stderr } = await svc(['__complete', ...args], {
    url: service.url,
    configFolder: folder,
    ...options,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.split('\t')[0]!);
}

const cases: [string, string[], string[]][] = [
  ['a topic', ['tab'], ['table']],
  ['a verb', ['table', 'un'], ['undrop']],
  ['a verb of a nested topic', ['policy', 'row-filter', 'd'], ['delete']],
  ['a verb after leading options', ['--output', 'json', '--env', 'dev', 'job', 'pa'], ['pause']],
  ['the value of a leading option', ['--output', ''], ['text', 'json', 'ndjson']],
  ['an option', ['job', 'run', '--no'], ['--no-wait']],
  ['an option of every command', ['job', 'run', '--prof'], ['--profile']],
  ['a global option before any command', ['--ur'], ['--url']],
  ['an environment', ['env', 'get', ''], ['dev', 'prod']],
  ['a deleted environment', ['env', 'restore', ''], ['gone']],
  ['an environment as an option', ['job', 'list', '--env', 'd'], ['dev']],
  ['an environment as a short option', ['job', 'list', '-e', 'p'], ['prod']],
  ['an environment after an equals sign', ['job', 'list', '--env=d'], ['--env=dev']],
  ['a job', ['job', 'run', '--env', 'dev', ''], ['nightly', 'report']],
  ['a job, with the environment before the command', ['--env', 'dev', 'job', 'show', 'n'], ['nightly']],
  ['a namespace first', ['table', 'get', '--env', 'dev', 'sa'], ['sales.', 'sales.raw.']],
  ['a table in a namespace', ['table', 'get', '--env', 'dev', 'sales.'], ['sales.orders', 'sales.items', 'sales.raw.']],
  ['a dropped table', ['table', 'undrop', '--env', 'dev', 'sales.o'], ['sales.old']],
  ['a scope, part by part', ['access', 'explain', '--scope', 'dev/'], ['dev/sales', 'dev/sales.raw']],
  ['a table in a scope', ['access', 'who', '--scope', 'dev/sales/o'], ['dev/sales/orders']],
  [
    'an action',
    ['access', 'who', '--action', 'MANAGE_P'],
    ['MANAGE_PRINCIPAL', 'MANAGE_POLICY', 'MANAGE_PACKAGE_INDEX'],
  ],
  ['a run', ['runs', 'logs', '-e', 'dev', ''], ['r-1']],
  ['a project version (CLI-31)', ['project-version', 'show', '-e', 'dev', ''], ['v-3', 'v-2']],
  ['a version of the repository (CLI-31)', ['rollback', 'shop', '-e', 'dev', '--to', ''], ['v-2', 'v-1']],
  ['an index', ['index', 'remove', 'c'], ['corp']],
  ['a closed list', ['sql', 'select 1', '--mode', ''], ['create', 'append', 'replace']],
  ['a verb of a topic that is a command itself', ['sql', 'c'], ['connect']],
  ['nothing for a statement after an option', ['sql', '--env', 'dev', 'c'], []],
  ['a file', ['table', 'load', '--env', 'dev', 'sales.orders', ''], [':files']],
  ['a folder', ['deploy', ''], [':folders']],
  ['nothing for a new name', ['env', 'create', ''], []],
  ['nothing after the last argument', ['env', 'get', 'dev', ''], []],
  ['nothing of an unknown command', ['nonsense', ''], []],
];
test.each(cases)('%s is completed', async (_, args, expected) => {
  expect(await complete(args)).toEqual(expected);
});

test('names are requested once in 30 seconds, separately for each token', async () => {
  await complete(['env', 'get', '']);
  await complete(['env', 'get', 'd']);
  expect(service.received).toHaveLength(1);
  await complete(['env', 'get', ''], { env: { SVC_TOKEN: 'another' } });
  await complete(['env', 'get', ''], { now: () => new Date('2026-03-01T08:00:31Z') });
  expect(service.received).toHaveLength(3);
});

test('a service that denies access, is unreachable or never responds leaves the line unchanged', async () => {
  expect(await complete(['env', 'get', ''], { env: { SVC_URL: 'http://127.0.0.1:1' } })).toEqual([]);
  expect(await complete(['env', 'get', ''], { env: { SVC_URL: 'no address' } })).toEqual([]);
  expect(await complete(['secret', 'revoke', '--env', 'dev', ''])).toEqual([]);
  const silent = await startService(() => ({ hang: true }));
  expect(await complete(['env', 'get', ''], { env: { SVC_URL: silent.url } })).toEqual([]);
  await silent.close();
});

test('each script is printed by its command', async () => {
  for (const [shell, script] of Object.entries(SCRIPTS)) {
    expect(await svc(['completion', shell])).toEqual({ code: 0, stdout: script, stderr: '' });
  }
  expect(await svc(['completion', 'tcsh'])).toMatchObject({ code: 2 });
});

/** Returns variables with a PATH on which `svc` runs the program from its sources. */
async function program(): Promise<NodeJS.ProcessEnv> {
  const entry = join(folder, 'entry.mjs');
  await writeFile(entry, `import { main } from '${root}packages/cli/src/main.ts';\nawait main();\n`);
  const flags = `--import ${root}scripts/typescript.mjs --conditions=@svc/source`;
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const file = join(bin, 'svc');
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' ${flags} '${entry}' "$@"\n`);
  await chmod(file, 0o755);
  const { PATH = '' } = process.env;
  const own = { XDG_CONFIG_HOME: folder, SVC_URL: service.url, SVC_TOKEN: 't' };
  return { ...process.env, ...own, PATH: `${bin}${delimiter}${PATH}` };
}

async function has(shell: string): Promise<boolean> {
  const found = await run(shell, ['-c', 'exit 0']).then(
    () => true,
    () => false,
  );
  if (!found) console.log(`${shell} is not installed, so its completion is not tested.`);
  return found;
}

describe('in a real bash', () => {
  // Does what readline does on the Tab key: splits the line at its break characters, then calls the function.
  const complete = (...args: string[]) =>
    `COMP_WORDS=(svc ${args.join(' ')}); COMP_CWORD=${args.length}; _svc_complete; echo "\${COMPREPLY[*]}"`;

  test('commands, names and values after an equals sign are completed', async () => {
    const lines = [complete('table', 'un'), complete('env', 'get', "''"), complete('job', 'list', '--env', '=', 'd')];
    const script = ['eval "$(svc completion bash)"', ...lines].join('\n');
    const { stdout, stderr } = await run('bash', ['-c', script], { env: await program() });
    expect({ stdout, stderr }).toEqual({ stdout: 'undrop\ndev prod\ndev\n', stderr: '' });
  });
});

test('in a real fish, if it is installed', async () => {
  if (!(await has('fish'))) return;
  const script = "svc completion fish | source; complete -C 'svc table un'; complete -C 'svc --output json env get d'";
  const { stdout } = await run('fish', ['-N', '-c', script], { env: { ...(await program()), HOME: folder } });
  expect(stdout).toMatch(/^undrop\tRestore a dropped table.*\ndev\n$/);
});

test('in a real zsh, if it is installed', async () => {
  if (!(await has('zsh'))) return;
  await writeFile(
    join(folder, 'drive.zsh'),
    await readFile(new URL('../testing/complete.zsh', import.meta.url), 'utf8'),
  );
  const env = { ...(await program()), HOME: folder };
  const { stdout } = await run('zsh', ['-f', join(folder, 'drive.zsh'), 'svc env get d'], { env });
  expect(stdout).toContain('svc env get dev');
});
