// npm run test:engines [pyiceberg] [spark] [trino] [kit]: other engines against the service. What cannot be fetched or run here says so and is left out.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compatibilityKit } from './kit.mjs';
import { startService, TOKEN } from './service.mjs';
import { spark } from './spark.mjs';
import { trino } from './trino.mjs';

const PACKAGES = ['pyiceberg[pyarrow,pyiceberg-core]==0.12.0'];
const program = fileURLToPath(new URL('./pyiceberg_engine.py', import.meta.url));
const uv = process.env.SVC_RUN__UV ?? 'uv';

async function pyiceberg() {
  const base = ['run', '--quiet', '--no-project', ...PACKAGES.flatMap((name) => ['--with', name]), 'python'];
  const there = spawnSync(uv, [...base, '-c', 'import pyiceberg'], { encoding: 'utf8' });
  if (there.status !== 0) {
    console.log(`PyIceberg did not run: ${(there.error?.message ?? there.stderr.trim()).split('\n')[0]}`);
    return 0;
  }
  const service = await startService();
  try {
    return spawnSync(uv, [...base, program, service.url, TOKEN], { stdio: 'inherit' }).status ?? 1;
  } finally {
    await service.stop();
  }
}

const ENGINES = { pyiceberg, spark, trino, kit: compatibilityKit };
const wanted = process.argv.slice(2);
let failed = 0;
for (const name of wanted.length === 0 ? Object.keys(ENGINES) : wanted) failed += await ENGINES[name]();
process.exitCode = failed === 0 ? 0 : 1;
