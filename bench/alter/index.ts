// Changes of the columns of a large table and of a small one, and clones: svc over HTTP beside PyIceberg with its own catalog.
// `npm run bench alter [ROWS] [ROUNDS]` (default: 10,000,000 rows, 15 rounds). Needs uv.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { newHome, removeHome, startStandalone, TOKEN } from '../service/service.ts';
import { onlyFile } from '../service/table.ts';

const [ROWS = '10000000', ROUNDS = '15'] = process.argv.slice(2);

const home = newHome();
const service = await startStandalone(home);
const { client } = service;
await client.environments.create('bench');
await client.namespaces.create('bench', 'bench');
const rowsOf = (rows: string) =>
  `SELECT range AS id, 'name ' || range AS name, range * 1.5::DOUBLE AS amount FROM range(${rows})`;
await client.queries.run('bench', rowsOf(ROWS), { into: 'bench.large', mode: 'create' });
const file = onlyFile(home);
await client.queries.run('bench', rowsOf('10'), { into: 'bench.small', mode: 'create' });
const sdk = fileURLToPath(new URL('../../packages/sdk-python', import.meta.url));
const packages = ['--with-editable', `${sdk}[arrow]`, '--with', 'pyiceberg[sql-sqlite,pyarrow]'];
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
