import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encryptedOnly, SvcClient } from '@svc/sdk';
import { plainTransport } from '../client/transport.ts';
import type { Io } from '../terminal/io.ts';

/** The environment, the namespace and the repository whose names are listed. */
export interface Where {
  env: string | undefined;
  namespace: string | undefined;
  repository?: string | undefined;
}

export interface Signed {
  url: string | undefined;
  token: string | undefined;
  allowInsecure: boolean;
}

type Call = { signal: AbortSignal };
type ListNames = (
  client: SvcClient,
  where: { env: string; namespace: string; repository: string | undefined },
  call: Call,
) => Promise<string[]>;

const names = async (records: Promise<readonly { name: string }[]>) => (await records).map(({ name }) => name);
const ids = async (records: Promise<readonly { id: string }[]>) => (await records).map(({ id }) => id);

/** Lists the names of each kind with one request. */
const REQUESTS = {
  environments: (client, _, call) => names(client.environments.list(call)),
  'deleted environments': (client, _, call) => names(client.environments.list({ ...call, deleted: true })),
  namespaces: async (client, { env }, call) =>
    (await client.namespaces.list(env, { ...call, limit: 200 })).map(({ path }) => path),
  tables: (client, { env, namespace }, call) => names(client.tables.list(env, namespace, { ...call, limit: 200 })),
  'dropped tables': (client, { env, namespace }, call) => names(client.tables.listDropped(env, namespace, call)),
  jobs: (client, { env }, call) => names(client.jobs.list(env, call)),
  deployments: async (client, { env }, call) =>
    (await client.deployments.list(env, call)).map(({ repository }) => repository),
  repositories: (client, _, call) => names(client.repositories.list(call)),
  indexes: (client, _, call) => names(client.packageIndexes.list(call)),
  secrets: (client, { env }, call) => names(client.secrets.list(env, call)),
  principals: (client, _, call) => names(client.principals.list({ ...call, limit: 200 })),
  groups: (client, _, call) => names(client.groups.list({ ...call, limit: 200 })),
  runs: (client, { env }, call) => ids(client.runs.list(env, { ...call, limit: 20 })),
  queries: (client, { env }, call) => ids(client.queries.list(env, { ...call, include_ended: true, limit: 20 })),
  deploys: (client, { env }, call) => ids(client.deploys.list(env, { ...call, limit: 20 })),
  versions: async (client, { env, repository }, call) => {
    const deploys = await client.deploys.list(env, { ...call, limit: 20, repository });
    return [...new Set(deploys.flatMap(({ project_version_id: id }) => id ?? []))];
  },
} satisfies Record<string, ListNames>;

export type NameKind = keyof typeof REQUESTS;
const IN_ENVIRONMENT: readonly NameKind[] = [
  ...(['namespaces', 'tables', 'dropped tables', 'jobs', 'deployments', 'secrets'] as const),
  ...(['runs', 'queries', 'deploys', 'versions'] as const),
];

/** How long a key press waits for the service, and how long a response is cached, in milliseconds. */
const TIMEOUT_MS = 1000;
const CACHE_MS = 30_000;

/** Lists the names of a kind; none if the service is unknown, denies access or doesn't respond in time. */
export async function listNames(
  kind: NameKind,
  { env = '', namespace = '', repository }: Where,
  { url, token, allowInsecure }: Signed,
  io: Pick<Io, 'configFolder' | 'now'>,
): Promise<string[]> {
  if (url === undefined || token === undefined || (env === '' && IN_ENVIRONMENT.includes(kind))) return [];
  const folder = join(io.configFolder, 'completion');
  const key = createHash('sha256')
    .update(JSON.stringify([url, token, kind, env, namespace, repository]))
    .digest('hex');
  const file = join(folder, `${key.slice(0, 32)}.json`);
  const now = io.now().getTime();
  const cached = await readCache(file, now);
  if (cached !== null) return cached;
  try {
    const transport = allowInsecure ? plainTransport : encryptedOnly(plainTransport);
    const client = new SvcClient({ url, token, retries: 0, transport });
    const found = await REQUESTS[kind](
      client,
      { env, namespace, repository },
      { signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    await writeCache(folder, file, { at: now, names: found });
    return found;
  } catch {
    return [];
  }
}

async function readCache(file: string, now: number): Promise<string[] | null> {
  try {
    const { at, names: found } = JSON.parse(await readFile(file, 'utf8')) as { at: number; names: string[] };
    return now >= at && now - at < CACHE_MS ? found : null;
  } catch {
    return null;
  }
}

async function writeCache(folder: string, file: string, value: { at: number; names: string[] }): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify(value), { mode: 0o600 });
  } catch {
    // Without a cache, the next key press is slower; nothing else changes.
  }
}
