// Results as DataFrames: svc over HTTP beside DuckDB in the same Python process, on the same Parquet file. `npm run bench frames [ROUNDS]`
// (default: 7). Needs uv. Aims: 200,000 rows × 10 columns into pandas ≤ 1.5 × DuckDB plus the transfer; 10,000,000 rows stream with
// flat memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import { onlyFile } from '../service/table.ts';

const ROUNDS = process.argv[2] ?? '7';
const SDK = fileURLToPath(new URL('../../packages/sdk-python', import.meta.url));

const home = newHome();
const service = await startStandalone(home);
const { client } = service;
await client.environments.create('bench');
await client.namespaces.create('bench', 'bench');
await client.queries.run(
  'bench',
  `SELECT range AS id, range % 1000 AS k, 'name ' || range AS name, 'category ' || range % 10 AS category, range * 1.5::DOUBLE AS amount,
     range * 2.5::FLOAT AS ratio, range % 7 AS day, TIMESTAMPTZ '2020-01-01 00:00:00Z' + INTERVAL 1 SECOND * range AS at,
     TIMESTAMP '2020-01-01' + INTERVAL 1 SECOND * range AS local, range % 2 = 0 AS flag FROM range(200000)`,
  { into: 'bench.rows', mode: 'create' },
);
const file = onlyFile(home);
const packages = ['--with-editable', `${SDK}[pandas,polars]`, '--with', 'duckdb', '--with', 'pytz'];
const program = fileURLToPath(new URL('./measure.py', import.meta.url));
const child = spawn(
  process.env['SVC_RUN__UV'] ?? 'uv',
  ['run', '--quiet', '--no-project', ...packages, 'python', program, file, ROUNDS],
  { stdio: 'inherit', env: { ...process.env, SVC_URL: service.url, SVC_TOKEN: TOKEN, SVC_ENV: 'bench' } },
);
const [code] = (await once(child, 'exit')) as [number];
await service.stop();
removeHome(home);
process.exitCode = code;
