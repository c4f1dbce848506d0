import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { packProject, unpackBundle } from './bundle.ts';
import { ProjectError } from './project-error.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'svc-bundle-'));
  mkdirSync(join(base, 'in', 'a'), { recursive: true });
  mkdirSync(join(base, 'out'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const SMALL = { bytes: 10_000, fileBytes: 5_000, entries: 5 };
type Entry = Partial<Header> & { name: string; text?: string };

async function tarball(entries: readonly Entry[]): Promise<Readable> {
  const tar = pack();
  for (const { text, ...header } of entries) tar.entry(header, text ?? '');
  tar.finalize();
  return Readable.from([gzipSync(await buffer(tar as unknown as Readable))]);
}

test('a folder packed and unpacked is the same, and its bytes do not depend on times or order', async () => {
  writeFileSync(join(base, 'in', 'svc.yaml'), 'name: x\n');
  writeFileSync(join(base, 'in', 'a', 'ü.sql'), 'select 1');
  for (const folder of ['.git', 'node_modules', '.venv', '__pycache__']) mkdirSync(join(base, 'in', folder));
  writeFileSync(join(base, 'in', '.git', 'config'), 'secret');
  const first = await buffer(await packProject(join(base, 'in')));
  utimesSync(join(base, 'in', 'svc.yaml'), 1, 1);
  const second = await buffer(await packProject(join(base, 'in')));
  expect(createHash('sha256').update(second).digest('hex')).toBe(createHash('sha256').update(first).digest('hex'));
  expect(await unpackBundle(Readable.from([first]), join(base, 'out'))).toEqual({ files: 2, bytes: 16 });
  expect(readFileSync(join(base, 'out', 'a', 'ü.sql'), 'utf8')).toBe('select 1');
  expect(readdirSync(join(base, 'out')).sort()).toEqual(['a', 'svc.yaml']);
});

test('a link in a folder is refused when packing', async () => {
  symlinkSync('/etc/passwd', join(base, 'in', 'a', 'link'));
  await expect(packProject(join(base, 'in'))).rejects.toThrow('a/link is a link');
});

describe('hostile bundles', () => {
  test.each<[string, readonly Entry[], RegExp]>([
    ['climbing out', [{ name: '../evil', text: 'x' }], /points outside its folder/],
    ['climbing out in the middle', [{ name: 'a/../../evil', text: 'x' }], /points outside its folder/],
    ['absolute', [{ name: '/etc/evil', text: 'x' }], /absolute path/],
    ['drive letter', [{ name: 'C:/evil', text: 'x' }], /absolute path/],
    ['backslash', [{ name: 'a\\..\\evil', text: 'x' }], /unreadable/],
    ['control character', [{ name: 'a\nb', text: 'x' }], /unreadable/],
    ['.git', [{ name: 'a/.GIT/config', text: 'x' }], /is in \.git/],
    ['symbolic link', [{ name: 'a', type: 'symlink', linkname: '/etc' }], /is a symlink/],
    ['hard link', [{ name: 'a', type: 'link', linkname: '/etc/passwd' }], /is a link/],
    ['device', [{ name: 'a', type: 'character-device' }], /is a character-device/],
    ['fifo', [{ name: 'a', type: 'fifo' }], /is a fifo/],
    [
      'twice',
      [
        { name: 'a', text: 'x' },
        { name: './a', text: 'y' },
      ],
      /appears twice/,
    ],
    [
      'a file as a folder',
      [
        { name: 'a', text: 'x' },
        { name: 'a/b', text: 'y' },
      ],
      /appears twice/,
    ],
    [
      'a folder as a file',
      [
        { name: 'a/b', text: 'x' },
        { name: 'a', text: 'y' },
      ],
      /appears twice/,
    ],
    [
      'a folder with the name of a file',
      [
        { name: 'a', text: 'x' },
        { name: 'a/', type: 'directory' },
      ],
      /appears twice/,
    ],
    ['too many', Array.from({ length: 6 }, (_, i) => ({ name: `f${i}`, text: 'x' })), /more entries/],
    ['one file too large', [{ name: 'a', text: 'x'.repeat(5_001) }], /has 5001 bytes/],
    [
      'too large in all',
      [0, 1, 2].map((i) => ({ name: `f${i}`, text: 'x'.repeat(4_000) })),
      /unpacked bundle is larger/,
    ],
    ['empty', [{ name: 'a', type: 'directory' }], /has no files/],
  ])('%s', async (_, entries, message) => {
    const ending = unpackBundle(await tarball(entries), join(base, 'out'), SMALL);
    await expect(ending).rejects.toThrow(message);
    await expect(ending).rejects.toBeInstanceOf(ProjectError);
    expect(existsSync(join(base, 'evil'))).toBe(false);
  });

  test('a bomb of zeros is stopped by what it inflates to', async () => {
    const bomb = Readable.from([gzipSync(Buffer.alloc(50_000_000))]);
    await expect(unpackBundle(bomb, join(base, 'out'), SMALL)).rejects.toBeInstanceOf(ProjectError);
  });

  test('anything but a complete tar.gz is rejected', async () => {
    await expect(unpackBundle(Readable.from([Buffer.from('hello')]), join(base, 'out'))).rejects.toThrow(
      "isn't a tar.gz",
    );
    const whole = await buffer(await tarball([{ name: 'a', text: 'x'.repeat(3_000) }]));
    const cut = Readable.from([whole.subarray(0, whole.length - 20)]);
    await expect(unpackBundle(cut, join(base, 'out'))).rejects.toBeInstanceOf(ProjectError);
  });

  test('a storage error while the bundle is read is not an error of the bundle', async () => {
    const whole = await buffer(await tarball([{ name: 'a', text: 'x'.repeat(3_000) }]));
    const broken = Object.assign(new Error('aborted'), { $metadata: {} });
    const half = Readable.from(
      (async function* () {
        yield whole.subarray(0, whole.length / 2);
        throw broken;
      })(),
    );
    await expect(unpackBundle(half, join(base, 'out'))).rejects.toBe(broken);
  });
});
