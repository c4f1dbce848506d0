import type { Table, TablePreview } from '@svc/sdk/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { ResultGrid } from '../results/result-grid.tsx';
import { svc } from '../service/client.ts';
import { failedWork } from '../service/failed-work.ts';
import { plural } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import './view-as.css';

const ROWS = 100;

/** Each request is in the audit log, so it is made once: neither a message nor a return to the window repeats it. */
const viewQuery = (env: string, table: Table, principal: string) =>
  queryOptions({
    queryKey: ['view-as', env, table.id, principal],
    queryFn: async ({ signal }) => {
      const name = `${table.namespace}.${table.name}`;
      const preview = await svc.tables.previewAs(env, name, { principal, limit: ROWS });
      if (preview.query_id === null) return { preview, result: null };
      const query = await svc.queries.wait(env, preview.query_id, { signal });
      if (query.status !== 'SUCCEEDED') throw failedWork(query);
      return { preview, result: await svc.queries.results(env, query.id, { limit: ROWS, signal }) };
    },
    staleTime: 'static',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  });

interface ViewAsProps {
  env: string;
  table: Table;
  principal: string;
}

/** The first rows of a table as another principal sees them. */
export function ViewAs({ env, table, principal }: ViewAsProps) {
  const { data, error, refetch } = useQuery(viewQuery(env, table, principal));
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading rows={8} label="Running the query" />;
  const { preview, result } = data;
  if (result === null) return <Unreadable env={env} table={table} preview={preview} />;
  return (
    <>
      <div className="toolbar stack tight">
        <p>
          {result.rows.length < ROWS ? plural(result.rows.length, 'row') : `The first ${ROWS} rows`} as{' '}
          <Name>{preview.principal}</Name> sees them.{' '}
          <span className="soft">The audit log has recorded this view.</span>
        </p>
        <Policies preview={preview} />
      </div>
      <ResultGrid
        label={`First rows of ${table.name} for ${visible(preview.principal)}`}
        columns={result.columns}
        rows={result.rows}
        masked={new Set(preview.column_masks.map(({ column }) => column))}
      />
    </>
  );
}

const through = (group: string | null): string => (group === null ? '' : ` (group ${group})`);

function Policies({ preview }: { preview: TablePreview }) {
  const { principal, active, row_filters: filters, column_masks: masks } = preview;
  return (
    <>
      {active ? null : (
        <p className="notice warn">
          <span>
            <Name>{principal}</Name> is deactivated: these are the rows that its grants would allow.
          </span>
        </p>
      )}
      {filters.length + masks.length === 0 ? (
        <p className="soft">
          No policy of this table applies to <Name>{principal}</Name>.
        </p>
      ) : (
        <ul className="view-policies">
          {filters.map(({ id, group, predicate }) => (
            <li key={id}>
              <Name>{`Row filter${through(group)}`}</Name> <code className="name">{predicate}</code>
            </li>
          ))}
          {masks.map(({ id, column, group, expression }) => (
            <li key={id}>
              <Name>{`Mask of ${column}${through(group)}`}</Name> <code className="name">{expression}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Unreadable({ env, table, preview }: { env: string; table: Table; preview: TablePreview }) {
  const { namespace, name } = table;
  return (
    <Empty icon="lock" title={`${visible(preview.principal)} can't read this table`}>
      <Name>{`${preview.reason ?? ''}.`}</Name>{' '}
      <Link
        to="/$env/access"
        params={{ env }}
        search={{ tab: 'explain', kind: 'TABLE', namespace, table: name, principal: preview.principal }}
        className="link"
      >
        Explain
      </Link>
    </Empty>
  );
}
