import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Deploy, Run, SvcClient } from '@svc/sdk';
import { packProject } from '@svc/worker/deploys';
import { lockText, pyprojectText } from '@svc/worker/testing';
import type { TestService } from './test-service.ts';

export type Files = Record<string, string>;

/** A git repository in its own folder, with one branch `main`. */
export class GitRepository {
  readonly dir: string;

  constructor(folder: string) {
    this.dir = mkdtempSync(join(folder, 'repository-'));
    this.git('init', '--quiet', '--initial-branch=main');
  }

  /** Writes the files (null removes one) and commits them; returns the commit's id. */
  commit(files: Record<string, string | null>): string {
    for (const [name, text] of Object.entries(files)) {
      if (text === null) rmSync(join(this.dir, name));
      else writeFile(this.dir, name, text);
    }
    this.git('add', '--all');
    this.git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'change');
    return this.git('rev-parse', 'HEAD').trim();
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.dir, encoding: 'utf8' });
  }
}

function writeFile(dir: string, name: string, text: string): void {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), text);
}

/** Uploads the files as a bundle, deploys it and waits for the deploy. */
export async function deployFiles(
  client: SvcClient,
  to: { env: string; repository: string; folder: string; dry_run?: boolean },
  files: Files,
): Promise<Deploy> {
  return deployFolder(client, to, folderOf(to.folder, files));
}

/** Deploys a Python file as the assets of the project `app`, which has no packages, in the environment `dev`. */
export async function deployPython(
  { client, folder }: Pick<TestService, 'client' | 'folder'>,
  code: string,
  settings = '',
): Promise<void> {
  await client.repositories.create({ name: 'app' });
  const files = {
    'svc.yaml': `name: app\n${settings}`,
    'pyproject.toml': pyprojectText([]),
    'uv.lock': lockText([]),
    'assets/app.py': code,
  };
  expect(await deployFiles(client, { env: 'dev', repository: 'app', folder }, files)).toMatchObject({
    status: 'succeeded',
    error: null,
  });
}

function folderOf(folder: string, files: Files): string {
  const dir = mkdtempSync(join(folder, 'bundle-'));
  for (const [name, text] of Object.entries(files)) writeFile(dir, name, text);
  return dir;
}

/** Uploads the files as a bundle for a deploy; returns its id. */
export async function sendFiles(
  client: SvcClient,
  { env, folder }: { env: string; folder: string },
  files: Files,
): Promise<string> {
  const { bundle_id } = await client.deploys.uploadBundle(env, await packProject(folderOf(folder, files)));
  return bundle_id;
}

export async function deployFolder(
  client: SvcClient,
  { env, repository, dry_run }: { env: string; repository: string; dry_run?: boolean },
  dir: string,
): Promise<Deploy> {
  const { bundle_id } = await client.deploys.uploadBundle(env, await packProject(dir));
  const body = { repository, bundle_id, ...(dry_run === undefined ? {} : { dry_run }) };
  return client.deploys.wait(env, (await client.deploys.create(env, body as never)).id);
}

/** Status of each task by its asset. */
export const taskStatuses = (run: Run): Record<string, string> =>
  Object.fromEntries(run.tasks.map((task) => [task.asset, task.status]));

/** Names of the branches in a table's metadata, as engines see them. */
export async function branchesOf({ client, database }: TestService, env: string, name: string): Promise<string[]> {
  const { id } = await client.tables.get(env, name);
  const row = await database.db.prisma.table.findUnique({ where: { id } });
  const metadata = JSON.parse(await readFile(new URL(row!.metadata_location!), 'utf8'));
  return Object.keys(metadata.refs).sort();
}
