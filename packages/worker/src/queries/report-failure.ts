import { QueryRejectedError } from '@svc/lake/queries';
import { ChangeFailedError } from '../tables/change-work.ts';
import { failureOf } from '../work/failures.ts';
import { finishFailed, type QueryWork, requesterOf } from './finish-query.ts';

/** Runs a statement, and finishes the query if the statement is refused. */
export async function reportingFailure(work: QueryWork, run: (work: QueryWork) => Promise<void>): Promise<void> {
  try {
    await run(work);
  } catch (error) {
    if (error instanceof ChangeFailedError) return finishFailed(work, error.failure, [...work.reader.tableIds]);
    // The parts of the statement name columns that the table doesn't have.
    if (!(error instanceof QueryRejectedError)) throw error;
    return finishFailed(work, failureOf(error.error, requesterOf(work)), [...work.reader.tableIds]);
  }
}
