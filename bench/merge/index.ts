// A merge of 1 % of the rows of a table: svc over HTTP beside DuckDB on its own table and PyIceberg's upsert. `npm run bench merge [ROWS]
// [ROUNDS]` (default: 10,000,000 rows, 3 rounds). Needs uv. PyIceberg runs once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import { onlyFile } from '../service/table.ts';

const [ROWS = '10000000', ROUNDS = '3'] = process.argv.slice(2);

const home = newHome();
const service = await startStandalone(home);
const { client } = service;
await client.environments.create('bench');
await client.namespaces.create('bench', 'bench');
const sql = `SELECT range AS id, range % 1000 AS k, 'name ' || range AS name, range * 1.5::DOUBLE AS amount FROM range(${ROWS})`;
await client.queries.run('bench', sql, { into: 'bench.merged', mode: 'create' });
const file = Number(ROWS) > 20_000_000 ? '' : onlyFile(home);
const sdk = fileURLToPath(new URL('../../packages/sdk-python', import.meta.url));
const packages = ['--with-editable', `${sdk}[arrow]`, '--with', 'duckdb', '--with', 'pyiceberg[sql-sqlite,pyarrow]'];
const program = fileURLToPath(new URL('./measure.py', import.meta.url));
const child = spawn(
  process.env['SVC_RUN__UV'] ?? 'uv',
  ['run', '--quiet', '--no-project', ...packages, 'python', program, file, ROWS, ROUNDS],
  { stdio: 'inherit', env: { ...process.env, SVC_URL: service.url, SVC_TOKEN: TOKEN, SVC_ENV: 'bench' } },
);
const [code] = (await once(child, 'exit')) as [number];
await service.stop();
removeHome(home);
process.exitCode = code;
