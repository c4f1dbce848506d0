import { resolve } from 'node:path';
import type { Settings } from '@svc/core/settings';
import { locate } from '../programs/find-tools.ts';
import type { Bubblewrap, Isolation } from './isolate.ts';
import { runIsolated } from './run-isolated.ts';
import { systemCallFilter } from './system-call-filter.ts';

export interface FoundIsolation {
  readonly isolation: Isolation;
  /** A message for operators, or null. */
  readonly note: string | null;
}

type IsolationSettings = Pick<
  Settings,
  'isolation' | 'taskNetwork' | 'isolationReadable' | 'home' | 'storageLocation' | 'externalLocations'
>;

const TIMEOUT_MS = 10_000;
const SHELL = { command: '/bin/sh', args: ['-c', 'exit 0'], cwd: '/' };
/** Available since bubblewrap 0.8: processes in a sandbox can't create sandboxes, and reach less of the kernel. */
const NO_NESTING = ['--disable-userns'];
/** The strictest sandbox first. */
const ATTEMPTS = [systemCallFilter(process.arch) !== null, false].flatMap((filtersCalls) =>
  [true, false].flatMap((ownNetwork) => [NO_NESTING, []].map((further) => ({ filtersCalls, ownNetwork, further }))),
);

/**
 * Tests once whether bubblewrap can create sandboxes on this machine. User namespaces may be forbidden, and usually are
 * in containers.
 * @param path search path of programs
 */
export async function findIsolation(settings: IsolationSettings, path: string): Promise<FoundIsolation> {
  if (settings.isolation === 'none') return { isolation: { kind: 'none' }, note: unenforced(settings) };
  const found = await tryBubblewrap(settings, path);
  if (typeof found !== 'string') return withNetwork(found, settings);
  if (settings.isolation === 'auto') {
    const note = `Python tasks run under the account of this service and can read everything that it can read: ${found}`;
    return { isolation: { kind: 'none' }, note };
  }
  const note = `Python tasks can't run: ${found}, but SVC_RUN__ISOLATION is bubblewrap`;
  return { isolation: { kind: 'missing', reason: found }, note };
}

/** The hosts of `SVC_RUN__NETWORK` are all that tasks may reach, which nothing enforces without isolation. */
const unenforced = ({ taskNetwork }: IsolationSettings): string | null =>
  taskNetwork === 'unrestricted' || taskNetwork.length === 0
    ? null
    : 'Python tasks can connect to everything that this machine reaches, because SVC_RUN__NETWORK has no effect with SVC_RUN__ISOLATION=none';

function withNetwork(isolation: Bubblewrap, settings: IsolationSettings): FoundIsolation {
  if (isolation.ownNetwork || settings.taskNetwork === 'unrestricted') return { isolation, note: null };
  const reason = 'bubblewrap can separate everything except the network of tasks (allow network namespaces';
  if (settings.isolation === 'auto')
    return { isolation, note: `Python tasks can connect to everything that this machine reaches: ${reason})` };
  const refused = `${reason}, or set SVC_RUN__NETWORK=unrestricted)`;
  return { isolation: { kind: 'missing', reason: refused }, note: `Python tasks can't run: ${refused}` };
}

/** Returns how to create sandboxes, or the reason why it isn't possible, as part of a sentence. */
async function tryBubblewrap(settings: IsolationSettings, path: string): Promise<Bubblewrap | string> {
  if (process.platform !== 'linux') return 'isolation works only on Linux';
  const command = await locate('bwrap', path);
  if (command === null) return "bubblewrap (bwrap) isn't installed on this machine; install it to isolate them";
  let output = '';
  for (const attempt of ATTEMPTS) {
    const isolation: Bubblewrap = { kind: 'bubblewrap', command, ...attempt, ...folders(settings) };
    const paths = { interpreters: [], readable: [], writable: [] };
    const result = await runIsolated(isolation, paths, { ...SHELL, env: {}, timeoutMs: TIMEOUT_MS });
    if (result.exitCode === 0) return isolation;
    output = result.stderr.trim().split('\n').at(-1) ?? '';
  }
  return `bubblewrap doesn't work on this machine (${output}); allow user namespaces`;
}

function folders({ isolationReadable, home, storageLocation, externalLocations }: IsolationSettings) {
  const storage = [storageLocation, ...externalLocations].filter((location) => location?.startsWith('/')) as string[];
  return { readable: isolationReadable, hidden: [resolve(home), ...storage] };
}
