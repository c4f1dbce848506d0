/** How processes that may run a project's code are isolated from the worker and from each other (decision 30). */
export type Isolation =
  | { readonly kind: 'none' }
  /** Required by the settings but unavailable: no project code runs. */
  | { readonly kind: 'missing'; readonly reason: string }
  | Bubblewrap
  | Landlock;

/** Where processes can't have namespaces of their own, rules of the kernel restrict them (decision 75). */
export interface Landlock {
  readonly kind: 'landlock';
  /** The interpreter that sets the rules. */
  readonly python: string;
  /** The version of the kernel's rules. */
  readonly abi: number;
  /** The account of tasks, if the worker runs as root and isn't to share its own. */
  readonly account: number | null;
  /** Folders that the operator makes visible to every task. */
  readonly readable: readonly string[];
  /** Folders that are never visible, except for the paths in them that a sandbox lists. */
  readonly hidden: readonly string[];
}

/** Whether a worker's sandboxes can restrict the network of their processes. */
export const restrictsNetwork = (isolation: Isolation): boolean =>
  isolation.kind === 'bubblewrap'
    ? isolation.ownNetwork
    : isolation.kind === 'landlock' && isolation.abi >= NETWORK_ABI;

/** Whether processes that may run a project's code are in sandboxes. */
export const isSandboxed = (isolation: Isolation): isolation is Bubblewrap | Landlock =>
  isolation.kind === 'bubblewrap' || isolation.kind === 'landlock';

/** The first version with rules for TCP. */
export const NETWORK_ABI = 4;

export interface Bubblewrap {
  readonly kind: 'bubblewrap';
  readonly command: string;
  /** Options of this machine's bubblewrap that older versions lack. */
  readonly further: readonly string[];
  /** Whether sandboxes have their own network, with nothing in it. Otherwise they use the worker's. */
  readonly ownNetwork: boolean;
  /** Whether the kernel filters the system calls of sandboxes. */
  readonly filtersCalls: boolean;
  /** Folders that the operator makes visible to every task. */
  readonly readable: readonly string[];
  /** Folders that are never visible, except for the paths in them that a sandbox lists. */
  readonly hidden: readonly string[];
}

/** What one process sees besides the system's programs and libraries. */
export interface SandboxPaths {
  /** Python interpreters: their installation folders are visible. */
  readonly interpreters: readonly string[];
  /** Files and folders; missing ones are skipped. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Folders inside the visible ones that appear empty. */
  readonly hidden?: readonly string[];
  /** What it can connect to (default: nothing). Only the worker's network if this machine can't separate it. */
  readonly network?: SandboxNetwork;
  /** Folders mounted as /tmp and /dev/shm; if absent, both are in memory. */
  readonly temporary?: { readonly files: string; readonly memory: string };
  /** It runs none of the project's code, so it runs under the worker's account. */
  readonly runsAsWorker?: boolean;
}

/**
 * The network of the worker, a Unix socket of the worker at {@link RELAY_SOCKET}, or, for sandboxes without a network of their
 * own, a port of the worker.
 */
export type SandboxNetwork =
  | { readonly kind: 'worker' }
  | { readonly kind: 'relay'; readonly socket: string }
  | { readonly kind: 'port'; readonly port: number };

/** The file descriptor from which bubblewrap reads the filter of system calls. */
export const FILTER_DESCRIPTOR = 3;

/** Where a sandbox sees the socket of its relay. */
export const RELAY_SOCKET = '/.svc-relay';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}
