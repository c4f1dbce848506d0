import type { TestDatabase } from '@svc/db/testing';
import { sendFiles } from './projects.ts';
import type { Call } from './rest.ts';
import { type TestService, TOKEN } from './test-service.ts';

const ROWS = 5000;
const SQL = (table: string) => `SELECT sum(n)::BIGINT AS n FROM shop.${table}`;

/** The fixture of one outage: the service has read nothing of it, so that no cache replaces the storage. */
export interface Subject {
  table: string;
  /** A query with a result in a file. */
  query: string;
  bundle: string;
  job: string;
}

/** Creates what `seen` reads: a table with the rows 1 and 2, a large result, a bundle and a deployed project. */
export async function makeSubject(s: TestService, table: string): Promise<Subject> {
  const { client } = s;
  await client.tables.create('dev', `shop.${table}`, { columns: [{ name: 'n', type: 'long' }] });
  const write = await client.tables.load('dev', `shop.${table}`, 'n\n1\n2\n', { format: 'csv' });
  await client.writes.wait('dev', write.id);
  const query = await client.queries.submit('dev', `SELECT range AS n FROM range(${ROWS})`);
  await client.queries.wait('dev', query.id);
  await client.repositories.create({ name: table });
  const files = {
    'svc.yaml': `name: ${table}\njobs:\n  all:\n    select: ["*"]\n`,
    [`assets/made/${table}.sql`]: `SELECT n FROM shop.${table}`,
  };
  const bundle = await sendFiles(client, { env: 'dev', folder: s.folder }, files);
  await deployed(s.call, table, bundle);
  return { table, query: query.id, bundle, job: 'all' };
}

const finish = async (call: Call, path: string): Promise<unknown[]> => {
  const { body } = await call('GET', `${path}?wait=60`);
  return body.error === null || body.error === undefined
    ? [body.status]
    : [body.status, body.error.code, body.error.detail];
};

async function started(call: Call, path: string, body: object): Promise<unknown[]> {
  const answer = await call('POST', `/environments/dev/${path}`, { body });
  return answer.status < 300
    ? finish(call, `/environments/dev/${path}/${answer.body.id}`)
    : [answer.status, answer.body.code, answer.body.detail];
}

const deployed = (call: Call, repository: string, bundle_id: string) =>
  started(call, 'deploys', { repository, bundle_id });

/** A response's status, and the text of a problem. */
const summarize = ({ status, body }: Awaited<ReturnType<Call>>): unknown[] =>
  status < 400 ? [status] : [status, body?.code, body?.detail];

/** Requests everything that needs the storage, concurrently, and returns the results. */
export async function seen(s: TestService, subject: Subject): Promise<Record<string, unknown[]>> {
  const { call } = s;
  const { table, query, bundle, job } = subject;
  const results = (format: string) => call('GET', `/environments/dev/queries/${query}/results?format=${format}`);
  const run = async () => {
    const { body } = await call('POST', `/environments/dev/jobs/${job}/runs?repository=${table}`, { body: {} });
    const { body: ran } = await call('GET', `/environments/dev/runs/${body.id}?wait=60`);
    const [task] = ran.tasks;
    return [ran.status, task.status, ...(task.error === null ? [] : [task.error.code, task.error.detail])];
  };
  const engine = async () => {
    const url = `${s.url}/catalog/v1/dev/namespaces/shop/tables/${table}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${TOKEN}` } });
    const { error } = (await answer.json()) as { error?: { type: string; code: number; message: string } };
    return error === undefined ? [answer.status] : [error.code, error.type, error.message];
  };
  const raw = (type: string, data: string) => ({ raw: { type, data } });
  const calls: Record<string, Promise<unknown[]>> = {
    query: started(call, 'queries', { sql: SQL(table) }),
    large: started(call, 'queries', { sql: `SELECT range AS n FROM range(${ROWS})` }),
    into: started(call, 'queries', { sql: 'SELECT 10 AS n', into: `shop.${table}`, mode: 'append' }),
    json: results('json').then(summarize),
    csv: results('csv').then(summarize),
    parquet: results('parquet').then(summarize),
    snapshots: call('GET', `/environments/dev/namespaces/shop/tables/${table}/snapshots`).then(summarize),
    upload: call('POST', '/environments/dev/bundles', raw('application/gzip', 'no archive')).then(summarize),
    deploy: deployed(call, table, bundle),
    run: run(),
    engine: engine(),
  };
  const entries = Object.entries(calls).map(async ([name, answer]) => [name, await answer] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Loads rows and returns the result: refused at the upload, or by the write. */
export async function loaded({ call }: TestService, table: string, n: number): Promise<unknown[]> {
  const answer = await call('POST', `/environments/dev/namespaces/shop/tables/${table}/writes?mode=append`, {
    raw: { type: 'text/csv', data: `n\n${n}\n` },
  });
  return answer.status === 202 ? finish(call, `/environments/dev/writes/${answer.body.id}`) : summarize(answer);
}

/** What the service reports about itself. */
export async function readiness({ url }: TestService): Promise<number[]> {
  const answers = await Promise.all(['/livez', '/readyz', '/readyz/storage'].map((path) => fetch(url + path)));
  return answers.map(({ status }) => status);
}

export async function sumOf({ client }: TestService, table: string): Promise<unknown> {
  return (await client.queries.run('dev', SQL(table))).rows[0]?.['n'];
}

/** Work that is still leased or queued. */
export async function underWay({ db }: TestDatabase): Promise<number> {
  const [{ n }] = (await db.prisma.$queryRaw`
    SELECT (SELECT count(*) FROM queries WHERE status IN ('queued', 'running'))
      + (SELECT count(*) FROM writes WHERE status IN ('queued', 'running'))
      + (SELECT count(*) FROM deploys WHERE status IN ('queued', 'running'))
      + (SELECT count(*) FROM runs WHERE status IN ('queued', 'running')) AS n`) as [{ n: bigint }];
  return Number(n);
}
