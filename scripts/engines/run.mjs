// npm run test:engines [pyiceberg] [duckdb] [spark] [trino] [queries] [kit]: other engines against the service. What cannot be fetched or run here says so and is left out.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compatibilityKit } from './kit.mjs';
import { startService, TOKEN } from './service.mjs';
import { spark } from './spark.mjs';
import { trino } from './trino.mjs';
import { trinoQueries } from './trino-queries.mjs';

const uv = process.env.SVC_RUN__UV ?? 'uv';

/** A program in Python that needs these packages, and is told the service's address and a token. */
const inPython = (name, program, packages) => async () => {
  const base = ['run', '--quiet', '--no-project', ...packages.flatMap((one) => ['--with', one]), 'python'];
  const there = spawnSync(uv, [...base, '-c', ''], { encoding: 'utf8' });
  if (there.status !== 0) {
    console.log(`${name} did not run: ${(there.error?.message ?? there.stderr.trim()).split('\n')[0]}`);
    return 0;
  }
  const service = await startService();
  try {
    const file = fileURLToPath(new URL(`./${program}`, import.meta.url));
    return spawnSync(uv, [...base, file, service.url, TOKEN], { stdio: 'inherit' }).status ?? 1;
  } finally {
    await service.stop();
  }
};

const pyiceberg = inPython('PyIceberg', 'pyiceberg_engine.py', ['pyiceberg[pyarrow,pyiceberg-core]==0.12.0']);
/** Its extensions as packages of PyPI bring them. */
const extension = (name) => `duckdb-ext-${name}==1.4.4.20260205`;
const duckdb = inPython('DuckDB', 'duckdb_engine.py', [
  'duckdb==1.4.4',
  ...['iceberg', 'avro', 'httpfs'].map(extension),
]);

const ENGINES = { pyiceberg, duckdb, spark, trino, queries: trinoQueries, kit: compatibilityKit };
const wanted = process.argv.slice(2);
let failed = 0;
for (const name of wanted.length === 0 ? Object.keys(ENGINES) : wanted) failed += await ENGINES[name]();
process.exitCode = failed === 0 ? 0 : 1;
