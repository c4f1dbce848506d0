// A merge of 1 % of the rows of a table: svc over HTTP beside DuckDB on its own table and PyIceberg's upsert. `npm run bench merge [ROWS]
// [ROUNDS]` (default: 10,000,000 rows, 3 rounds). Needs uv. PyIceberg runs once.
import { measureInPython } from '../service/measure-in-python.ts';
import { onlyFile } from '../service/table.ts';

const [ROWS = '10000000', ROUNDS = '3'] = process.argv.slice(2);

const sql = `SELECT range AS id, range % 1000 AS k, 'name ' || range AS name, range * 1.5::DOUBLE AS amount FROM range(${ROWS})`;

await measureInPython({
  program: new URL('./measure.py', import.meta.url),
  extras: 'arrow',
  packages: ['duckdb', 'pyiceberg[sql-sqlite,pyarrow]'],
  async prepare({ client, home }) {
    await client.queries.run('bench', sql, { into: 'bench.merged', mode: 'create' });
    return [Number(ROWS) > 20_000_000 ? '' : onlyFile(home), ROWS, ROUNDS];
  },
});
