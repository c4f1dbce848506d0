import { type CloneStatement, parseClone } from '@svc/core/statements';
import type { ClaimedQuery } from '@svc/db/queries';
import { ChangeParameters } from '@svc/lake/queries';
import { ChangeFailedError } from '../tables/change-work.ts';
import { cloneTable } from '../tables/clone-table.ts';
import { requireUnbound } from '../tables/require-unbound.ts';
import { failure } from '../work/failures.ts';
import { finish, type QueryWork, queryProgress } from './finish-query.ts';
import { namespaceForNew } from './new-table.ts';
import { writtenResult } from './write-into.ts';

/** Whether the statement is a clone, which names its table itself, even if its names are wrong. */
export const isClone = ({ mode, into_table, sql_text }: ClaimedQuery): boolean =>
  (mode === 'create' || into_table === null) && parseClone(sql_text) !== null;

/** Runs `CREATE TABLE … CLONE …`. @throws ChangeFailedError, QueryRejectedError */
export async function clone(work: QueryWork): Promise<void> {
  const { deps, claim, row, environment, origin, reader } = work;
  const parsed = parseClone(row.sql_text)!;
  if (!parsed.ok) throw new ChangeFailedError(failure('not-supported', parsed.message));
  // The statement has no parameters, so values are refused.
  new ChangeParameters(row.sql_text, row.params);
  const namespace = await namespaceForNew(work, 'Choose another name.');
  if ('code' in namespace) throw new ChangeFailedError(namespace);
  const sourceId = await readableSource(work, parsed.clone);
  await cloneTable(deps, {
    ...{ sourceId, environment, namespace, origin, name: row.into_table! },
    ...{ owner: reader.owner, signal: claim.signal, onProgress: queryProgress(work) },
    finish: (tx, rows) => finish(work, { status: 'succeeded', result: writtenResult(rows) }, [...reader.tableIds], tx),
  });
}

/** The id of the table to clone. The submitter may read all of its rows as they are. */
async function readableSource({ row, reader }: QueryWork, { source }: CloneStatement): Promise<string> {
  const full = `${source.namespace}.${source.table}`;
  await requireUnbound(reader, source, row.submitter ?? '', 'clone');
  const found = reader.found.get(full.toLowerCase());
  if (found?.kind === 'managed') return found.id;
  const kind = found === undefined ? 'not a table of this environment' : `of kind ${found.kind}`;
  const detail = `${full} is ${kind}. You can clone only managed tables.`;
  throw new ChangeFailedError(failure('not-a-managed-table', detail));
}
