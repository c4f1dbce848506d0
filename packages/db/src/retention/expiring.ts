import { type ExpiringTable, expiresSoon } from '@svc/core/retention';
import type { TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';
import { hasLegalHoldSql } from '../drops/index.ts';
import { Prisma } from '../generated/client.ts';
import { type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { type VisibleTables, visibleTablesSql } from '../tables/index.ts';

/** The environment's rule, or a hypothetical one for a preview. */
export interface EnvironmentRule {
  days: number;
  setAt: Date;
}

export interface ExpiringQuery {
  environmentId: string;
  rule: EnvironmentRule | null;
  /** Null: no end. */
  until: Date | null;
  visible: VisibleTables;
  page: PageRequest;
  now: Date;
  warningDays: number;
}

interface Row {
  id: string;
  name: string;
  namespace: string;
  kind: TableKind;
  owner: string | null;
  due: Date;
  source: 'table' | 'environment';
  retention_days: number | null;
  retention_on: string | null;
  activity: Date;
}

const DAY_MS = 86_400_000;
const FAR = new Date(Date.UTC(9999, 11, 31));

/**
 * Lists tables that expire by a time, soonest first, ties by id (RETAIN-9). Three scans, each with its own index and
 * limited to a page: tables with their own rule; tables under the environment's rule that were idle before it was set,
 * all due at once; and tables idle since later.
 */
export async function listExpiring(client: Transaction, q: ExpiringQuery): Promise<Page<ExpiringTable>> {
  const parts = [tableRuleSql(q), ...(q.rule === null ? [] : environmentRule(q, q.rule))];
  const rows = await client.$queryRaw<Row[]>`
    SELECT t.id, t.name, n.path AS namespace, t.kind, p.name AS owner, x.due, x.source, t.retention_days,
           to_char(t.retention_on, 'YYYY-MM-DD') AS retention_on, greatest(t.updated_at, t.last_read_at) AS activity
    FROM (SELECT * FROM (${Prisma.join(parts, ' UNION ALL ')}) u ORDER BY due, id LIMIT ${q.page.limit + 1}) x
    JOIN tables t ON t.id = x.id JOIN namespaces n ON n.id = t.namespace_id LEFT JOIN principals p ON p.id = t.owner_id
    ORDER BY x.due, x.id`;
  return pageOf(
    rows,
    q.page,
    (row) => record(row, q),
    (row) => row.due,
  );
}

function tableRuleSql({ page: { after, limit }, until, ...q }: ExpiringQuery): Prisma.Sql {
  const start = after === null ? Prisma.empty : Prisma.sql`AND (t.expires_at, t.id) > (${after.at}, ${after.id}::uuid)`;
  return Prisma.sql`(
    SELECT t.id, t.expires_at AS due, 'table' AS source FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${q.environmentId}::uuid AND t.expires_at <= ${until ?? FAR} ${start} ${visibleSql(q)}
    ORDER BY t.expires_at, t.id LIMIT ${limit + 1})`;
}

function environmentRule({ page, until, ...q }: ExpiringQuery, { days, setAt }: EnvironmentRule): Prisma.Sql[] {
  const { after, limit } = page;
  const last = until ?? FAR;
  const together = new Date(setAt.getTime() + days * DAY_MS);
  const back = (at: Date) => new Date(at.getTime() - days * DAY_MS);
  const parts: Prisma.Sql[] = [];
  const order = after === null ? -1 : after.at.getTime() - together.getTime();
  if (together <= last && order <= 0) {
    const start = order === 0 ? Prisma.sql`AND t.id > ${after!.id}::uuid` : Prisma.empty;
    parts.push(Prisma.sql`(
      SELECT t.id, ${together}::timestamptz AS due, 'environment' FROM tables t JOIN namespaces n ON n.id = t.namespace_id
      WHERE t.environment_id = ${q.environmentId}::uuid AND t.idle_since IS NOT NULL AND t.idle_since <= ${setAt} ${start} ${visibleSql(q)}
      ORDER BY t.id LIMIT ${limit + 1})`);
  }
  // Use a single lower bound: given two, Postgres enters the index at the first one.
  const start =
    after === null || order <= 0
      ? Prisma.sql`t.idle_since > ${setAt}`
      : Prisma.sql`(t.idle_since, t.id) > (${back(after.at)}, ${after.id}::uuid)`;
  parts.push(Prisma.sql`(
    SELECT t.id, t.idle_since + make_interval(hours => ${24 * days}::int) AS due, 'environment'
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${q.environmentId}::uuid AND ${start} AND t.idle_since <= ${back(last)}
      ${visibleSql(q)}
    ORDER BY t.idle_since, t.id LIMIT ${limit + 1})`);
  return parts;
}

/** Tables that neither a project nor a legal hold retains and that the caller may read. */
function visibleSql({ visible, now }: Pick<ExpiringQuery, 'visible' | 'now'>): Prisma.Sql {
  return Prisma.sql`AND t.built_by_repository IS NULL AND NOT ${hasLegalHoldSql(now)} ${visibleTablesSql(visible)}`;
}

function record(row: Row, q: ExpiringQuery): ExpiringTable {
  const own = row.source === 'table';
  return {
    id: row.id,
    name: row.name,
    namespace: row.namespace,
    kind: row.kind,
    owner: row.owner,
    expires_at: row.due.toISOString(),
    expires_soon: expiresSoon(row.due, q.now, q.warningDays),
    source: row.source,
    days: own ? row.retention_days : (q.rule?.days ?? null),
    on: own ? row.retention_on : null,
    last_activity_at: row.activity.toISOString(),
  };
}
