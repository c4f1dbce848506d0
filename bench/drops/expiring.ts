import { listExpiring } from '@svc/db/retention';
import { withBench } from '../database/open.ts';
import { bar, figures, interleave, pairedRatio, table } from '../database/timing.ts';

const ROUNDS = 60;
const ENVIRONMENT = '0000000e-0000-7000-8000-000000000000';
const NAMESPACE = '0000000d-0000-7000-8000-000000000000';
const DAYS = 30;
const SET_AT = new Date('2026-03-01T00:00:00Z');

// A third by a rule of its own, a third idle since before the environment's rule was set, a third idle since later.
const FILL = `
  INSERT INTO tables (id, environment_id, namespace_id, name, name_key, kind, columns, created_at, updated_at, retention_days)
  SELECT ('0000000b-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, $1::uuid, $2::uuid, 't' || i, 't' || i, 'managed', '[]',
    $3::timestamptz, $3::timestamptz + make_interval(secs => CASE WHEN i % 3 = 1 THEN -i ELSE i END),
    CASE WHEN i % 3 = 0 THEN 30 END
  FROM generate_series(1, $4::int) i`;

/** The list of expiring tables among very many, its first page and the one at nine tenths. */
export async function expiring(tables = 1_000_000): Promise<void> {
  await withBench(
    async ({ db, bare }) => {
      await bare.query("INSERT INTO environments (id, name, created_at) VALUES ($1, 'dev', now())", [ENVIRONMENT]);
      await bare.query(
        "INSERT INTO namespaces (id, environment_id, path, path_key, created_at) VALUES ($1, $2, 'n', 'n', now())",
        [NAMESPACE, ENVIRONMENT],
      );
      await bare.query(FILL, [ENVIRONMENT, NAMESPACE, SET_AT, tables]);
      await bare.query('VACUUM ANALYZE tables');
      const read = (after: { at: Date; id: string } | null) =>
        listExpiring(db.prisma, {
          environmentId: ENVIRONMENT,
          rule: { days: DAYS, setAt: SET_AT },
          until: null,
          visible: 'all',
          page: { limit: 100, after },
          now: SET_AT,
          warningDays: 7,
        });
      const late = new Date(SET_AT.getTime() + DAYS * 86_400_000 + tables * 0.85 * 1000);
      const deep = { at: late, id: '00000000-0000-0000-0000-000000000000' };
      for (const after of [null, deep]) {
        const { items } = await read(after);
        if (items.length !== 100) throw new Error(`a page of ${items.length}`);
      }
      const times = await interleave(ROUNDS, { first: () => read(null), deep: () => read(deep) });
      const [first, last] = [figures(times.first), figures(times.deep)];
      console.log(`\nPages of 100 of the list of expiring tables among ${tables}, ms:\n`);
      table(
        ['', 'p50', 'p99'],
        [
          ['first page', first.p50, first.p99],
          ['page at nine tenths', last.p50, last.p99],
        ],
      );
      const ratio = pairedRatio(times.deep, times.first);
      bar(`its last pages take at most 20 % more than its first: ${ratio.toFixed(2)} ×`, ratio <= 1.2);
    },
    { poolSize: 1 },
  );
}
