import {
  type ApprovedHost,
  isApprovedAddress,
  isApprovedHost,
  networkHostText,
  parseNetworkHost,
} from '@svc/core/addresses';
import type { IndexAddress } from '@svc/core/package-indexes';
import type { Resolve } from './addresses.ts';
import { type GuardOptions, type GuardProxy, startGuardProxy } from './guard-proxy.ts';
import { type GuardSocket, startGuardSocket } from './guard-socket.ts';
import type { ServiceRelay } from './service-relay.ts';
import type { UpstreamProxy } from './upstream-proxy.ts';

/** What the Python tasks of a worker can connect to, if the worker restricts it. */
export interface TaskNetwork {
  readonly service: ServiceRelay;
  /** What the operator approved for projects that name it. */
  readonly approved: readonly ApprovedHost[];
  /** The operator's proxy. */
  readonly upstream: UpstreamProxy | null;
  /** Resolves host names (default: the system's resolver). */
  readonly resolve?: Resolve;
}

/** Refusals in the log of one task. */
const MAX_REPORTED = 20;
const REMEDY_MANIFEST = 'add it to network in svc.yaml';
const REMEDY_OPERATOR = 'have the operator add it to SVC_RUN__NETWORK';

/**
 * The proxy of one task: it reaches the service, and the hosts that its project names and the operator approved. It listens on a
 * socket in a folder; without a folder, on a port of this machine.
 */
export function startTaskProxy(
  { service, approved, upstream, resolve }: TaskNetwork,
  {
    folder,
    hosts,
    onRefused,
  }: { folder: string | null; hosts: readonly string[]; onRefused: (reason: string) => void },
): Promise<GuardProxy | GuardSocket> {
  const reported = new Set<string>();
  const named = hosts.flatMap((text) => parseNetworkHost(text) ?? []);
  const allowed = named.filter((host) => isApprovedHost(approved, host));
  const options: GuardOptions = {
    allowed: allowed.flatMap(({ host, port }) =>
      // CONNECT opens any connection, whatever its scheme.
      (['https', 'http'] as const).map((scheme) => ({ scheme, host: host.includes(':') ? `[${host}]` : host, port })),
    ),
    service,
    upstream,
    mayConnect: (address) => isApprovedAddress(approved, address),
    ...(resolve === undefined ? {} : { resolve }),
    onRefused(target) {
      const reason = refusalOf(target, { hosts, approved });
      if (!reported.has(reason) && reported.size < MAX_REPORTED) onRefused(reason);
      if (reported.size < MAX_REPORTED) reported.add(reason);
      return reason;
    },
  };
  return folder === null ? startGuardProxy(options) : startGuardSocket(folder, 'network', options);
}

function refusalOf(
  { host, port }: IndexAddress,
  { hosts, approved }: { hosts: readonly string[]; approved: readonly ApprovedHost[] },
): string {
  const target = `${host}:${port}`;
  const parsed = parseNetworkHost(target);
  if (parsed === null) return `svc: ${target} is not a host that tasks can connect to`;
  const isNamed = hosts.includes(networkHostText(parsed));
  const isApproved = isApprovedHost(approved, parsed);
  if (isNamed && isApproved)
    return `svc: ${target} has no public address, and the operator approved no other (SVC_RUN__NETWORK)`;
  const missing = [
    ...(isNamed ? [] : ['the project does not name it']),
    ...(isApproved ? [] : ['the operator has not approved it']),
  ];
  const remedies = [...(isNamed ? [] : [REMEDY_MANIFEST]), ...(isApproved ? [] : [REMEDY_OPERATOR])];
  return `${REFUSED}${target}, because ${missing.join(' and ')}: ${remedies.join(' and ')}`;
}

/** What a task reports that couldn't connect, and what to do about it. */
export interface NetworkFailure {
  readonly detail: string;
  readonly remedy: string;
}

/**
 * Explains a failure of a task that looks like a missing network, or was refused; null for any other.
 * @param sharesNetwork the task has no network of its own, so the kernel denies its connections
 */
export function networkFailure(
  detail: string,
  { refused, sharesNetwork }: { refused: readonly string[]; sharesNetwork: boolean },
): NetworkFailure | null {
  const target = detail.split(REFUSED, 2)[1]?.split(', because ', 1)[0];
  const advice = ADVICE.find((text) => detail.includes(`: ${text}`));
  // The refusal has its own advice, which isn't repeated.
  if (target !== undefined && advice !== undefined)
    return { detail: detail.replace(`: ${advice}`, ''), remedy: advice.replace(' it ', () => ` ${target} `) };
  if (NOT_PUBLIC.test(detail)) return { detail, remedy: 'have the operator add its address to SVC_RUN__NETWORK' };
  if (!sharesNetwork && /Connection refused/i.test(detail)) return { detail, remedy: REMEDY_OWN_MACHINE };
  if (!NO_NETWORK.test(detail) && !(sharesNetwork && NO_RIGHT.test(detail))) return null;
  const [first] = refused;
  const what = first === undefined ? 'the host' : first.replace(/^https?:\/\//, '');
  const remedy = `tasks can connect only to svc and to hosts that svc.yaml names and the operator approved, through the proxy in HTTPS_PROXY: add ${what} to network in svc.yaml, and have the operator add it to SVC_RUN__NETWORK`;
  return { detail, remedy };
}

const REMEDY_OWN_MACHINE =
  '127.0.0.1 in a task is its own sandbox, in which only svc listens: use the name of the machine, add it to network in svc.yaml, and have the operator add it to SVC_RUN__NETWORK';

const REFUSED = 'svc: tasks cannot connect to ';
/** The longest first. */
const ADVICE = [`${REMEDY_MANIFEST} and ${REMEDY_OPERATOR}`, REMEDY_MANIFEST, REMEDY_OPERATOR];
const NOT_PUBLIC = /svc: \S+ has no public address/;
/** What the system answers in a sandbox without a network, and how a refusal of the proxy starts. */
const NO_NETWORK =
  /name resolution|Network is unreachable|Name or service not known|Could not resolve host|Tunnel connection failed|\bsvc: tasks cannot/i;
/** What Landlock answers. For a file, its name follows. */
const NO_RIGHT = /\[Errno 13\] Permission denied(?!:)/;
