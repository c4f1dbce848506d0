import { useInfiniteQuery } from '@tanstack/react-query';
import { LoadMore } from '../design/load-more.tsx';
import { Empty, ErrorState, Loading, NoMatch, Outdated } from '../design/states.tsx';
import { svcCommand } from '../text/commands.ts';
import { type RunListFilters, runsQuery } from './queries.ts';
import { RunRows } from './run-rows.tsx';

/** The runs of an environment, newest first. */
export function RunList({ env, filters, onClear }: { env: string; filters: RunListFilters; onClear: () => void }) {
  const query = useInfiniteQuery(runsQuery(env, filters));
  const { data, error, refetch } = query;
  if (data === undefined) return error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />;
  const runs = data.pages.flatMap(({ items }) => items);
  if (runs.length === 0 && Object.values(filters).some((value) => value !== undefined))
    return <NoMatch icon="runs" title="No run matches" onClear={onClear} />;
  if (runs.length === 0)
    return (
      <Empty icon="runs" title="No runs yet" command={svcCommand('run', null, { repo: 'shop', env })}>
        A run builds the assets of a deployed project. Deploy one with svc deploy, then start a run.
      </Empty>
    );
  return (
    <>
      <Outdated what="The list" error={error} />
      <RunRows env={env} runs={runs} />
      <LoadMore query={query} />
    </>
  );
}
