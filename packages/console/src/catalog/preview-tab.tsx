import type { Table } from '@svc/sdk/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ErrorState, Loading } from '../design/states.tsx';
import { ResultGrid } from '../results/result-grid.tsx';
import { svc } from '../service/client.ts';
import { tableIdentifier } from '../text/identifiers.ts';
import { plural } from '../text/numbers.ts';

const ROWS = 100;

/** The statement that reads the first rows. */
export const previewSql = ({ namespace, name }: Pick<Table, 'namespace' | 'name'>): string =>
  `SELECT * FROM ${tableIdentifier(namespace, name)} LIMIT ${ROWS}`;

const previewQuery = (env: string, table: Table) =>
  queryOptions({
    queryKey: ['preview', env, table.id, table.updated_at],
    queryFn: async ({ signal }) => {
      const { query } = await svc.queries.run(env, previewSql(table), { signal });
      return svc.queries.results(env, query.id, { limit: ROWS, signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The first rows that the caller may read. */
export function PreviewTab({ env, table }: { env: string; table: Table }) {
  const { data, error, refetch, isFetching } = useQuery(previewQuery(env, table));
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading rows={8} label="Running the query" />;
  return (
    <>
      <div className="row spread toolbar">
        <p className="soft">
          {data.rows.length < ROWS ? plural(data.rows.length, 'row') : `The first ${ROWS} rows`}, read by a query with
          your permissions
        </p>
        <button type="button" className="button small" disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? 'Running …' : 'Run again'}
        </button>
      </div>
      <ResultGrid label={`First rows of ${table.name}`} columns={data.columns} rows={data.rows} />
    </>
  );
}
