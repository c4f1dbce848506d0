import { addressOf, addressText } from './index-address.ts';
import { checkIndexUrl, comparableUrl, type IndexAddress, withoutUser } from './index-url.ts';
import { LOCK_FILE, type LockFailure, type LockPackage, type LockSource, readLock, WHEELHOUSE } from './lock.ts';
import type { LockInput } from './lock-input.ts';
import { verifyConfiguration } from './project-configuration.ts';
import { PUBLIC_REGISTRY } from './public-hosts.ts';
import { normalName } from './python-requirement.ts';
import { type Fetching, verifyFiles } from './verify-files.ts';

export interface LockVerdict {
  /** Empty if the lock may be used. */
  readonly problems: readonly LockFailure[];
  /** Names of the registered indexes that the lock takes packages from, sorted (DEPLOY-9). */
  readonly indexes: readonly string[];
  /** What is fetched from each source. */
  readonly fetches: readonly LockFetch[];
  /** Whether the lock names the URL of an index that isn't registered. */
  readonly unregistered: boolean;
}

/** What a lock takes from one source. */
export interface LockFetch {
  /** Name of the registered index; null for other sources. */
  readonly index: string | null;
  /** Whether it is the operator's index (`SVC_RUN__INDEX_URL`). */
  readonly operator: boolean;
  /** Names in normal form. */
  readonly packages: readonly string[];
  /** Scheme, host and port of the index and of its files: what the installer's proxy lets through. */
  readonly addresses: readonly IndexAddress[];
}

interface Origin {
  /** Null for the public index, the operator's index and the wheel folder. */
  readonly registered: string | null;
  readonly operator: boolean;
  /** Null for the wheel folder. */
  readonly address: IndexAddress | null;
}

interface SourceFailure {
  readonly message: string;
  readonly remedy: string;
  readonly unregistered?: true;
}

type Verdict = { readonly origin: Origin } | SourceFailure;

/**
 * Validates the sources of a project's packages (LOCK-1 to LOCK-7): every package and every file, whatever its markers,
 * and the configuration beside the lock. A pure function, so a deploy and an execution reach the same verdict.
 */
export function verifyLock(input: LockInput): LockVerdict {
  const { packages, problems } =
    input.lockText === null ? { packages: [], problems: [] } : readLock(input.lockText, LOCK_FILE);
  const fetches = new Map<string, Fetching>();
  const project = projectName(packages);
  let unregistered = false;
  for (const found of packages) {
    const report = (message: string, remedy: string): void => {
      problems.push({ file: LOCK_FILE, line: found.line(), message, remedy });
    };
    const addFailure = (failure: SourceFailure): void => {
      unregistered ||= failure.unregistered === true;
      report(failure.message, failure.remedy);
    };
    for (const dependency of found.dependencySources) {
      const verdict = verifySource(dependency.name, dependency.source, input, project);
      if ('message' in verdict) addFailure(verdict);
    }
    const verdict = verifySource(found.name, found.source, input, project);
    if ('message' in verdict) {
      addFailure(verdict);
      continue;
    }
    if (found.source.kind !== 'registry') continue;
    verifyFiles(found, verdict.origin.address, input, report, fetchingOf(fetches, verdict.origin, found.name));
  }
  const registered = [...fetches.values()].filter((fetch) => fetch.index !== null);
  problems.push(...verifyConfiguration(input, new Map(registered.map((fetch) => [fetch.index!, fetch.packages]))));
  return {
    problems: unique(problems),
    unregistered,
    indexes: registered.map((fetch) => fetch.index!).sort(),
    fetches: [...fetches.values()].map(({ index, operator, packages, addresses }) => {
      return { index, operator, packages, addresses: [...addresses.values()] };
    }),
  };
}

function fetchingOf(fetches: Map<string, Fetching>, origin: Origin, name: string): Fetching {
  const { registered: index, operator, address } = origin;
  const key = index === null ? `${operator}` : `index ${index}`;
  const fetch: Fetching = fetches.get(key) ?? {
    index,
    operator,
    packages: [],
    addresses: new Map(),
    allowedPrefixes: new Set(),
  };
  fetches.set(key, fetch);
  // The installer treats all spellings of a name as one package, so the passes of a build must too.
  fetch.packages.push(normalName(name));
  if (address !== null) fetch.addresses.set(addressText(address), address);
  return fetch;
}

function unique(problems: readonly LockFailure[]): LockFailure[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/**
 * The name of the package that is the project itself: its source is the project root, in any form that the installer
 * writes.
 */
function projectName(packages: readonly LockPackage[]): string | null {
  const root = packages.filter((found) => isRoot(found.source));
  return root.length === 1 ? root[0]!.name : null;
}

function isRoot(source: LockSource): boolean {
  return ['virtual', 'editable', 'directory'].includes(source.kind) && source.value === '.';
}

const WHEEL_FOLDER: Origin = { registered: null, operator: false, address: null };

function verifySource(name: string, source: LockSource, input: LockInput, project: string | null): Verdict {
  if (isRoot(source) && name === project) return { origin: WHEEL_FOLDER };
  if (source.kind === 'registry') return verifyRegistry(name, source.value, input);
  const sanitizedUrl = withoutUser(source.value);
  if (source.kind === 'git' || source.kind === 'url') {
    const what = source.kind === 'git' ? 'a git repository' : 'a direct URL';
    return {
      message: `the package ${name} is taken from ${what}, ${sanitizedUrl}`,
      remedy: 'publish it to a package index, ask an administrator to register that index, and lock again',
    };
  }
  return {
    message: `the package ${name} is taken from the ${source.kind} ${JSON.stringify(sanitizedUrl)}`,
    remedy: `put its wheel into the folder ${WHEELHOUSE}, or publish it to a registered index, and lock again`,
  };
}

function verifyRegistry(name: string, value: string, input: LockInput): Verdict {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(value)) {
    if (/^(?:\.\/)?wheelhouse\/*$/.test(value)) return { origin: WHEEL_FOLDER };
    return localFolder(name, value);
  }
  if (/^file:/i.test(value)) return localFolder(name, value);
  const wanted = comparableUrl(value);
  const origin = (registered: string | null, operator = false): Verdict => ({
    origin: { registered, operator, address: addressOf(wanted) },
  });
  if (wanted === PUBLIC_REGISTRY) return origin(null);
  const registered = input.registered.find((index) => comparableUrl(index.url) === wanted);
  if (registered !== undefined) return origin(registered.name);
  if (input.operatorIndexUrl !== null && comparableUrl(withoutUser(input.operatorIndexUrl)) === wanted)
    return origin(null, true);
  return unknownIndex(name, value);
}

function localFolder(name: string, value: string): Verdict {
  return {
    message: `the package ${name} is taken from the local folder ${JSON.stringify(value)}`,
    remedy: `only the folder ${WHEELHOUSE} at the root of the project may be used: put the wheel there and lock again`,
  };
}

function unknownIndex(name: string, value: string): Verdict {
  const sanitizedUrl = withoutUser(value);
  const message = `the package ${name} is taken from ${sanitizedUrl}, which is not registered`;
  const checked = checkIndexUrl(value, { credential: false });
  if (!checked.ok) {
    return {
      message: `${message} and cannot be registered as written: ${checked.problem.message}`,
      remedy: 'take the package from a registered index and lock again',
      unregistered: true,
    };
  }
  const remedy = `ask an administrator to register it: svc index add NAME --url ${checked.url}`;
  return { message, remedy, unregistered: true };
}
