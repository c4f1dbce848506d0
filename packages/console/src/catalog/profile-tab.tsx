import type { Table } from '@svc/sdk/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { svc } from '../service/client.ts';
import { cache } from '../service/queries.ts';
import { bytes, plural } from '../text/numbers.ts';
import { batchesOf, type ColumnProfile, countsSql, measuresSql, readCounts, readMeasures } from './profile-sql.ts';
import { ProfileTable } from './profile-table.tsx';
import './profile.css';

/** A larger table is profiled only on request. */
const MAX_ROWS = 1_000_000;
const MAX_BYTES = 100_000_000;

const isSmall = ({ row_count, size_bytes }: Table): boolean =>
  row_count !== null && row_count <= MAX_ROWS && (size_bytes ?? 0) <= MAX_BYTES;

interface Profile {
  readonly columns: readonly ColumnProfile[];
  readonly statements: readonly { readonly id: string; readonly sql: string }[];
}

/** Aborting cancels the query that is running. */
async function profileOf(env: string, table: Table, signal: AbortSignal): Promise<Profile> {
  const statements: { id: string; sql: string }[] = [];
  const rowOf = async (sql: string): Promise<readonly unknown[]> => {
    const { query } = await svc.queries.run(env, sql, { signal });
    statements.push({ id: query.id, sql });
    const { rows } = await svc.queries.results(env, query.id, { limit: 1, signal });
    return rows[0] ?? [];
  };
  const columns: ColumnProfile[] = [];
  for (const batch of batchesOf(table.columns)) {
    const measured = readMeasures(batch, await rowOf(measuresSql(table, batch)));
    const sql = countsSql(table, measured);
    columns.push(...readCounts(measured, sql === null ? [] : await rowOf(sql)));
  }
  return { columns, statements };
}

const profileQuery = (env: string, table: Table) =>
  queryOptions({
    queryKey: ['profile', env, table.id, table.updated_at],
    queryFn: ({ signal }) => profileOf(env, table, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

function sizeText({ kind, row_count, size_bytes }: Table): string {
  if (row_count === null) return `the ${kind === 'view' ? 'view' : 'table'}`;
  const rows = plural(row_count, 'row');
  return size_bytes === null ? rows : `${rows} (${bytes(size_bytes)})`;
}

function Offer({ table, onStart }: { table: Table; onStart: () => void }) {
  return (
    <div className="state">
      <h2>Profile of the columns</h2>
      <p>Queries with your permissions read all values. They may take a while, and count for your quotas.</p>
      <button type="button" className="button primary" onClick={onStart}>
        Profile {sizeText(table)}
      </button>
    </div>
  );
}

function Statements({ env, statements }: { env: string } & Pick<Profile, 'statements'>) {
  return (
    <details className="statements">
      <summary>{plural(statements.length, 'statement')}</summary>
      {statements.map(({ id, sql }, index) => (
        <section key={id} aria-label={`Statement ${index + 1}`}>
          <Link to="/$env/sql" params={{ env }} search={{ query: id }} className="button small">
            Open statement {index + 1} in SQL
          </Link>
          <pre className="code" tabIndex={0}>
            {sql}
          </pre>
        </section>
      ))}
    </details>
  );
}

/** Nulls, distinct values, extremes and distribution of each column, of the rows that the caller may read. */
export function ProfileTab({ env, table }: { env: string; table: Table }) {
  const [isWanted, setWanted] = useState(isSmall(table));
  const options = profileQuery(env, table);
  const { data, error, refetch, isFetching } = useQuery({ ...options, enabled: isWanted });
  if (batchesOf(table.columns).length === 0)
    return <Empty icon="column" title="No column has a profile: all are nested or binary" />;
  if (isFetching)
    return (
      <>
        <div className="row spread toolbar">
          <p className="soft">Reading {sizeText(table)} …</p>
          <button
            type="button"
            className="button small danger"
            onClick={() => {
              setWanted(false);
              void cache.cancelQueries({ queryKey: options.queryKey });
            }}
          >
            Cancel
          </button>
        </div>
        <Loading rows={8} label="Running the queries" />
      </>
    );
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined)
    return (
      <Offer
        table={table}
        onStart={() => {
          setWanted(true);
        }}
      />
    );
  return (
    <>
      <div className="row spread toolbar">
        <p className="soft">
          {plural(data.columns[0]?.rows ?? 0, 'row')}, read by queries with your permissions: row filters and column
          masks apply. Distinct and frequent values are approximate.
        </p>
        <button type="button" className="button small" onClick={() => void refetch()}>
          Run again
        </button>
      </div>
      <ProfileTable columns={table.columns} profiles={data.columns} />
      <Statements env={env} statements={data.statements} />
    </>
  );
}
