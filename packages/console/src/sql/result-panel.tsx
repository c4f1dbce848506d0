import type { Query } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../design/copy.tsx';
import { Icon } from '../design/icons.tsx';
import { Empty, ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { ResultGrid } from '../results/result-grid.tsx';
import { tsvOf } from '../results/tsv.ts';
import { count } from '../text/numbers.ts';
import { ChartTab } from './chart-tab.tsx';
import { isActive, PAGE_ROWS, resultQuery } from './queries.ts';
import { outcomeOf } from './query-status.tsx';

const FORMATS = { csv: 'CSV', parquet: 'Parquet', arrow: 'Arrow' } as const;

/** Links, so that the browser streams the whole result to a file. */
function Downloads({ env, id }: { env: string; id: string }) {
  const path = `/api/v1/environments/${encodeURIComponent(env)}/queries/${encodeURIComponent(id)}/results`;
  return (
    <span className="row">
      {(Object.keys(FORMATS) as (keyof typeof FORMATS)[]).map((format) => (
        <a
          key={format}
          className="button small"
          href={`${path}?format=${format}`}
          download={`query-${id}.${format}`}
          aria-label={`Download as ${FORMATS[format]}`}
        >
          <Icon name="download" /> {FORMATS[format]}
        </a>
      ))}
    </span>
  );
}

function Rows({ env, query }: { env: string; query: Query }) {
  // The cursors of the pages up to the one that is shown.
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const { data, error, refetch, isPlaceholderData } = useQuery(resultQuery(env, query.id, cursors.at(-1)));
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading label="Loading the result" />;
  const start = cursors.length * PAGE_ROWS + 1;
  const { next_cursor } = data;
  return (
    <>
      <div className="row spread toolbar">
        <p className="soft">{outcomeOf(query)}</p>
        <div className="row">
          {cursors.length === 0 && next_cursor === null ? null : (
            <>
              <span className="soft number">
                {count(start)}–{count(start + data.rows.length - 1)}
              </span>
              <button
                type="button"
                className="button small"
                disabled={cursors.length === 0 || isPlaceholderData}
                onClick={() => setCursors(cursors.slice(0, -1))}
              >
                Previous page
              </button>
              <button
                type="button"
                className="button small"
                disabled={next_cursor === null || isPlaceholderData}
                onClick={() => {
                  if (next_cursor !== null) setCursors([...cursors, next_cursor]);
                }}
              >
                Next page
              </button>
            </>
          )}
          <CopyButton text={() => tsvOf(data)} label="Copy these rows for a spreadsheet" />
          <Downloads env={env} id={query.id} />
        </div>
      </div>
      {data.rows.length === 0 ? (
        <Empty icon="table" title="No rows">
          The statement ran, and its result is empty.
        </Empty>
      ) : (
        <ResultGrid label="Result" columns={data.columns} rows={data.rows} start={start} />
      )}
    </>
  );
}

/** The result of a query as rows or as a chart, its progress or its error. */
export function ResultPanel({ env, query, isChart }: { env: string; query: Query; isChart: boolean }) {
  if (isActive(query)) return <Loading rows={5} label="The query is running" />;
  if (query.error !== null)
    return (
      <div className="stack padded">
        <ErrorNotice error={query.error} />
      </div>
    );
  if (query.status === 'CANCELLED') return <Empty icon="close" title="The query was cancelled" />;
  const hasRows = query.affected === undefined && query.into === null && query.columns !== null;
  if (!hasRows) return <Empty icon="check" title={outcomeOf(query)} />;
  return isChart ? <ChartTab env={env} id={query.id} /> : <Rows key={query.id} env={env} query={query} />;
}
