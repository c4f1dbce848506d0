import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packProject } from '@svc/worker/deploys';
import { newHome, removeHome, startStandalone } from '../service/service.ts';

/** Milliseconds from the request of a manual start to the start of its first task, in the whole service. */
export async function manualStarts(rounds: number): Promise<number[]> {
  const home = newHome();
  const service = await startStandalone(home);
  const { client } = service;
  try {
    const folder = join(home, 'project');
    mkdirSync(join(folder, 'assets', 'raw'), { recursive: true });
    writeFileSync(join(folder, 'svc.yaml'), 'jobs:\n  all:\n    select: ["*"]\n');
    writeFileSync(join(folder, 'assets', 'raw', 'numbers.sql'), 'SELECT i AS id FROM range(10) t(i)');
    await client.environments.create('dev');
    await client.repositories.create({ name: 'shop' });
    const { bundle_id } = await client.deploys.uploadBundle('dev', await packProject(folder));
    const { id } = await client.deploys.create('dev', { repository: 'shop', bundle_id });
    const deploy = await client.deploys.wait('dev', id);
    if (deploy.status !== 'succeeded') throw new Error(JSON.stringify(deploy.error));
    const times: number[] = [];
    for (let i = -5; i < rounds; i++) {
      const requestedAt = Date.now();
      const { run } = await client.jobs.start('dev', 'all');
      const finished = await client.runs.wait('dev', run!.id);
      if (i >= 0) times.push(Date.parse(finished.tasks[0]!.started_at!) - requestedAt);
    }
    return times;
  } finally {
    await service.stop();
    removeHome(home);
  }
}
