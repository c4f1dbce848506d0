import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from './child-process.ts';
import { type FoundTool, noUv } from './find-tools.ts';
import { type IndexCredential, redactor } from './redaction.ts';
import { RunFailure } from './run-failure.ts';

/** A registered index that needs a credential, for one build. */
export interface BuildIndex extends IndexCredential {
  readonly url: string;
}

export interface UvOptions {
  readonly uv: FoundTool | null;
  /** Folder of environments, of uv's private cache and of what is being built. */
  readonly envRoot: string;
  readonly indexes?: readonly BuildIndex[];
  /** Index used instead of the public one where no lock says which; the operator's. */
  readonly defaultIndexUrl?: string | undefined;
  /** What passes through of the worker's own environment: certificates and the operator's proxy. */
  readonly passThrough?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly onOutput?: (line: string) => void;
}

/** The only variables of the worker that uv may see. */
const PASSED = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTPS_PROXY', 'NO_PROXY'];
const TIMEOUT_MS = 900_000;

/**
 * Runs uv with an empty home, a private cache, no keyring, no netrc, no configuration and no interpreter downloads.
 * Credentials go by environment under generated names. Throws RunFailure with uv's own last words, redacted.
 */
export async function runUv(
  args: readonly string[],
  cwd: string,
  options: UvOptions,
  extra: Record<string, string> = {},
): Promise<void> {
  if (options.uv === null) throw noUv();
  await mkdir(join(options.envRoot, '.cache'), { recursive: true });
  const home = await mkdtemp(join(options.envRoot, '.home-'));
  try {
    await writeFile(join(home, 'netrc'), '', { mode: 0o600 });
    const redact = redactor(options.indexes ?? []);
    const said: string[] = [];
    const result = await runChild({
      command: options.uv.command,
      args,
      cwd,
      env: { ...environment(home, options), ...extra },
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      onLine: (_, line) => {
        const shown = redact(line);
        if (said.push(shown) > 40) said.shift();
        options.onOutput?.(shown);
      },
    });
    if (result.exitCode !== 0) throw failure(result.ended, said);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function environment(home: string, options: UvOptions): Record<string, string> {
  const env: Record<string, string> = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    NETRC: join(home, 'netrc'),
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    UV_CACHE_DIR: join(options.envRoot, '.cache'),
    UV_CREDENTIALS_DIR: join(home, 'credentials'),
    UV_KEYRING_PROVIDER: 'disabled',
    UV_NO_CONFIG: '1',
    UV_NO_PROGRESS: '1',
    UV_PYTHON_DOWNLOADS: 'never',
    UV_PYTHON_PREFERENCE: 'only-system',
  };
  for (const name of PASSED) {
    const value = options.passThrough?.[name];
    if (value !== undefined) env[name] = value;
  }
  if (options.defaultIndexUrl !== undefined) env['UV_DEFAULT_INDEX'] = options.defaultIndexUrl;
  // uv folds other characters of a name into "_", so names of our own are the only ones that cannot collide.
  const named = (options.indexes ?? []).map((index, i) => ({ ...index, name: `SVC${i}` }));
  if (named.length > 0) env['UV_INDEX'] = named.map((index) => `${index.name}=${index.url}`).join(' ');
  for (const index of named) {
    env[`UV_INDEX_${index.name}_USERNAME`] = index.username;
    env[`UV_INDEX_${index.name}_PASSWORD`] = index.password;
  }
  return env;
}

function failure(ended: string, said: readonly string[]): RunFailure {
  if (ended === 'not-started') return noUv();
  if (ended === 'aborted') return new RunFailure('cancelled', 'building the Python environment was cancelled', null);
  if (ended === 'timeout') {
    return new RunFailure('environment-timeout', 'building the Python environment took too long', 'try again');
  }
  const text = said
    .filter((line) => line.trim() !== '')
    .join('\n')
    .slice(-2000);
  const offline = /failed to (?:fetch|download)|dns error|connection refused|error sending request/i.test(text);
  const remedy = offline
    ? 'check that the worker reaches the package index'
    : "lock again with uv lock for the worker's Python, and deploy";
  return new RunFailure('environment-failed', `the Python environment could not be built:\n${text}`, remedy);
}
