import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { filesOf, packFolder } from './pack-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-project-'));
  const files = [
    'svc.yaml',
    'assets/a.sql',
    '.git/config',
    '.venv/x',
    'lib/__pycache__/m.pyc',
    'node_modules/p/i.js',
    'a.pyc',
  ];
  for (const name of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), name);
  }
  await symlink('/etc/hostname', join(folder, 'link'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a folder is packed without what is no part of a project, the same each time', async () => {
  const files = await filesOf(folder);
  expect(files).toEqual(['assets/a.sql', 'svc.yaml']);
  const unpacked: Record<string, string> = {};
  const tar = extract();
  Readable.from(packFolder(folder, files)).pipe(createGunzip()).pipe(tar);
  for await (const entry of tar) {
    const pieces: Buffer[] = [];
    for await (const piece of entry) pieces.push(piece as Buffer);
    unpacked[entry.header.name] = Buffer.concat(pieces).toString();
  }
  expect(unpacked).toEqual({ 'assets/a.sql': 'assets/a.sql', 'svc.yaml': 'svc.yaml' });
  expect(await bytes(files)).toEqual(await bytes(files));
});

async function bytes(files: string[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of packFolder(folder, files)) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('a file that goes away meanwhile ends the upload', async () => {
  await expect(bytes(['svc.yaml', 'gone'])).rejects.toThrow('ENOENT');
});
