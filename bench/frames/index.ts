// Results as DataFrames: svc over HTTP beside DuckDB in the same Python process, on the same Parquet file. `npm run bench frames [ROUNDS]`
// (default: 7). Needs uv. Aims: 200,000 rows × 10 columns into pandas ≤ 1.5 × DuckDB plus the transfer; 10,000,000 rows stream with
// flat memory.
import { measureInPython } from '../service/measure-in-python.ts';
import { onlyFile } from '../service/table.ts';

const ROUNDS = process.argv[2] ?? '7';

const sql = `SELECT range AS id, range % 1000 AS k, 'name ' || range AS name, 'category ' || range % 10 AS category, range * 1.5::DOUBLE AS amount,
     range * 2.5::FLOAT AS ratio, range % 7 AS day, TIMESTAMPTZ '2020-01-01 00:00:00Z' + INTERVAL 1 SECOND * range AS at,
     TIMESTAMP '2020-01-01' + INTERVAL 1 SECOND * range AS local, range % 2 = 0 AS flag FROM range(200000)`;

await measureInPython({
  program: new URL('./measure.py', import.meta.url),
  extras: 'pandas,polars',
  packages: ['duckdb', 'pytz'],
  async prepare({ client, home }) {
    await client.queries.run('bench', sql, { into: 'bench.rows', mode: 'create' });
    return [onlyFile(home), ROUNDS];
  },
});
