import { explainedStatement } from '@svc/core/statements';
import { explainQuery, type PlanNode } from '@svc/lake/queries';
import { failure } from '../work/failures.ts';
import { dialectOf } from './dialect.ts';
import { finish, finishFailed, type QueryWork, resultExpiry } from './finish-query.ts';
import { queryFailure } from './query-failure.ts';

const COLUMNS = [
  { name: 'depth', type: 'int' },
  { name: 'operator', type: 'string' },
  { name: 'table', type: 'string' },
  { name: 'details', type: 'string' },
  { name: 'estimated_rows', type: 'long' },
];

// The statement for Trino contains the row filters, masks and tables behind views, so its plan would show them.
const ON_TRINO = "EXPLAIN isn't available on Trino, whose plan would show row filters and the tables behind views.";
const TRINO_REMEDY =
  'Run the statement without EXPLAIN. In the interface of Trino, its operators find the plan: the trace token is the id of the query.';

const rowOf = ({ depth, operator, table, details, estimatedRows }: PlanNode): unknown[] => [
  depth,
  operator,
  table,
  details,
  estimatedRows,
];

/** Returns the plan of a SELECT, which doesn't run. No rows are read, so no read is recorded. */
export async function explain(work: QueryWork): Promise<void> {
  const { deps, claim, row, reader } = work;
  if (deps.engine.name === 'trino') return finishFailed(work, failure('not-supported', ON_TRINO, TRINO_REMEDY), []);
  const outcome = await explainQuery(deps.sandbox, {
    sql: explainedStatement(row.sql_text) ?? row.sql_text,
    params: row.params,
    ...dialectOf(row),
    resolve: reader.resolve,
    owner: reader.owner,
    beforeChild: claim.takeSlot,
    signal: claim.signal,
  });
  if (!outcome.ok) return finishFailed(work, await queryFailure(work, outcome.error), [...reader.tableIds]);
  const firstRows = outcome.nodes.map(rowOf);
  const stored = { location: null, expiresAt: resultExpiry(deps), isCached: false };
  const result = { columns: COLUMNS, rowCount: firstRows.length, firstRows, ...stored };
  await finish(work, { status: 'succeeded', result }, []);
}
