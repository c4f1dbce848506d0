import type { Snapshot } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import { Name } from '../design/name.tsx';

/** The run and task, or the query or load with its principal, as far as the viewer may see it. */
export function MadeBy({ env, snapshot: { made_by: work } }: { env: string; snapshot: Snapshot }) {
  if (work == null) return <span className="soft">–</span>;
  const { principal, run_id: run, asset, query_id: query, write_id } = work;
  const by = principal === null ? null : <Name>{principal}</Name>;
  if (run !== null)
    return (
      <Link
        to="/$env/runs/$run"
        params={{ env, run }}
        search={asset === null ? {} : { tab: 'logs', task: asset }}
        className="link"
        title={run}
      >
        Run
        {asset === null ? null : (
          <>
            {' '}
            of <Name>{asset}</Name>
          </>
        )}
      </Link>
    );
  if (query !== null)
    return (
      <>
        <Link to="/$env/sql" params={{ env }} search={{ query }} className="link" title={query}>
          Query
        </Link>{' '}
        {by}
      </>
    );
  return (
    <>
      {write_id === null ? null : <span title={write_id}>Load </span>}
      {by}
    </>
  );
}
