// psql, with the commands that describe objects and its copies.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onPath } from '../../bootstrap/uv.mjs';
import { checker } from '../checks.mjs';
import { TOKEN } from '../service.mjs';

const lines = (...all) => `${all.join('\n')}\n`;

/** Commands, and what they print without borders and headers. */
const OUTPUTS = {
  'SELECT id, buyer FROM shop.orders ORDER BY id': lines('1|Ann', '2|', '3|Zoë "the ø", it\'s'),
  '\\dt shop.*': lines(...['kinds', 'numbers', 'orders', 'written'].map((name) => `shop|${name}|table|admin`)),
  '\\dv shop.*': lines('shop|paid|view|admin'),
  '\\d shop.orders': lines(
    ...['id|bigint||not null|', 'buyer|text|||', 'amount|numeric(10,2)|||', 'placed|timestamp with time zone|||'],
    ...['day|date|||', 'paid|boolean|||'],
  ),
  '\\di shop.*': lines('shop|orders_pkey|index|admin|orders'),
  '\\df shop.*': '',
  '\\dT shop.*': '',
  'SELECT id, amount FROM shop.orders \\gdesc': lines('id|bigint', 'amount|numeric(10,2)'),
  'SHOW server_encoding': lines('UTF8'),
  'BEGIN; SELECT 1; ROLLBACK': lines('BEGIN', '1', 'ROLLBACK'),
};

/** Commands that succeed, with a part of what they print. */
const PARTS = {
  '\\d': 'orders',
  '\\dt': 'orders',
  '\\d+ shop.orders': 'Number of the order',
  '\\dn+': 'The shop',
  '\\l': 'dev',
  '\\du': 'admin',
  '\\df': '',
  '\\di': '',
  '\\dT': '',
  '\\dp shop.orders': 'orders',
  '\\ddp': '',
  '\\dx': '',
  '\\sv shop.paid': 'SELECT',
  '\\conninfo': 'database "dev" as user "admin"',
};

/** What tab completion of psql 15 sends for `SELECT * FROM shop.o`. */
const COMPLETION = `SELECT pg_catalog.quote_ident(c.relname), NULL FROM pg_catalog.pg_class c, pg_catalog.pg_namespace n
  WHERE c.relkind IN ('r', 'S', 'v', 'm', 'f', 'p') AND (pg_catalog.quote_ident(c.relname)) LIKE 'o%'
  AND c.relnamespace = n.oid AND n.nspname = 'shop' LIMIT 1000`;

export async function psql(port) {
  if (!onPath('psql')) {
    console.log('psql did not run: it is not installed.');
    return 0;
  }
  const env = {
    ...{ ...process.env, PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'admin', PGPASSWORD: TOKEN },
    ...{ PGDATABASE: 'dev', PGOPTIONS: '-c search_path=shop', PGCLIENTENCODING: 'UTF8', PSQLRC: '/dev/null' },
  };
  const call = (program, args, input = '') => {
    const { status, stdout, stderr } = spawnSync(program, args, { env, input, encoding: 'utf8', timeout: 60_000 });
    return { status, stdout, stderr };
  };
  const run = (command) => {
    const { status, stdout, stderr } = call('psql', ['-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1'], command);
    if (status !== 0 || stderr !== '') throw new Error(stderr);
    return stdout;
  };
  const { equal, end } = checker('psql');
  for (const [command, output] of Object.entries(OUTPUTS)) await equal(command, () => run(command), output);
  for (const [command, part] of Object.entries(PARTS)) await equal(command, () => run(command).includes(part), true);
  await equal('tab completion', () => run(COMPLETION), 'orders|\n');
  await copies({ run, equal });
  await equal('pg_isready', () => call('pg_isready', []).status, 0);
  await equal('pg_dump is refused politely', () => refused(call('pg_dump', ['--schema-only'])), true);
  return end();
}

async function copies({ run, equal }) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-psql-'));
  const [read, written] = [join(folder, 'read.csv'), join(folder, 'written.csv')];
  try {
    writeFileSync(read, '1,"a,b"\n2,\n');
    await equal('\\copy from', () => run(`\\copy shop.written (id, buyer) from '${read}' csv`), 'COPY 2\n');
    await equal(
      '\\copy to',
      () => run(`\\copy (select id, buyer from shop.written order by id) to '${written}' csv`),
      'COPY 2\n',
    );
    await equal('its data', () => readFileSync(written, 'utf8'), '1,"a,b"\n2,\n');
    run('TRUNCATE shop.written');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A dump needs locks and transactions that svc doesn't have: an error, not a crash. */
const refused = ({ status, stderr }) =>
  status !== 0 && /error:/.test(stderr) && !/XX000|log has the cause/.test(stderr);
