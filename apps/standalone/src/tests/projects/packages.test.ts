import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { testedBlocks } from '../../testing/documents.ts';

// Packs the published packages, checks them, and installs them into an empty project.
const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const PACKED = ['core', 'iceberg', 'sdk', 'cli'];

interface Bootstrap {
  pnpm(...args: string[]): [string, string[]];
}

let folder: string;
const tarball: Record<string, string> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-packed-'));
  const { pnpm } = (await import(
    new URL('../../../../../scripts/bootstrap/run.mjs', import.meta.url).href
  )) as Bootstrap;
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const projects = ['packages/iceberg/tsconfig.build.json', 'packages/sdk/tsconfig.build.json'];
  await run(process.execPath, [compiler, '-b', ...projects], { cwd: root });
  await run(process.execPath, ['packages/cli/build.mjs'], { cwd: root });
  await Promise.all(
    PACKED.map(async (name) => {
      const [program, args] = pnpm('--dir', `packages/${name}`, 'pack', '--json', '--pack-destination', folder);
      const { stdout } = await run(program, args, { cwd: root });
      tarball[name] = (JSON.parse(stdout.slice(stdout.indexOf('{'))) as { filename: string }).filename;
    }),
  );
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The bytes as `publint` and `attw` read them. */
async function bytesOf(name: string): Promise<ArrayBuffer> {
  const bytes = await readFile(tarball[name] ?? '');
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

test.each(PACKED)('%s is packed without fault', async (name) => {
  const { messages } = await publint({ pack: { tarball: await bytesOf(name) }, level: 'suggestion', strict: true });
  expect(messages).toEqual([]);
});

test.each(['core', 'iceberg', 'sdk'])(
  'the types of %s are found by every resolution that takes ES modules',
  async (name) => {
    const packed = createPackageFromTarballData(new Uint8Array(await bytesOf(name)));
    const result = await checkPackage(packed);
    const problems = 'problems' in result ? result.problems : [];
    // The packages offer only import: require, and the resolution before exports, don't find them and needn't.
    const others = problems.filter((problem) => {
      const kind = 'resolutionKind' in problem ? problem.resolutionKind : null;
      return kind !== 'node10' && kind !== 'node16-cjs';
    });
    expect(others).toEqual([]);
  },
);

test('a package contains what is run and no sources', async () => {
  for (const name of PACKED) {
    const { stdout } = await run('tar', ['-tzf', tarball[name] ?? '']);
    const files = stdout.trim().split('\n');
    expect(files).toEqual(expect.arrayContaining(['package/package.json', 'package/README.md', 'package/LICENSE']));
    expect(files.filter((file) => /\.test\.|tsbuildinfo|\/src\/|\/testing\//.test(file))).toEqual([]);
    const { stdout: text } = await run('tar', ['-xzOf', tarball[name] ?? '', 'package/package.json']);
    const manifest = JSON.parse(text) as Record<string, unknown>;
    expect(text).not.toContain('@svc/source');
    expect(text).not.toMatch(/workspace:|catalog:/);
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      publishConfig: { access: 'public', provenance: true },
      engines: { node: expect.any(String) },
    });
  }
});

test('only the address of a public repository and, before a release, the saved schema prevent publishing', async () => {
  const loader = ['--import', './scripts/typescript.mjs'];
  const check = run(process.execPath, [...loader, 'scripts/release.mjs', '--check'], { cwd: root });
  const { stderr } = await check.catch((error: { stderr: string }) => error);
  const lines = stderr.trim().split('\n');
  expect(lines.filter((line) => line !== '' && !/has no "repository"|prisma\/released/.test(line))).toEqual([]);
});

test('the command line is at most 3 MB', async () => {
  const { stdout } = await run('tar', ['-tzvf', tarball.cli ?? '']);
  const sizes = stdout
    .trim()
    .split('\n')
    .map((line) => Number(line.split(/\s+/)[2]));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000);
});

describe('in an empty project', () => {
  let project: string;
  beforeAll(async () => {
    project = join(folder, 'project');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{"name": "empty", "private": true, "type": "module"}');
    const files = PACKED.map((name) => tarball[name] ?? '');
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', ...files], {
      cwd: project,
    });
  }, 120_000);

  const ran = async (file: string, text: string) => {
    await writeFile(join(project, file), text);
    return (await run(process.execPath, [join(project, file)], { cwd: project })).stdout;
  };

  test('svc is on PATH and works', async () => {
    const bin = join(project, 'node_modules/.bin/svc');
    expect((await stat(bin)).mode & 0o111).not.toBe(0);
    const { stdout } = await run(bin, ['--version'], { cwd: project });
    const { version } = JSON.parse(await readFile(join(root, 'packages/cli/package.json'), 'utf8')) as {
      version: string;
    };
    expect(stdout).toContain(`svc ${version} `);
    const help = await run(bin, ['job', 'run', '--help'], { cwd: project });
    expect(help.stdout).toContain('svc job run nightly --env dev');
    expect((await run(bin, ['cron', 'next', '@daily', '--count', '1'], { cwd: project })).stdout).toMatch(/Z/);
    expect((await run(bin, ['__complete', 'table', 'un'], { cwd: project })).stdout).toMatch(/^undrop\t/);
  });

  test('svc init writes all files of a project, also those that npm does not pack (CLI-34)', async () => {
    const bin = join(project, 'node_modules/.bin/svc');
    const { stdout } = await run(bin, ['init', 'shop', '--python', '--json'], { cwd: project });
    const { files } = JSON.parse(stdout) as { files: string[] };
    expect(files).toEqual(expect.arrayContaining(['.gitignore', 'assets/marts/best_day.py', 'uv.lock']));
    for (const file of files) expect((await stat(join(project, 'shop', file))).size).toBeGreaterThan(0);
  });

  test('svc starts with the code that was compiled before, out of a folder that is its own alone', async () => {
    const cache = join(project, 'cache/svc');
    const bin = join(project, 'node_modules/.bin/svc');
    const env = { ...process.env, XDG_CACHE_HOME: join(project, 'cache') };
    const next = () => run(bin, ['cron', 'next', '@daily', '--count', '1'], { cwd: project, env });
    const cachedFile = async () => {
      const [name = '', ...more] = await readdir(cache);
      expect(more).toEqual([]);
      return join(cache, name);
    };
    await next();
    const file = await cachedFile();
    expect([(await stat(file)).mode & 0o777, (await stat(cache)).mode & 0o777]).toEqual([0o600, 0o700]);
    const { ino, size } = await stat(file);
    expect((await next()).stdout).toMatch(/Z/);
    expect((await stat(file)).ino).toBe(ino);
    await writeFile(file, 'no code');
    expect((await next()).stdout).toMatch(/Z/);
    expect((await stat(await cachedFile())).size).toBeGreaterThan(size / 2);
    await writeFile(file, 'no code');
    await chmod(cache, 0o777);
    expect((await next()).stdout).toMatch(/Z/);
    expect(await readFile(await cachedFile(), 'utf8')).toBe('no code');
  });

  test('svc caches compiled code per command group, and no file name contains other arguments', async () => {
    const cache = join(project, 'by-word');
    const bin = join(project, 'node_modules/.bin/svc');
    const env = { ...process.env, XDG_CACHE_HOME: cache };
    const svc = (...args: string[]) => run(bin, args, { cwd: project, env }).catch(() => undefined);
    await svc('cron', 'next', '@daily');
    await svc('--token', 'hidden', 'cron', 'next', '@daily');
    await svc('--token', 'hidden', 'doctor', '--url', 'http://127.0.0.1:1');
    await svc('hidden');
    const commands = (await readdir(join(cache, 'svc'))).map(
      (name) => /^[0-9a-f]{32}-v.*-(\w+)\.code$/.exec(name)?.[1],
    );
    expect(commands.sort()).toEqual(['cron', 'doctor']);
  });

  test('the client is imported by plain JavaScript', async () => {
    const text = `
      import { NotFound, SvcClient } from '@svc/sdk';
      import { mockTransport } from '@svc/sdk/mock';
      import { parseCron } from '@svc/sdk/cron';
      const { transport } = mockTransport({ 'environments.list': () => [{ name: 'dev' }] });
      const client = new SvcClient({ url: 'http://svc.test', token: 't', transport });
      console.log((await client.environments.list())[0].name, typeof NotFound, parseCron('@daily').ok);
    `;
    expect(await ran('plain.js', text)).toBe('dev function true\n');
  });

  test('the client is imported by CommonJS with import()', async () => {
    const text = `import('@svc/sdk').then(({ SvcClient }) => console.log(String(new SvcClient({ token: 'x' }))));`;
    expect(await ran('common.cjs', text)).toContain('SvcClient(http://127.0.0.1:8470');
  });

  test('the client is typed by the contract, and so are the examples of its guides', async () => {
    const good = `
      import { SvcClient, type Table } from '@svc/sdk';
      const client = new SvcClient();
      const tables: Table[] = await client.tables.list('dev', 'sales');
      const rows: number | null | undefined = tables[0]?.row_count;
      await client.request('tables.list', { params: { env: 'dev', path: 'sales' }, query: { limit: rows ?? 1 } });
      // @ts-expect-error A table has no such field.
      tables[0]?.colour;
      // @ts-expect-error There is no such route.
      await client.request('tables.paint', {});
      // @ts-expect-error Two rules at once.
      await client.tables.setRetention('dev', 'a.b', { days: 3, never: true });
    `;
    await writeFile(join(project, 'typed.ts'), good);
    const examples: string[] = [];
    for (const guide of ['packages/sdk/README.md', 'docs/guide/clients.md']) {
      const blocks = testedBlocks(new URL(`../../../../../${guide}`, import.meta.url));
      for (const { text, line } of blocks.filter(({ language }) => language === 'ts')) {
        const file = `${guide.replaceAll(/\W/g, '-')}-${line}.ts`;
        await writeFile(join(project, file), text);
        examples.push(file);
      }
    }
    expect(examples.length).toBeGreaterThan(3);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023', ...types];
    const checked = await run(process.execPath, [compiler, '--ignoreConfig', ...flags, 'typed.ts', ...examples], {
      cwd: project,
    }).catch((error: { stdout: string }) => error);
    expect(checked.stdout).toBe('');
  }, 60_000);
});
