import type { Query } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorState, Loading } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { sessionQuery } from '../session/session.ts';
import { count } from '../text/numbers.ts';
import { historyQuery } from './queries.ts';
import { QueryBadge, QueryDuration } from './query-status.tsx';

/** The start of the statement in one line. */
const lineOf = ({ sql_text }: Query): string =>
  typeof sql_text === 'string' ? sql_text.slice(0, 300).replace(/\s+/g, ' ').trim() : 'Statement of someone else';

function HistoryRow({ env, query }: { env: string; query: Query }) {
  return (
    <tr className="linked">
      <td className="fit">
        <QueryBadge query={query} />
      </td>
      <td>
        <Link to="/$env/sql" params={{ env }} search={{ query: query.id }} className="rowlink mono statement">
          <Name>{lineOf(query)}</Name>
        </Link>
        {query.source === undefined ? null : <Badge>{query.source}</Badge>}
      </td>
      <td className="end wide-only">{count(query.row_count)}</td>
      <td className="end wide-only">
        <QueryDuration query={query} />
      </td>
      <td className="end soft">
        <Time at={query.created_at} />
      </td>
    </tr>
  );
}

const COLUMNS = [
  'Status',
  'Statement',
  ['Rows', 'end wide-only'],
  ['Duration', 'end wide-only'],
  ['Submitted', 'end'],
] as const;

/** The caller's queries of the last day. */
export function History({ env }: { env: string }) {
  const name = useQuery(sessionQuery).data?.principal.name ?? '';
  const { data, error, refetch } = useQuery({ ...historyQuery(env, name), enabled: name !== '' });
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0)
    return (
      <Empty icon="clock" title="No queries in the last 24 hours">
        Your queries appear here, whichever client ran them.
      </Empty>
    );
  return (
    <DataTable columns={COLUMNS}>
      {data.map((query) => (
        <HistoryRow key={query.id} env={env} query={query} />
      ))}
    </DataTable>
  );
}
