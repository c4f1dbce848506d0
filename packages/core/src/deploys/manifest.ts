import { hasValidLength } from '../access/names.ts';
import { networkHostText, parseNetworkHost } from '../addresses/index.ts';
import { secretName } from '../secrets/index.ts';
import type { ProjectDiagnostic } from './diagnostics.ts';
import { readSchedule, readScheduleOverride, type Schedule, type ScheduleOverride } from './schedule.ts';
import {
  type Entry,
  isNullEntry,
  openYaml,
  type Reader,
  readBoolean,
  readInteger,
  readMap,
  readText,
  readTextList,
  report,
} from './yaml-reader.ts';

/** Name of the manifest at the project root. */
export const MANIFEST_FILE = 'svc.yaml';

/** A job as the manifest declares it (DEPLOY-5). */
export interface JobDeclaration {
  readonly name: string;
  readonly line: number;
  readonly select: readonly string[];
  readonly upstream: boolean;
  readonly downstream: boolean;
  readonly schedule: Schedule | null;
  /** Name of the secret with the URL to notify on failure (JOBS-17). */
  readonly webhook: string | null;
  /** Time limit of each task in seconds; null uses the project's default. */
  readonly timeoutSeconds: number | null;
  readonly retries: number | null;
}

/** An environment can override only the schedule of a declared job (DEPLOY-5). */
export interface JobOverride {
  readonly line: number;
  /** Null removes the schedule, absent leaves it; otherwise its keys replace the declared ones. */
  readonly schedule?: ScheduleOverride | null;
}

export interface Manifest {
  readonly name: string | null;
  /** A version request such as `3.12` or `>=3.10,<3.14`; null uses the worker's version. */
  readonly python: string | null;
  /** Hosts that the Python tasks connect to, as `host:port`. */
  readonly network: readonly string[];
  readonly defaults: { readonly timeoutSeconds: number | null; readonly retries: number };
  readonly jobs: ReadonlyMap<string, JobDeclaration>;
  readonly environments: ReadonlyMap<string, ReadonlyMap<string, JobOverride>>;
}

const DAY_SECONDS = 86_400;
const MAX_HOSTS = 100;
const MAX_RETRIES = 10;
const VERSION_REQUEST = /^\s*(?:(?:==|>=|<=|~=|!=|<|>)\s*)?\d+(?:\.\d+){0,2}(?:\.\*)?\s*$/;
const ENVIRONMENT_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Parses `svc.yaml` (DEPLOY-5). All problems are reported at once, each with its line; the manifest is null if there
 * are any.
 */
export function parseManifest(text: string): {
  readonly manifest: Manifest | null;
  readonly problems: readonly ProjectDiagnostic[];
} {
  const { reader, root } = openYaml(text, MANIFEST_FILE);
  if (root === null) return { manifest: null, problems: reader.problems };
  const top = readMap(reader, root, ['name', 'python', 'network', 'defaults', 'jobs', 'environments']);
  const jobs = readJobs(reader, top.get('jobs'));
  const manifest: Manifest = {
    name: readText(reader, top.get('name')),
    python: readPython(reader, top.get('python')),
    network: readNetwork(reader, top.get('network')),
    defaults: readDefaults(reader, top.get('defaults')),
    jobs,
    environments: readEnvironments(reader, top.get('environments'), jobs),
  };
  return { manifest: reader.problems.length > 0 ? null : manifest, problems: reader.problems };
}

function readPython(reader: Reader, entry: Entry | undefined): string | null {
  const text = readText(reader, entry);
  if (text === null || entry === undefined) return null;
  if (text.length <= 100 && text.split(',').every((part) => VERSION_REQUEST.test(part))) return text.trim();
  report(reader, entry, `${JSON.stringify(text)} is not a Python version request`, 'write "3.12" or ">=3.10,<3.14"');
  return null;
}

function readNetwork(reader: Reader, entry: Entry | undefined): string[] {
  const hosts = readTextList(reader, entry).map((text) => ({ text, host: parseNetworkHost(text) }));
  const wrong = hosts.find(({ host }) => host === null);
  if (wrong !== undefined)
    report(
      reader,
      entry!,
      `network: ${JSON.stringify(wrong.text)} is not a host`,
      'write api.example.com or db.example.com:5432',
    );
  if (hosts.length > MAX_HOSTS) report(reader, entry!, `network has more than ${MAX_HOSTS} hosts`, 'remove some');
  return [...new Set(hosts.flatMap(({ host }) => (host === null ? [] : [networkHostText(host)])))];
}

function readDefaults(reader: Reader, entry: Entry | undefined): Manifest['defaults'] {
  if (entry === undefined) return { timeoutSeconds: null, retries: 0 };
  const keys = readMap(reader, entry, ['timeout_seconds', 'retries']);
  return {
    timeoutSeconds: readInteger(reader, keys.get('timeout_seconds'), 1, 7 * DAY_SECONDS),
    retries: readInteger(reader, keys.get('retries'), 0, MAX_RETRIES) ?? 0,
  };
}

/** Job names follow the rule for repositories: no `/`, no `.`, at most 255 printable characters (TABLE-2). */
function isJobName(name: string): boolean {
  return hasValidLength(name) && name.trim() === name && name !== '' && !/[/.\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}

function readJobs(reader: Reader, entry: Entry | undefined): Map<string, JobDeclaration> {
  const jobs = new Map<string, JobDeclaration>();
  if (entry === undefined) return jobs;
  for (const [name, job] of readMap(reader, entry, null)) {
    if (!isJobName(name)) {
      report(
        reader,
        job,
        `${JSON.stringify(name)} is not a job name`,
        'use at most 255 characters without "/" and "."',
      );
    }
    jobs.set(name, readJob(reader, name, job));
  }
  return jobs;
}

function readJob(reader: Reader, name: string, entry: Entry): JobDeclaration {
  const allowed = ['select', 'upstream', 'downstream', 'schedule', 'notify', 'timeout_seconds', 'retries'];
  const keys = readMap(reader, entry, allowed);
  const select = readTextList(reader, keys.get('select'));
  if (select.length === 0) {
    report(
      reader,
      keys.get('select') ?? entry,
      `the job ${name} selects nothing`,
      'add select: ["*"] or a list of asset patterns',
    );
  }
  const notify = keys.get('notify');
  const webhook = notify === undefined ? undefined : readMap(reader, notify, ['webhook']).get('webhook');
  return {
    name,
    line: entry.line,
    select,
    upstream: readBoolean(reader, keys.get('upstream'), false),
    downstream: readBoolean(reader, keys.get('downstream'), false),
    schedule: readSchedule(reader, keys.get('schedule')),
    webhook: readSecretName(reader, webhook),
    timeoutSeconds: readInteger(reader, keys.get('timeout_seconds'), 1, 7 * DAY_SECONDS),
    retries: readInteger(reader, keys.get('retries'), 0, MAX_RETRIES),
  };
}

/**
 * An invalid secret name (INDEX-10) is refused here: the deploy would otherwise warn that the secret is missing, and
 * nobody could create it.
 */
function readSecretName(reader: Reader, entry: Entry | undefined): string | null {
  const text = readText(reader, entry);
  if (text === null || entry === undefined || secretName.safeParse(text).success) return text;
  const rule = '1 to 255 characters with no space, no control character and no ":"';
  report(reader, entry, `${entry.path}: ${JSON.stringify(text)} is not the name of a secret`, `write ${rule}`);
  return null;
}

function readEnvironments(
  reader: Reader,
  entry: Entry | undefined,
  jobs: ReadonlyMap<string, JobDeclaration>,
): Map<string, ReadonlyMap<string, JobOverride>> {
  const environments = new Map<string, ReadonlyMap<string, JobOverride>>();
  if (entry === undefined) return environments;
  for (const [name, environment] of readMap(reader, entry, null)) {
    if (!ENVIRONMENT_NAME.test(name)) {
      report(reader, environment, `${JSON.stringify(name)} is not an environment name`, 'use a-z, 0-9, "_" and "-"');
    }
    const overrides = new Map<string, JobOverride>();
    const listed = readMap(reader, environment, ['jobs']).get('jobs');
    for (const [job, override] of listed === undefined ? [] : readMap(reader, listed, null)) {
      const declared = jobs.get(job);
      if (declared === undefined) reportUnknownJob(reader, override, name, job, jobs);
      else overrides.set(job, readOverride(reader, override, declared));
    }
    environments.set(name, overrides);
  }
  return environments;
}

function reportUnknownJob(
  reader: Reader,
  entry: Entry,
  environment: string,
  job: string,
  jobs: ReadonlyMap<string, JobDeclaration>,
): void {
  const declaredJobs = jobs.size === 0 ? 'no job is declared there' : `declared there: ${[...jobs.keys()].join(', ')}`;
  report(
    reader,
    entry,
    `the environment ${environment} overrides the job ${job}, which is not declared in the top-level jobs section`,
    `an environment can override a job but not add one; ${declaredJobs}`,
  );
}

function readOverride(reader: Reader, entry: Entry, declared: JobDeclaration): JobOverride {
  const schedule = readMap(reader, entry, ['schedule']).get('schedule');
  if (schedule === undefined) return { line: entry.line };
  if (isNullEntry(schedule)) return { line: entry.line, schedule: null };
  const override = readScheduleOverride(reader, schedule, declared.schedule);
  return override === null ? { line: entry.line } : { line: entry.line, schedule: override };
}
