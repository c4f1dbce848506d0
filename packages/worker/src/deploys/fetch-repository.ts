import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildResult, runChild } from '../programs/child-process.ts';
import { fetchFailure } from './fetch-failure.ts';
import { PROJECT_LIMITS, ProjectError, type ProjectLimits, tooLarge } from './project-error.ts';
import { pathFault } from './project-path.ts';
import type { RepositoryCredential } from './repository-address.ts';
import { checkAddress, checkFolder, checkRef, type RepositoryAddress } from './repository-address.ts';

export interface FetchOptions {
  readonly url: string;
  /** Branch, tag or full commit id; null uses the repository's default branch. */
  readonly ref: string | null;
  /** Folder of the project inside the repository; null is the root. */
  readonly folder: string | null;
  readonly credential?: RepositoryCredential | undefined;
  /** Folders below which local paths are allowed. */
  readonly allowLocal: readonly string[];
  /** An existing folder. The fetch creates a new one in it, which then belongs to the caller. */
  readonly workDir: string;
  readonly signal?: AbortSignal | undefined;
  readonly git?: string;
  readonly timeoutMs?: number;
  readonly limits?: ProjectLimits;
  /** Search path for git's helpers (default: the usual system folders). */
  readonly path?: string;
  /** A CONNECT proxy for https. */
  readonly proxyUrl?: string;
  readonly caFile?: string;
  /** The checked address that ssh connects to instead of resolving the host itself. */
  readonly sshAddress?: string;
}

export interface FetchedProject {
  /** The project's folder, with the files of exactly that commit. */
  readonly dir: string;
  /** The folder of all files of that commit. */
  readonly top: string;
  /** Full commit id. */
  readonly commit: string;
  /** The folder to remove when the project is no longer needed. */
  readonly root: string;
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** An abbreviated commit id, which servers can't look up. */
const SHORT_COMMIT = /^[0-9a-f]{4,39}$/;
const TIMEOUT_MS = 300_000;
/** More than the list of the most files with the longest names of a project. */
const MAX_LISTING_BYTES = 32 * 1024 * 1024;

/**
 * Fetches one revision of a repository with git, shallow, into a new folder (DEPLOY-14). Hooks, filters, submodules,
 * prompts, symbolic links and configuration other than ours are disabled. Throws ProjectError with cause and remedy.
 */
export async function fetchRepository(options: FetchOptions): Promise<FetchedProject> {
  const address = checkAddress(options.url, options.allowLocal);
  const ref = options.ref === null ? 'HEAD' : checkRef(options.ref);
  const folder = checkFolder(options.folder);
  const root = await mkdtemp(join(options.workDir, 'project-'));
  try {
    const git = await prepareGit(options, address, root);
    await git('init', ['init', '--quiet', '--template=', 'tree']);
    await fetchRef(git, address, ref).catch(namingRef(address, ref));
    const commit = (
      await git('read the commit', ['-C', 'tree', 'rev-parse', '--verify', 'FETCH_HEAD^{commit}'])
    ).stdout.trim();
    await checkTree(git, commit, folder, options.limits ?? PROJECT_LIMITS);
    await git('check out', ['-C', 'tree', 'checkout', '--quiet', '--detach', '--force', commit]);
    await rm(join(root, 'tree', '.git'), { recursive: true, force: true });
    await rm(join(root, 'home'), { recursive: true, force: true });
    const top = join(root, 'tree');
    return { dir: folder === '' ? top : join(top, ...folder.split('/')), top, commit, root };
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

type Git = (step: string, args: readonly string[]) => Promise<ChildResult>;

/**
 * Prepares git with an empty home, only our configuration, no prompts, a time limit and a limit on each file it writes.
 */
async function prepareGit(options: FetchOptions, address: RepositoryAddress, root: string): Promise<Git> {
  const home = join(root, 'home');
  await mkdir(home, { mode: 0o700 });
  const credential = options.credential ?? {};
  const env = {
    ...(await credentialEnvironment(address, credential, home, options.sshAddress)),
    PATH: options.path ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LANG: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, 'config'),
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_ATTR_NOSYSTEM: '1',
    ...(options.caFile === undefined ? {} : { GIT_SSL_CAINFO: options.caFile }),
  };
  await writeFile(join(home, 'config'), configuration(address, options.proxyUrl), { mode: 0o600 });
  const blocks = Math.ceil((options.limits ?? PROJECT_LIMITS).bytes / 512);
  const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline]);
  return async (step, args) => {
    // The shell sets the limit and then executes git, so a pack above the project limit fails while it is written.
    const script = 'ulimit -f "$1" && shift && exec "$@"';
    const result = await runChild({
      command: '/bin/sh',
      args: ['-c', script, 'sh', String(blocks), options.git ?? 'git', ...args],
      cwd: root,
      env,
      signal,
      maxOutputBytes: MAX_LISTING_BYTES,
      stopsAtMaxOutput: true,
    });
    if (result.outcome === 'over-limit')
      throw tooLarge("the repository's list of files is longer", options.limits ?? PROJECT_LIMITS);
    if (result.exitCode !== 0) throw fetchFailure(step, result, address, credential, deadline.aborted);
    return result;
  };
}

function configuration(address: RepositoryAddress, proxyUrl: string | undefined): string {
  const transport = address.kind === 'local' ? 'file' : address.kind;
  return `[protocol]
\tallow = never
[protocol "${transport}"]
\tallow = always
[core]
\thooksPath = /dev/null
\tsymlinks = false
\tfsmonitor = false
\tprotectHFS = true
\tprotectNTFS = true
\tautocrlf = false
\teol = lf
[credential]
\thelper =
[http]
\tfollowRedirects = false
${proxyUrl === undefined ? '' : `\tproxy = ${JSON.stringify(proxyUrl)}\n`}[fetch]
\trecurseSubmodules = false
[submodule]
\trecurse = false
[safe]
\tdirectory = *
[uploadpack]
\tallowAnySHA1InWant = true
[gc]
\tauto = 0
[maintenance]
\tauto = false
[advice]
\tdetachedHead = false
`;
}

async function credentialEnvironment(
  address: RepositoryAddress,
  credential: RepositoryCredential,
  home: string,
  sshAddress: string | undefined,
): Promise<Record<string, string>> {
  if (address.kind === 'https' && credential.password !== undefined) {
    // Passed in the environment and read by a script: never on a command line, never in a file.
    const script = join(home, 'askpass');
    const text =
      '#!/bin/sh\ncase "$1" in Username*) printf %s "$SVC_GIT_USER" ;; *) printf %s "$SVC_GIT_PASS" ;; esac\n';
    await writeFile(script, text, { mode: 0o700 });
    return { GIT_ASKPASS: script, SVC_GIT_USER: credential.username ?? 'git', SVC_GIT_PASS: credential.password };
  }
  if (address.kind !== 'ssh') return { GIT_ASKPASS: '/bin/true' };
  await writeFile(join(home, 'known_hosts'), credential.knownHosts ?? '', { mode: 0o600 });
  const key = credential.sshKey;
  if (key !== undefined) await writeFile(join(home, 'key'), key.endsWith('\n') ? key : `${key}\n`, { mode: 0o600 });
  const settings = ['BatchMode=yes', 'StrictHostKeyChecking=yes', 'IdentitiesOnly=yes', 'ForwardAgent=no'];
  const args = ['ssh', '-F', '/dev/null', ...settings.flatMap((setting) => ['-o', setting])];
  args.push('-o', `UserKnownHostsFile='${join(home, 'known_hosts')}'`);
  if (key !== undefined) args.push('-i', `'${join(home, 'key')}'`);
  if (sshAddress !== undefined) {
    // Known keys are still looked up by name, with the port in ssh's notation.
    const { hostname, port } = new URL(address.url);
    const alias = port === '' || port === '22' ? hostname : `[${hostname}]:${port}`;
    args.push('-o', `HostName=${sshAddress}`, '-o', `'HostKeyAlias=${alias}'`);
  }
  return { GIT_SSH_COMMAND: args.join(' '), GIT_SSH_VARIANT: 'ssh', GIT_ASKPASS: '/bin/true' };
}

function namingRef({ shown }: RepositoryAddress, ref: string) {
  return (error: unknown): never => {
    if (!(error instanceof ProjectError) || error.code !== 'ref-not-found') throw error;
    const remedy = SHORT_COMMIT.test(ref) ? 'use a branch, a tag, or a full commit id' : error.remedy;
    throw new ProjectError(error.code, `${shown} has no branch, tag or commit ${JSON.stringify(ref)}`, remedy);
  };
}

async function fetchRef(git: Git, address: RepositoryAddress, ref: string): Promise<void> {
  const shared = ['-C', 'tree', 'fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-commit-graph'];
  try {
    await git('fetch', [...shared, '--depth=1', '--', address.url, ref]);
  } catch (error) {
    // Some servers can't return a single commit by its id. Then fetch all branches and look the id up.
    if (!COMMIT.test(ref) || !(error instanceof ProjectError) || error.code !== 'ref-not-found') throw error;
    await git('fetch', [...shared, '--', address.url, '+refs/heads/*:refs/remotes/all/*']);
    await git('fetch', ['-C', 'tree', 'fetch', '--quiet', '--', '.', ref]);
  }
}

function invalidPath(path: string, fault: string): ProjectError {
  const detail = `the repository's file ${JSON.stringify(path.slice(0, 200))} ${fault}`;
  return new ProjectError('invalid-project', detail, 'rename or remove the file');
}

/** Rejects a tree that is too large or has names that no project can have, before any of it is written. */
async function checkTree(git: Git, commit: string, folder: string, limits: ProjectLimits): Promise<void> {
  const listing = await git('list the files', ['-C', 'tree', 'ls-tree', '-r', '-l', '-z', '--full-tree', commit]);
  let bytes = 0;
  let entries = 0;
  let inFolder = folder === '';
  for (const line of listing.stdout.split('\0')) {
    const match = /^(\d+) (\w+) \w+ +(\d+|-)\t(.*)$/s.exec(line);
    if (match === null) continue;
    entries += 1;
    const size = match[3] === '-' ? 0 : Number(match[3]);
    bytes += size;
    const path = match[4]!;
    if (folder === '' || path.startsWith(`${folder}/`)) {
      inFolder = true;
      // Runs unpack the project from a bundle, which can't contain such a file.
      const fault = pathFault(folder === '' ? path : path.slice(folder.length + 1));
      if (fault !== null) throw invalidPath(path, fault);
    }
    if (size > limits.fileBytes) throw tooLarge(`the file ${JSON.stringify(path)} has ${size} bytes`, limits);
  }
  if (entries > limits.entries) throw tooLarge(`the repository has ${entries} files`, limits);
  if (bytes > limits.bytes) throw tooLarge(`the repository's files have ${bytes} bytes`, limits);
  if (inFolder) return;
  throw new ProjectError(
    'folder-not-found',
    `the revision has no folder ${JSON.stringify(folder)}`,
    'correct the folder',
  );
}
