import { QueryRejectedError } from '@svc/lake/queries';
import { ChangeFailedError } from '../tables/change-work.ts';
import { finishFailed, type QueryWork } from './finish-query.ts';
import { queryFailure } from './query-failure.ts';

/** Runs a statement, and finishes the query if the statement is refused. */
export async function reportingFailure(work: QueryWork, run: (work: QueryWork) => Promise<void>): Promise<void> {
  try {
    await run(work);
  } catch (error) {
    if (error instanceof ChangeFailedError) return finishFailed(work, error.failure, [...work.reader.tableIds]);
    // The parts of the statement name columns that the table doesn't have.
    if (!(error instanceof QueryRejectedError)) throw error;
    return finishFailed(work, await queryFailure(work, error.error), [...work.reader.tableIds]);
  }
}
