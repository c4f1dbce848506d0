import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGitState } from './git-state.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-git-'));
});
afterEach(() => rm(folder, { recursive: true }));

const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();

/** Commits files of two projects; returns the commit. */
async function commitProject(): Promise<string> {
  git('init', '--quiet');
  for (const name of ['one', 'two']) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'svc.yaml'), 'a');
    await writeFile(join(folder, name, 'Größe "1".sql'), 'a');
  }
  git('add', '--all');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'x');
  return git('rev-parse', 'HEAD');
}

const SENT = ['svc.yaml', 'Größe "1".sql'];

test('a folder outside a repository, or in one without commits, has no commit (DEPLOY-21)', async () => {
  expect(await readGitState(folder, [])).toBeNull();
  git('init', '--quiet');
  expect(await readGitState(folder, [])).toBeNull();
});

test('a folder as committed is clean, whatever happens next to it (DEPLOY-21)', async () => {
  const commit = await commitProject();
  await writeFile(join(folder, 'two', 'svc.yaml'), 'b');
  expect(await readGitState(join(folder, 'one'), SENT)).toEqual({ commit, dirty: false });
});

test.each<[string, (one: string) => Promise<void>, readonly string[], boolean]>([
  ['a changed file', (one) => writeFile(join(one, 'Größe "1".sql'), 'b'), SENT, true],
  ['a new file', (one) => writeFile(join(one, 'new.sql'), 'b'), [...SENT, 'new.sql'], true],
  ['a new file that is not sent', (one) => writeFile(join(one, 'new.sql'), 'b'), SENT, false],
  ['a missing file', (one) => rm(join(one, 'svc.yaml')), ['Größe "1".sql'], true],
])('%s: dirty as expected (DEPLOY-21)', async (_, change, sent, dirty) => {
  await commitProject();
  await change(join(folder, 'one'));
  expect(await readGitState(join(folder, 'one'), sent)).toMatchObject({ dirty });
});
