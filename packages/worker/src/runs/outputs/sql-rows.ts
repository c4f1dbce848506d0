import { WATERMARK_PLACE } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { parseColumnType } from '@svc/core/tables';
import { recordReads } from '@svc/db/tables';
import { describeQuery, runQuery } from '@svc/lake/queries';
import { duckdbType } from '@svc/lake/tables';
import { failure, failureOf } from '../../queries/failures.ts';
import { openReader } from '../../tables/reader.ts';
import type { TaskWork } from '../run-work.ts';
import type { RowSource } from './row-source.ts';

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** What compares below every value of a type, for the first build of an incremental asset. */
function leastOf(type: string): string {
  if (type === 'long') return quote('-9223372036854775808');
  if (type === 'int') return quote('-2147483648');
  if (type === 'float' || type === 'double' || type.startsWith('timestamp') || type === 'date')
    return quote('-infinity');
  const decimal = /^decimal\((\d+),(\d+)\)$/.exec(type);
  if (decimal) return quote(`-${'9'.repeat(Number(decimal[1]) - Number(decimal[2]))}`);
  if (type === 'time') return quote('00:00:00');
  if (type === 'uuid') return quote('00000000-0000-0000-0000-000000000000');
  return quote('');
}

/** A watermark as a value of its column's type: a bare text would take the type of whatever stands beside it. */
function typed(text: string, type: string): string {
  const parsed = parseColumnType(type);
  if (!parsed.ok) throw new Error(`${type} is no column type`);
  return `CAST(${text} AS ${duckdbType(parsed.type)})`;
}

/** The rows of an SQL asset; `last` is the watermark reached before, null at the first build. */
export async function sqlRows(work: TaskWork, last: string | null): Promise<RowSource | Failure> {
  const { deps, asset, principal, environment, request, signal } = work;
  if (asset.source.language !== 'sql') throw new Error(`${asset.name} is no SQL asset`);
  const text = asset.source.sql;
  const reader = openReader(deps, { principalId: principal.id, environment, request, presentOnly: true });
  const asker = { name: principal.name, refused: reader.refused };
  const describe = (sql: string) => describeQuery(deps.sandbox, { ...reader, sql, signal });
  const filled = (value: string) => text.replaceAll(WATERMARK_PLACE, value);
  const described = await describe(filled('NULL'));
  if (!described.ok) return failureOf(described.error, asker);
  const type = described.columns.find(({ name }) => name === asset.watermark)?.type;
  if (asset.watermark !== null && type === undefined) {
    return failure(
      'no-watermark-column',
      `The SELECT gives no column ${asset.watermark}, which the header names as watermark.`,
      'Select it, or correct the header.',
    );
  }
  const sql = asset.watermark === null ? text : filled(typed(last === null ? leastOf(type!) : quote(last), type!));
  return {
    columns: described.columns.map((column) => ({ name: column.name, type: column.type })),
    write: async (location, fields, layout) => {
      const outcome = await runQuery(deps.sandbox, {
        sql,
        resolve: reader.resolve,
        owner: reader.owner,
        output: { kind: 'data-files', tableLocation: location, fields, ...(layout ? { layout } : {}) },
        signal,
      });
      if (!outcome.ok) return failureOf(outcome.error, asker);
      await recordReads(deps.db.prisma, {
        tableIds: [...reader.tableIds],
        principalId: principal.id,
        now: deps.clock(),
      });
      return { files: outcome.files, rows: outcome.rowCount };
    },
    close: async () => {},
  };
}
