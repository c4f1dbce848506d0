import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Isolation, SandboxNetwork, SandboxPaths } from '../isolation/index.ts';
import type { InstalledTool } from '../programs/find-tools.ts';
import { type IndexCredential, redactingFilter } from '../programs/redaction.ts';
import { type BuildLimits, largeFileError, runBuild } from './build-limits.ts';
import { uvMissingError } from './missing-tools.ts';
import { type FailedIndex, uvFailure } from './uv-failure.ts';

/** A package index that needs a credential, for one build. */
export interface BuildIndex extends IndexCredential, FailedIndex {
  readonly url: string;
}

export interface UvOptions {
  readonly uv: InstalledTool | null;
  /** The interpreter that the build is for. */
  readonly python: InstalledTool;
  readonly isolation: Isolation;
  /** Folder of this service's Python package: `src/svc`, `support-requirements.txt` and the `wheels` that it pins. */
  readonly sdk: string;
  /** Folder of Python environments, uv's private cache and builds in progress. */
  readonly envRoot: string;
  /** Variables of the worker that uv gets: certificates and the operator's proxy. */
  readonly inheritedEnv?: Readonly<Record<string, string>>;
  readonly limits: BuildLimits;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly onOutput?: (line: string) => void;
}

export interface UvGuard {
  readonly url: string;
  readonly refused: readonly string[];
  /** Its Unix socket, if uv runs in a sandbox without a network. */
  readonly socket?: string;
}

export interface UvRun {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The folder of the build, which only this build writes to. */
  readonly folder: string;
  /** Files outside the folder of Python environments that it reads. */
  readonly readable?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Indexes whose credentials it receives. */
  readonly indexes?: readonly BuildIndex[];
  /** Registered indexes without a credential, for error messages. */
  readonly open?: readonly FailedIndex[];
  /** Bytes that may still be downloaded, for error messages. */
  readonly budget?: { readonly remainingBytes: number };
  /** The proxy for all connections, instead of the operator's, and what it refused. */
  readonly guard?: UvGuard;
}

/** Name prefix of uv's caches. Each is used for a month, so unneeded files are removed with it. */
export const CACHE_PREFIX = '.cache-';

/**
 * uv installs what its cache has without a request, so an index can't check the credential. Builds with credentials
 * therefore share a cache only if their credentials come from the same secrets.
 */
export function cacheFolder(
  envRoot: string,
  now: Date,
  indexes: readonly Pick<BuildIndex, 'url' | 'secret'>[],
): string {
  const month = join(envRoot, `${CACHE_PREFIX}${now.toISOString().slice(0, 7)}`);
  if (indexes.length === 0) return month;
  const sources = indexes.map(({ url, secret }) => [url, secret?.environment, secret?.name]);
  return `${month}-${createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16)}`;
}

/** The only variables of the worker that uv may see. */
const CERTIFICATES = ['SSL_CERT_FILE', 'SSL_CERT_DIR'];
const PROXY = ['HTTPS_PROXY', 'NO_PROXY'];
/** The port of the guard in uv's sandbox. */
const RELAY_PORT = 8470;
const TIMEOUT_MS = 900_000;
const MAX_LINES = 40;

/**
 * Runs uv with an empty home, a private cache and no keyring, netrc, configuration or interpreter downloads.
 * Credentials are passed in environment variables whose names a project can't know. Throws RunError with uv's last
 * lines, redacted.
 */
export async function runUv(run: UvRun, options: UvOptions): Promise<void> {
  if (options.uv === null) throw uvMissingError();
  const cache = cacheFolder(options.envRoot, new Date(), run.indexes ?? []);
  await mkdir(cache, { recursive: true });
  await utimes(cache, new Date(), new Date());
  const home = await mkdtemp(join(options.envRoot, '.home-'));
  const indexes = run.indexes ?? [];
  try {
    await writeFile(join(home, 'netrc'), '', { mode: 0o600 });
    const output: string[] = [];
    const relay = { folder: join(options.sdk, 'src', 'svc'), port: RELAY_PORT };
    const socket = run.guard?.socket;
    const paths = await buildPaths(options, [...(run.readable ?? []), ...(socket === undefined ? [] : [relay.folder])]);
    const { isolation, python } = options;
    const network = run.guard === undefined ? {} : { network: networkOf(run.guard) };
    const result = await runBuild(
      {
        isolation,
        paths: { ...paths, ...network },
        python,
        folder: run.folder,
        cache,
        relay: socket === undefined ? null : relay,
      },
      options.limits,
      {
        command: options.uv.command,
        args: run.args,
        cwd: run.cwd,
        env: { ...environment(home, cache, options, run), ...credentials(indexes), ...run.env },
        signal: options.signal,
        timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
        filter: () => redactingFilter(indexes),
        onLine: (_, line) => {
          if (output.push(line) > MAX_LINES) output.shift();
          options.onOutput?.(line);
        },
      },
    );
    if (result.exitCode === 0) return;
    const tooLarge = largeFileError(options.limits, output);
    if (tooLarge !== null) throw tooLarge;
    const known = [...indexes.map(({ username: _, password: __, ...index }) => index), ...(run.open ?? [])];
    throw uvFailure(result.outcome, output, {
      indexes: known,
      refused: run.guard?.refused ?? [],
      tooLarge: (run.budget?.remainingBytes ?? 0) < 0,
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The worker's files that uv sees: the folder it builds in, without finished Python environments. */
async function buildPaths(
  { uv, python, envRoot, inheritedEnv }: UvOptions,
  readable: readonly string[],
): Promise<SandboxPaths> {
  const finished = (await readdir(envRoot)).filter((name) => !name.startsWith('.'));
  const certificates = CERTIFICATES.flatMap((name) => inheritedEnv?.[name] ?? []);
  return {
    interpreters: [python.command],
    readable: [uv!.command, ...readable, ...certificates],
    writable: [envRoot],
    hidden: finished.map((name) => join(envRoot, name)),
    runsAsWorker: true,
  };
}

const networkOf = ({ socket, url }: UvGuard): SandboxNetwork =>
  socket === undefined ? { kind: 'port', port: Number(new URL(url).port) } : { kind: 'relay', socket };

function environment(home: string, cache: string, options: UvOptions, { guard }: UvRun): Record<string, string> {
  const env: Record<string, string> = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    NETRC: join(home, 'netrc'),
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    UV_CACHE_DIR: cache,
    UV_CREDENTIALS_DIR: join(home, 'credentials'),
    UV_KEYRING_PROVIDER: 'disabled',
    UV_NO_CONFIG: '1',
    UV_NO_PROGRESS: '1',
    UV_PYTHON_DOWNLOADS: 'never',
    UV_PYTHON_PREFERENCE: 'only-system',
  };
  for (const name of guard === undefined ? [...CERTIFICATES, ...PROXY] : CERTIFICATES) {
    const value = options.inheritedEnv?.[name];
    if (value !== undefined) env[name] = value;
  }
  const proxy = guard?.socket === undefined ? guard?.url : `http://127.0.0.1:${RELAY_PORT}`;
  if (proxy !== undefined) for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) env[name] = proxy;
  return env;
}

/**
 * uv reads a credential by the name of its index, in capitals and with other characters replaced by "_". A project that
 * knew the name could use it for its own index, so it is random.
 */
function credentials(indexes: readonly BuildIndex[]): Record<string, string> {
  if (indexes.length === 0) return {};
  const prefix = `SVC${randomBytes(8).toString('hex').toUpperCase()}X`;
  const namedIndexes = indexes.map((index, i) => ({ ...index, key: `${prefix}${i}` }));
  const env: Record<string, string> = { UV_INDEX: namedIndexes.map(({ key, url }) => `${key}=${url}`).join(' ') };
  for (const { key, username, password } of namedIndexes) {
    env[`UV_INDEX_${key}_USERNAME`] = username;
    env[`UV_INDEX_${key}_PASSWORD`] = password;
  }
  return env;
}
