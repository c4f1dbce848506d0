import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fencesOf, isShown, type TestedBlock, testedBlocks, withIds } from '../../testing/documents.ts';
import { startTestService, type TestService, TOKEN } from '../../testing/test-service.ts';

// Runs the examples of the guides and package READMEs in order: each document in an empty folder,
// with its own service. testing/documents contains what a guide assumes.
const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const pagesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);
const DOCUMENTS = [
  ...pagesIn('docs/guide'),
  ...pagesIn('docs/operations'),
  'README.md',
  'packages/sdk/README.md',
  'packages/sdk-python/README.md',
];
const blocksOf = (document: string) => testedBlocks(new URL(`../../../../../${document}`, import.meta.url));
const bundle = (await import(new URL('../../../../../packages/cli/build.mjs', import.meta.url).href)) as {
  default: (folder: string) => Promise<void>;
};

let service: TestService;
let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'svc-documents-'));
  await bundle.default(join(base, 'program'));
  await mkdir(join(base, 'bin'));
  const load = join(root, 'packages/cli/bin/load.cjs');
  await writeFile(join(base, 'program/svc.cjs'), `require('${load}')('${base}/program/main.cjs').main();\n`);
  await writeFile(join(base, 'bin/svc'), `#!/bin/sh\nexec '${process.execPath}' '${base}/program/svc.cjs' "$@"\n`);
  await chmod(join(base, 'bin/svc'), 0o755);
}, 60_000);
afterAll(() => rm(base, { recursive: true, force: true }));

interface Ran {
  code: number;
  output: string;
}

function run(program: string, args: string[], cwd: string, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const folders = { XDG_CONFIG_HOME: join(cwd, '.config'), XDG_CACHE_HOME: join(base, 'cache') };
  const own = { SVC_URL: service.url, SVC_TOKEN: TOKEN, ...folders };
  const PATH = `${join(base, 'bin')}${delimiter}${process.env.PATH ?? ''}`;
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: { ...process.env, ...own, PATH, ...more } }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

/** Runs TypeScript and JavaScript from a folder that finds `@svc/sdk`, as in a project that has installed it. */
async function runScript(block: TestedBlock, cwd: string): Promise<Ran> {
  const folder = await mkdtemp(join(root, 'apps/standalone/node_modules/.documents-'));
  const file = join(folder, `block.${block.language === 'js' ? 'mjs' : 'ts'}`);
  await writeFile(file, block.text);
  const flags = ['--import', join(root, 'scripts/typescript.mjs'), '--conditions=@svc/source'];
  const ran = await run(process.execPath, [...flags, file], cwd);
  await rm(folder, { recursive: true });
  return ran;
}

async function runPython(block: TestedBlock, cwd: string): Promise<Ran> {
  const file = join(cwd, 'block.py');
  await writeFile(file, block.text);
  const uv = process.env.SVC_RUN__UV ?? 'uv';
  const frames = /\b(pandas|polars)\b|\.(df|pl)\(/.test(block.text) ? '[pandas,polars]' : '';
  const source = `${join(root, 'packages/sdk-python')}${frames}`;
  const args = ['run', '--quiet', '--no-project', '--with-editable', source, 'python', file];
  return run(uv, args, cwd, { UV_PYTHON_DOWNLOADS: 'never', PYTHONDONTWRITEBYTECODE: '1' });
}

/** Runs a block or one command of a session; its exported variables remain for the next one. */
async function runShell({ text, continues }: TestedBlock, cwd: string): Promise<Ran> {
  const from = continues ? 'session' : 'start';
  return run('bash', ['--norc', '-euc', `. '${cwd}.${from}'\n${text}\nexport -p > '${cwd}.session'`], cwd);
}

async function write(block: TestedBlock, cwd: string): Promise<Ran> {
  const file = join(cwd, block.file!);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${block.text}\n`);
  return { code: 0, output: '' };
}

const RUNNERS: Record<string, (block: TestedBlock, cwd: string) => Promise<Ran>> = {
  sh: runShell,
  ts: runScript,
  js: runScript,
  python: runPython,
};

async function hasUv(): Promise<boolean> {
  const found = await new Promise<boolean>((resolve) => {
    execFile(process.env.SVC_RUN__UV ?? 'uv', ['--version'], (error) => resolve(error === null));
  });
  if (!found) console.log('uv is missing here: the Python examples are not run.');
  return found;
}

/** What a guide assumes, with the variables it exports: testing/documents/NAME.sh. */
async function prepare(document: string, cwd: string): Promise<void> {
  const file = join(root, 'apps/standalone/src/testing/documents', `${basename(document, '.md')}.sh`);
  const script = `${existsSync(file) ? `. '${file}'` : ''}\nexport -p | tee '${cwd}.start' > '${cwd}.session'`;
  const { code, output } = await run('bash', ['--norc', '-euc', script], cwd, { SVC_ENV: 'dev', ROOT: root });
  expect({ file, code, output: code === 0 ? '' : output }).toEqual({ file, code: 0, output: '' });
}

async function follow(document: string, blocks: TestedBlock[], cwd: string): Promise<void> {
  const ids = new Map<string, string>();
  for (const block of blocks) {
    const step = { ...block, text: withIds(block.text, ids) };
    const ran = block.file === null ? await RUNNERS[block.language]!(step, cwd) : await write(step, cwd);
    const missing = block.shown.filter((line) => line.trim() !== '' && !isShown(line.trimEnd(), ran.output, ids));
    const where = `${document}:${block.line}`;
    const exitsAsDocumented = block.exit === 'fails' ? ran.code !== 0 : ran.code === block.exit;
    // The complete output explains a failure.
    expect({ where, missing, ...(exitsAsDocumented && missing.length === 0 ? {} : ran) }).toEqual({
      where,
      missing: [],
    });
  }
}

test.each(DOCUMENTS.filter((document) => blocksOf(document).length > 0))(
  'the examples of %s work unchanged',
  async (document) => {
    const blocks = blocksOf(document);
    const needsUv = blocks.some(({ language, file }) => language === 'python' && file === null);
    if (needsUv && !(await hasUv())) return;
    const cwd = join(base, document.replaceAll('/', '-'));
    await mkdir(cwd);
    service = await startTestService({ SVC_SQL__LISTEN: '127.0.0.1:0' });
    try {
      await prepare(document, cwd);
      await follow(document, blocks, cwd);
    } finally {
      await service.stop();
    }
  },
  120_000,
);

test('every block that could be run is run, or says why not', () => {
  const silent: string[] = [];
  const reasons: string[] = [];
  for (const document of DOCUMENTS) {
    for (const { language, marks, lines, line } of fencesOf(new URL(`../../../../../${document}`, import.meta.url))) {
      const runs = /^(sh|ts|js|python|console|bash|sql)$/.test(language) || lines.some((text) => text.startsWith('$ '));
      if (!runs || marks.some((mark) => mark === 'tested' || mark.startsWith('file='))) continue;
      const [mark, ...why] = marks;
      if (mark === 'alone' && why.length > 0) reasons.push(`${document}:${line}: ${why.join(' ')}`);
      else silent.push(`${document}:${line}`);
    }
  }
  console.log(`Not run:\n${reasons.join('\n')}`);
  expect(silent).toEqual([]);
});
