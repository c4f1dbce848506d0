// The clients of PostgreSQL against the service's endpoint.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../testing/free-port.mjs';
import { startService, TOKEN } from '../service.mjs';
import { dbt } from './dbt.mjs';
import { createTables } from './fixture.mjs';
import { go } from './go.mjs';
import { pgjdbc } from './pgjdbc.mjs';
import { psql } from './psql.mjs';

const uv = process.env.SVC_RUN__UV ?? 'uv';

/** A Python program with the packages that it needs. */
const inPython = (name, program, packages) => async (port) => {
  const base = ['run', '--quiet', '--no-project', ...packages.flatMap((one) => ['--with', one]), 'python'];
  const there = spawnSync(uv, [...base, '-c', ''], { encoding: 'utf8' });
  if (there.status !== 0) {
    console.log(`${name} did not run: ${(there.error?.message ?? there.stderr.trim()).split('\n')[0]}`);
    return 0;
  }
  const file = fileURLToPath(new URL(program, import.meta.url));
  return spawnSync(uv, [...base, file, String(port), TOKEN], { stdio: 'inherit' }).status ?? 1;
};

const PSYCOPG = 'psycopg[binary]==3.3.9';
const CLIENTS = {
  psql,
  psycopg: inPython('psycopg', './psycopg_client.py', [PSYCOPG]),
  psycopg2: inPython('psycopg2', './psycopg2_client.py', ['psycopg2-binary==2.9.13']),
  asyncpg: inPython('asyncpg', './asyncpg_client.py', ['asyncpg==0.32.0']),
  sqlalchemy: inPython('SQLAlchemy', './sqlalchemy_client.py', [
    ...['sqlalchemy[asyncio]==2.1.9', 'pandas==3.1.1', PSYCOPG, 'psycopg2-binary==2.9.13', 'asyncpg==0.32.0'],
  ]),
  frames: inPython('ADBC and ConnectorX', './frames_client.py', [
    ...['adbc-driver-postgresql==1.13.0', 'pyarrow==26.0.1', 'polars==2.1.0', 'connectorx==0.4.6'],
  ]),
  duckdb: inPython('DuckDB', './duckdb_client.py', ['duckdb==1.5.5', 'duckdb-extension-postgres-scanner==1.5.5']),
  superset: inPython('Superset', './superset_client.py', [
    ...['apache-superset==6.1.0', 'flask-caching==2.3.1', 'marshmallow<4', 'rich', 'cachetools', 'pillow'],
    'psycopg2-binary==2.9.13',
  ]),
  odbc: inPython('ODBC', './odbc_client.py', ['pyodbc==5.5.0']),
  go,
  pgjdbc,
  dbt,
};

/** How many clients failed. @param selected their names; none: all */
export async function postgres(selected = []) {
  const port = await freePort();
  const service = await startService({ SVC_SQL__LISTEN: `127.0.0.1:${port}` });
  let failed = 0;
  try {
    await createTables(service.url);
    for (const name of selected.length === 0 ? Object.keys(CLIENTS) : selected) {
      failed += (await CLIENTS[name](port)) === 0 ? 0 : 1;
    }
  } finally {
    await service.stop();
  }
  return failed;
}
