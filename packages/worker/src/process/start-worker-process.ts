import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { idSource, pooled } from '@svc/core/ids';
import type { Settings } from '@svc/core/settings';
import { headKeys } from '@svc/db/audit';
import type { Database } from '@svc/db/connection';
import type { LocalDispatcher } from '@svc/db/queries';
import { sealingKeys } from '@svc/db/secrets';
import { AuditArchive } from '@svc/lake/audit';
import { queryEngines } from '@svc/lake/engines';
import { type Sandbox, unrestrictedBecause } from '@svc/lake/queries';
import type { ObjectStore } from '@svc/lake/storage';
import type { Logger } from 'pino';
import { admit, findIsolation, type Isolation, isSandboxed, restrictsNetwork } from '../isolation/index.ts';
import { findEnforcement, limitsOf } from '../limits/index.ts';
import type { WorkMetrics } from '../metrics/index.ts';
import { ServiceRelay, type TaskNetwork, upstreamProxy } from '../outgoing/index.ts';
import { findPython, findUv } from '../programs/index.ts';
import { stagingTablesOfTrino } from '../staging/index.ts';
import { batchStatements, tracedEngine, type WorkerDeps } from '../work/index.ts';
import { startWorker, type Worker } from './worker.ts';

export interface WorkerOptions {
  settings: Settings;
  /** 32 bytes in base64: the key that decrypts secrets. */
  secretsKey: string;
  db: Database;
  store: ObjectStore;
  sandbox: Sandbox;
  log: Logger;
  /** The URL at which tasks reach the API. */
  apiUrl: string;
  /** Folder for this worker's Python environments, caches and unpacked projects. */
  workDir: string;
  /** The dispatcher of the API in the same process: takes queries whose clients wait. */
  dispatcher?: LocalDispatcher | undefined;
  /** Receives measurements of the work, if metrics are collected. */
  metrics?: WorkMetrics | undefined;
  /** For tests (default: the system's clock). */
  clock?: (() => Date) | undefined;
  step?: WorkerDeps['step'];
}

export interface RunningWorker extends Worker {
  /** Messages for operators, such as that Python is missing. */
  notes: string[];
}

/**
 * The Python package: next to this one in the workspace. A published package contains a copy (scripts/copy-python.mjs).
 */
const SDK = ['../../../sdk-python', '../../sdk-python']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path)) as string;

const INHERITED_VARIABLES = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTPS_PROXY', 'NO_PROXY'];

function inheritedVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    INHERITED_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

async function findTools(settings: Settings) {
  const path = process.env['PATH'] ?? '';
  const uv = await findUv([settings.uv ?? 'uv'], path);
  const python = await findPython(settings.python ?? null, uv, path);
  const notes: string[] = [];
  if (python === null)
    notes.push(
      "this machine has no Python 3.10 or newer: projects with Python assets can't be deployed; everything else works",
    );
  else if (uv === null)
    notes.push(
      "uv isn't installed on this machine: Python tasks can't run; everything else works (install uv, or set SVC_RUN__UV to its path)",
    );
  const { isolation, note } = await findIsolation(settings, path, python);
  // Without Python there is nothing to isolate.
  if (note !== null && python !== null) notes.push(note);
  const unrestricted = unrestrictedBecause();
  if (unrestricted !== null)
    notes.push(`query processes can open every file of this service's account: ${unrestricted}`);
  const enforcement = await findEnforcement({
    limits: limitsOf(settings),
    isolation,
    python,
    platform: process.platform,
    account: process.getuid?.(),
  });
  return { uv, python, isolation, enforcement, notes };
}

/** Null if the network of tasks isn't restricted, because it can't be or the operator wants it so. */
function taskNetworkOf(
  isolation: Isolation,
  { settings, apiUrl }: Pick<WorkerOptions, 'settings' | 'apiUrl'>,
  inheritedEnv: Readonly<Record<string, string>>,
): TaskNetwork | null {
  const approved = settings.taskNetwork;
  if (approved === 'unrestricted' || !restrictsNetwork(isolation)) return null;
  const upstream = upstreamProxy(inheritedEnv);
  return { approved, upstream, service: new ServiceRelay(apiUrl, inheritedEnv, upstream) };
}

/** Starts a worker with the system's clock and randomness and the tools installed on the machine. */
export async function startWorkerProcess(options: WorkerOptions): Promise<RunningWorker> {
  const { python, uv, isolation, enforcement, notes } = await findTools(options.settings);
  await mkdir(options.workDir, { recursive: true });
  await admit(isolation, options.workDir, 'enter');
  if (enforcement.cgroup !== null) await options.sandbox.useCgroups(enforcement.cgroup);
  options.metrics?.isolated(isSandboxed(isolation));
  options.metrics?.limited(enforcement.by);
  const inheritedEnv = inheritedVariables(process.env);
  const taskNetwork = taskNetworkOf(isolation, options, inheritedEnv);
  options.metrics?.networkRestricted(taskNetwork !== null);
  const random = pooled((bytes) => new Uint8Array(randomBytes(bytes)));
  const { clock = () => new Date() } = options;
  const newId = idSource(() => clock().getTime(), random);
  const { secretsKey, ...rest } = options;
  const statements = batchStatements(options.db.prisma, options.log);
  const { sandbox, settings } = options;
  const engines = queryEngines(sandbox, settings, stagingTablesOfTrino({ ...options, clock, newId, random }));
  const worker = await startWorker({
    ...rest,
    statements,
    // Reading the settings requires Trino's address if it is the query engine.
    engine: tracedEngine(engines[settings.queryEngine]!, options),
    engines,
    sealing: sealingKeys(secretsKey, options.settings.oldSecretsKeys),
    headKeys: headKeys(secretsKey, options.settings.oldSecretsKeys),
    archive: new AuditArchive(options.store),
    clock,
    random,
    newId,
    owner: newId(),
    host: hostname(),
    notes: [...notes, ...enforcement.notes],
    python,
    uv,
    isolation,
    taskNetwork,
    enforcement,
    sdk: SDK,
    inheritedEnv,
  });
  const stop = () =>
    worker
      .stop()
      .finally(() => statements.grantUses.settled())
      .finally(() => taskNetwork?.service.close());
  return { ...worker, stop, notes };
}
