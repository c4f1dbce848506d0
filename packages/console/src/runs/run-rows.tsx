import type { Run } from '@svc/sdk/browser';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../design/data-table.tsx';
import { Name } from '../design/name.tsx';
import { Time } from '../design/time.tsx';
import { Elapsed, StatusBadge, TaskBar, TRIGGERS, titleOf } from './run-status.tsx';
import './runs.css';

function RunRow({ env, run }: { env: string; run: Run }) {
  const { id, status, repository, trigger, tasks, created_at } = run;
  return (
    <tr className="linked">
      <td className="fit">
        <StatusBadge status={status} />
      </td>
      <td>
        <Link to="/$env/runs/$run" params={{ env, run: id }} search={{}} className="rowlink">
          <Name>{titleOf(run)}</Name>
        </Link>{' '}
        <span className="soft">
          in{' '}
          <Link to="/$env/runs" params={{ env }} search={{ view: 'list', repository }} className="above link">
            <Name>{repository}</Name>
          </Link>
        </span>
      </td>
      <td className="soft wide-only">{trigger === null ? '–' : TRIGGERS[trigger]}</td>
      <td className="wide-only">
        <TaskBar tasks={tasks} />
      </td>
      <td className="end wide-only">
        <Elapsed {...run} />
      </td>
      <td className="end soft">
        <Time at={created_at} />
      </td>
    </tr>
  );
}

const COLUMNS = [
  'Status',
  'Job or selection',
  ['Trigger', 'wide-only'],
  ['Tasks', 'wide-only'],
  ['Duration', 'end wide-only'],
  ['Created', 'end'],
] as const;

/** Runs with their status, tasks and duration. */
export function RunRows({ env, runs }: { env: string; runs: readonly Run[] }) {
  return (
    <DataTable columns={COLUMNS}>
      {runs.map((run) => (
        <RunRow key={run.id} env={env} run={run} />
      ))}
    </DataTable>
  );
}
