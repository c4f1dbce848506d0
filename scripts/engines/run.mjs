// npm run test:engines: other engines against the service. What cannot be fetched or run here says so and is left out.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compatibilityKit } from './kit.mjs';
import { startService, TOKEN } from './service.mjs';

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

const failed = (await pyiceberg()) + (await compatibilityKit());
process.exitCode = failed === 0 ? 0 : 1;
