import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bar, figures, interleave, table } from '../database/timing.ts';
import { newHome, removeHome, startStandalone } from '../service/service.ts';

const ROUNDS = 40;
const MAX_MS = 200;

/** Drop and undrop over HTTP of a table of one file and of one of very many. */
export async function undrop(files = 100_000): Promise<void> {
  const home = newHome();
  const service = await startStandalone(home, { SVC_RUN__SWEEP_INTERVAL: '0' });
  try {
    const { client } = service;
    await client.environments.create('dev');
    await client.namespaces.create('dev', 'n');
    for (const [name, count] of [
      ['small', 1],
      ['large', files],
    ] as const) {
      const made = await client.tables.create('dev', `n.${name}`, { columns: [{ name: 'id', type: 'long' }] });
      const folder = `${fileURLToPath(made.location!)}/data`;
      await mkdir(folder, { recursive: true });
      for (let i = 0; i < count; i++) await writeFile(`${folder}/${i}.parquet`, 'rows');
    }
    const times = await interleave(ROUNDS, {
      'drop, 1 file': () => client.tables.delete('dev', 'n.small'),
      'undrop, 1 file': () => client.tables.undrop('dev', 'n.small'),
      [`drop, ${files} files`]: () => client.tables.delete('dev', 'n.large'),
      [`undrop, ${files} files`]: () => client.tables.undrop('dev', 'n.large'),
    });
    console.log(`\nOver HTTP, ms; ${ROUNDS} interleaved rounds:\n`);
    const rows = Object.entries(times).map(([name, ms]) => ({ name, ...figures(ms) }));
    table(
      ['', 'p50', 'p99'],
      rows.map(({ name, p50, p99 }) => [name, p50, p99]),
    );
    const worst = Math.max(...rows.map(({ p99 }) => p99));
    bar(`drop and undrop take at most ${MAX_MS} ms: ${worst.toFixed(1)} ms`, worst <= MAX_MS);
  } finally {
    await service.stop();
    removeHome(home);
  }
}
