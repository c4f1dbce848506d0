import { type Me, type Permissions, type ServiceState, SvcError, type Worker } from '@svc/sdk';
import { envFlag } from '../arguments/flags.ts';
import { workError } from '../cli-error.ts';
import { VERSION } from '../generated/known.ts';
import { bytes } from '../output/format.ts';
import { SvcCommand } from '../svc-command.ts';

interface Check {
  check: string;
  ok: boolean;
  detail: string;
  remedy: string | null;
}

/** Clock difference in seconds above which signed times and schedules look wrong. */
const CLOCK_LIMIT = 60;

export default class Doctor extends SvcCommand<typeof Doctor> {
  static override summary =
    'Diagnose problems with the address, service, versions, storage, clock, sign-in, rights or workers';
  static override examples = ['svc doctor', 'svc doctor --env dev'];
  static override flags = { ...envFlag };

  async run(): Promise<void> {
    const checks = await this.#checks();
    if (this.json) await this.list(checks, [], '');
    else
      for (const { ok, check, detail } of checks)
        this.print(`${ok ? 'ok    ' : 'FAILED'}  ${check}: ${detail}`.replaceAll('\n', '\n        '));
    const broken = checks.find(({ ok }) => !ok);
    if (broken) throw workError(`${broken.check}: ${broken.detail}`, broken.remedy);
  }

  async #checks(): Promise<Check[]> {
    const { url, token } = this.settings;
    const address = `${url.value} (${url.source})`;
    const state = await this.client.service.state({ timeout: 10_000 }).catch((error: unknown) => error as Error);
    if (state instanceof Error) return [failed('service', `${address}: ${state.message}`, 'npm start')];
    const checks = [passed('service', address), ...this.#service(state)];
    if (token.value === undefined) return [...checks, failed('sign-in', 'no token is set', 'svc login')];
    const me = await this.client.access.me().catch(asSvcError);
    if (me instanceof SvcError) return [...checks, failed('sign-in', me.message, me.remedy ?? 'svc login')];
    const rights = await this.#rights(me);
    return [...checks, passed('sign-in', `${me.name} (${me.type})`), ...rights, ...(await this.#workers(me))];
  }

  #service({ ready, storage, time, version }: ServiceState): Check[] {
    const unready = failed(
      'ready',
      "the service is up but doesn't accept requests: its database doesn't respond",
      null,
    );
    const checks = [ready ? passed('ready', 'accepts requests, and its database responds') : unready];
    if (storage !== null) {
      const unreachable =
        "the service can't access it, so tables can be neither read nor written. See the log of the service.";
      checks.push(storage ? passed('storage', 'the service can access it') : failed('storage', unreachable, null));
    }
    const remote = String(version?.service ?? 'unknown');
    const facts = `service ${remote}, schema ${String(version?.schema ?? 'unknown')}, zones ${String(version?.zone_database ?? 'unknown')}, command line ${VERSION}`;
    const install = `npm install --global @svc/cli@${remote}`;
    checks.push(release(remote) === release(VERSION) ? passed('versions', facts) : failed('versions', facts, install));
    return time === null ? checks : [...checks, this.#clock(time)];
  }

  #clock(remote: Date): Check {
    const off = Math.round((this.io.now().getTime() - remote.getTime()) / 1000);
    const text = `differs from the service's by ${Math.abs(off)} s`;
    return Math.abs(off) <= CLOCK_LIMIT ? passed('clock', text) : failed('clock', text, null);
  }

  /** Throws unless the environment exists and the caller has a grant in it, even if only on one of its tables. */
  async #environment(name: string): Promise<void> {
    const unreadable = await this.client.environments.get(name).then(() => null, asSvcError);
    if (unreadable === null) return;
    const listed =
      unreadable.status === 403 && (await this.client.environments.list()).some((env) => env.name === name);
    if (!listed) throw unreadable;
  }

  /** Checks the environment, if one is set, and lists the caller's actions on it or on the instance. */
  async #rights({ name }: Me): Promise<Check[]> {
    const { value: env, source } = this.settings.env;
    if (env !== undefined) {
      const found = await this.#environment(env).catch(asSvcError);
      if (found instanceof SvcError) {
        return [failed('environment', `${env} (${source}): ${found.message}`, found.remedy ?? 'svc env list')];
      }
    }
    const on = env === undefined ? 'the instance' : env;
    const checks = env === undefined ? [] : [passed('environment', `${env} (${source})`)];
    const permissions = await this.client.principals.permissions(name, { environment: env }).catch(asSvcError);
    // Task tokens can't read permissions, and don't need to.
    if (permissions instanceof SvcError) return [...checks, passed('rights', `unknown: ${permissions.message}`)];
    const actions = permissions.permissions.filter(({ allowed }) => allowed).map(({ action }) => action);
    return [...checks, passed('rights', `on ${on}: ${actions.length === 0 ? 'none' : actions.join(', ')}`)];
  }

  /** Lists the workers if the caller may see them. Otherwise it sends no request, because a denied one is audited. */
  async #workers({ name }: Me): Promise<Check[]> {
    const ownPermissions = await this.client.principals.permissions(name).catch(asSvcError);
    const maySeeWorkers = !(ownPermissions instanceof SvcError) && ownPermissions.permissions.some(seesWorkers);
    if (!maySeeWorkers) return [passed('workers', `visible with ${SEES_WORKERS} on the instance`)];
    const workers = await this.client.service.workers().catch(asSvcError);
    // An older service doesn't have this route.
    if (workers instanceof SvcError) return [passed('workers', `not shown: ${workers.message}`)];
    return workers.length === 0
      ? [failed('workers', NO_WORKER, null)]
      : workers.map((worker) => passed('workers', describeWorker(worker)));
  }
}

const NO_WORKER =
  'no worker has reported in the last minute, so queries, loads and runs wait. Workers before 0.2 never report, and a worker with a wrong clock counts as missing.';

const SEES_WORKERS = 'MANAGE_ENVIRONMENT';
const seesWorkers = ({ action, allowed }: Permissions['permissions'][number]) => action === SEES_WORKERS && allowed;

const ISOLATIONS: Record<Worker['isolation'], string> = {
  bubblewrap: 'Python tasks run in a sandbox',
  landlock: 'Python tasks run in a sandbox of Landlock',
  none: 'Python tasks are not isolated',
  refused: "Python tasks don't start because there is no sandbox",
};

const NETWORKS: Record<Worker['task_network'], string> = {
  restricted: 'network restricted',
  unrestricted: 'network NOT restricted',
};

function describeWorker({ host, isolation, task_network: network, task_limits: limits, notes }: Worker): string {
  const { memory, processes, open_files: openFiles, disk } = limits;
  const texts = [
    describeLimit('memory', memory, bytes),
    describeLimit('processes', processes, String),
    describeLimit('open files', openFiles, String),
    describeLimit('disk', disk, bytes),
  ];
  return [
    `${host}: ${[ISOLATIONS[isolation], ...describeNetwork(isolation, network), ...texts].join(', ')}`,
    ...notes.map((note) => `- ${note}`),
  ].join('\n');
}

/** An older service doesn't report it, and a worker that starts no tasks has nothing to restrict. */
const describeNetwork = (isolation: Worker['isolation'], network: Worker['task_network'] | undefined): string[] =>
  network === undefined || isolation === 'refused' ? [] : [NETWORKS[network]];

type Limit = Worker['task_limits']['memory'];

function describeLimit(name: string, { limit, enforced_by: by }: Limit, text: (amount: number) => string): string {
  if (limit === null) return `${name} unlimited`;
  return `${name} ${text(limit)} (${by === 'none' ? 'NOT enforced' : by})`;
}

function asSvcError(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  throw error;
}

/** The part of a version that must match to be compatible: the major, and before 1.0 also the minor. */
const release = (version: string) => (/^0\.\d+|^\d+/.exec(version) ?? [version])[0];

const passed = (check: string, detail: string): Check => ({ check, ok: true, detail, remedy: null });
const failed = (check: string, detail: string, remedy: string | null): Check => ({ check, ok: false, detail, remedy });
