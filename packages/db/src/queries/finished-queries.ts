import { insertEvents } from '../audit/index.ts';
import { batched, type Transaction } from '../connection/index.ts';
import { readsOfMany, touchTable } from '../tables/index.ts';
import { type FirstLease, insertQueries, type NewQuery, newRecord, newRow, rowText } from './new-query.ts';
import { outcomeFields, type QueryCompletion } from './query-outcome.ts';
import type { StoredQuery } from './stored-query.ts';

interface FinishedQuery {
  query: NewQuery;
  /** With which it ran, although it was never stored as running. */
  lease: FirstLease;
  completion: QueryCompletion;
}

/** Stores a finished query with its event and its reads, and returns its record. */
export type StoreFinishedQuery = (finished: FinishedQuery) => Promise<StoredQuery>;

/** Stores queries that finish at the same time in batches, one after the other: two at once would wait for the same tables. */
export function openFinishedQueries(client: Transaction): StoreFinishedQuery {
  const store = batched((batch: readonly (QueryCompletion & { text: string })[]) => storeBatch(client, batch), {
    maxConcurrent: 1,
    maxSize: 32,
  });
  return async ({ query, lease, completion }) => {
    const outcome = { ...outcomeFields(completion.outcome), ended_at: completion.now };
    const row = {
      ...newRow(query, lease),
      ...outcome,
      tables: completion.tables,
      lease_owner: null,
      lease_expires_at: null,
    };
    const text = rowText(row);
    const skipped = await store({ ...completion, text });
    for (const id of skipped) await touchTable(client, { id, now: completion.now });
    return { ...newRecord(query, lease), ...outcome, ...replaced(text) };
  };
}

/** The values in which `rowText` replaced characters that Postgres can't store. */
function replaced(text: string): Partial<StoredQuery> {
  if (!text.includes('\ufffd')) return {};
  const { columns, first_rows, error } = JSON.parse(text) as StoredQuery;
  return { columns, first_rows, error };
}

/** Returns, for each query, the tables that someone else is changing. */
async function storeBatch(
  client: Transaction,
  batch: readonly (QueryCompletion & { text: string })[],
): Promise<string[][]> {
  const readBy = ({ outcome, tables }: QueryCompletion) => (outcome.status === 'succeeded' ? tables : []);
  const reads = batch.flatMap((one) =>
    readBy(one).map((tableId) => ({ tableId, principalId: one.submitterId, now: one.now })),
  );
  const skipped = await client.$queryRaw<{ id: string }[]>`/* prepared store-finished-queries */
    WITH stored AS (${insertQueries(batch.map(({ text }) => text))}),
    ${readsOfMany(reads)},
    recorded AS (${insertEvents(batch.map(({ event }) => event))})
    SELECT id FROM skipped`;
  const ids = new Set(skipped.map(({ id }) => id));
  return batch.map((one) => readBy(one).filter((id) => ids.has(id)));
}
