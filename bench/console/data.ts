import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packProject } from '@svc/worker/deploys';
import type { RunningService } from '../service/service.ts';

export const ASSETS = 1000;
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

/** Numbers from 0 to 1 that are the same in every run. */
function sequence(): () => number {
  let state = 7;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
