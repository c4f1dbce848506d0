import type { Table } from '@svc/sdk/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react';
import { NameField } from '../access/name-field.tsx';
import { useOwnPermission } from '../access/use-own-permission.ts';
import { ErrorState, Loading } from '../design/states.tsx';
import { ResultGrid } from '../results/result-grid.tsx';
import { svc } from '../service/client.ts';
import { tableIdentifier } from '../text/identifiers.ts';
import { plural } from '../text/numbers.ts';
import '../access/access.css';

const ViewAs = lazy(async () => ({ default: (await import('./view-as.tsx')).ViewAs }));

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

/** Whose view of the table is shown. */
function ViewAsForm({ principal }: { principal: string | undefined }) {
  const navigate = useNavigate({ from: '/$env/catalog/$namespace/$table' });
  const [name, setName] = useState(principal ?? '');
  // Also after a step back.
  useEffect(() => setName(principal ?? ''), [principal]);
  const show = (as: string | undefined) => navigate({ search: { tab: 'preview', as } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void show(name.trim() || undefined);
  };
  return (
    <form className="row toolbar" aria-label="View as" onSubmit={submit}>
      <span className="soft">View as</span>
      <NameField value={name} onChange={setName} />
      <button type="submit" className="button">
        View
      </button>
      {principal === undefined ? null : (
        <button type="button" className="button quiet" onClick={() => void show(undefined)}>
          View as yourself
        </button>
      )}
    </form>
  );
}

/** The first rows of a table, as the caller sees them, or, for those who manage policies, as another principal does. */
export function PreviewTab({ env, table }: { env: string; table: Table }) {
  const { as } = useSearch({ from: '/signed-in/$env/catalog/$namespace/$table' });
  const managesPolicies = useOwnPermission('MANAGE_POLICY', {})?.allowed ?? false;
  return (
    <>
      {managesPolicies || as !== undefined ? <ViewAsForm principal={as} /> : null}
      {as === undefined ? (
        <OwnPreview env={env} table={table} />
      ) : (
        <Suspense fallback={<Loading rows={8} />}>
          <ViewAs key={as} env={env} table={table} principal={as} />
        </Suspense>
      )}
    </>
  );
}

/** The first rows that the caller may read. */
function OwnPreview({ env, table }: { env: string; table: Table }) {
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
