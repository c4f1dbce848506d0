import type { Run, RunTask } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { tableTarget } from '../catalog/table-target.ts';
import { Badge } from '../design/badge.tsx';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Empty, ErrorNotice } from '../design/states.tsx';
import { useNow } from '../design/use-now.ts';
import { count, plural } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';
import { Attempts, hasAttempts } from './attempts.tsx';
import { isActive } from './queries.ts';
import { RejectedRows } from './rejected-rows.tsx';
import { Elapsed, StatusBadge } from './run-status.tsx';
import { toneOf } from './status-tone.ts';

const CHECK_TONES = { passed: 'good', warned: 'warn', failed: 'bad' } as const;

/** When the task ran, within the time of the run. */
function Bar({ task, from, to }: { task: RunTask; from: number; to: number }) {
  if (task.started_at === null) return null;
  const start = (Date.parse(task.started_at) - from) / (to - from);
  const end = task.ended_at === null ? 1 : (Date.parse(task.ended_at) - from) / (to - from);
  const style = { '--start': `${start * 100}%`, '--length': `${Math.max(0, end - start) * 100}%` } as CSSProperties;
  return <i className={`bar tone-${toneOf(task.status)}`} style={style} aria-hidden="true" />;
}

export function Checks({ checks = [] }: Pick<RunTask, 'checks'>) {
  return (
    <ul className="row">
      {checks.map(({ name, status, rows }) => (
        <li key={name}>
          <Badge tone={CHECK_TONES[status]}>
            {status === 'passed' ? `${visible(name)} passed` : `${visible(name)} ${status}: ${plural(rows, 'row')}`}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

function TaskRow({ env, run, task, from, to }: { env: string; run: Run; task: RunTask; from: number; to: number }) {
  const { asset, status, rows, error, checks, snapshot_id: snapshot } = task;
  return (
    <tr>
      <td className="fit">
        <StatusBadge status={status} />
      </td>
      <td>
        <div className="stack tight">
          <Link
            to="/$env/runs/$run"
            params={{ env, run: run.id }}
            search={{ tab: 'logs', task: asset }}
            className="link"
            title="Show the log of this task"
          >
            <Name>{asset}</Name>
          </Link>
          {hasAttempts(task) ? <Attempts env={env} run={run.id} task={task} /> : null}
          {snapshot == null ? null : (
            <span className="soft">
              Built{' '}
              <Link {...tableTarget(env, asset)} search={{ tab: 'snapshots' }} className="link">
                snapshot <span className="mono">{snapshot}</span>
              </Link>
            </span>
          )}
          {checks === undefined || checks.length === 0 ? null : <Checks checks={checks} />}
          {error === null ? null : <ErrorNotice error={error} />}
          <RejectedRows env={env} task={task} />
        </div>
      </td>
      <td className="gantt wide-only">
        <Bar task={task} from={from} to={to} />
      </td>
      <td className="end wide-only">{count(rows)}</td>
      <td className="end wide-only">
        <Elapsed {...task} />
      </td>
    </tr>
  );
}

const COLUMNS = [
  'Status',
  'Asset and checks',
  ['Time', 'wide-only'],
  ['Rows', 'end wide-only'],
  ['Duration', 'end wide-only'],
] as const;

/** The tasks in the order in which they are built: each comes after those that it reads. */
export function Tasks({ env, run }: { env: string; run: Run }) {
  const now = useNow(isActive(run) ? 1000 : 60_000);
  if (run.tasks.length === 0) return <Empty icon="runs" title="No tasks" />;
  const from = Date.parse(run.started_at ?? run.created_at);
  const to = Math.max(from + 1, run.ended_at === null ? now : Date.parse(run.ended_at));
  return (
    <DataTable className="tasks" columns={COLUMNS}>
      {run.tasks.map((task) => (
        <TaskRow key={task.asset} env={env} run={run} task={task} from={from} to={to} />
      ))}
    </DataTable>
  );
}
