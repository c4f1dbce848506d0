import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { listProjectFiles, packFolder } from './pack-folder.ts';

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

test("a folder is packed without files that don't belong to the project, always with the same bytes", async () => {
  const { files, ignored, links } = await listProjectFiles(folder);
  expect({ files, ignored, links }).toEqual({ files: ['assets/a.sql', 'svc.yaml'], ignored: [], links: ['link'] });
  const unpacked: Record<string, string> = {};
  const tar = extract();
  Readable.from(packFolder(folder, files)).pipe(createGunzip()).pipe(tar);
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    unpacked[entry.header.name] = Buffer.concat(chunks).toString();
  }
  expect(unpacked).toEqual({ 'assets/a.sql': 'assets/a.sql', 'svc.yaml': 'svc.yaml' });
  expect(await bytes(files)).toEqual(await bytes(files));
});

async function bytes(files: readonly string[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of packFolder(folder, files)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

test("files that .gitignore excludes are left out, by git's rules (DEPLOY-13)", async () => {
  await write({
    '.gitignore': '# secrets\n.env*\n/data/\n*.log\n!keep.log\nbuild\n',
    'assets/.gitignore': '*.tmp\n!seen.log\n',
    '.env': 'TOKEN=1',
    '.env.local': 'TOKEN=1',
    'data/rows.csv': 'a',
    'assets/data/rows.csv': 'a',
    'a.log': 'a',
    'keep.log': 'a',
    'assets/seen.log': 'a',
    'assets/x.tmp': 'a',
    'x.tmp': 'a',
    'assets/build/out': 'a',
  });
  expect(await listProjectFiles(folder)).toEqual({
    files: [
      '.gitignore',
      'assets/.gitignore',
      'assets/a.sql',
      'assets/data/rows.csv',
      'assets/seen.log',
      'keep.log',
      'svc.yaml',
      'x.tmp',
    ],
    ignored: ['.env', '.env.local', 'a.log', 'assets/build/', 'assets/x.tmp', 'data/'],
    links: ['link'],
  });
});

test('.svcignore excludes more, and can include what .gitignore excludes (DEPLOY-13)', async () => {
  await write({
    '.gitignore': 'wheelhouse/\n*.log\n',
    '.svcignore': '/docs/\n!wheelhouse/\nassets/*.md\n',
    'assets/.svcignore': '!kept.md\n',
    'docs/a.md': 'a',
    'wheelhouse/p.whl': 'a',
    'assets/notes.md': 'a',
    'assets/kept.md': 'a',
    'x.log': 'a',
  });
  const { files, ignored } = await listProjectFiles(folder);
  expect(ignored).toEqual(['assets/notes.md', 'docs/', 'x.log']);
  expect(files).toEqual(expect.arrayContaining(['wheelhouse/p.whl', 'assets/kept.md']));
  // The secrets of a file that is included again are still found.
  await write({ 'wheelhouse/.env': 'TOKEN=1' });
  await expect(listProjectFiles(folder)).rejects.toMatchObject({ exitCode: 2 });
});

test('a project in a repository follows the rules of the folders around it, unless they ignore the whole project', async () => {
  await write({
    '.gitignore': '*.csv\n/projects/one/local/\n/projects/two/\n',
    '.git/info/exclude': 'notes.txt\n',
    'projects/.gitignore': '!one/kept.csv\n',
    ...Object.fromEntries(
      ['one', 'two'].flatMap((name) =>
        ['svc.yaml', 'rows.csv', 'kept.csv', 'notes.txt', 'local/x'].map((file) => [`projects/${name}/${file}`, 'a']),
      ),
    ),
  });
  expect((await listProjectFiles(join(folder, 'projects/one'))).files).toEqual(['kept.csv', 'svc.yaml']);
  expect((await listProjectFiles(join(folder, 'projects/two'))).files).toContain('rows.csv');
});

const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(3)}\n-----END PRIVATE KEY-----\n`;

test.each([
  ['.env', 'TOKEN=1', 'settings and secrets'],
  ['lib/.env.production', '', 'settings and secrets'],
  ['.env-local', '', 'settings and secrets'],
  ['.envrc', '', 'settings and secrets'],
  ['deploy.pem', KEY, 'contains a private key'],
  ['id_ed25519', KEY.replaceAll('PRIVATE', 'OPENSSH PRIVATE'), 'contains a private key'],
  [
    'rsa',
    KEY.replaceAll('PRIVATE', 'RSA PRIVATE').replace('\n', '\nProc-Type: 4,ENCRYPTED\n'),
    'contains a private key',
  ],
  ['account.json', JSON.stringify({ filler: 'x'.repeat(100_000), private_key: KEY }), 'contains a private key'],
  ['assets/load.py', `KEY = """\r\n${KEY.replaceAll('\n', '\r\n')}"""`, 'contains a private key'],
  ['keys/store.p12', '', 'store of private keys'],
])('%s is not sent (DEPLOY-13)', async (name, text, reason) => {
  await write({ [name]: text });
  await expect(listProjectFiles(folder)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(new RegExp(`^${name.replaceAll('.', '\\.')} .*${reason}.*Add it to \\.gitignore`)),
  });
});

test('examples of settings are not sent; certificates and texts about keys are (DEPLOY-13)', async () => {
  await write({
    '.env.example': 'TOKEN=',
    'ca.pem': '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkq\n-----END CERTIFICATE-----\n',
    'assets/check.py': 'if "-----BEGIN PRIVATE KEY-----" in text: raise ValueError("a private key")\n',
    'environment.md': 'about .env',
  });
  expect((await listProjectFiles(folder)).files).toEqual([
    'assets/a.sql',
    'assets/check.py',
    'ca.pem',
    'environment.md',
    'svc.yaml',
  ]);
});

test('a file that disappears during the upload makes it fail', async () => {
  await expect(bytes(['svc.yaml', 'gone'])).rejects.toThrow('ENOENT');
});
