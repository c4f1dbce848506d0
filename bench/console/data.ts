import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packProject } from '@svc/worker/deploys';
import type pg from 'pg';
import type { RunningService } from '../service/service.ts';

export const ASSETS = 1000;
/** In the last 7 days. */
export const RUNS = 10_000;
const JOBS = 50;
const LAYERS = 8;
export const PERSON = { name: 'ann', password: 'correct horse battery staple' };

/** Deploys a project of layers to the environment `bench`: each asset reads one to three of earlier layers. */
export async function deployAssets({ client, home }: RunningService): Promise<void> {
  const folder = mkdtempSync(join(home, 'project-'));
  writeFileSync(join(folder, 'svc.yaml'), '');
  for (let layer = 0; layer < LAYERS; layer++) mkdirSync(join(folder, 'assets', `layer${layer}`), { recursive: true });
  const random = sequence();
  const perLayer = ASSETS / LAYERS;
  const layerOf = (asset: number) => Math.floor(asset / perLayer);
  for (let asset = 0; asset < ASSETS; asset++) {
    const layer = layerOf(asset);
    const inputs = new Set<number>();
    for (let count = layer === 0 ? 0 : 1 + Math.floor(random() * 3); count > 0; count--) {
      const from = random() < 0.8 ? layer - 1 : Math.floor(random() * layer);
      const near = (asset % perLayer) + Math.floor((random() - 0.5) * 0.15 * perLayer);
      inputs.add(from * perLayer + Math.max(0, Math.min(perLayer - 1, near)));
    }
    const reads = [...inputs].map((input) => `(SELECT max(n) FROM layer${layerOf(input)}.t${input})`);
    const sql = `SELECT ${['1', ...reads].join(' + ')} AS n`;
    writeFileSync(join(folder, 'assets', `layer${layer}`, `t${asset}.sql`), sql);
  }
  await client.environments.create('bench');
  await client.repositories.create({ name: 'layers' });
  const { bundle_id } = await client.deploys.uploadBundle('bench', await packProject(folder));
  const { id } = await client.deploys.create('bench', { repository: 'layers', bundle_id });
  await client.deploys.wait('bench', id);
  await client.principals.create({ ...PERSON, type: 'person' });
  await client.grants.create({ principal: PERSON.name, kind: 'INSTANCE', role: 'ADMIN' });
}

/** Stores runs of jobs that are no longer deployed, as the timeline shows them: each took up to some minutes. */
export async function insertRuns(bare: pg.Client): Promise<void> {
  await bare.query(
    `INSERT INTO runs (id, environment_id, repository_id, project_version_id, job, trigger, principal_id, status, "select",
       created_at, started_at, ended_at)
     SELECT gen_random_uuid(), d.environment_id, d.repository_id, d.project_version_id, 'job ' || n % $2, 'schedule', p.id,
       CASE WHEN n % 17 = 0 THEN 'failed' ELSE 'succeeded' END, '["*"]', t, t + interval '5 s', t + (n % 300 + 6) * interval '1 s'
     FROM deployments d, principals p, generate_series(1, $1) n,
       LATERAL (SELECT now() - interval '7 d' + n * interval '7 d' / $1 AS t) at
     WHERE p.name = $3`,
    [RUNS, JOBS, PERSON.name],
  );
}

/** Numbers from 0 to 1 that are the same in every run. */
function sequence(): () => number {
  let state = 7;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
