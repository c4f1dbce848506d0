import { fillPlaceholders } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { parseColumnType } from '@svc/core/tables';
import { recordReads } from '@svc/db/tables';
import { describeQuery } from '@svc/lake/queries';
import { duckdbType } from '@svc/lake/tables';
import { openReader } from '../../tables/reader.ts';
import { failure, failureOf } from '../../work/failures.ts';
import type { TaskWork } from '../run-work.ts';
import type { BuildStart } from './build-start.ts';
import { readInputs } from './read-inputs.ts';
import type { RowSource } from './row-source.ts';
import { taskReader } from './task-reader.ts';

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Returns the watermark as a literal with its column's type. A plain string would take the type of whatever it is
 * compared with.
 */
function typed(last: string | null, type: string): string {
  const parsed = parseColumnType(type);
  if (!parsed.ok) throw new Error(`${type} is not a column type`);
  return `CAST(${last === null ? 'NULL' : quote(last)} AS ${duckdbType(parsed.type)})`;
}

const NO_ROWS =
  'no rows: ${watermark} is NULL until a build has loaded rows, and nothing is greater than NULL. ' +
  'To load all rows in the first build, write WHERE ${watermark} IS NULL OR …';

/** Returns the rows of an SQL asset. */
export async function sqlRows(
  work: TaskWork,
  { watermark: last, isFirstRun }: BuildStart,
): Promise<RowSource | Failure> {
  const { deps, asset, principal, environment, engine, signal, task, claim } = work;
  if (asset.source.language !== 'sql') throw new Error(`${asset.name} isn't a SQL asset`);
  const text = asset.source.sql;
  const reader = openReader(deps, taskReader(work));
  const requester = { name: principal.name, refused: reader.refused };
  const filled = (watermark: string) => fillPlaceholders(text, { watermark, isFirstRun });
  const sql = asset.watermark === null ? filled('NULL') : await withWatermark();
  if (typeof sql !== 'string') return sql;
  const opened = await engine.open({
    sql,
    resolve: reader.resolve,
    owner: reader.owner,
    environment,
    signal,
    traceToken: task.id,
    retried: claim.fence > 1n,
  });
  if (!opened.ok) return failureOf(opened.error, requester);
  return {
    columns: opened.columns.map(({ name, type }) => ({ name, type })),
    write: async ({ layout, ...table }) => {
      const outcome = await opened.write({ ...table, ...(layout ? { layout } : {}) });
      if (!outcome.ok) return failureOf(outcome.error, requester);
      work.inputs.read = await readInputs(work, reader, { sql, columns: opened.columns });
      await recordReads(deps.db.prisma, {
        tableIds: [...reader.tableIds],
        principalId: principal.id,
        now: deps.clock(),
      });
      if (asset.watermark !== null && last === null && outcome.rowCount === 0)
        work.log.line(asset.name, 'service', NO_ROWS);
      return { files: outcome.files, rows: outcome.rowCount, staged: outcome.staged };
    },
    close: opened.close,
  };

  /** The statement with the watermark as a literal of its column's type. */
  async function withWatermark(): Promise<string | Failure> {
    const described = await describeQuery(deps.sandbox, { ...reader, sql: filled('NULL'), signal });
    if (!described.ok) return failureOf(described.error, requester);
    const type = described.columns.find(({ name }) => name === asset.watermark)?.type;
    if (type !== undefined) return filled(typed(last?.text ?? null, type));
    return failure(
      'no-watermark-column',
      `The SELECT doesn't return the column ${asset.watermark}, which the header declares as the watermark.`,
      'Select it or correct the header.',
    );
  }
}
