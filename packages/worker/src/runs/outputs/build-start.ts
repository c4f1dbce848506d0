import { isIncremental, parseDuration } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { sandboxOwner } from '@svc/core/queries';
import { parseColumnType } from '@svc/core/tables';
import { readProgress } from '@svc/db/tables';
import { joinLocation, removeFiles } from '@svc/iceberg';
import { earlierSql, runQuery } from '@svc/lake/queries';
import type { Watermark } from '../../python/python-task.ts';
import { failure, failureOf } from '../../work/failures.ts';
import type { TaskWork } from '../run-work.ts';
import { isFailure, type Target } from './target.ts';

/** What a build continues from, and how it writes its rows. */
export interface BuildStart {
  readonly mode: 'replace' | 'append' | 'merge';
  /** Whether there are no rows of earlier builds to continue from (RUN-9). */
  readonly isFirstRun: boolean;
  /** The largest value of the watermark column so far, minus the lookback; null in the first run. */
  readonly watermark: Watermark | null;
}

const LOOKBACK_TYPES = new Set(['date', 'timestamp', 'timestamptz']);

/** With a full refresh, a build replaces the rows of an existing table as if it were the first one (RUN-10). */
export async function startOfBuild(work: TaskWork, { table }: Target): Promise<BuildStart | Failure> {
  const { asset, run, deps } = work;
  if (!isIncremental(asset) || table === null || run.full_refresh)
    return { mode: 'replace', isFirstRun: true, watermark: null };
  const { watermark: text, isWritten } = await readProgress(deps.db.prisma, table.id);
  const type = table.columns.find(({ name }) => name === asset.watermark)?.type ?? null;
  const reached = text === null ? null : { text, type };
  const watermark = reached === null || asset.lookback === undefined ? reached : await earlier(work, reached);
  if (watermark !== null && isFailure(watermark)) return watermark;
  return { mode: asset.mode, isFirstRun: !isWritten, watermark };
}

/** The watermark minus the lookback. */
async function earlier(work: TaskWork, { text, type }: Watermark): Promise<Watermark | Failure> {
  const { deps, asset, environment, principal, signal } = work;
  const { watermark: column, lookback } = asset;
  const parsed = type !== null && LOOKBACK_TYPES.has(type) ? parseColumnType(type) : null;
  if (parsed === null || !parsed.ok)
    return failure(
      'no-watermark-column',
      `The lookback of ${asset.name} needs a date or a timestamp, but its watermark ${column} has the type ${type ?? 'unknown'}.`,
      'Use a column with a date or timestamp as the watermark, or remove the lookback.',
    );
  const location = joinLocation(deps.store.root, 'results', `${deps.newId()}.parquet`);
  const outcome = await runQuery(deps.sandbox, {
    sql: earlierSql(text, parsed.type, parseDuration(lookback!)!),
    resolve: async (tables) => tables.map(() => null),
    owner: sandboxOwner(environment.id, principal.id),
    output: { kind: 'result', location },
    cache: false,
    signal,
  });
  if (!outcome.ok) return failureOf(outcome.error);
  await removeFiles(deps.store, [location]);
  return { text: String(outcome.rows![0]![0]), type };
}
