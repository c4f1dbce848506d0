import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isShown, type TestedBlock, testedBlocks } from './testing/documents.ts';
import { startTestService, type TestService, TOKEN } from './testing/test-service.ts';

// The blocks of guides and package descriptions that are marked for it are run, in their order, against one service,
// each document in an empty folder of its own.
const DOCUMENTS = [
  'docs/guide/getting-started.md',
  'docs/guide/command-line.md',
  'docs/guide/clients.md',
  'packages/sdk/README.md',
  'packages/sdk-python/README.md',
];
const root = fileURLToPath(new URL('../../../', import.meta.url));
const bundle = (await import(new URL('../../../packages/cli/build.mjs', import.meta.url).href)) as {
  default: (folder: string) => Promise<void>;
};

let service: TestService;
let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'svc-documents-'));
  await bundle.default(join(base, 'program'));
  await mkdir(join(base, 'bin'));
  await writeFile(join(base, 'program/entry.mjs'), `import { main } from './main.js';\nawait main();\n`);
  await writeFile(join(base, 'program/package.json'), '{"type": "module"}');
  await writeFile(join(base, 'bin/svc'), `#!/bin/sh\nexec '${process.execPath}' '${base}/program/entry.mjs' "$@"\n`);
  await chmod(join(base, 'bin/svc'), 0o755);
  service = await startTestService();
}, 60_000);
afterAll(async () => {
  await service.stop();
  await rm(base, { recursive: true, force: true });
}, 60_000);

interface Ran {
  code: number;
  output: string;
}

function run(program: string, args: string[], cwd: string, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const own = { SVC_URL: service.url, SVC_TOKEN: TOKEN, XDG_CONFIG_HOME: join(cwd, '.config') };
  const PATH = `${join(base, 'bin')}${delimiter}${process.env.PATH ?? ''}`;
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: { ...process.env, ...own, PATH, ...more } }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

/** TypeScript and JavaScript stand where `@svc/sdk` is found, as they would in a project that has installed it. */
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
  const source = join(root, 'packages/sdk-python');
  const args = ['run', '--quiet', '--no-project', '--with-editable', source, 'python', file];
  return run(uv, args, cwd, { UV_PYTHON_DOWNLOADS: 'never', PYTHONDONTWRITEBYTECODE: '1' });
}

const RUNNERS: Record<string, (block: TestedBlock, cwd: string) => Promise<Ran>> = {
  sh: ({ text }, cwd) => run('bash', ['-u', '-c', text], cwd, { SVC_ENV: 'dev' }),
  ts: runScript,
  js: runScript,
  python: runPython,
};

async function hasUv(): Promise<boolean> {
  const { code } = await run(process.env.SVC_RUN__UV ?? 'uv', ['--version'], base);
  if (code !== 0) console.log('uv is missing here: the Python examples are not run.');
  return code === 0;
}

test.each(DOCUMENTS)(
  'the examples of %s work as they stand',
  async (document) => {
    const blocks = testedBlocks(new URL(`../../../${document}`, import.meta.url));
    expect(blocks.length).toBeGreaterThan(0);
    if (blocks.some(({ language }) => language === 'python') && !(await hasUv())) return;
    const cwd = join(base, document.replaceAll('/', '-'));
    await mkdir(cwd);
    for (const block of blocks) {
      const ran = await RUNNERS[block.language]!(block, cwd);
      const missing = block.shown.filter((line) => line.trim() !== '' && !isShown(line.trimEnd(), ran.output));
      const where = `${document}:${block.line}`;
      // The whole output tells what went wrong.
      expect({ where, missing, ...(ran.code === block.exit && missing.length === 0 ? {} : ran) }).toEqual({
        where,
        missing: [],
      });
    }
  },
  120_000,
);

test('every block in a shell language that is not run says why', async () => {
  for (const document of DOCUMENTS) {
    const text = await readFile(join(root, document), 'utf8');
    const unmarked = text.split('\n').filter((line) => /^```(sh|ts|js|python)$/.test(line));
    expect({ document, unmarked }).toEqual({ document, unmarked: [] });
  }
});
