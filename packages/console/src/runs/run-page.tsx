import type { Run } from '@svc/sdk/browser';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { Facts } from '../design/facts.tsx';
import { Name } from '../design/name.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { Tabs, WHOLE_ADDRESS } from '../design/tabs.tsx';
import { Time } from '../design/time.tsx';
import { useTitle } from '../design/use-title.ts';
import { svc } from '../service/client.ts';
import { cache } from '../service/queries.ts';
import { svcCommand } from '../text/commands.ts';
import { Logs } from './logs.tsx';
import { isActive, runQuery } from './queries.ts';
import { Elapsed, StatusBadge, titleOf } from './run-status.tsx';
import { Tasks } from './tasks.tsx';
import './runs.css';

const TaskGraphTab = lazy(() => import('./task-graph-tab.tsx'));

/** Cancels the run, or runs its failed tasks again. */
function useActions(env: string, id: string) {
  const navigate = useNavigate();
  const cancel = useMutation({
    mutationFn: () => svc.runs.cancel(env, id),
    onSuccess: (run) => cache.setQueryData<Run>(runQuery(env, id).queryKey, run),
  });
  const retry = useMutation({
    mutationFn: () => svc.runs.retry(env, id),
    onSuccess: (run) => {
      cache.setQueryData<Run>(runQuery(env, run.id).queryKey, run);
      void cache.invalidateQueries({ queryKey: runQuery(env, id).queryKey });
      return navigate({ to: '/$env/runs/$run', params: { env, run: run.id }, search: {} });
    },
  });
  return { cancel, retry };
}

function Actions({ run, actions }: { run: Run; actions: ReturnType<typeof useActions> }) {
  const { cancel, retry } = actions;
  if (isActive(run))
    return (
      <button type="button" className="button danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
        {cancel.isPending ? 'Cancelling …' : 'Cancel'}
      </button>
    );
  if (run.status === 'succeeded') return null;
  return (
    <button type="button" className="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
      {retry.isPending ? 'Starting …' : 'Retry failed tasks'}
    </button>
  );
}

const factsOf = (env: string, run: Run): readonly (readonly [string, ReactNode])[] => [
  ['Duration', <Elapsed key="duration" {...run} />],
  ['Created', <Time key="created" at={run.created_at} />],
  ['Trigger', run.trigger ?? '–'],
  [
    'Repository',
    <Link key="repository" to="/$env/runs" params={{ env }} search={{ repository: run.repository }} className="link">
      <Name>{run.repository}</Name>
    </Link>,
  ],
  ['Runs as', run.principal === null ? '–' : <Name key="principal">{run.principal}</Name>],
  ['Requested by', run.requested_by === null ? '–' : <Name key="requester">{run.requested_by}</Name>],
  ...(run.retry_of == null ? [] : [['Retry of', <RunLinks key="retry" env={env} runs={[run.retry_of]} />] as const]),
  ...(run.retried_by === undefined || run.retried_by.length === 0
    ? []
    : [['Retried by', <RunLinks key="retries" env={env} runs={run.retried_by} />] as const]),
];

function RunLinks({ env, runs }: { env: string; runs: readonly string[] }) {
  return (
    <span className="row">
      {runs.map((run) => (
        <Link key={run} to="/$env/runs/$run" params={{ env, run }} search={{}} className="link mono" title={run}>
          …{run.slice(-8)}
        </Link>
      ))}
    </span>
  );
}

const TABS = { tasks: 'Tasks', graph: 'Graph', logs: 'Logs' } as const;
type Tab = keyof typeof TABS;

function Loaded({ env, run, tab }: { env: string; run: Run; tab: Tab }) {
  const { task, attempt } = useSearch({ from: '/signed-in/$env/runs/$run' });
  return (
    <>
      {run.error === null ? null : <ErrorNotice error={run.error} />}
      <Facts facts={factsOf(env, run)} />
      <Tabs label="Parts of the run">
        {(Object.keys(TABS) as Tab[]).map((each) => (
          <Link
            key={each}
            to="/$env/runs/$run"
            params={{ env, run: run.id }}
            search={each === 'tasks' ? {} : { tab: each }}
            activeOptions={each === 'tasks' ? WHOLE_ADDRESS : { exact: each !== tab, includeSearch: true }}
          >
            {TABS[each]}
          </Link>
        ))}
      </Tabs>
      <section className="card" aria-label={TABS[tab]}>
        {tab === 'logs' ? (
          <Logs key={run.id} env={env} run={run} task={task} attempt={attempt} />
        ) : tab === 'graph' ? (
          <Suspense fallback={<Loading label="Loading the graph" />}>
            <TaskGraphTab env={env} run={run} />
          </Suspense>
        ) : (
          <Tasks env={env} run={run} />
        )}
      </section>
    </>
  );
}

/** A run: its tasks in the order in which they are built and as a graph, their checks, and the log. */
export function RunPage() {
  const { env, run: id } = useParams({ from: '/signed-in/$env/runs/$run' });
  const search = useSearch({ from: '/signed-in/$env/runs/$run' });
  const tab = (Object.keys(TABS) as Tab[]).find((each) => each === search.tab) ?? 'tasks';
  const { data: run, error, refetch } = useQuery(runQuery(env, id));
  const actions = useActions(env, id);
  const failure = actions.cancel.error ?? actions.retry.error;
  const title = run === undefined ? 'Run' : titleOf(run);
  useTitle(title, 'Runs', env);
  return (
    <div className="page">
      <PageHeader
        crumbs={[
          <Link key="runs" to="/$env/runs" params={{ env }} search={{}}>
            Runs
          </Link>,
        ]}
        title={<Name>{title}</Name>}
        badges={run === undefined ? null : <StatusBadge status={run.status} />}
        actions={run === undefined ? undefined : <Actions run={run} actions={actions} />}
        command={svcCommand(tab === 'logs' ? 'runs logs' : 'runs show', id, { env })}
      />
      {failure === null ? null : <ErrorNotice error={failure} />}
      {run !== undefined ? (
        <Loaded env={env} run={run} tab={tab} />
      ) : (
        <div className="card">{error === null ? <Loading /> : <ErrorState error={error} retry={refetch} />}</div>
      )}
    </div>
  );
}
