import type { ProjectVersion, Run, RunTask } from '@svc/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { tableTarget } from '../catalog/table-target.ts';
import { Facts } from '../design/facts.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorNotice, ErrorState, Loading } from '../design/states.tsx';
import { Neighbors } from '../graph/dependency-list.tsx';
import type { Graph } from '../graph/graph.ts';
import { GraphView } from '../graph/graph-view.tsx';
import { useHref } from '../graph/use-href.ts';
import { versionQuery } from '../projects/queries.ts';
import { isForbidden } from '../service/refusals.ts';
import { count } from '../text/numbers.ts';
import { RejectedRows } from './rejected-rows.tsx';
import { Elapsed, StatusBadge } from './run-status.tsx';
import { taskGraph } from './task-graph.ts';
import { Checks } from './tasks.tsx';

interface TaskDetailsProps {
  env: string;
  run: Run;
  task: RunTask;
  graph: Graph;
  hrefOf: (id: string) => string;
  onSelect: (id: string) => void;
}

/** The selected task, with links to its log and its table. */
function TaskDetails({ env, run, task, graph, hrefOf, onSelect }: TaskDetailsProps) {
  const { asset, status, rows, checks, error } = task;
  return (
    <>
      <div className="stack tight">
        <h2>
          <Name>{asset}</Name>
        </h2>
        <div>
          <StatusBadge status={status} />
        </div>
      </div>
      <div className="row">
        <Link
          to="/$env/runs/$run"
          params={{ env, run: run.id }}
          search={{ tab: 'logs', task: asset }}
          className="button small"
        >
          Log
        </Link>
        <Link {...tableTarget(env, asset)} className="button small">
          Table
        </Link>
      </div>
      {error === null ? null : <ErrorNotice error={error} />}
      <RejectedRows env={env} task={task} />
      <Facts
        facts={[
          ['Duration', <Elapsed key="duration" {...task} />],
          ['Rows', count(rows)],
        ]}
      />
      {checks === undefined || checks.length === 0 ? null : <Checks checks={checks} />}
      <Neighbors graph={graph} id={asset} hrefOf={hrefOf} onSelect={onSelect} />
    </>
  );
}

function Loaded({ env, run, version }: { env: string; run: Run; version: ProjectVersion }) {
  const { task, q = '' } = useSearch({ from: '/signed-in/$env/runs/$run' });
  const navigate = useNavigate({ from: '/$env/runs/$run' });
  const href = useHref();
  const graph = useMemo(() => taskGraph(run, version), [run, version]);
  const select = (id: string | undefined) => void navigate({ search: (search) => ({ ...search, task: id }) });
  const find = useCallback(
    (text: string) =>
      void navigate({ search: (search) => ({ ...search, q: text === '' ? undefined : text }), replace: true }),
    [navigate],
  );
  const hrefOf = useCallback(
    (id: string) => href({ to: '/$env/runs/$run', params: { env, run: run.id }, search: { tab: 'graph', task: id } }),
    [href, env, run.id],
  );
  const selected = run.tasks.find(({ asset }) => asset === task);
  return (
    <GraphView
      label="Graph of the tasks"
      graph={graph}
      selected={selected?.asset}
      onSelect={select}
      hrefOf={hrefOf}
      find={q}
      onFind={find}
      fileName={`run-${run.id}`}
    >
      {selected === undefined ? null : (
        <TaskDetails {...{ env, run, graph, hrefOf }} task={selected} onSelect={select} />
      )}
    </GraphView>
  );
}

/** The tasks of a run as a graph. What depends on what is a part of the project version, which not every reader of a run may read. */
export default function TaskGraphTab({ env, run }: { env: string; run: Run }) {
  const { data, error, refetch } = useQuery(versionQuery(env, run.project_version_id));
  if (isForbidden(error))
    return (
      <Empty icon="lock" title="You can't see what depends on what">
        The graph is a part of the project version, which needs READ_ENVIRONMENT on the environment. The tab Tasks lists
        the tasks in the order in which they are built.
      </Empty>
    );
  if (error !== null) return <ErrorState error={error} retry={refetch} />;
  if (data === undefined) return <Loading label="Loading the graph" />;
  if (run.tasks.length === 0) return <Empty icon="runs" title="No tasks" />;
  return <Loaded key={run.id} env={env} run={run} version={data} />;
}
