import { GrantUses } from '@svc/db/access';
import type { Transaction } from '@svc/db/connection';
import { type FindReadableTable, openReadableTables } from '@svc/db/policies';
import { openFinishedQueries, type StoreFinishedQuery } from '@svc/db/queries';
import type { Logger } from 'pino';

/** The database statements of every query, in batches of queries that run at the same time. */
export interface BatchedStatements {
  findReadableTable: FindReadableTable;
  storeFinished: StoreFinishedQuery;
  grantUses: GrantUses;
}

export const batchStatements = (client: Transaction, log: Pick<Logger, 'warn'>): BatchedStatements => ({
  findReadableTable: openReadableTables(client),
  storeFinished: openFinishedQueries(client),
  grantUses: new GrantUses(client, (error) => log.warn({ err: error }, 'the use of grants was not recorded')),
});
