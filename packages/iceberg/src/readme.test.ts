import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as encoding from './encoding/index.ts';
import * as iceberg from './index.ts';
import { ENGINE_TABLES } from './testing/engine-tables.ts';

const here = fileURLToPath(new URL('..', import.meta.url));
const loader = fileURLToPath(new URL('../../../scripts/typescript.mjs', import.meta.url));

test('the example of the README runs in an empty folder', async () => {
  const readme = await readFile(path.join(here, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts tested\n(.*?)^```/gms)].map(([, block]) => block);
  expect(blocks).toHaveLength(5);
  const folder = await mkdtemp(path.join(tmpdir(), 'iceberg-readme-'));
  try {
    await mkdir(path.join(folder, 'node_modules/@svc'), { recursive: true });
    await symlink(here, path.join(folder, 'node_modules/@svc/iceberg'));
    const [parquet] = await readdir(path.join(ENGINE_TABLES, 'buckets/data'));
    await copyFile(path.join(ENGINE_TABLES, 'buckets/data', parquet!), path.join(folder, 'orders.parquet'));
    await writeFile(path.join(folder, 'readme.ts'), blocks.join('\n'));
    const args = ['--import', loader, '--conditions=@svc/source', 'readme.ts'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    expect(stdout).toMatch(
      /^snapshot \d+\nfile:.*\/warehouse\/orders\/data\/.*\.parquet 3 0\n1 id, 2 amount, 3 note\n$/,
    );
    expect(await readdir(path.join(folder, 'warehouse/orders'))).toEqual(['data', 'metadata']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the functions that the README lists exist', async () => {
  const readme = await readFile(path.join(here, 'README.md'), 'utf8');
  const rows = readme
    .split('## What else there is')[1]!
    .split('\n## ')[0]!
    .match(/^\|.*\|$/gm)!;
  const names = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  const known: object = { ...encoding, ...iceberg };
  expect(names.filter((name) => !(name in known) && name !== 'branch')).toEqual([]);
});
