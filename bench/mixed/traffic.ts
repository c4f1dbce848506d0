import { packProject } from '@svc/worker/deploys';
import { sender } from '../service/sender.ts';
import type { RunningService } from '../service/service.ts';
import { fillTable, makeTable } from '../service/table.ts';

export const CONNECTIONS = 10;
const UNUSED_TABLES = 40;

/** One kind of request, and how many of a thousand are of it. */
export interface Kind {
  name: string;
  share: number;
  send: () => Promise<unknown>;
}

/** Everything that the traffic needs, and the traffic: each request has objects of its own where two would collide. */
export async function prepareTraffic(services: readonly RunningService[], project: string) {
  const service = services[0]!;
  const { client } = service;
  const senders = services.map(({ url }) => sender(url));
  let requests = 0;
  /** Servers take turns. */
  const next = <T>(of: readonly T[]): T => of[requests++ % of.length]!;
  const send = (method: string, path: string, body?: unknown) => next(senders).send(method, path, body);
  const close = () => {
    for (const one of senders) one.close();
  };
  const env = '/api/v1/environments/bench';
  await fillTable(service, 'bench.facts', 1000);
  for (let i = 0; i < UNUSED_TABLES; i++) await makeTable(service, `bench.spare${i}`);
  await client.repositories.create({ name: 'shop' });
  const deploy = async (dryRun: boolean) => {
    const { bundle_id } = await client.deploys.uploadBundle('bench', await packProject(project));
    const { id } = JSON.parse(await send('POST', `${env}/deploys`, { repository: 'shop', bundle_id, dry_run: dryRun }));
    const done = JSON.parse(await send('GET', `${env}/deploys/${id}?wait=60`));
    if (done.status !== 'succeeded') throw new Error(`a deploy ${done.status}: ${JSON.stringify(done.error)}`);
  };
  await deploy(false);

  const reads = [env, `${env}/namespaces/bench/tables/facts`, `${env}/namespaces/bench/tables?limit=20`, '/api/v1/me'];
  const free = Array.from({ length: UNUSED_TABLES }, (_, i) => `spare${i}`);
  /** A table that nobody else has at the moment. */
  const withTable = async (work: (table: string) => Promise<unknown>) => {
    const table = free.shift();
    if (table === undefined) throw new Error('all tables are in use: the service is behind');
    await work(table);
    free.push(table);
  };
  let index = 0;
  const kinds: Kind[] = [
    { name: 'read', share: 800, send: () => send('GET', reads[index++ % reads.length]!) },
    { name: 'catalog load', share: 120, send: () => send('GET', '/catalog/v1/bench/namespaces/bench/tables/facts') },
    {
      name: 'catalog commit',
      share: 30,
      send: () =>
        withTable((table) =>
          send('POST', `/catalog/v1/bench/namespaces/bench/tables/${table}`, {
            requirements: [],
            updates: [{ action: 'set-properties', updates: { revision: String(index++) } }],
          }),
        ),
    },
    {
      name: 'drop and undrop',
      share: 20,
      send: () =>
        withTable(async (table) => {
          await send('DELETE', `${env}/namespaces/bench/tables/${table}`);
          await send('POST', `${env}/namespaces/bench/tables/${table}/undrop`, {});
        }),
    },
    {
      name: 'query, with its rows',
      share: 20,
      send: () =>
        next(services).client.queries.run('bench', `SELECT count(*) AS n FROM bench.facts WHERE id > ${index++ % 500}`),
    },
    { name: 'start of a run', share: 8, send: () => send('POST', `${env}/jobs/all/runs`, {}) },
    { name: 'dry deploy, to its end', share: 2, send: () => deploy(true) },
  ];
  return { kinds, close };
}
