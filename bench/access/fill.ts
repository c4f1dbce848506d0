import { hashToken } from '@svc/db/access';
import type pg from 'pg';

/** Whose requests are measured: in how many groups it is, and whether it or a group holds 100,000 grants. */
export const CALLERS = {
  alone: 0,
  'in 3 groups': 3,
  'in 50 groups': 50,
  'with 100,000 grants': 0,
  'group with 100,000': 1,
} as const;
export type CallerName = keyof typeof CALLERS;

export const tokenHashOf = (caller: CallerName): Uint8Array => hashToken(`svc_pat_bench ${caller}`);

// 10 environments of 100 namespaces of 100 tables; the ids show which objects they belong to.
const uuid = (kind: string, number: string) =>
  `(lpad('${kind}', 8, '0') || '-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
const TIME = `timestamptz '2026-01-01' + make_interval(secs => i / 100.0)`;

const OBJECTS = [
  `INSERT INTO environments (id, name, created_at) SELECT ${uuid('e', 'i')}, 'env' || i, ${TIME} FROM generate_series(0, 9) i`,
  `INSERT INTO namespaces (id, environment_id, path, path_key, created_at)
   SELECT ${uuid('a', 'i')}, ${uuid('e', 'i / 100')}, path, path, ${TIME}
   FROM generate_series(0, 999) i, LATERAL (SELECT CASE WHEN i % 2 = 0 THEN 'n' || i ELSE 'n' || i - 1 || '.m' || i END AS path) p`,
  `INSERT INTO tables (id, environment_id, namespace_id, name, name_key, kind, columns, created_at, updated_at)
   SELECT ${uuid('b', 'i')}, ${uuid('e', 'i / 10000')}, ${uuid('a', 'i / 100')}, 't' || i, 't' || i, 'managed', '[]', ${TIME}, ${TIME}
   FROM generate_series(0, 99999) i`,
];

const PEOPLE = [
  `INSERT INTO principals (id, name, type, created_at) SELECT ${uuid('c', 'i')}, 'p' || i, 'person', ${TIME} FROM generate_series(0, 19999) i`,
  `INSERT INTO groups (id, name, created_at) SELECT ${uuid('d', 'i')}, 'g' || i, ${TIME} FROM generate_series(0, 2000) i`,
  `INSERT INTO group_members (id, group_id, principal_id, added_at)
   SELECT gen_random_uuid(), ${uuid('d', '(i * 7 + j * 401) % 2000')}, ${uuid('c', 'i')}, ${TIME}
   FROM generate_series(100, 19999) i, generate_series(0, 2) j`,
];

const grants = (count: number, principal: string, object: string, where = 'true') => `
  INSERT INTO grants (id, principal_id, group_id, action, kind, environment_id, namespace_id, table_id, object_id, created_at)
  SELECT gen_random_uuid(), ${principal}, 'READ_TABLE', kind, env, ns, tbl, coalesce(tbl, ns, env), ${TIME}
  FROM generate_series(0, ${count - 1}) i, LATERAL (${object}) o WHERE ${where}`;

const tableObject = (number: string) => `
  SELECT 'TABLE' AS kind, ${uuid('e', `${number} / 10000`)} AS env, ${uuid('a', `${number} / 100`)} AS ns, ${uuid('b', number)} AS tbl`;
const namespaceObject = (number: string) => `
  SELECT 'NAMESPACE' AS kind, ${uuid('e', `${number} / 100`)} AS env, ${uuid('a', number)} AS ns, NULL::uuid AS tbl`;

// 1,000,000 in all: most to single principals on tables, the rest to groups, and one principal and one group with a tenth of them each.
const GRANTS = [
  grants(600_000, `${uuid('c', '100 + i * 31 % 19900')}, NULL::uuid`, tableObject('(i * 137 % 100000)')),
  grants(150_000, `NULL::uuid, ${uuid('d', 'i % 2000')}`, tableObject('(i * 151 % 100000)')),
  grants(50_000, `NULL::uuid, ${uuid('d', 'i % 2000')}`, namespaceObject('(i * 13 % 1000)')),
  grants(100_000, `${uuid('c', '3')}, NULL::uuid`, tableObject('i')),
  grants(100_000, `NULL::uuid, ${uuid('d', '2000')}`, tableObject('i')),
];

/** Fills the database; the callers are the principals p0 to p4, in groups of their own. */
export async function fill(client: pg.Client): Promise<void> {
  for (const statement of [...OBJECTS, ...PEOPLE, ...GRANTS]) await client.query(statement);
  const callers = Object.entries(CALLERS) as [CallerName, number][];
  for (const [i, [caller, groups]] of callers.entries()) {
    await client.query(
      `INSERT INTO tokens (id, principal_id, name, kind, hash, created_at) VALUES (gen_random_uuid(), ${uuid('c', '$1::int')}, 'bench', 'personal', $2, now())`,
      [i, tokenHashOf(caller)],
    );
    await client.query(
      `INSERT INTO group_members (id, group_id, principal_id, added_at)
       SELECT gen_random_uuid(), ${uuid('d', 'j')}, ${uuid('c', '$1::int')}, now() FROM generate_series($3::int, $3::int + $2::int - 1) j`,
      [i, groups, caller === 'group with 100,000' ? 2000 : 0],
    );
  }
  // Directly on one table, and on its environment: the nearest and the farthest a grant can be.
  await client.query(`
    INSERT INTO grants (id, principal_id, action, kind, environment_id, namespace_id, table_id, object_id, created_at)
    SELECT gen_random_uuid(), ${uuid('c', 'i')}, 'READ_TABLE', kind, env, ns, tbl, tbl, now()
    FROM generate_series(0, 2) i, LATERAL (${tableObject('10150')}) o`);
  await client.query('VACUUM ANALYZE');
}
