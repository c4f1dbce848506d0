// Changes of the columns of a large table and of a small one, and clones: svc over HTTP beside PyIceberg with its own catalog.
// `npm run bench alter [ROWS] [ROUNDS]` (default: 10,000,000 rows, 15 rounds). Needs uv.
import { measureInPython } from '../service/measure-in-python.ts';
import { onlyFile } from '../service/table.ts';

const [ROWS = '10000000', ROUNDS = '15'] = process.argv.slice(2);

const rowsOf = (rows: string) =>
  `SELECT range AS id, 'name ' || range AS name, range * 1.5::DOUBLE AS amount FROM range(${rows})`;

await measureInPython({
  program: new URL('./measure.py', import.meta.url),
  extras: 'arrow',
  packages: ['pyiceberg[sql-sqlite,pyarrow]'],
  async prepare({ client, home }) {
    await client.queries.run('bench', rowsOf(ROWS), { into: 'bench.large', mode: 'create' });
    const file = onlyFile(home);
    await client.queries.run('bench', rowsOf('10'), { into: 'bench.small', mode: 'create' });
    return [file, ROWS, ROUNDS];
  },
});
