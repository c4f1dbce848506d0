import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packProject } from '@svc/worker/deploys';
import { sender } from '../service/sender.ts';
import type { RunningService } from '../service/service.ts';
import { fillTable, makeTable } from '../service/table.ts';

/** Such work under way at once, each on a table and a project of its own. */
export const LANES = 2;

/** One kind of work: how many of it stand for one of a query, and what does one. */
export interface Operation {
  share: number;
  /** At once; `LANES` when left out. One owner's queries share a process when they come one after the other. */
  lanes?: number;
  act: (lane: number) => Promise<unknown>;
}

const SQL_PROJECT = (lane: number) => ({
  'svc.yaml': 'jobs:\n  all:\n    select: ["*"]\n',
  [`assets/marts/total${lane}.sql`]: 'SELECT count(*) AS n FROM range(10)',
});
const PYTHON_PROJECT = (lane: number) => ({
  'svc.yaml': 'jobs:\n  all:\n    select: ["*"]\n',
  'pyproject.toml': '[project]\nname = "app"\nversion = "0"\nrequires-python = ">=3.10"\n[tool.uv]\npackage = false\n',
  'uv.lock':
    'version = 1\nrequires-python = ">=3.10"\n\n[[package]]\nname = "app"\nversion = "0"\nsource = { virtual = "." }\n',
  'assets/py/one.py': `import svc\n\n@svc.asset(table="py.one${lane}")\ndef one(ctx):\n    """One row."""\n    yield {"n": 1}\n`,
});

/** Everything that the operations need, and the operations by their names. */
export async function prepareOperations(service: RunningService, selected: (name: string) => boolean) {
  const { client, url, home } = service;
  const { send, close } = sender(url);
  const env = '/api/v1/environments/bench';
  const tables = `${env}/namespaces/bench/tables`;
  /** @throws when the work did not succeed. */
  const finished = async (kind: 'deploys' | 'runs' | 'writes', made: string) => {
    const { id } = JSON.parse(made);
    const record = JSON.parse(await send('GET', `${env}/${kind}/${id}?wait=60`));
    if (record.status !== 'succeeded') throw new Error(`${kind} ${record.status}: ${JSON.stringify(record.error)}`);
  };
  const deploy = async (repository: string, dryRun: boolean) => {
    const { bundle_id } = await client.deploys.uploadBundle('bench', await packProject(join(home, repository)));
    await finished('deploys', await send('POST', `${env}/deploys`, { repository, bundle_id, dry_run: dryRun }));
  };
  const run = async (repository: string) =>
    finished('runs', await send('POST', `${env}/runs`, { repository, select: ['*'] }));
  const startProject = async (repository: string, files: Record<string, string>) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, repository, file)), { recursive: true });
      writeFileSync(join(home, repository, file), text);
    }
    await client.repositories.create({ name: repository });
    await deploy(repository, false);
  };

  await fillTable(service, 'bench.facts', 1000);
  for (let lane = 0; lane < LANES; lane++) {
    await makeTable(service, `bench.spare${lane}`);
    await makeTable(service, `bench.dropped${lane}`);
    await startProject(`sql${lane}`, SQL_PROJECT(lane));
    if (selected('python')) await startProject(`python${lane}`, PYTHON_PROJECT(lane));
  }

  const lists = [tables, `${env}/queries`, `${env}/runs`, '/api/v1/audit-events'];
  const reads = [env, `${tables}/facts`, '/api/v1/me', `${env}/jobs`, ...lists.map((list) => `${list}?limit=20`)];
  const catalog = '/catalog/v1/bench/namespaces/bench/tables';
  let revision = 0;
  const operations: Record<string, Operation> = {
    read: { share: 5, act: () => send('GET', reads[revision++ % reads.length]!) },
    'catalog-load': { share: 5, act: () => send('GET', `${catalog}/facts`) },
    'catalog-commit': {
      share: 2,
      act: (lane) => {
        const updates = [{ action: 'set-properties', updates: { revision: String(revision++) } }];
        return send('POST', `${catalog}/spare${lane}`, { requirements: [], updates });
      },
    },
    drop: {
      share: 2,
      act: async (lane) => {
        await send('DELETE', `${tables}/dropped${lane}`);
        await send('POST', `${tables}/dropped${lane}/undrop`, {});
      },
    },
    table: {
      share: 1,
      act: async () => {
        const name = `made${revision++}`;
        await makeTable(service, `bench.${name}`);
        await send('DELETE', `${tables}/${name}?purge=true`);
      },
    },
    'same-query': {
      share: 1,
      lanes: 1,
      act: () => client.queries.run('bench', 'SELECT count(*) AS n FROM bench.facts'),
    },
    'other-query': {
      share: 1,
      lanes: 1,
      act: () => client.queries.run('bench', `SELECT count(*) AS n FROM bench.facts WHERE id > ${revision++}`),
    },
    'load-rows': {
      share: 0.5,
      act: async (lane) => {
        const rows = `id,name,value,day,amount\n${revision++},a,1.5,2020-01-01,1.25\n`;
        await finished('writes', await send('POST', `${tables}/spare${lane}/writes?mode=replace`, rows, 'text/csv'));
      },
    },
    run: { share: 0.5, act: (lane) => run(`sql${lane}`) },
    python: { share: 0.2, act: (lane) => run(`python${lane}`) },
    'dry-deploy': { share: 0.5, act: (lane) => deploy(`sql${lane}`, true) },
    deploy: { share: 0.3, act: (lane) => deploy(`sql${lane}`, false) },
  };
  return { operations: Object.entries(operations).filter(([name]) => selected(name)), close };
}
