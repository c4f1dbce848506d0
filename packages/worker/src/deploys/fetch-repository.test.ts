import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FetchOptions, fetchRepository } from './fetch-repository.ts';
import { ProjectError } from './project-error.ts';
import { checkAddress, checkFolder, checkRef } from './repository-address.ts';

let base: string;
let repo: string;
let work: string;
const commits: string[] = [];

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...identity, ...args], { cwd: repo, encoding: 'utf8', env }).trim();
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'svc-fetch-')));
  repo = join(base, 'repo');
  work = join(base, 'work');
  mkdirSync(join(repo, 'projects', 'sales'), { recursive: true });
  mkdirSync(work);
  git('init', '-q');
  for (const [i, text] of ['one', 'two', 'three'].entries()) {
    writeFileSync(join(repo, 'projects', 'sales', 'svc.yaml'), `name: ${text}\n`);
    if (i === 0) symlinkSync('/etc/passwd', join(repo, 'link'));
    if (i === 0) writeFileSync(join(repo, '.gitattributes'), '*.yaml filter=evil\n');
    git('add', '-A');
    git('commit', '-q', '-m', text);
    commits.push(git('rev-parse', 'HEAD'));
    if (i === 1) git('tag', 'v2', '-a', '-m', 'two');
  }
  git('branch', 'old/er', commits[0]!);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

const fetch = (options: Partial<FetchOptions> = {}) =>
  fetchRepository({ url: repo, ref: null, folder: null, allowLocal: [base], workDir: work, ...options });

const refusal = async (options: Partial<FetchOptions>): Promise<ProjectError> =>
  fetch(options).then(
    () => Promise.reject(new Error('fetched')),
    (error: unknown) => (error instanceof ProjectError ? error : Promise.reject(error)),
  );

describe('a revision of a real repository', () => {
  test.each([
    ['its default', null, () => commits[2]!, 'three'],
    ['a branch', 'old/er', () => commits[0]!, 'one'],
    ['an annotated tag', 'v2', () => commits[1]!, 'two'],
  ])('%s', async (_, ref, commit, name) => {
    const fetched = await fetch({ ref, folder: 'projects/sales' });
    expect(fetched.commit).toBe(commit());
    expect(readFileSync(join(fetched.dir, 'svc.yaml'), 'utf8')).toBe(`name: ${name}\n`);
    expect(fetched.dir).toBe(join(fetched.top, 'projects', 'sales'));
    expect(existsSync(join(fetched.top, '.git'))).toBe(false);
  });

  test('a commit by its id; a link arrives as a text, no file of ours stays', async () => {
    const fetched = await fetch({ ref: commits[0]! });
    expect(fetched.commit).toBe(commits[0]);
    expect(readFileSync(join(fetched.dir, 'link'), 'utf8')).toBe('/etc/passwd');
    expect(readdirSync(fetched.root)).toEqual(['tree']);
  });

  test('no hook, filter or variable of the surroundings takes part', async () => {
    const trap = join(base, 'trap');
    writeFileSync(join(base, 'evil.sh'), `#!/bin/sh\ntouch ${trap}\ncat\n`);
    chmodSync(join(base, 'evil.sh'), 0o755);
    writeFileSync(
      join(base, 'evilconfig'),
      `[filter "evil"]\nsmudge = ${join(base, 'evil.sh')}\n[core]\nhooksPath = ${base}\n`,
    );
    const before = process.env['GIT_CONFIG_GLOBAL'];
    process.env['GIT_CONFIG_GLOBAL'] = join(base, 'evilconfig');
    try {
      await fetch();
    } finally {
      if (before === undefined) delete process.env['GIT_CONFIG_GLOBAL'];
      else process.env['GIT_CONFIG_GLOBAL'] = before;
    }
    expect(existsSync(trap)).toBe(false);
  });
});

describe('what is refused leaves nothing behind', () => {
  test.each<[string, Partial<FetchOptions>, string]>([
    ['a local path outside the list', { allowLocal: [] }, 'repository-url-refused'],
    ['an unknown branch', { ref: 'nope' }, 'ref-not-found'],
    ['an unknown commit', { ref: 'a'.repeat(40) }, 'ref-not-found'],
    ['a ref that is an option', { ref: '--upload-pack=touch /tmp/x' }, 'ref-refused'],
    ['an unknown folder', { folder: 'projects/none' }, 'folder-not-found'],
    ['a folder that leaves', { folder: '../x' }, 'folder-refused'],
    ['too many files', { limits: { bytes: 1e6, fileBytes: 1e6, entries: 2 } }, 'project-too-large'],
    ['a file that is too large', { limits: { bytes: 1e6, fileBytes: 5, entries: 20 } }, 'project-too-large'],
    ['no git', { git: '/nonexistent/git' }, 'git-missing'],
    ['nobody listening', { url: 'https://127.0.0.1:9/x.git' }, 'fetch-failed'],
  ])('%s', async (_, options, code) => {
    const before = readdirSync(work).length;
    expect((await refusal(options)).code).toBe(code);
    expect(readdirSync(work).length).toBe(before);
  });

  test('an abbreviated commit id is refused with the remedy to use the full id', async () => {
    const refused = await refusal({ ref: git('rev-parse', 'HEAD').slice(0, 10) });
    expect(refused).toMatchObject({ code: 'ref-not-found', remedy: expect.stringContaining('full commit id') });
  });

  test('a repository whose pack outgrows the limit is stopped while it is written', async () => {
    const big = join(base, 'repo', 'big.bin');
    writeFileSync(big, Buffer.from(Array.from({ length: 400_000 }, (_, i) => (i * 2_654_435_761) >>> 24)));
    git('add', 'big.bin');
    git('commit', '-q', '-m', 'big');
    expect((await refusal({ limits: { bytes: 8192, fileBytes: 8192, entries: 100 } })).code).toBe('project-too-large');
  });

  test('a cancelled fetch says so', async () => {
    expect((await refusal({ signal: AbortSignal.abort() })).code).toBe('cancelled');
  });
});

describe('addresses (DEPLOY-14)', () => {
  test.each([
    ['https://example.org/a/b.git', 'https', 'https://example.org/a/b.git'],
    ['https://EXAMPLE.org:8443/a', 'https', 'https://example.org:8443/a'],
    ['ssh://git@example.org/a/b', 'ssh', 'ssh://git@example.org/a/b'],
    ['git@example.org:a/b.git', 'ssh', 'ssh://git@example.org/a/b.git'],
  ])('%s is accepted', (url, kind, normal) => expect(checkAddress(url, [])).toMatchObject({ kind, url: normal }));

  test.each([
    'http://example.org/a',
    'git://example.org/a',
    'ext::sh -c touch% /tmp/x',
    'ext::https://x',
    '--upload-pack=x',
    '-oProxyCommand=x',
    'ssh://-oProxyCommand=x/a',
    'ssh://git@-oProxyCommand=x/a',
    'ssh://-o@example.org/a',
    'https://user:secret@example.org/a',
    'https://token@example.org/a',
    'https://example.org/a?x=1',
    'https://exa mple.org/a',
    'https://example.org\\@evil.org/a',
    'file:///etc',
    '/etc',
    'example.org/a',
    '',
  ])('%s is refused', (url) => expect(() => checkAddress(url, ['/nonexistent'])).toThrow(ProjectError));

  test('a link out of an allowed folder is refused', () => {
    mkdirSync(join(base, 'allowed'));
    symlinkSync(repo, join(base, 'allowed', 'out'));
    expect(() => checkAddress(join(base, 'allowed', 'out'), [join(base, 'allowed')])).toThrow("isn't allowed");
  });

  test('an error never contains a secret', () => {
    expect(() => checkAddress('https://user:hunter2@exa_mple.org/a', [])).toThrow(
      expect.not.stringContaining('hunter2'),
    );
  });

  test.each(['main', 'feature/x', 'v1.0', 'a'.repeat(40), 'release@2'])('ref %s', (ref) =>
    expect(checkRef(ref)).toBe(ref),
  );
  test.each(['-x', 'a..b', 'a b', 'a:b', 'a^', 'a~1', '@{-1}', '', 'x.lock', 'a\nb'])('no ref %j', (ref) =>
    expect(() => checkRef(ref)).toThrow(ProjectError),
  );
  test.each([
    ['', ''],
    [null, ''],
    ['./a/', 'a'],
    ['a/b', 'a/b'],
  ])('folder %j', (folder, normal) => expect(checkFolder(folder)).toBe(normal));
});

describe('names and numbers of files that no project has', () => {
  /** Commits a tree with these entries, as `git mktree` reads them. */
  const commitTree = (entries: Buffer): string => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const tree = execFileSync('git', ['mktree', '-z'], { cwd: repo, env, input: entries, encoding: 'utf8' }).trim();
    const commit = git('commit-tree', tree, '-m', 'tree');
    git('branch', '-f', 'hostile', commit);
    return tree;
  };
  const entry = (mode: string, id: string, name: string | Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`${mode} ${mode === '040000' ? 'tree' : 'blob'} ${id}\t`),
      Buffer.from(name),
      Buffer.from('\0'),
    ]);

  test.each([
    ['not UTF-8', Buffer.from([0x61, 0xff, 0x2e, 0x70, 0x79])],
    ['a line break', Buffer.from('a\nb.py')],
    ['a terminal escape', Buffer.from('a\u001b[2J.py')],
    ['a backslash', Buffer.from('a\\b.py')],
  ])('a name with %s is refused', async (_, name) => {
    const blob = git('hash-object', '-w', join(repo, 'projects', 'sales', 'svc.yaml'));
    commitTree(Buffer.concat([entry('100644', blob, name), entry('100644', blob, 'svc.yaml')]));
    expect(await refusal({ ref: 'hostile' })).toMatchObject({ code: 'invalid-project' });
  });

  test('a tree whose listing is longer than any project is too large, however few files it shows first', async () => {
    const blob = git('hash-object', '-w', join(repo, 'projects', 'sales', 'svc.yaml'));
    const pad = 'x'.repeat(200);
    // 2^16 files in 16 small trees, with paths of 3 kB.
    let tree = commitTree(Buffer.concat([entry('100644', blob, `a${pad}`), entry('100644', blob, `b${pad}`)]));
    for (let depth = 1; depth < 16; depth++)
      tree = commitTree(Buffer.concat([entry('040000', tree, `a${pad}`), entry('040000', tree, `b${pad}`)]));
    expect((await refusal({ ref: 'hostile' })).code).toBe('project-too-large');
  });
});
