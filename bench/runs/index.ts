// Runs of small assets, from the request to their last commit, beside other orchestrators with the same chain of Python tasks.
// `npm run bench runs [ROUNDS]` (default: 5).
// Aims on two cores: a chain of 10 Python assets ≤ 1.5 s, of 10 SQL assets ≤ 0.5 s; 200 independent SQL assets ≥ 25 a second.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packProject } from '@svc/worker/deploys';
import { median } from '../service/measure.ts';
import { newHome, removeHome, startStandalone } from '../service/service.ts';
import { openPeers } from './peers.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const CHAIN = 10;
const WIDE = 200;
const PYPROJECT = '[project]\nname = "app"\nversion = "0"\nrequires-python = ">=3.10"\ndependencies = []\n';
const LOCK =
  'version = 1\nrequires-python = ">=3.10"\n\n[[package]]\nname = "app"\nversion = "0"\nsource = { virtual = "." }\n';
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

const projects: Record<string, { files: Record<string, string>; aim: string; count: number }> = {
  python: {
    count: CHAIN,
    aim: 'aim ≤ 1,500 ms',
    files: {
      'pyproject.toml': PYPROJECT,
      'uv.lock': LOCK,
      'assets/chain.py': `import svc\n${numbers(CHAIN).map(pythonAsset).join('\n')}`,
    },
  },
  sql: {
    count: CHAIN,
    aim: 'aim ≤ 500 ms',
    files: Object.fromEntries(
      numbers(CHAIN).map((i) => [
        `assets/chain/c${i}.sql`,
        i === 0 ? 'SELECT 1 AS n' : `SELECT n FROM chain.c${i - 1}`,
      ]),
    ),
  },
  wide: {
    count: WIDE,
    aim: `aim ≥ 25 a second, ${(WIDE / 25) * 1000} ms`,
    files: Object.fromEntries(numbers(WIDE).map((i) => [`assets/wide/w${i}.sql`, `SELECT ${i} AS n`])),
  },
};

function pythonAsset(i: number): string {
  const dependsOn = i === 0 ? '' : `, depends_on=["chain.p${i - 1}"]`;
  return `\n@svc.asset(table="chain.p${i}"${dependsOn})\ndef p${i}(ctx):\n    return [{"n": ${i}}]\n`;
}

const home = newHome();
const { client, stop } = await startStandalone(home);
await client.environments.create('bench');

/** Deploys the project and returns a function that runs all of it, in milliseconds. */
async function deployed(name: string, files: Record<string, string>): Promise<() => Promise<number>> {
  const folder = join(home, name);
  for (const [file, text] of Object.entries({ 'svc.yaml': `name: ${name}\n`, ...files })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  await client.repositories.create({ name });
  const { bundle_id } = await client.deploys.uploadBundle('bench', await packProject(folder));
  const deploy = await client.deploys.create('bench', { repository: name, bundle_id });
  const { status, error } = await client.deploys.wait('bench', deploy.id);
  if (status !== 'succeeded') throw new Error(`the deploy ${status}: ${JSON.stringify(error)}`);
  return async () => {
    const started = performance.now();
    const { id } = await client.runs.create('bench', { repository: name, select: ['*'] });
    const run = await client.runs.wait('bench', id);
    if (run.status !== 'succeeded')
      throw new Error(`the run ${run.status}: ${JSON.stringify(run.tasks.find(({ error }) => error !== null)?.error)}`);
    return performance.now() - started;
  };
}

const runs = await Promise.all(
  Object.entries(projects).map(async ([name, { files }]) => [name, await deployed(name, files)] as const),
);
const times: Record<string, number[]> = {};
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, run] of runs) {
    const ms = await run();
    // The first round also builds the Python environment and creates the tables.
    if (round > 0) times[name] = [...(times[name] ?? []), ms];
  }
}
for (const [name, { count, aim }] of Object.entries(projects)) {
  const ms = median(times[name]!);
  const range = `${Math.min(...times[name]!).toFixed(0)} – ${Math.max(...times[name]!).toFixed(0)}`;
  console.log(
    `${name.padEnd(7)} ${count} assets: ${ms.toFixed(0)} ms (${range}), ${((count * 1000) / ms).toFixed(1)} a second, ${(ms / count).toFixed(0)} ms each   ${aim}`,
  );
}
await stop();
removeHome(home);

const peers = await openPeers();
for (const [name, chain] of Object.entries(peers?.chains ?? {})) {
  // The first run creates the peer's own database.
  await chain();
  const started = performance.now();
  await chain();
  const ms = performance.now() - started;
  console.log(
    `peer: ${name}, ${CHAIN} tasks: ${ms.toFixed(0)} ms, ${(ms / median(times['python']!)).toFixed(1)} times as long`,
  );
}
peers?.close();
