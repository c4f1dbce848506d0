import { type ListEffectiveGrants, openEffectiveGrants } from '@svc/db/access';
import type { Transaction } from '@svc/db/connection';
import { type FindReadableTable, openReadableTables } from '@svc/db/policies';
import { openFinishedQueries, type StoreFinishedQuery } from '@svc/db/queries';

/** The database statements of every query, in batches of queries that run at the same time. */
export interface BatchedStatements {
  listGrants: ListEffectiveGrants;
  findReadableTable: FindReadableTable;
  storeFinished: StoreFinishedQuery;
}

export const batchStatements = (client: Transaction): BatchedStatements => ({
  listGrants: openEffectiveGrants(client),
  findReadableTable: openReadableTables(client),
  storeFinished: openFinishedQueries(client),
});
